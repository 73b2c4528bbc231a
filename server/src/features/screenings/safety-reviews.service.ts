// Before each joint session: whether anything changed for a party since they were screened.
import { SAFETY_REVIEW_MAX_AGE_DAYS, type SafetyReview } from "@app/shared/safety-reviews";
import mongoose from "mongoose";
import { mapInSlices } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { addDays, dayIn } from "@app/shared/days";
import type { Happening } from "@app/shared/screening-days";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { latestOfParties } from "./latest-of-parties.ts";
import { SafetyReviewModel, toSafetyReview, wasAskedBefore } from "./safety-reviews.model.ts";

definePartyTrace("a safety review is recorded", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await SafetyReviewModel.exists({ ownerId, caseId, partyId })),
);

interface Reviewed {
  _id: string;
  startedAt: Date | null;
}

/** Every review of a session, the newest last. */
export async function safetyReviewsOf({ ownerId }: Scope, session: Reviewed): Promise<SafetyReview[]> {
  const docs = await SafetyReviewModel.find({ ownerId, sessionId: session._id }).sort({ at: 1, _id: 1 }).lean();
  const begun = begunOf(session, await practiceTimeZone(ownerId));
  return mapInSlices(docs, (doc) => toSafetyReview(doc, begun));
}

const begunOf = ({ startedAt }: Pick<Reviewed, "startedAt">, timeZone: string) =>
  startedAt && { at: startedAt, day: dayIn(timeZone, startedAt) };

interface PartiesReviewed {
  everIds: string[];
  /** Written before it began, or said to have been asked before. */
  beforeIds: string[];
  /** The same, and not too long before. */
  recentIds: string[];
  /** Of whom it is said that they were asked only when it had begun. */
  tooLateIds: string[];
}

/** Of whom there is a review of a session, and of when. */
export async function partiesReviewed({ ownerId }: Scope, session: Reviewed): Promise<PartiesReviewed> {
  const fields = { partyId: 1, at: 1, heldOn: 1, wasAskedBefore: 1 };
  const docs = await SafetyReviewModel.find({ ownerId, sessionId: session._id }, fields).lean();
  const timeZone = await practiceTimeZone(ownerId);
  const begun = begunOf(session, timeZone);
  const first = begun && addDays(begun.day, -SAFETY_REVIEW_MAX_AGE_DAYS);
  const idsOf = (found: typeof docs) => [...new Set(found.map(({ partyId }) => partyId))];
  const before = docs.filter((doc) => begun === null || doc.at <= begun.at || wasAskedBefore(doc, begun.day));
  const recent = before.filter(({ at, heldOn = "" }) => first === null || (heldOn || dayIn(timeZone, at)) >= first);
  const tooLate = docs.filter((doc) => begun !== null && wasAskedBefore(doc, begun.day) === false);
  return { everIds: idsOf(docs), beforeIds: idsOf(before), recentIds: idsOf(recent), tooLateIds: idsOf(tooLate) };
}

const OF_CONCERN = { $or: [{ isSafe: false }, { doMeasuresFit: false }] };

interface Concern extends Happening {
  reviewId: string;
}

/** When a review last raised a concern about each party of a case. */
export const latestConcerns = async ({ ownerId }: Scope, caseId: string): Promise<Map<string, Happening>> =>
  (await latestConcernsIn(ownerId, [caseId])).get(caseId) ?? new Map();

/** The same of several cases; with a day, as that was known by then. */
export async function latestConcernsIn(
  ownerId: string,
  caseIds: readonly string[],
  day?: string,
): Promise<Map<string, Map<string, Concern>>> {
  const among = mongoose.trusted({ $in: [...caseIds] });
  const fields = { caseId: 1, partyId: 1, at: 1, heldOn: 1 };
  const docs = await SafetyReviewModel.find({ ownerId, caseId: among, ...OF_CONCERN }, fields)
    .sort({ at: 1 })
    .lean();
  const timeZone = await practiceTimeZone(ownerId);
  const dayOf = ({ heldOn = "", at }: Pick<(typeof docs)[number], "heldOn" | "at">) => heldOn || dayIn(timeZone, at);
  // One of an earlier day that is written up later does not take the place of a newer one.
  const known = docs.filter((doc) => day === undefined || dayOf(doc) <= day);
  const byDay = known.toSorted((one, other) => dayOf(one).localeCompare(dayOf(other)));
  return latestOfParties(byDay, ({ _id, heldOn = "", at }) => ({ reviewId: _id, on: heldOn, at }));
}

/** When a review last said of each party of a case that it is not safe, unless a later one of them says that it is. */
export async function latestUnsafe({ ownerId }: Scope, caseId: string): Promise<Map<string, Happening>> {
  const docs = await SafetyReviewModel.find({ ownerId, caseId }, { partyId: 1, isSafe: 1, at: 1, heldOn: 1 })
    .sort({ at: 1, _id: 1 })
    .lean();
  const latest = new Map(docs.map((doc) => [doc.partyId, doc]));
  return new Map(
    [...latest].flatMap(([partyId, { isSafe, heldOn = "", at }]) =>
      isSafe ? [] : [[partyId, { on: heldOn, at }] as const],
    ),
  );
}

/** When somebody had last told of a concern about each of them by this moment, whenever it was written down. */
export async function concernsBy({ ownerId }: Scope, caseId: string, until: Date): Promise<Map<string, Happening>> {
  const fields = { partyId: 1, at: 1, heldOn: 1 };
  const docs = await SafetyReviewModel.find({ ownerId, caseId, ...OF_CONCERN }, fields)
    .sort({ at: 1 })
    .lean();
  const timeZone = await practiceTimeZone(ownerId);
  const day = dayIn(timeZone, until);
  const told = docs
    .map(({ partyId, at, heldOn = "" }) => ({ partyId, on: heldOn, at, day: heldOn || dayIn(timeZone, at) }))
    .filter(({ on, at, ...concern }) => (on === "" ? at <= until : concern.day <= day));
  const byDay = told.toSorted((one, other) => one.day.localeCompare(other.day));
  return new Map(byDay.map(({ partyId, on, at }) => [partyId, { on, at }]));
}
