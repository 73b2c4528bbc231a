// What each of two parties does by their own link. Nothing that one is told depends on the other, until a time suits both:
// that is then offered to each, as if the practice had chosen it. It is looked for at fixed hours, never as the answer to
// what one of them did, so that nobody learns whether the other had answered before.
import { TRPCError } from "@trpc/server";
import mongoose from "mongoose";
import type { z } from "zod";
import type { pickTimesSchema } from "@app/shared/booking-pairs";
import type { BookingPage } from "@app/shared/bookings";
import { HOUR_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, conflict, wrongState } from "../../core/visitor-refusals.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import { getCase } from "../cases/cases.service.ts";
import { bookMeeting } from "../meetings/booking.service.ts";
import { holdIdsWith } from "../meetings/slot-holds.service.ts";
import {
  calendarOfVisit,
  findHolding,
  type MeetingDoc,
  shownOfVisit,
  wasCancelled,
  whyNotAskedTo,
} from "../meetings/visits.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { askStaff } from "./ask-staff.ts";
import { assertHuman, pageOf, redeem, type Visitor } from "./booking-form.ts";
import { endOf, freeTimes, hostFor, type Wanted } from "./booking-slots.service.ts";
import { assertTaken, deadLink, scopeOf } from "./open-links.service.ts";
import { askToConfirm } from "./pair-letters.ts";
import { pairLeadsOn } from "./pair-renewals.ts";
import { type BookingPairDoc, BookingPairModel, isBookedOnce, type PairSide, toBeMatched } from "./pairs.model.ts";
import { plannedOf } from "./pairs.service.ts";
import { countTry } from "./visitor-limits.ts";

/** Each time that is given back tells of one more that suits the other: after so many nothing is kept any more. */
const DECLINES_MAX = 3;
const PAIR_NOTICE_MS = 24 * HOUR_MS;
const MATCHED_AT_ONCE = 100;
/** At every second hour of the day (UTC) it is looked for times that suit both, in what was chosen so long before it. */
const MATCHED_EVERY_MS = 2 * HOUR_MS;
const LEFT_ALONE_MS = 30 * MINUTE_MS;
export const MATCHED_WITHIN_MS = MATCHED_EVERY_MS + LEFT_ALONE_MS;

export interface OpenPair {
  doc: BookingPairDoc;
  side: PairSide;
  clientId: string;
  /** What keeps the time, while one does. */
  meeting: MeetingDoc | null;
  /** What both had confirmed is off: another time is the practice's to arrange. */
  isCancelled: boolean;
}

/** Null for a secret that is none, is over, was replaced, or belongs to somebody who may not be asked now. */
export async function findOpenPair(token: string): Promise<OpenPair | null> {
  const publicHash = hashToken(token);
  const doc = await BookingPairModel.findOne({ "sides.publicHash": publicHash, isEnded: false })
    .setOptions({ anyOwner: true })
    .lean();
  const side = doc?.sides.find((one) => one.publicHash === publicHash);
  const open = doc && side ? await openSide(doc, side) : null;
  return open && (await pairLeadsOn(open.doc)) ? open : null;
}

/** The same of one that is at hand. */
export async function openSide(doc: BookingPairDoc, side: PairSide): Promise<OpenPair | null> {
  if (doc.expiresOn !== "" && doc.expiresOn < (await practiceToday(doc.ownerId))) return null;
  const theCase = await getCase(scopeOf(doc), doc.caseId);
  const party = theCase.parties.find(({ partyId }) => partyId === side.partyId);
  if (!party || party.leftAt !== null) return null;
  const meeting = doc.meetingId ? await findHolding(doc.ownerId, doc.meetingId) : null;
  if (isBookedOnce(doc) && !meeting) {
    const isCancelled = await wasCancelled(doc.ownerId, doc.meetingId);
    return isCancelled ? { doc, side, clientId: party.clientId, meeting, isCancelled } : null;
  }
  // What was booked is theirs to know; whoever is yet to be asked may only be asked as by an invitation.
  if (meeting?.status !== "booked" && (await whyNotAskedTo(scopeOf(doc), theCase, plannedOf(doc)))) return null;
  return { doc, side, clientId: party.clientId, meeting, isCancelled: false };
}

type PairState = Extract<BookingPage, { kind: "pair" }>["state"];

