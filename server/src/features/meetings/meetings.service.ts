import mongoose from "mongoose";
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import {
  HOLDING_STATUSES,
  isDropped,
  isHolding,
  MEETING_STATUS_NAMES,
  MEETING_TRANSITIONS,
  type MeetingStatus,
} from "@app/shared/meeting-states";
import type {
  cancelMeetingSchema,
  Meeting,
  setAttendanceSchema,
  setMeetingStatusSchema,
  updateMeetingSchema,
} from "@app/shared/meetings";
import type { noteOtherSchema } from "@app/shared/meeting-others";
import { inTransaction } from "../../core/database.ts";
import { notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertStillParties } from "../cases/named-parties.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { assertPeople, tell } from "./booking.service.ts";
import { confirmedWith } from "./agreed-times.ts";
import { markedWith, presenceIn } from "./attendance-marks.ts";
import { assertBegun, noteAssessment, noteCancelling, wasMissed } from "./assessment-marks.ts";
import { childrenFor, noteKept } from "./child-inclusive.service.ts";
import { slotOf, withSlots } from "./calendar-locks.service.ts";
import { oneMeeting, toMeetings } from "./meeting-mapping.ts";
import { heldIdsOf, keptOthers, noteSigning, othersFor } from "./meeting-others.service.ts";
import { keptRooms, roomsFor } from "./meeting-rooms.ts";
import { partyChanges, pastOf } from "./meeting-changes.ts";
import { noteHandedOver } from "./hand-overs.service.ts";
import { assertMayChange, assertMayMark } from "./meeting-gates.service.ts";
import { tellOfChanges, tellParties } from "./meeting-notices.ts";
import { endToDo, isToCome } from "./meeting-tasks.ts";
import { isStillToInvite, tellLater } from "./series-notices.ts";
import { bookingToldAnew } from "./meeting-bookings.ts";
import { movedOn, uidsFor } from "./meeting-uids.service.ts";
import { safetyOf } from "./meeting-safety.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";
import { tellHeldFollowers, tellMeetingFollowers } from "./meeting-followers.service.ts";
import { unmetIn } from "./unmet-meetings.ts";
import { placeOfMeeting, tellVisitor } from "./visitor-notices.ts";

export async function requireMeeting(scope: Scope, id: string): Promise<MeetingDoc> {
  const doc = await MeetingModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Meeting");
  const [meeting] = await toMeetings(scope, [doc]);
  if (meeting?.isBusyOnly) throw notFound("Meeting");
  return doc;
}

export async function getMeeting(scope: Scope, id: string): Promise<Meeting> {
  return oneMeeting(scope, await requireMeeting(scope, id));
}

export const caseOf = ({ caseId }: MeetingDoc, scope: Scope): Promise<Case | null> =>
  caseId ? getCase(scope, caseId) : Promise.resolve(null);

export async function save(scope: Scope, doc: MeetingDoc, set: Partial<MeetingDoc>): Promise<MeetingDoc> {
  await assertMayChange(scope, doc, { ...doc, ...set });
  const { _id, version } = doc;
  const saved = await MeetingModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id, version },
    { $set: set, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!saved) throw stale("meeting");
  await noteHandedOver(doc, saved);
  if (isToCome(doc) && !isToCome(saved)) await endToDo(saved);
  return saved;
}

/**
 * Changes what a meeting is about and who comes; its time is changed by rescheduling. Where invitations were sent, whose
 * own part changes is told, and asked anew; everybody else keeps the invitation that they have, and their answer to it.
 */
