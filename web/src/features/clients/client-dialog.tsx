import type { Case } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import { useNavigate } from "@tanstack/react-router";
import { OpenCaseDialog } from "../casework/open-case-dialog.tsx";
import { nextHour } from "../meetings/next-hour.ts";
import { TaskDialog } from "../tasks/task-dialog.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { later } from "../../ui/later.tsx";

const BookMeetingDialog = later(async () => (await import("../meetings/book-meeting-dialog.tsx")).BookMeetingDialog);

const ComposeDialog = later(async () => (await import("../compose/compose-dialog.tsx")).ComposeDialog);

export type ClientDialogName = "case" | "task" | "meeting" | "mail";

interface Props {
  name: ClientDialogName;
  client: Client;
  theCase: Case | null;
  onClose: () => void;
}

/** What is begun from a client's page: a case, a task, a meeting or a message. */
export function ClientDialog({ name, client, theCase, onClose }: Props) {
  const navigate = useNavigate();
  const { timeZone } = useCurrentUser();
  const caseId = theCase?.id ?? null;
  const show = (search: { tab: string; case?: string }) => {
    onClose();
    void navigate({ to: "/clients/view/$id", params: { id: client.id }, search });
  };
  switch (name) {
    case "case":
      return (
        <OpenCaseDialog
          client={{ id: client.id, name: client.displayName }}
          onClose={onClose}
          onOpened={({ id }) => show({ tab: "case", case: id })}
        />
      );
    case "meeting":
      return (
        <BookMeetingDialog
          startsAt={nextHour(timeZone)}
          theCase={theCase}
          partyIds={theCase?.parties.flatMap((party) => (party.clientId === client.id ? party.partyId : [])) ?? []}
          onClose={onClose}
          onBooked={() => show({ tab: "meetings" })}
        />
      );
    case "mail":
      return <ComposeDialog start={{ clientId: client.id, caseId }} onClose={onClose} />;
    case "task":
      return <TaskDialog clientId={client.id} caseId={caseId} onClose={onClose} />;
  }
}
