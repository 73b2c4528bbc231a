import mongoose, { type QueryFilter } from "mongoose";
import type { Case } from "@app/shared/cases";
import { ASKED_MAX } from "@app/shared/party-preview";
import { wasThere } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import type { GuardedItem, PartyItems } from "../visibility/visibility.service.ts";
import { isNeutralFor } from "../clients/neutral-words.service.ts";
import { joinFor, mapFor, openFor, partyOf, type Recipient } from "../visibility/for-party.service.ts";
import { whyUnsure } from "./asked-to-come.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";
import {
  arrivalOf,
  discretionTo,
  isOff,
  type KnownMeeting,
  meetingFor,
  NO_DISCRETION,
  type PartyMeeting,
} from "./meetings.visibility.ts";

definePartyTrace("a meeting is recorded", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await MeetingModel.exists({ ownerId, caseId, partyIds: partyId })),
);

/** In words that tell nothing of why. */
const UNDECIDED = "Not confirmed";

interface Asked {
  filter?: QueryFilter<MeetingDoc>;
  sort: Record<string, 1 | -1>;
}

/**
 * The meetings of this party among these, one after the other, as far as they know them. Whose a meeting is, is asked in
 * one place, so whoever counts or cuts does so behind it.
 */
export async function* knownMeetings(
  scope: Scope,
  to: Recipient,
  { filter, sort }: Asked,
): AsyncGenerator<KnownMeeting & { doc: MeetingDoc }> {
  const discretion = await discretionTo(scope, to);
  const ofCase = { ...filter, ownerId: scope.ownerId, caseId: to.theCase.id };
  for await (const doc of MeetingModel.find(ofCase).sort(sort).lean().cursor()) {
    const known = meetingFor(doc, to, discretion);
    if (known) yield { doc, ...known };
  }
}

/** The meetings of a case as this party knows them, the newest first. */
export async function partyMeetings(scope: Scope, theCase: Case, partyId: string): Promise<PartyItems> {
  const to = { theCase, partyId };
  const known: PartyItems[] = [];
  for await (const { doc, own } of knownMeetings(scope, to, { sort: { startsAt: -1, _id: -1 } })) {
    const isUndecided = !isOff(doc.status) && doc.startsAt > now() && (await whyUnsure(scope, theCase, doc)) !== null;
    known.push(
      mapFor(own, (meeting) => [itemOf(isUndecided ? { ...meeting, change: UNDECIDED } : meeting, doc.createdAt)]),
    );
    if (known.length === ASKED_MAX) break;
  }
  return joinFor(to, known);
}

interface Held {
  id: string;
  heldAt: Date;
}

interface Arrival {
  at: Date;
  /** All were to come at once, so that the start of one is the start of all. */
  isWithAll: boolean;
}

/**
 * When this party was to come to a meeting that was held, as they know it; null where it is not theirs. One that names
 * nobody is everybody's.
 */
export async function arrivalAt(scope: Scope, to: Recipient, held: Held): Promise<Arrival | null> {
  const meeting = await asHeld(scope, to, held);
  if (!meeting) return null;
  const isWithAll = meeting.arrivals.length === 0;
  if (meeting.partyIds.length === 0) return { at: meeting.startsAt, isWithAll };
  const { partyId } = to;
  const known = meetingFor(meeting, to, NO_DISCRETION);
  if (known) return { at: openFor(known.own, { partyId }).startsAt, isWithAll };
  // It was arranged while they were away, and they were back when it was held.
  const wasHeldWithThem = wasThere(partyOf(to), { since: held.heldAt, changedAt: held.heldAt });
  return wasHeldWithThem && meeting.partyIds.includes(partyId) ? { at: arrivalOf(meeting, partyId), isWithAll } : null;
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

/** What this party calls their meetings as things stand now; nothing for a meeting that is not theirs. */
export interface MeetingNames {
  byId: ReadonlyMap<string, string>;
  /** Words from before, which may tell more, are not for them. */
  isNeutral: boolean;
}

export async function meetingNames(scope: Scope, to: Recipient): Promise<MeetingNames> {
  const byId = new Map<string, string>();
  for await (const { doc, own } of knownMeetings(scope, to, { sort: { _id: 1 } }))
    byId.set(doc._id, openFor(own, { partyId: to.partyId }).title);
  return { byId, isNeutral: await isNeutralFor(scope, to) };
}

const itemOf = (
  { id, title, location, people, change, startsAt, visibility }: PartyMeeting,
  since: Date,
): GuardedItem => ({
  kind: "meeting",
  id,
  title,
  detail: [location, people.length > 0 && `With ${people.join(", ")}`, change].filter(Boolean).join(". "),
  at: startsAt.toISOString(),
  since,
  changedAt: since,
  visibility,
});