function stateOf({ side, meeting, isCancelled }: OpenPair, isBooked: boolean): PairState {
  if (isCancelled) return "cancelled";
  if (meeting) return isBooked ? "booked" : "held";
  return side.picks.length > 0 ? "waiting" : "asked";
}

export async function pairPage(open: OpenPair, id: string): Promise<BookingPage> {
  const { doc, side, clientId, meeting } = open;
  const shown = meeting ? await shownOfVisit(meeting, clientId) : null;
  const isBooked = shown !== null && shown.isConfirmed;
  const calendar = meeting && isBooked ? await calendarOfVisit(meeting, clientId) : null;
  const until = shown && isBooked ? pairCancellableUntil(shown) : null;
  const own = shown && { startsAt: shown.startsAt, endsAt: shown.endsAt, place: shown.place, calendar };
  return {
    kind: "pair",
    ...(await pageOf(doc, id)),
    state: stateOf(open, isBooked),
    picks: side.picks.map((at) => at.toISOString()),
    own,
    hasConfirmed: side.confirmedAt !== null,
    cancellableUntil: until && until > now() ? until.toISOString() : null,
  };
}

/** Two people and a mediator have kept it free, so whoever cannot come later than that is asked to phone. */
export const pairCancellableUntil = ({ startsAt }: { startsAt: string }): Date =>
  new Date(Date.parse(startsAt) - PAIR_NOTICE_MS);

export const wantedOf = ({ ownerId, minutes, mediatorIds }: BookingPairDoc): Wanted => ({
  ownerId,
  minutes,
  mediatorIds,
});

/**
 * What is free, and what this party chose before and somebody holds for a few minutes only: a choice is lost once the
 * time is taken, not because a passer-by looks at it.
 */
export async function pairTimes({ doc, side, isCancelled }: OpenPair): Promise<number[]> {
  if (isCancelled) return [];
  const own = new Set(side.picks.map((at) => at.getTime()));
  const offered = { ...wantedOf(doc), untilTakenMs: MATCHED_WITHIN_MS };
  const [free, unbooked] = await Promise.all([freeTimes(offered), own.size > 0 ? unbookedTimes(doc) : []]);
  return [...new Set([...free, ...unbooked.filter((at) => own.has(at))])].toSorted((one, other) => one - other);
}

/** Also what somebody holds at the moment. */
export const unbookedTimes = async (doc: BookingPairDoc): Promise<number[]> =>
  freeTimes({ ...wantedOf(doc), exceptHoldIds: await holdIdsWith(doc.ownerId, doc.mediatorIds) });

export async function requireOpen(token: string): Promise<OpenPair> {
  const open = await findOpenPair(token);
  if (!open) throw deadLink();
  await assertTaken(open.doc.ownerId);
  return open;
}

/** The times that suit this party, in place of those that they chose before. */
export async function pickTimes(
  { ip }: Visitor,
  { id, times, timeZone, formToken, website }: z.output<typeof pickTimesSchema>,
): Promise<null> {
  const open = await requireOpen(id);
  await countTry(ip, "change", open.side.publicHash);
  assertHuman(website);
  if (open.isCancelled) throw wrongState("Your appointment is cancelled. We get in touch with you about another time.");
  if (open.meeting) throw wrongState("A time is kept for you already. Load the page again.");
  const free = new Set(await pairTimes(open));
  const picks = [...new Set(times)].map((at) => new Date(at)).toSorted((one, other) => one.getTime() - other.getTime());
  if (picks.some((at) => !free.has(at.getTime())))
    throw badField("times", "One of these times is not free any more. Look at what is free now, and choose again.");
  const { ownerId, _id } = open.doc;
  await inTransaction(async () => {
    await redeem({ id, formToken });
    await BookingPairModel.updateOne(
      { ownerId, _id, "sides.publicHash": open.side.publicHash },
      {
        $set: {
          "sides.$.picks": picks,
          "sides.$.timeZone": timeZone,
          "sides.$.confirmedAt": null,
          "sides.$.isToldLost": false,
          ...toBeMatched(),
          picksLookedAt: now(),
        },
      },
    );
  });
  return null;
}

/** Keeps the first time that suits both and is still free, by a meeting that waits for them. */
async function keepFirstCommon(ownerId: string, id: string): Promise<void> {
  const isHeld = await keepCommonTime(ownerId, id);
  if (!isHeld) await BookingPairModel.updateOne({ ownerId, _id: id }, { $set: { isUnmatched: false } });
}

