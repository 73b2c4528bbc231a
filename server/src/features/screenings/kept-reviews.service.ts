// A safety review as it is kept, and what follows from a concern in it: in its case, and in each other of the same people.
import type { Party } from "@app/shared/cases";
import { isConcern, type NewSafetyReview, SAFETY_REVIEWS_MAX } from "@app/shared/safety-reviews";
import { caucusOf } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertStillParties } from "../cases/named-parties.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { openEntry } from "../safeguarding/opened-entries.service.ts";
import { takeTurnsAround } from "./found-elsewhere.service.ts";
import { SafetyReviewModel, sealNote } from "./safety-reviews.model.ts";
import { askToScreenAgain, hasOpenConcern } from "./screening-again.service.ts";
import { tellSafetyFollowers } from "./screening-followers.service.ts";
import { tellOthers } from "./told-elsewhere.service.ts";

interface Place {
  caseId: string;
  sessionId: string;
  party: Party;
}

/** Keeps a review beside the earlier ones; a concern opens the safeguarding record, and stands in the way until a new screening. */
export async function addSafetyReview(scope: Scope, place: Place, review: NewSafetyReview): Promise<void> {
  const { caseId, sessionId, party } = place;
  const { note, ...said } = review;
  await takeTurnsAround(scope.ownerId, caseId);
  await assertStillParties(scope.ownerId, caseId, [party.partyId]);
  const { ownerId, userName: byName } = scope;
  if ((await SafetyReviewModel.countDocuments({ ownerId, sessionId })) >= SAFETY_REVIEWS_MAX)
    throw wrongState(`A session has at most ${SAFETY_REVIEWS_MAX} safety reviews. Screen this party again instead.`);
  await assertNotLater(scope, "heldOn", review.heldOn);
  if (review.wasAskedBefore) await tellOfLate(scope, place, review);
  const _id = newId();
  const noteEnc = sealNote(ownerId, _id, { note });
  await SafetyReviewModel.create([{ ...said, _id, ownerId, caseId, sessionId, noteEnc, byName, at: now() }]);
  if (!isConcern(said)) return;
  await openEntry(scope, { caseId, partyId: party.partyId, sessionId, screeningId: null, concern: note });
  // One of an earlier day that is written up later may be answered already.
  if (!(await hasOpenConcern(scope, { caseId, partyId: party.partyId }))) return;
  await askToScreenAgain(scope, { caseId, party });
  const found = { caseId, partyId: party.partyId, measures: [], isUnsafe: true };
  await tellSafetyFollowers(scope, found);
  await tellOthers(ownerId, found);
}

/** That it was held before its session, by what somebody says afterwards. */
async function tellOfLate(scope: Scope, { caseId, party }: Place, { heldOn }: NewSafetyReview): Promise<void> {
  const { calendarDay } = await practiceDates(scope.ownerId);
  await recordEvent(scope, {
    kind: "case",
    text: `Safety review of ${party.label} held on ${calendarDay(heldOn)}, recorded after the session had begun`,
    caseId,
    clientIds: [party.clientId],
    visibility: caucusOf(party.partyId),
    needs: "screening.read",
  });
}
