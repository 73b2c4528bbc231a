// Whether a case has come as far that a child is heard in it: that is a step within mediation.
import { labelsOf, missingSignatures } from "@app/shared/agreement-gates";
import { isTakingPart, wasAssessed } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";

const PAUSED = "This case is paused, so no child is heard in it. Move it back to “In mediation” first.";
const NOT_BEGUN = "This case is an enquiry still, so no child is heard in it yet.";

/** In words, with what comes first; null where it has. */
export function whyNotYet({ status, domain, parties }: Pick<Case, "status" | "domain" | "parties">): string | null {
  if (status === "paused") return PAUSED;
  if (status === "enquiry") return NOT_BEGUN;
  if (domain !== "family") return null;
  const unassessed = parties.filter((party) => isTakingPart(party) && !wasAssessed(party));
  const unsigned = missingSignatures(parties);
  if (unassessed.length > 0)
    return `No child is heard before everybody who takes part has come to their own first meeting. Hold that of ${labelsOf(unassessed)} first.`;
  return unsigned.length > 0 ? `No child is heard before mediation is agreed to. ${unsigned.join(" ")}` : null;
}
