import mongoose from "mongoose";
import type { Case } from "@app/shared/cases";
import type { Scope } from "../../core/trpc.ts";
import type { GuardedItem } from "../visibility/visibility.service.ts";
import { clientBriefs } from "../clients/clients.service.ts";
import { type ForParty, joinFor, mapFor, openFor, partyOf, type Recipient } from "../visibility/for-party.service.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";
import { meetingFor, type PartyMeeting } from "./meetings.visibility.ts";

const PREVIEW_MAX = 100;

/** The meetings of a case as this party knows them, the newest first. */
export async function partyMeetings(
  scope: Scope,
  theCase: Case,
  partyId: string,
): Promise<ForParty<readonly GuardedItem[]>> {
  const to = { theCase, partyId };
  const docs = await MeetingModel.find({ ownerId: scope.ownerId, caseId: theCase.id })
    .sort({ startsAt: -1, _id: -1 })
    .limit(PREVIEW_MAX)
    .lean();
  const isNeutral = await isNeutralFor(scope, to);
  const known = docs.flatMap((doc) => {
    const own = meetingFor(doc, to, isNeutral);
    return own ? [mapFor(own, (meeting) => [itemOf(meeting, doc.createdAt)])] : [];
  });
  return joinFor(to, known);
}

interface Held {
  id: string;
  heldAt: Date;
}

/**
 * When this party was to come to a meeting that was held, as they know it; null where it is not theirs. One that names
 * nobody is everybody's.
 */
export async function arrivalAt(scope: Scope, to: Recipient, held: Held): Promise<Date | null> {
  const meeting = await asHeld(scope, to, held);
  if (!meeting || meeting.partyIds.length === 0) return meeting && meeting.startsAt;
  const own = meetingFor(meeting, to, true);
  return own && openFor(own, { partyId: to.partyId }).startsAt;
}

/** Where it was moved before it was held, what it was moved to. */
async function asHeld(
  { ownerId }: Pick<Scope, "ownerId">,
  to: Recipient,
  { id, heldAt }: Held,
): Promise<MeetingDoc | null> {
  const ofCase = { ownerId, caseId: to.theCase.id };
  const meeting = await MeetingModel.findOne({ ...ofCase, _id: id }).lean();
  if (meeting?.status !== "rescheduled") return meeting;
  const before = mongoose.trusted({ $lte: heldAt });
  const moved = await MeetingModel.findOne({ ...ofCase, rescheduledFromId: id, createdAt: before }, { _id: 1 }).lean();
  return moved ? asHeld({ ownerId }, to, { id: moved._id, heldAt }) : meeting;
}

async function isNeutralFor(scope: Scope, to: Recipient): Promise<boolean> {
  const { clientId } = partyOf(to);
  return (await clientBriefs(scope, [clientId])).get(clientId)?.isRestricted ?? true;
}

/** What this party calls their meetings as things stand now; nothing for a meeting that is not theirs. */
export interface MeetingNames {
  byId: ReadonlyMap<string, string>;
  /** Words from before, which may tell more, are not for them. */
  isNeutral: boolean;
}

export async function meetingNames(scope: Scope, to: Recipient, ids: readonly string[]): Promise<MeetingNames> {
  const found = { ownerId: scope.ownerId, caseId: to.theCase.id, _id: mongoose.trusted({ $in: [...ids] }) };
  const [docs, isNeutral] = await Promise.all([MeetingModel.find(found).lean(), isNeutralFor(scope, to)]);
  const names = docs.flatMap((doc): [string, string][] => {
    const own = meetingFor(doc, to, isNeutral);
    return own ? [[doc._id, openFor(own, { partyId: to.partyId }).title]] : [];
  });
  return { byId: new Map(names), isNeutral };
}

const itemOf = ({ id, title, location, change, startsAt, visibility }: PartyMeeting, since: Date): GuardedItem => ({
  kind: "meeting",
  id,
  title,
  detail: [location, change].filter(Boolean).join(". "),
  at: startsAt.toISOString(),
  since,
  changedAt: since,
  visibility,
});
