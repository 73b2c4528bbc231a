// Whoever came to a joint session was asked again whether it is safe, and in time: what of that is missing when it is locked.
import { can } from "@app/shared/access";
import { labelsOf } from "@app/shared/agreement-gates";
import type { Case, Party } from "@app/shared/cases";
import { SAFETY_REVIEW_MAX_AGE_DAYS } from "@app/shared/safety-reviews";
import { unreviewedIn } from "@app/shared/sessions";
import type { Scope } from "../../core/trpc.ts";
import { REVIEWS_TO_LOOK_AT } from "../safeguarding/opened-entries.service.ts";
import { partiesReviewed } from "../screenings/safety-reviews.service.ts";
import { gapsAt } from "./past-gates.ts";
import { gapsOfHours } from "./same-hours.ts";
import type { Gap, SessionDoc } from "./sessions.model.ts";

const partiesOf = ({ parties }: Case, ids: readonly string[]): Party[] =>
  parties.filter(({ partyId }) => ids.includes(partyId));

/** Who came and was never asked. */
export async function unreviewed(scope: Scope, draft: SessionDoc, theCase: Case): Promise<Party[]> {
  const { everIds } = await partiesReviewed(scope, draft);
  return partiesOf(theCase, unreviewedIn(draft, everIds));
}

/** That everybody who came to a joint session is asked again, in words. */
export function missingReviews(scope: Scope, missing: readonly Party[]): string[] {
  if (missing.length === 0) return [];
  if (!can(scope, "screening.read")) return [REVIEWS_TO_LOOK_AT];
  return [`Record the safety review of ${labelsOf(missing)}.`];
}

/** What was missing for it when it began, as far as anybody has to say why. */
export async function lockGaps(scope: Scope, draft: SessionDoc, theCase: Case): Promise<Gap[]> {
  const { everIds, beforeIds, recentIds, tooLateIds } = await partiesReviewed(scope, draft);
  const reviewGap = (party: Party) => {
    if (!everIds.includes(party.partyId)) return noReview(party);
    if (beforeIds.includes(party.partyId)) return oldReview(party);
    return tooLateIds.includes(party.partyId) ? notAsked(party) : lateReview(party);
  };
  const reviewGaps = partiesOf(theCase, unreviewedIn(draft, recentIds)).map(reviewGap);
  const { startedAt } = draft;
  if (!startedAt) return reviewGaps;
  const held = { ...draft, startedAt };
  return [...(await gapsOfHours(scope, held, theCase)), ...(await gapsAt(scope, held, theCase)), ...reviewGaps];
}

const notAsked = ({ label }: Party): Gap => ({
  text: `${label} was asked only after the session had begun whether it was safe.`,
  isSafety: true,
});

/** Nobody says when they were asked. */
const lateReview = ({ label }: Party): Gap => ({
  text: `The safety review of ${label} was written after the session had begun.`,
  isSafety: true,
});

/** Whoever died or left cannot be asked any more: that they were not is kept, with why. */
const noReview = ({ label }: Party): Gap => ({ text: `There is no safety review of ${label}.`, isSafety: true });

const oldReview = ({ label }: Party): Gap => ({
  text: `The safety review of ${label} was over ${SAFETY_REVIEW_MAX_AGE_DAYS} days old when the session began.`,
  isSafety: true,
});
