// Before each joint session: whether anything changed for a party since they were screened.
import { isConcern, type NewSafetyReview, SAFETY_REVIEWS_MAX, type SafetyReview } from "@app/shared/safety-reviews";
import { now } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { wrongState } from "../../core/errors.ts";
import { mapInSlices } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import type { Party } from "@app/shared/cases";
import { openEntry } from "../safeguarding/opened-entries.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { takeSafetyTurn } from "./safety-turns.service.ts";
import { SafetyReviewModel, sealNote, toSafetyReview } from "./safety-reviews.model.ts";

interface Place {
  caseId: string;
  sessionId: string;
  party: Party;
}

/** Every review of a session, the newest last. */
export async function safetyReviewsOf({ ownerId }: Scope, sessionId: string): Promise<SafetyReview[]> {
  const docs = await SafetyReviewModel.find({ ownerId, sessionId }).sort({ at: 1, _id: 1 }).lean();
  return mapInSlices(docs, toSafetyReview);
}

export const partiesReviewed = ({ ownerId }: Scope, sessionId: string): Promise<string[]> =>
  SafetyReviewModel.distinct("partyId", { ownerId, sessionId });

/** Keeps a review beside the earlier ones; a concern opens the safeguarding record, and stands in the way until a new screening. */
export async function addSafetyReview(
  scope: Scope,
  { caseId, sessionId, party }: Place,
  { note, ...said }: NewSafetyReview,
): Promise<void> {
  await takeSafetyTurn(scope.ownerId, caseId);
  const { ownerId, userId, userName: byName } = scope;
  if ((await SafetyReviewModel.countDocuments({ ownerId, sessionId })) >= SAFETY_REVIEWS_MAX)
    throw wrongState(`A session has at most ${SAFETY_REVIEWS_MAX} safety reviews. Screen this party again instead.`);
  const _id = newId();
  const noteEnc = sealNote(ownerId, _id, note);
  await SafetyReviewModel.create([{ ...said, _id, ownerId, caseId, sessionId, noteEnc, byName, at: now() }]);
  if (!isConcern(said)) return;
  await openEntry(scope, { caseId, partyId: party.partyId, sessionId, concern: note });
  const title = `Safety: screen ${party.label} again`;
  const { clientId } = party;
  await createTasks(scope, [{ title, caseId, clientId, dueOn: null, assigneeId: userId, needs: "screening.read" }]);
}

/** When a review last raised a concern about each party of a case. */
export async function latestConcerns({ ownerId }: Scope, caseId: string): Promise<Map<string, Date>> {
  const docs = await SafetyReviewModel.find(
    { ownerId, caseId, $or: [{ isSafe: false }, { doMeasuresFit: false }] },
    { partyId: 1, at: 1 },
  )
    .sort({ at: 1 })
    .lean();
  return new Map(docs.map(({ partyId, at }) => [partyId, at]));
}
