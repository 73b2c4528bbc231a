import type { Session } from "@app/shared/sessions";
import { can } from "@app/shared/access";
import { IconMessages } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { Suspense } from "react";
import { api } from "../../core/api.ts";
import { codeOf } from "../../core/errors.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { CockpitContext, isSessionOpen } from "./cockpit-context.ts";
import { CockpitDialogs } from "./cockpit-dialogs.tsx";
import { CockpitHead } from "./cockpit-head.tsx";
import { CockpitNotes } from "./cockpit-notes.tsx";
import { CockpitSide } from "./cockpit-side.tsx";
import { CockpitWork } from "./cockpit-work.tsx";
import type { SessionDialog } from "./session-search.ts";
import { useSessionChanges } from "./use-session-changes.ts";
import "./sessions.css";

interface Props {
  sessionId: string;
  dialog: SessionDialog | undefined;
}

export function SessionPage({ sessionId, dialog }: Props) {
  const query = api.sessions.get.useQuery({ id: sessionId });
  useTitle(query.data ? `Session ${query.data.number}` : "Session");
  if (codeOf(query.error) === "NOT_FOUND" || codeOf(query.error) === "BAD_REQUEST") return <NoSession />;
  return (
    <Loaded query={query} failureTitle="This session could not be read">
      {(session) => <Cockpit key={session.id} stored={session} dialog={dialog} />}
    </Loaded>
  );
}

function Cockpit({ stored, dialog }: { stored: Session; dialog: SessionDialog | undefined }) {
  const user = useCurrentUser();
  const navigate = useNavigate();
  const caseQuery = api.cases.get.useQuery({ id: stored.caseId });
  const { session, change } = useSessionChanges(stored);
  const mayWrite = can(user, "clients.write");
  const show = (wanted: SessionDialog | null) =>
    void navigate({
      to: "/sessions/$id",
      params: { id: stored.id },
      search: wanted ? { dialog: wanted } : {},
      // What stands in a dialog was saved by then, or its loss agreed to.
      ignoreBlocker: wanted === null,
    });
  return (
    <Loaded query={caseQuery} failureTitle="The case of this session could not be read">
      {(theCase) => (
        <CockpitContext
          value={{ session, theCase, change, mayWrite, isOpen: mayWrite && isSessionOpen(session), show }}
        >
          <div className="cockpit">
            <CockpitHead />
            <CockpitSide />
            <Suspense>
              <CockpitNotes />
            </Suspense>
            <CockpitWork />
          </div>
          <CockpitDialogs dialog={dialog} />
        </CockpitContext>
      )}
    </Loaded>
  );
}

function NoSession() {
  return (
    <div className="cockpit-missing">
      <PageHead title="Session" />
      <EmptyState
        icon={<IconMessages size={24} stroke={1.7} />}
        title="This session is not here"
        actions={<LinkButton to="/clients">Open the clients</LinkButton>}
      >
        <p>It may belong to a case that you are not assigned to, or the link is not complete.</p>
        <p>A session opens from its case, or from a meeting in the calendar.</p>
      </EmptyState>
    </div>
  );
}
