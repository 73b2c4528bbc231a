import type { Case } from "@app/shared/cases";
import { APPROVAL_WAY_NAMES, APPROVED_KINDS } from "@app/shared/document-approvals";
import type { DocumentRow } from "@app/shared/documents";
import { useFormats } from "../../core/format.ts";

/** It is finished, for all of them together, and none took its place. */
export const isApprovable = ({ status, kind, addressee, isSuperseded }: DocumentRow): boolean =>
  status === "finished" && addressee.kind === "joint" && APPROVED_KINDS.includes(kind) && !isSuperseded;

interface Props {
  document: DocumentRow;
  theCase: Case;
}

/** "Priya approved it on 30 November 2026 (in the session). Owen asks for a change: the second date." */
export function ApprovalWords({ document, theCase }: Props) {
  const formats = useFormats();
  const { approvals } = document;
  if (approvals.length === 0 && !isApprovable(document)) return null;
  const words = theCase.parties
    .filter(({ leftAt, partyId }) => leftAt === null || approvals.some((one) => one.partyId === partyId))
    .map(({ partyId, name }) => {
      const said = approvals.find((one) => one.partyId === partyId);
      if (!said) return `${name} has not said yet whether they approve it.`;
      const how = APPROVAL_WAY_NAMES[said.how].toLowerCase();
      const when = `on ${formats.calendarDay(said.on)}, ${how}`;
      const comment = said.comment === "" ? "" : `: “${said.comment}”`;
      return said.decision === "approved"
        ? `${name} approved it ${when}${comment}.`
        : `${name} asked for a change ${when}${comment}.`;
    });
  return <span>{words.join(" ")}</span>;
}
