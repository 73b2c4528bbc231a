// The coming meetings of one party, for a mail to them, and the calendar entry that may go with it.
import mongoose from "mongoose";
import type { Case, Party } from "@app/shared/cases";
import { now } from "../../core/clock.ts";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { clientBriefs } from "../clients/clients.service.ts";
import { type ForParty, mapFor, partyOf, type Recipient } from "../visibility/for-party.service.ts";
import { invitationIcs } from "./ics.ts";
import { entryOf } from "./meeting-uids.service.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";
import { meetingFor, type PartyMeeting } from "./meetings.visibility.ts";

const COMING_MAX = 20;
const HELD = ["proposed", "booked", "confirmed"] as const;

export interface ComingMeeting {
  doc: MeetingDoc;
  own: ForParty<PartyMeeting>;
}

/** The meetings that this party is to come to, the next first, as they know them. */
export async function comingMeetings(scope: Scope, theCase: Case, partyId: string): Promise<ComingMeeting[]> {
  const to: Recipient = { theCase, partyId };
  const docs = await MeetingModel.find({
    ownerId: scope.ownerId,
    caseId: theCase.id,
    status: mongoose.trusted({ $in: HELD }),
    startsAt: mongoose.trusted({ $gt: now() }),
  })
    .sort({ startsAt: 1, _id: 1 })
    .limit(COMING_MAX)
    .lean();
  const isNeutral = await isNeutralFor(scope, to);
  return docs.flatMap((doc) => {
    const own = meetingFor(doc, to, isNeutral);
    return own ? { doc, own } : [];
  });
}

/** A meeting that is still to come as this party was told at this sequence, as they know it; null for none. */
export async function stillComing(
  scope: Scope,
  { id, sequence }: { id: string; sequence: number },
  { theCase, partyId }: Recipient,
): Promise<ComingMeeting | null> {
  const doc = await MeetingModel.findOne({
    ownerId: scope.ownerId,
    _id: id,
    partyIds: partyId,
    uids: mongoose.trusted({ $elemMatch: { partyId, sequence } }),
    status: mongoose.trusted({ $in: HELD }),
    startsAt: mongoose.trusted({ $gt: now() }),
  }).lean();
  const own = doc && meetingFor(doc, { theCase, partyId }, await isNeutralFor(scope, { theCase, partyId }));
  return own && { doc, own };
}

async function isNeutralFor(scope: Scope, to: Recipient): Promise<boolean> {
  const { clientId } = partyOf(to);
  return (await clientBriefs(scope, [clientId])).get(clientId)?.isRestricted ?? true;
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

/** The calendar entry of a meeting for one party: nothing in it says that anybody else comes. */
export const invitationOf = (
  { doc, own }: ComingMeeting,
  { party, practiceName, email, organiserEmail }: Addressed,
): ForParty<{ name: string; mime: string; content: string }> =>
  mapFor(own, ({ title, startsAt, endsAt, location }) => ({
    name: "invite.ics",
    mime: "text/calendar; charset=utf-8; method=REQUEST",
    content: invitationIcs(
      {
        ...entryOf(doc, party.partyId),
        title: `${title}, ${practiceName}`,
        startsAt,
        endsAt,
        location,
        isTentative: doc.status === "proposed",
      },
      {
        method: "REQUEST",
        organiser: { name: practiceName, email: organiserEmail },
        attendee: { name: party.name, email },
      },
    ),
  }));
