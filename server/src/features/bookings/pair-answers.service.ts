// What each of two parties answers to the time that is kept for both.
import type { z } from "zod";
import type { answerPairSchema } from "@app/shared/booking-pairs";
import type { cancelBookingSchema } from "@app/shared/bookings";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { isStale } from "../../core/errors.ts";
import { isForVisitors, wrongState } from "../../core/visitor-refusals.ts";
import { cancelMeeting, setMeetingStatus } from "../meetings/meetings.service.ts";
import { type MeetingDoc, shownOfVisit } from "../meetings/visits.service.ts";
import { assertHuman, redeem, type Visitor } from "./booking-form.ts";
import { scopeOf } from "./open-links.service.ts";
import { askAbout, findOpenPair, pairCancellableUntil, requireOpen } from "./pair-picks.service.ts";
import { type BookingPairDoc, BookingPairModel, type PairSide, toBeMatched } from "./pairs.model.ts";
import { unlessChanged } from "./refused-visits.ts";
import { countTry } from "./visitor-limits.ts";

const nothingKept = () => wrongState("There is no time to confirm at the moment. Load the page again.");

/** Confirms the time that is kept; once both did, it is booked and each is invited as to any meeting. Or gives it back. */
export async function answerPair(
  { ip }: Visitor,
  { id, isAgreed, formToken, website }: z.output<typeof answerPairSchema>,
): Promise<null> {
  const { doc, side, meeting } = await requireOpen(id);
  await countTry(ip, "change", side.publicHash);
  assertHuman(website);
  if (meeting?.status !== "proposed") throw nothingKept();
  const answering = inTransaction(async () => {
    await redeem({ id, formToken });
    await (isAgreed ? confirm(doc, side, meeting) : giveBack(doc, side, meeting));
  });
  await answering.catch(async (error: unknown) => {
    // The other one answered in the same moment: it is as if they had a moment before.
    if (isStale(error)) return answerLate({ doc, side, meeting }, { id, isAgreed, formToken });
    if (!isForVisitors(error))
      await askAbout(doc, "A time that both parties were to confirm cannot be booked as the case stands. Look at it");
    throw error;
  });
  return null;
}

interface Late {
  id: string;
  isAgreed: boolean;
  formToken: string;
}

/** The time is not kept any more: whoever declined it does not want it all the same. */
async function answerLate(
  { doc: { ownerId, _id }, side, meeting }: { doc: BookingPairDoc; side: PairSide; meeting: MeetingDoc },
  { id, isAgreed, formToken }: Late,
): Promise<void> {
  if (isAgreed) throw nothingKept();
  await inTransaction(async () => {
    await redeem({ id, formToken });
    await BookingPairModel.updateOne(
      { ownerId, _id, "sides.publicHash": side.publicHash },
      { $pull: { "sides.$.picks": meeting.startsAt } },
    );
  });
}

async function confirm(doc: BookingPairDoc, side: PairSide, meeting: MeetingDoc): Promise<void> {
  const { ownerId, _id } = doc;
  await BookingPairModel.updateOne(
    { ownerId, _id, meetingId: meeting._id, "sides.publicHash": side.publicHash },
    { $set: { "sides.$.confirmedAt": now() } },
  );
  const after = await BookingPairModel.findOne({ ownerId, _id }).lean();
  const isBooked = after?.sides.every(({ confirmedAt }) => confirmedAt !== null) ?? false;
  if (isBooked) await setMeetingStatus(scopeOf(doc), { id: meeting._id, version: meeting.version, to: "booked" });
}

/**
 * One of them cannot come to what is booked: it is off for both, who are told that and no more, and a colleague arranges
 * another time. False for a link that is none of a pair.
 */
export async function cancelPair(
  { ip }: Visitor,
  { id, formToken, website }: z.output<typeof cancelBookingSchema>,
): Promise<boolean> {
  const open = await findOpenPair(id);
  if (!open) return false;
  const { doc, side, clientId, meeting } = open;
  await countTry(ip, "cancel", side.publicHash);
  assertHuman(website);
  const shown = meeting && (await shownOfVisit(meeting, clientId));
  if (!meeting || !shown?.isConfirmed) throw wrongState("Nothing is booked at the moment. Load the page again.");
  if (now() >= pairCancellableUntil(shown)) throw wrongState("It is soon now. Please phone us if you cannot come.");
  const how = { reason: "Cancelled by one of those who were to come", isLate: false, isWholeSeries: false };
  await unlessChanged(() =>
    inTransaction(async () => {
      await redeem({ id, formToken });
      await cancelMeeting(scopeOf(doc), { id: meeting._id, version: meeting.version, ...how });
      await askAbout(doc, "One of the two parties cancelled the time that was booked. Arrange another one with each");
    }),
  );
  return true;
}

async function giveBack({ ownerId, _id }: BookingPairDoc, side: PairSide, meeting: MeetingDoc): Promise<void> {
  await BookingPairModel.updateOne(
    { ownerId, _id, "sides.publicHash": side.publicHash },
    {
      $pull: { "sides.$.picks": meeting.startsAt },
      $set: { meetingId: null, ...toBeMatched() },
      $inc: { declines: 1 },
    },
  );
  await BookingPairModel.updateOne({ ownerId, _id }, { $set: { "sides.$[].confirmedAt": null } });
  const how = { reason: "It did not suit after all", isLate: false, isWholeSeries: false };
  await cancelMeeting(scopeOf({ ownerId }), { id: meeting._id, version: meeting.version, ...how });
}
