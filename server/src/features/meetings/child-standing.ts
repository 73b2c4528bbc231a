// Whether a case has come as far that a child is heard in it: that is a step within mediation.
import { labelsOf, missingSignatures } from "@app/shared/agreement-gates";
import { agreedAmong } from "@app/shared/case-sessions";
import { isTakingPart, wasAssessed } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";

const PAUSED = "This case is paused, so no child is heard in it. Move it back to “In mediation” first.";
const NOT_BEGUN = "This case is an enquiry still, so no child is heard in it yet.";

/**
 * Who must have come as far: those who mediate, as in a session, and whoever else has parental responsibility for one of
 * these children. Nobody waits for others who were only named or asked.
 */
export function whoseStanding(
  { parties, children }: Pick<Case, "parties" | "children">,
  childIds: readonly string[],
): Party[] {
  const inCase = parties.filter(isTakingPart);
  const mediating = agreedAmong(inCase);
  const heard = children.filter(({ childId, cim }) =>
    childIds.length > 0 ? childIds.includes(childId) : cim.isOffered,
  );
  const isHolder = ({ partyId }: Party) =>
    heard.some(({ cim }) => cim.responsibility.some((one) => one.partyId === partyId && one.isHeld));
  return inCase.filter((party) => mediating.includes(party) || isHolder(party));
}

/** In words, with what comes first; null where it has. */
export function whyNotYet({ status, domain }: Pick<Case, "status" | "domain">, asked: readonly Party[]): string | null {
  if (status === "paused") return PAUSED;
  if (status === "enquiry") return NOT_BEGUN;
  if (domain !== "family") return null;
  const unassessed = asked.filter((party) => !wasAssessed(party));
  const unsigned = missingSignatures(asked);
  if (unassessed.length > 0)
    return `No child is heard before everybody who mediates or has parental responsibility has come to their own first meeting. Hold that of ${labelsOf(unassessed)} first.`;
  return unsigned.length > 0 ? `No child is heard before mediation is agreed to. ${unsigned.join(" ")}` : null;
}