export async function updateMeeting(
  scope: Scope,
  { id, version, againstMeasures, ...details }: z.output<typeof updateMeetingSchema>,
): Promise<Meeting> {
  const doc = await requireMeeting(scope, id);
  if (doc.version !== version) throw stale("meeting");
  if (isDropped(doc.status)) throw cannotChange(doc.status);
  const theCase = await caseOf(doc, scope);
  await assertPeople(scope, theCase, details, doc.partyIds);
  const parties = theCase?.parties.filter(({ partyId }) => details.partyIds.includes(partyId)) ?? [];
  const clientIds = theCase ? parties.map(({ clientId }) => clientId) : doc.clientIds;
  const rooms = await roomsFor(scope, { ...details, rooms: details.rooms ?? keptRooms(doc, details) }, doc.rooms);
  const others = await othersFor(
    scope,
    theCase,
    { ...details, others: details.others ?? keptOthers(doc.others, details) },
    doc.others,
  );
  const note = noteKept(scope, { before: doc, next: details, theCase });
  const childIds = childrenFor(theCase, details, doc);
  const planned = {
    ...details,
    childIds,
    note,
    rooms,
    others,
    heldIds: heldIdsOf({ rooms, others }),
  };
  const next = { ...doc, ...planned, clientIds };
  const past = pastOf(doc, next);
  const changes = await partyChanges(scope, theCase, { before: doc, after: { ...next, ...past } });
  const told = changes.map(({ party }) => party.partyId);
  const uids = uidsFor(details.partyIds, movedOn(doc.uids, told));
  const comingNow = details.partyIds.filter((partyId) => !doc.partyIds.includes(partyId));
  const saved = await withSlots(
    scope,
    isHolding(doc.status) ? [slotOf(next)] : [],
    { exceptIds: [id], allowsOverlap: !doc.isHolding },
    async () => {
      await assertStillParties(scope.ownerId, doc.caseId, comingNow);
      const why = await safetyOf(scope, await caseOf(doc, scope), {
        before: doc,
        meeting: next,
        given: againstMeasures,
      });
      const anew = isOtherForVisitor(doc, next) ? bookingToldAnew(doc) : {};
      const changed = await save(scope, doc, { ...planned, ...why, clientIds, ...past, uids, ...anew });
      await tellHeldFollowers(scope, doc, changed);
      if (anew.booking) await tellVisitor(scope, changed, "invitation");
      if (changed.isInvitationSent && !isStillToInvite(changed)) await tellOfChanges(scope, changed, theCase, changes);
      return changed;
    },
  );
  return oneMeeting(scope, saved);
}

/** Whether somebody who booked it from outside has to be told of another place or kind. */
const isOtherForVisitor = (before: MeetingDoc, after: MeetingDoc): boolean =>
  before.isInvitationSent && (before.type !== after.type || placeOfMeeting(before) !== placeOfMeeting(after));

export function assertLegalStep(from: MeetingStatus, to: MeetingStatus): void {
  const legal = MEETING_TRANSITIONS[from];
  if (legal.includes(to)) return;
  if (legal.length === 0) throw cannotChange(from);
  const names = legal.map((status) => MEETING_STATUS_NAMES[status]).join(", ");
  throw wrongState(`A meeting that is "${MEETING_STATUS_NAMES[from]}" can only become: ${names}.`);
}

const cannotChange = (status: MeetingStatus) =>
  wrongState(`A meeting that is "${MEETING_STATUS_NAMES[status]}" cannot change any more.`);

export async function setMeetingStatus(
  scope: Scope,
  { id, version, to, unmetReason = "" }: z.output<typeof setMeetingStatusSchema>,
): Promise<Meeting> {
  const doc = await requireMeeting(scope, id);
  if (doc.version !== version) throw stale("meeting");
  assertLegalStep(doc.status, to);
  if (to === "cancelled" || to === "rescheduled")
    throw wrongState("Cancel or reschedule the meeting with its reason instead.");
  const theCase = await caseOf(doc, scope);
  const saved = await inTransaction(async () => {
    const attendance = to === "completed" ? presenceIn(doc) : doc.attendance;
    const unmet = to === "completed" ? await unmetIn(scope, { ...doc, status: to, attendance }, unmetReason) : {};
    if (doc.type !== "cim" || to !== "completed")
      await safetyOf(scope, await caseOf(doc, scope), { before: doc, meeting: { ...doc, status: to }, given: null });
    const isAwaited = doc.booking !== undefined || doc.isInvitedOnceBooked === true;
    const told = isAwaited && doc.status === "proposed" ? ANSWERS[to] : undefined;
    const changed = await save(scope, doc, {
      status: to,
      isHolding: doc.isHolding && isHolding(to),
      attendance,
      ...unmet,
      ...(to === "confirmed" ? confirmedWith(doc) : {}),
      ...(told === "invitation" ? { isInvitationSent: true } : {}),
    });
    if (told) await tellVisitor(scope, changed, told);
    if (told === "invitation") await tellParties(scope, changed, theCase, told);
    // Who did not come is nobody else's to know.
    await tell(scope, changed, to === "no_show" ? null : theCase, MEETING_STATUS_NAMES[to].toLowerCase());
    await noteAssessment(scope, changed);
    await tellHeldFollowers(scope, doc, changed);
    return changed;
  });
  return oneMeeting(scope, saved);
}

/** What becomes of a request from outside is told to whoever asked. */
const ANSWERS: Partial<Record<MeetingStatus, "invitation" | "cancellation">> = {
  booked: "invitation",
  expired: "cancellation",
};

const OUTCOMES: readonly MeetingStatus[] = ["completed", "no_show"];