/** Looks for a time that suits both wherever something was chosen, or given back, well before the last full hour for it. */
export async function matchPicks(): Promise<void> {
  const hour = Math.floor(now().getTime() / MATCHED_EVERY_MS) * MATCHED_EVERY_MS;
  const isYoung = { $gt: new Date(hour - LEFT_ALONE_MS) };
  const due = await BookingPairModel.find(
    { isUnmatched: true, isEnded: false, picksChangedAt: mongoose.trusted({ $not: isYoung }) },
    { ownerId: 1 },
  )
    .setOptions({ anyOwner: true })
    .sort({ picksChangedAt: 1 })
    .limit(MATCHED_AT_ONCE)
    .lean();
  for (const { ownerId, _id } of due) await keepFirstCommon(ownerId, _id);
}

defineRepeatedJob({
  name: "match choices of two parties",
  everyMs: MINUTE_MS,
  takenOverAfterMs: 5 * MINUTE_MS,
  run: matchPicks,
});

/** Whether it is to be tried again: a time that suits both is held by somebody for the moment. */
async function keepCommonTime(ownerId: string, id: string): Promise<boolean> {
  const doc = await BookingPairModel.findOne({ ownerId, _id: id }).lean();
  const [one, other] = doc?.sides ?? [];
  if (!doc || !one || !other) return false;
  // One that the practice cancelled keeps nothing any more.
  if (doc.meetingId && (await findHolding(ownerId, doc.meetingId))) return false;
  if ((doc.declines ?? 0) >= DECLINES_MAX) {
    await askAbout(doc, "Several times were kept for both parties and did not suit one of them. Arrange one by hand");
    return false;
  }
  const theirs = new Set(other.picks.map((at) => at.getTime()));
  const common = one.picks.filter((at) => theirs.has(at.getTime()) && at > now());
  for (const startsAt of common) if ((await keepTime(doc, startsAt)) !== "taken") return false;
  if (common.length === 0) return false;
  const unbooked = new Set(await unbookedTimes(doc));
  return common.some((at) => unbooked.has(at.getTime()));
}

async function keepTime(doc: BookingPairDoc, startsAt: Date): Promise<"kept" | "taken" | "refused"> {
  const scope = scopeOf(doc);
  try {
    const host = await hostFor(wantedOf(doc), startsAt, null);
    await bookMeeting(scope, meetingOf(doc, startsAt, host.userId), {
      around: host,
      isInvitedOnceBooked: true,
      chosenIn: doc.sides.flatMap(({ partyId, timeZone }) => (timeZone ? [{ partyId, timeZone }] : [])),
      keep: async (meetingId) => {
        const { modifiedCount } = await BookingPairModel.updateOne(
          { ownerId: doc.ownerId, _id: doc._id, meetingId: doc.meetingId },
          { $set: { meetingId, "sides.$[].confirmedAt": null } },
        );
        if (modifiedCount === 0) throw conflict("kept already");
        await askToConfirm(doc, meetingId, startsAt);
      },
    });
    return "kept";
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    if (error.code === "CONFLICT") return "taken";
    // As things stand they may not meet so: whoever works on the case looks at it, and neither of them learns of it.
    await askAbout(
      doc,
      "A time suits both parties, but could not be kept as the case stands. Look at it, and book by hand",
    );
    return "refused";
  }
}

export const askAbout = ({ ownerId, caseId, createdBy: assigneeId }: BookingPairDoc, words: string): Promise<void> =>
  askStaff({ ownerId, assigneeId, caseId, clientId: null }, words);

const meetingOf = (doc: BookingPairDoc, startsAt: Date, mediatorId: string) => ({
  ...plannedOf(doc),
  startsAt: startsAt.toISOString(),
  endsAt: endOf(startsAt, doc.minutes).toISOString(),
  title: "",
  mediatorIds: [mediatorId],
  arrivals: [],
  childIds: [],
  arrangements: [],
  againstMeasures: "",
  note: "",
  rooms: [],
  others: [],
  caseId: doc.caseId,
  clientId: null,
  status: "proposed" as const,
  repeat: null,
  allowsOverlap: false,
  allowsCrowding: true,
  isInvitationSent: false,
});
