// The coming meetings of one party, for a mail to them, and the calendar entry that may go with it.
import mongoose from "mongoose";
import type { Case, Party } from "@app/shared/cases";
import { now } from "../../core/clock.ts";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { type ForParty, mapFor } from "../visibility/for-party.service.ts";
import { whyNotAsked } from "./asked-to-come.ts";
import { calendarEntry } from "./calendar-entry.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";
import { knownMeetings } from "./party-meetings.service.ts";
import { meetingFor, type PartyMeeting, discretionTo } from "./meetings.visibility.ts";

const COMING_MAX = 20;
const HELD = ["proposed", "booked", "confirmed"] as const;

export interface ComingMeeting {
  doc: MeetingDoc;
  own: ForParty<PartyMeeting>;
}

const isComing = () => ({
  status: mongoose.trusted({ $in: HELD }),
  startsAt: mongoose.trusted({ $gt: now() }),
});

/** The meetings that this party is asked to come to, the next first: those that they know as they stand. */
export async function comingMeetings(scope: Scope, theCase: Case, partyId: string): Promise<ComingMeeting[]> {
  const coming: ComingMeeting[] = [];
  const known = knownMeetings(scope, { theCase, partyId }, { filter: isComing(), sort: { startsAt: 1, _id: 1 } });
  for await (const { isFollowing, ...meeting } of known) {
    if (isFollowing && !(await whyNotAsked(scope, theCase, meeting.doc))) coming.push(meeting);
    if (coming.length === COMING_MAX) break;
  }
  return coming;
}

/** A meeting that is still to come as this party was told at this sequence, as they know it; null for none. */
export async function stillComing(
  scope: Scope,
  { id, sequence }: { id: string; sequence: number },
  to: { theCase: Case; partyId: string },
): Promise<ComingMeeting | null> {
  const { theCase, partyId } = to;
  const doc = await MeetingModel.findOne({
    ownerId: scope.ownerId,
    _id: id,
    partyIds: partyId,
    uids: mongoose.trusted({ $elemMatch: { partyId, sequence } }),
    ...isComing(),
  }).lean();
  const known = doc && meetingFor(doc, to, await discretionTo(scope, to));
  if (!doc || !known?.isFollowing || (await whyNotAsked(scope, theCase, doc))) return null;
  return { doc, own: known.own };
}

/** In the transaction of a mail with its calendar entry. Throws NOT_FOUND where the meeting was taken back. */
export async function noteWritten(ownerId: string, id: string): Promise<void> {
  const { matchedCount } = await MeetingModel.updateOne(
    { ownerId, _id: id },
    { $set: { writtenAt: now() } },
    { timestamps: false },
  );
  if (matchedCount === 0) throw notFound("Meeting");
}

interface Addressed {
  party: Party;
  practiceName: string;
  email: string;
  /** Where the mail comes from. */
  organiserEmail: string;
}

/** The calendar entry that goes with a letter: nothing in it says that anybody else comes. */
export const invitationOf = (
  { doc, own }: ComingMeeting,
  { party, practiceName, email, organiserEmail }: Addressed,
): ForParty<ReturnType<typeof calendarEntry>> =>
  mapFor(own, (known) =>
    calendarEntry(known, {
      meeting: doc,
      method: "REQUEST",
      organiser: { name: practiceName, email: organiserEmail },
      attendee: { partyId: party.partyId, name: party.name, email },
    }),
  );