/** The same by hand: PRECONDITION_FAILED where it is said of a meeting that is still to come what came of it. */
export async function markMeeting(scope: Scope, marked: z.output<typeof setMeetingStatusSchema>): Promise<Meeting> {
  if (OUTCOMES.includes(marked.to)) assertBegun(await requireMeeting(scope, marked.id));
  return setMeetingStatus(scope, marked);
}

export async function cancelMeeting(
  scope: Scope,
  { id, version, reason, isLate, isWholeSeries }: z.output<typeof cancelMeetingSchema>,
): Promise<Meeting> {
  const doc = await requireMeeting(scope, id);
  if (doc.version !== version) throw stale("meeting");
  assertLegalStep(doc.status, "cancelled");
  const theCase = await caseOf(doc, scope);
  const cancelled = await inTransaction(async () => {
    for (const meeting of await withLaterOnes(scope, doc, isWholeSeries)) {
      const set = {
        status: "cancelled" as const,
        isHolding: false,
        reason,
        isLate,
        uids: movedOn(meeting.uids, meeting.partyIds),
        ...bookingToldAnew(meeting),
      };
      const changed = await save(scope, meeting, set);
      await tell(scope, changed, theCase, "cancelled");
      await noteCancelling(scope, changed);
      await tellVisitor(scope, changed, "cancellation");
      await tellMeetingFollowers(scope, { before: meeting, instead: null });
      if (!changed.isInvitationSent || isStillToInvite(changed)) continue;
      if (isWholeSeries) await tellLater(scope, changed, "cancellation");
      else await tellParties(scope, changed, theCase, "cancellation");
    }
    return MeetingModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  });
  if (!cancelled) throw notFound("Meeting");
  return oneMeeting(scope, cancelled);
}

/** This meeting, and those of its series that come after it and are still to take place, also beside others. */
async function withLaterOnes(scope: Scope, doc: MeetingDoc, isWholeSeries: boolean): Promise<MeetingDoc[]> {
  if (!isWholeSeries || !doc.seriesId) return [doc];
  const later = await MeetingModel.find({
    ownerId: scope.ownerId,
    seriesId: doc.seriesId,
    startsAt: mongoose.trusted({ $gt: doc.startsAt }),
    status: mongoose.trusted({ $in: HOLDING_STATUSES }),
  }).lean();
  return [doc, ...later];
}

/** What was found out of somebody who is no party: that they signed, or whether they came. */
export const noteOther = (
  scope: Scope,
  { id, personId, ...found }: z.output<typeof noteOtherSchema>,
): Promise<Meeting> =>
  inTransaction(async () => {
    const doc = await requireMeeting(scope, id);
    await assertNotLater(scope, "signedOn", found.signedOn ?? "");
    const known = doc.others.find((one) => one.personId === personId);
    if (!known) throw notFound("Person");
    const noted = {
      ...known,
      signedOn: found.signedOn ?? known.signedOn,
      attendance: found.attendance ?? known.attendance,
    };
    const others = doc.others.map((one) => (one === known ? noted : one));
    await noteSigning(scope, doc, { personId, before: known.signedOn, signedOn: noted.signedOn });
    return oneMeeting(scope, await save(scope, doc, { others }));
  });

/**
 * Who came, for each party apart: two that are marked at once are both kept. Where somebody came after all to a first
 * meeting that they were said to have missed, it took place.
 */
export const setAttendance = (
  scope: Scope,
  { id, partyId, attendance }: Pick<z.output<typeof setAttendanceSchema>, "id" | "partyId" | "attendance">,
  unmet: Partial<MeetingDoc> = {},
): Promise<Meeting> =>
  inTransaction(async () => {
    const doc = await requireMeeting(scope, id);
    if (!doc.partyIds.includes(partyId)) throw notFound("Party");
    const marked = await save(scope, doc, { ...markedWith(doc, { partyId, attendance }), ...unmet });
    await tellHeldFollowers(scope, doc, marked);
    if (attendance !== "no_show" && (await wasMissed(scope, doc, partyId)))
      return setMeetingStatus(scope, { id, version: marked.version, to: "completed" });
    await noteAssessment(scope, marked, partyId);
    return oneMeeting(scope, marked);
  });

/** The same by hand: PRECONDITION_FAILED where the meeting is still to come. */
export const markAttendance = (
  scope: Scope,
  { unmetReason = "", ...mark }: z.output<typeof setAttendanceSchema>,
): Promise<Meeting> =>
  inTransaction(async () => {
    const doc = await requireMeeting(scope, mark.id);
    assertBegun(doc);
    await assertMayMark(scope, mark);
    return setAttendance(scope, mark, await unmetIn(scope, { ...doc, ...markedWith(doc, mark) }, unmetReason));
  });
