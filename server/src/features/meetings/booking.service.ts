import type { Case } from "@app/shared/cases";
import { addDays } from "@app/shared/days";
import { isForOneAlone, isHolding, MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import type { CreateMeeting, Meeting } from "@app/shared/meetings";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { instantOf, wallTimeOf } from "@app/shared/wall-time";
import { inTransaction } from "../../core/database.ts";
import { badField } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { type Keep, KEPT_BY_NOBODY } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { assertCasesVisible } from "../cases/cases-import.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertStillParties } from "../cases/named-parties.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { recordEvents } from "../history/history.service.ts";
import { openFor } from "../visibility/for-party.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import { colleagues } from "../users/users.service.ts";
import { noteBooking } from "./assessment-marks.ts";
import { assertChildInclusive, assertNoneUnheard, childrenFor } from "./child-inclusive.service.ts";
import { slotOf, withRoom, withSlots } from "./calendar-locks.service.ts";
import { oneMeeting } from "./meeting-mapping.ts";
import { heldIdsOf, othersFor } from "./meeting-others.service.ts";
import { assertSeats, roomsFor } from "./meeting-rooms.ts";
import { tellParties } from "./meeting-notices.ts";
import { bookingOf, type NewBooking } from "./meeting-bookings.ts";
import { uidsFor } from "./meeting-uids.service.ts";
import { assertNoneUnsafe } from "./import-safety.service.ts";
import { assertSafe } from "./meeting-safety.ts";
import { type MeetingDoc, MeetingModel, sealExplained } from "./meetings.model.ts";
import { isOff, partyViews } from "./meetings.visibility.ts";
import { tellVisitor } from "./visitor-notices.ts";

const DAYS_IN_WEEK = 7;

/** Books a meeting, or a series at the same time of day. CONFLICT where a mediator is busy then. */
export const createMeeting = (scope: Scope, input: CreateMeeting, keep: Keep = KEPT_BY_NOBODY): Promise<Meeting> =>
  bookMeeting(scope, input, { keep });

/** What somebody outside who books by a link brings with them. */
export interface ByLink {
  /** What changes with it, in its transaction. */
  keep: Keep;
  /** What is left free before and after, in minutes. */
  around?: { before: number; after: number };
  /** Their own hold makes room. */
  exceptHoldIds?: readonly string[];
  /** Its parties are to be invited once it is booked. */
  isInvitedOnceBooked?: boolean;
  chosenIn?: MeetingDoc["chosenIn"];
  /** The new time is confirmed by the practice first. */
  isAskedAnew?: boolean;
  booking?: NewBooking;
  /** Who mediates from now on, where it is not who did. */
  mediatorIds?: string[];
}

export const NOTHING_AROUND = { before: 0, after: 0 };

/** The same for somebody outside. */
export async function bookMeeting(
  scope: Scope,
  input: CreateMeeting,
  { keep, booking: byWhom, isInvitedOnceBooked, chosenIn, around = NOTHING_AROUND, exceptHoldIds = [] }: ByLink,
): Promise<Meeting> {
  const theCase = input.caseId ? await getCase(scope, input.caseId) : null;
  await assertPeople(scope, theCase, input);
  const timeZone = await practiceTimeZone(scope.ownerId);
  const [rooms, others] = await Promise.all([roomsFor(scope, input), othersFor(scope, theCase, input)]);
  const childIds = childrenFor(theCase, input);
  if (!input.allowsCrowding) await assertSeats(scope, { ...input, childIds, rooms });
  const booking = { input: { ...input, rooms, others, childIds }, theCase, timeZone };
  const drafts = occurrencesOf(input, timeZone).map((when) => draftOf(scope, booking, when));
  const seriesId = drafts.length > 1 ? newId() : null;
  const slots = drafts.map((draft) => withRoom(slotOf(draft), around));
  const stored = await withSlots(scope, slots, { ...input, exceptHoldIds }, async () => {
    await keep(drafts[0]?._id ?? "");
    await assertStillParties(scope.ownerId, input.caseId, input.partyIds);
    await assertChildInclusive(scope, { ...input, childIds });
    const why = await assertSafe(scope, {
      theCase,
      meeting: { ...input, rooms },
      before: null,
      reason: input.againstMeasures,
      times: drafts,
    });
    const isToldLater = seriesId !== null && input.isInvitationSent;
    const later = isToldLater ? { untold: { purpose: "invitation" as const, by: scope.userId } } : {};
    const docs = await MeetingModel.insertMany(
      drafts.map((draft) => ({
        ...draft,
        ...later,
        seriesId,
        ...sealExplained(scope.ownerId, draft._id, why),
        ...(isInvitedOnceBooked ? { isInvitedOnceBooked } : {}),
        ...(chosenIn ? { chosenIn } : {}),
        ...(byWhom ? { booking: bookingOf(draft, byWhom) } : {}),
      })),
    );
    const [first, ...rest] = docs.map((doc) => doc.toObject());
    if (!first) throw new Error("the meeting that was just stored is missing");
    await tell(scope, first, theCase, rest.length > 0 ? `booked, ${docs.length} times` : "booked");
    await noteBooking(scope, first);
    if (input.isInvitationSent && !isToldLater) await tellParties(scope, first, theCase, "invitation");
    await tellVisitor(scope, first, "invitation");
    return first;
  });
  return oneMeeting(scope, stored);
}

type People = Pick<CreateMeeting, "type" | "partyIds" | "arrivals" | "mediatorIds"> & { clientId?: string | null };

export async function assertPeople(
  scope: Scope,
  theCase: Case | null,
  { type, partyIds, arrivals, clientId, mediatorIds }: People,
  awaitedBefore: readonly string[] = [],
): Promise<void> {
  const known = new Set(theCase?.parties.map(({ partyId }) => partyId));
  if (partyIds.some((id) => !known.has(id))) throw badField("partyIds", "Choose parties of this case.");
  const gone = theCase?.parties.find(
    ({ partyId, leftAt }) => leftAt && partyIds.includes(partyId) && !awaitedBefore.includes(partyId),
  );
  // Whoever takes no part may still be seen by themselves: screened anew, heard, or for the MIAM that they are entitled to.
  if (gone && !isForOneAlone({ type, partyIds }))
    throw badField(
      "partyIds",
      `${gone.name} takes no part in this case now. Change where they stand in it first, then book.`,
    );
  if (arrivals.some(({ partyId }) => !known.has(partyId))) throw badField("arrivals", "Choose parties of this case.");
  if (clientId && theCase && !theCase.parties.some((party) => party.clientId === clientId))
    throw badField("clientId", "This client is not a party to the case. Choose another case.");
  if (clientId) await assertClientsVisible(scope, [clientId]);
  const people = new Set(
    (await colleagues(scope.ownerId)).filter(({ isActive }) => isActive).map(({ userId }) => userId),
  );
  if (mediatorIds.some((id) => !people.has(id))) throw badField("mediatorIds", "Choose somebody of this practice.");
}

/** Each time of a series is the same on the wall, so that it stays so across a change of the clocks. */
function occurrencesOf(
  { startsAt, endsAt, repeat }: CreateMeeting,
  timeZone: string,
): { startsAt: Date; endsAt: Date }[] {
  const start = wallTimeOf(timeZone, new Date(startsAt));
  const end = wallTimeOf(timeZone, new Date(endsAt));
  return Array.from({ length: repeat?.times ?? 1 }, (_, index) => {
    if (index === 0) return { startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
    const days = index * (repeat?.everyWeeks ?? 1) * DAYS_IN_WEEK;
    return {
      startsAt: instantOf(timeZone, { ...start, day: addDays(start.day, days) }),
      endsAt: instantOf(timeZone, { ...end, day: addDays(end.day, days) }),
    };
  });
}

interface Booking {
  input: CreateMeeting & Pick<MeetingDoc, "rooms" | "others">;
  theCase: Case | null;
  timeZone: string;
}

function draftOf(scope: Scope, { input, theCase, timeZone }: Booking, when: { startsAt: Date; endsAt: Date }) {
  const {
    type,
    title,
    location,
    mediatorIds,
    partyIds,
    arrivals,
    childIds,
    arrangements,
    note,
    rooms,
    others,
    caseId,
    clientId,
    status,
    allowsOverlap,
  } = input;
  const _id = newId();
  const parties = theCase?.parties.filter((party) => partyIds.includes(party.partyId)) ?? [];
  return {
    ...when,
    _id,
    type,
    title,
    location,
    mediatorIds,
    partyIds,
    arrivals,
    childIds,
    arrangements,
    note,
    rooms,
    others,
    heldIds: heldIdsOf({ rooms, others }),
    caseId,
    status,
    timeZone,
    ownerId: scope.ownerId,
    clientIds: [...parties.map((party) => party.clientId), ...(clientId ? [clientId] : [])],
    isHolding: !allowsOverlap,
    uids: uidsFor(partyIds),
    isInvitationSent: input.isInvitationSent,
    createdBy: scope.userId,
  };
}

/** Adds to the history of each who comes and is to know, as they know the meeting; where nobody is, to the practice's own. */
export async function tell(scope: Scope, meeting: MeetingDoc, theCase: Case | null, did: string): Promise<void> {
  const event = { kind: "meeting" as const, caseId: meeting.caseId };
  const { longDay, time } = await practiceDates(scope.ownerId);
  const whatOf = (startsAt: Date) => `on ${longDay(startsAt)} at ${time(startsAt)} ${did}`;
  const views = theCase ? await partyViews(scope, meeting, theCase) : [];
  const told = views.filter(({ isFollowing }) => isFollowing || isOff(meeting.status));
  const own = told.map(({ party: { partyId, clientId }, own: sealed }) => {
    const { title, startsAt, visibility } = openFor(sealed, { partyId });
    const what = whatOf(startsAt);
    const line = { meetingId: meeting._id, did: what, isOff: isOff(meeting.status) };
    return { ...event, text: `${title} ${what}`, clientIds: [clientId], visibility, meeting: line };
  });
  const practice = {
    ...event,
    text: `${MEETING_TYPE_NAMES[meeting.type]} ${whatOf(meeting.startsAt)}`,
    clientIds: meeting.clientIds,
    visibility: PRACTICE_ONLY,
  };
  await recordEvents(scope, own.length > 0 ? own : [practice]);
}

/** A meeting that was arranged somewhere else, and stands where it stands. */
export interface ImportedMeeting extends Pick<
  MeetingDoc,
  "type" | "startsAt" | "endsAt" | "status" | "mediatorIds" | "location" | "caseId" | "partyIds" | "clientIds"
> {
  title: string;
}

/**
 * Takes over meetings as they are: nobody is invited, and what overlapped elsewhere may overlap here. Gives their ids.
 * Throws where one belongs to somebody, or to a case, that this person does not see by then, where parties would yet
 * meet whose screenings do not allow it, and where a child would yet come that may not.
 */
export async function importMeetings(scope: Scope, meetings: ImportedMeeting[]): Promise<string[]> {
  const { ownerId, userId } = scope;
  const timeZone = await practiceTimeZone(ownerId);
  const docs = meetings.map((meeting) => {
    const _id = newId();
    return {
      ...meeting,
      _id,
      ownerId,
      timeZone,
      isHolding: isHolding(meeting.status),
      uids: uidsFor(meeting.partyIds),
      createdBy: userId,
    };
  });
  await inTransaction(async () => {
    await takeRecordTurns(
      ownerId,
      docs.flatMap(({ caseId, clientIds }) => [caseId ?? "", ...clientIds]),
    );
    await assertCasesVisible(
      scope,
      docs.flatMap(({ caseId }) => caseId ?? []),
    );
    await assertClientsVisible(
      scope,
      docs.flatMap(({ clientIds }) => clientIds),
    );
    await assertNoneUnsafe(scope, docs);
    await assertNoneUnheard(scope, docs);
    await MeetingModel.insertMany(docs);
  });
  return docs.map(({ _id }) => _id);
}
