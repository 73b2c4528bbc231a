// Meetings that were booked from outside, by the secret of whoever booked them.
import mongoose from "mongoose";
import type { Case } from "@app/shared/cases";
import { HOLDING_STATUSES } from "@app/shared/meeting-states";
import { hashToken } from "../../core/crypto.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { carrierOf } from "../mail/mail-from.service.ts";
import { systemScope } from "../../core/system-scope.ts";
import { openFor } from "../visibility/for-party.service.ts";
import { whyNotBooked } from "./meeting-safety.ts";
import { discretionTo, meetingFor } from "./meetings.visibility.ts";
import { detailsOf } from "./meeting-bookings.ts";
import { entryOf } from "./meeting-uids.service.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";
import { appointmentIcs, placeOfMeeting } from "./visitor-notices.ts";

export type { MeetingDoc } from "./meetings.model.ts";
export { placeOfMeeting, tellVisitor } from "./visitor-notices.ts";
export { manageAddress } from "./meeting-bookings.ts";

/** As it stands by now, wherever it was moved; null for a secret that is none. */
export const findVisit = (token: string): Promise<MeetingDoc | null> =>
  standing({ "booking.tokenHash": hashToken(token) })
    .setOptions({ anyOwner: true })
    .lean();

/** Where it was moved, the one that it was moved to. */
const standing = (by: { "booking.tokenHash": string; ownerId?: string } | { "booking.sentHash": string }) =>
  MeetingModel.findOne({ ...by, status: mongoose.trusted({ $ne: "rescheduled" as const }) }).sort({ createdAt: -1 });

/** The same for what is kept of that secret. */
export const findVisitByHash = (ownerId: string, tokenHash: string): Promise<MeetingDoc | null> =>
  standing({ ownerId, "booking.tokenHash": tokenHash }).lean();

/** What was booked by this very sending, and the secret of whoever sent it; null where nothing was. */
export async function findSentVisit(sentHash: string): Promise<{ meeting: MeetingDoc; token: string } | null> {
  const meeting = await standing({ "booking.sentHash": sentHash }).setOptions({ anyOwner: true }).lean();
  const details = meeting && detailsOf(meeting);
  return details ? { meeting, token: details.token } : null;
}

/** Which address somebody named who is no client; null for a client. */
export const addressOfVisit = (meeting: MeetingDoc): string | null => detailsOf(meeting)?.visitor?.email ?? null;

/** What whoever booked it entered, and their secret. */
export const visitDetails = (meeting: MeetingDoc) => detailsOf(meeting);

/** The calendar file of whoever booked it, or of this client: the entry that they were mailed. */
export async function calendarOfVisit(meeting: MeetingDoc, whose = meeting.booking?.clientId ?? null): Promise<string> {
  const { address } = await carrierOf(systemScope(meeting.ownerId));
  const scope = systemScope(meeting.ownerId);
  const theCase = meeting.caseId ? await getCase(scope, meeting.caseId) : null;
  const party = theCase?.parties.find(({ clientId }) => clientId === whose);
  const entry = party ? entryOf(meeting, party.partyId) : meeting.booking;
  // Others may come earlier or later.
  const own = meeting.caseId && party ? await ownOf(meeting, party.clientId) : null;
  const purpose = ["cancelled", "expired"].includes(meeting.status) ? "cancellation" : "invitation";
  const when = own && { startsAt: own.startsAt, endsAt: own.endsAt };
  return appointmentIcs({ ...meeting, ...when }, { purpose, organiserEmail: address, entry });
}

/** What a party may know of this meeting, by whatever link they open it; null where it is none of theirs. */
async function ownOf(meeting: MeetingDoc, clientId: string) {
  const scope = systemScope(meeting.ownerId);
  const theCase = meeting.caseId ? await getCase(scope, meeting.caseId) : null;
  const party = theCase?.parties.find((one) => one.clientId === clientId);
  if (!theCase || !party) return null;
  const to = { theCase, partyId: party.partyId };
  const known = meetingFor(meeting, to, await discretionTo(scope, to));
  return known && openFor(known.own, { partyId: party.partyId });
}

/** The meeting as whoever booked it may know it; null where it is none of theirs any more. */
export async function shownOfVisit(meeting: MeetingDoc, clientId: string | null) {
  const own = meeting.caseId && clientId ? await ownOf(meeting, clientId) : null;
  if (meeting.caseId && !own) return null;
  return {
    startsAt: (own?.startsAt ?? meeting.startsAt).toISOString(),
    endsAt: (own?.endsAt ?? meeting.endsAt).toISOString(),
    isConfirmed: meeting.status !== "proposed",
    place: own?.location ?? placeOfMeeting(meeting),
    timeZone: meeting.booking?.timeZone ?? meeting.timeZone,
  };
}

/** One that holds its time, of a case. */
export const findHolding = (ownerId: string, id: string): Promise<MeetingDoc | null> =>
  MeetingModel.findOne({ ownerId, _id: id, status: mongoose.trusted({ $in: HOLDING_STATUSES }) }).lean();

export const wasCancelled = async (ownerId: string, id: string): Promise<boolean> =>
  Boolean(await MeetingModel.exists({ ownerId, _id: id, status: "cancelled" }));

type Planned = Parameters<typeof whyNotBooked>[2];

/** In words that tell nothing of what was found: why nobody may be asked to such a meeting now; empty where they may. */
export async function whyNotAskedTo(scope: Scope, theCase: Case, planned: Planned): Promise<string> {
  const obstacle = await whyNotBooked(scope, theCase, planned, { isAskedNow: true, isTold: true });
  return obstacle?.message ?? "";
}
