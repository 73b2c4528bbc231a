import type { Case } from "@app/shared/cases";
import type { DocumentRow } from "@app/shared/documents";
import { answersFor } from "@app/shared/team-access";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { later } from "../../ui/later.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { Section } from "../../ui/section.tsx";
import { isApprovable } from "./approval-words.tsx";

const ApprovalDialog = later(async () => (await import("./approval-dialog.tsx")).ApprovalDialog);

interface Props {
  document: DocumentRow;
  theCase: Case;
}

/** What each party said of a finished document, and the way to record it. */
export function ApprovalsSection({ document, theCase }: Props) {
  const user = useCurrentUser();
  const formats = useFormats();
  const [isRecording, setIsRecording] = useState(false);
  const { approvals } = document;
  if (approvals.length === 0 && !isApprovable(document)) return null;
  const mayRecord = isApprovable(document) && answersFor(user, theCase.mediators);
  const asked = theCase.parties.filter(
    ({ leftAt, partyId }) => leftAt === null || approvals.some((one) => one.partyId === partyId),
  );
  return (
    <Section
      title="Approvals"
      action={
        mayRecord && (
          <Button size="xs" variant="default" onClick={() => setIsRecording(true)}>
            Record
          </Button>
        )
      }
    >
      <ul className="approvals">
        {asked.map(({ partyId, label, name }) => {
          const said = approvals.find((one) => one.partyId === partyId);
          const isApproved = said?.decision === "approved";
          return (
            <li key={partyId}>
              <PartyMarker label={label} />
              <span>
                {name}
                {said && <small>{formats.calendarDay(said.on)}</small>}
                {said?.comment && <small>“{said.comment}”</small>}
              </span>
              <Chip tone={isApproved ? "agreed" : "outline"}>
                {isApproved ? "Approved" : said ? "Asks for a change" : "Not said yet"}
              </Chip>
            </li>
          );
        })}
      </ul>
      {isRecording && <ApprovalDialog document={document} theCase={theCase} onClose={() => setIsRecording(false)} />}
    </Section>
  );
}
