// Meetings that were booked from outside, by the secret of whoever booked them.
import mongoose from "mongoose";
import { hashToken } from "../../core/crypto.ts";
import { carrierOf } from "../mail/mail-from.service.ts";
import { systemScope } from "../../core/system-scope.ts";
import { detailsOf } from "./meeting-bookings.ts";
import { entryOf } from "./meeting-uids.service.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";
import { appointmentIcs, placeOfMeeting } from "./visitor-notices.ts";

export type { MeetingDoc } from "./meetings.model.ts";
export { placeOfMeeting } from "./visitor-notices.ts";

/** As it stands by now, wherever it was moved; null for a secret that is none. */
export const findVisit = (token: string): Promise<MeetingDoc | null> =>
  MeetingModel.findOne({
    "booking.tokenHash": hashToken(token),
    status: mongoose.trusted({ $ne: "rescheduled" as const }),
  })
    .sort({ createdAt: -1 })
    .setOptions({ anyOwner: true })
    .lean();

/** The calendar file of whoever booked it: the entry that they were mailed. */
export async function calendarOfVisit(meeting: MeetingDoc): Promise<string> {
  const { address } = await carrierOf(systemScope(meeting.ownerId));
  const [partyId] = meeting.partyIds;
  const isVisitor = detailsOf(meeting)?.visitor !== null;
  const entry = isVisitor || partyId === undefined ? meeting.booking : entryOf(meeting, partyId);
  return appointmentIcs(meeting, { purpose: "invitation", organiserEmail: address, entry });
}

export const shownOfVisit = (meeting: MeetingDoc) => ({
  startsAt: meeting.startsAt.toISOString(),
  endsAt: meeting.endsAt.toISOString(),
  isConfirmed: meeting.status !== "proposed",
  place: placeOfMeeting(meeting),
  timeZone: meeting.booking?.timeZone ?? meeting.timeZone,
});
