// What each of two parties answers to the time that is kept for both.
import type { z } from "zod";
import type { answerPairSchema } from "@app/shared/booking-pairs";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { isStale } from "../../core/errors.ts";
import { isForVisitors, wrongState } from "../../core/visitor-refusals.ts";
import { cancelMeeting, setMeetingStatus } from "../meetings/meetings.service.ts";
import type { MeetingDoc } from "../meetings/visits.service.ts";
import { assertHuman, redeem, type Visitor } from "./booking-form.ts";
import { scopeOf } from "./open-links.service.ts";
import { askAbout, requireOpen } from "./pair-picks.service.ts";
import { type BookingPairDoc, BookingPairModel, type PairSide, toBeMatched } from "./pairs.model.ts";
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
