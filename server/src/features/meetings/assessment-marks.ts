import mongoose from "mongoose";
import { dayIn } from "@app/shared/days";
import { HOLDING_STATUSES, MEETING_TRANSITIONS, type MeetingType } from "@app/shared/meeting-states";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { noteAttended, noteBooked, noteMissed, noteUnbooked } from "../assessments/attendance.service.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

/**
 * What was marked at an assessment meeting moves the way of whoever it is about, in the same transaction: who was there
 * at one that took place has attended, and who did not come has missed it. One party's, or everybody's.
 */
export async function noteAssessment(scope: Scope, meeting: MeetingDoc, ofPartyId?: string): Promise<void> {
  const { caseId, status, partyIds, attendance } = meeting;
  if (!caseId || !(await isAssessing(scope, caseId, meeting))) return;
  for (const partyId of partyIds) {
    if (ofPartyId !== undefined && partyId !== ofPartyId) continue;
    const mark = attendance.find((one) => one.partyId === partyId)?.attendance;
    const wasThere = mark === "present" || mark === "late";
    if (wasThere && status === "completed") await noteAttended(scope, await attendedAt(scope, meeting, partyId));
    else if (mark === "no_show" || (status === "no_show" && !wasThere)) {
      assertBegun(meeting);
      await noteMissed(scope, { caseId, partyId, meetingId: meeting._id, on: await dayOf(scope, meeting) });
    }
  }
}

/**
 * Whether it was said that this party did not come to an assessment meeting that has begun, and of which nobody said that
 * it took place: marked here, or by a step since it stands in the calendar.
 */
export async function wasMissed(scope: Scope, meeting: MeetingDoc, partyId: string): Promise<boolean> {
  const { caseId, status, startsAt, attendance, createdAt } = meeting;
  if (!caseId || startsAt > now() || !MEETING_TRANSITIONS[status].includes("completed")) return false;
  if (!(await isAssessing(scope, caseId, meeting))) return false;
  if (attendance.some((one) => one.partyId === partyId && one.attendance === "no_show")) return true;
  const party = (await findCaseDoc(scope, caseId)).parties.find((one) => one.partyId === partyId);
  return party?.steps.some(({ to, at }) => to === "miam_missed" && at >= createdAt) ?? false;
}

/** An assessment meeting that is booked moves the way of whoever it is for, in the same transaction. */
export async function noteBooking(scope: Scope, meeting: MeetingDoc): Promise<void> {
  const { caseId, partyIds } = meeting;
  if (!caseId || !(await isAssessing(scope, caseId, meeting))) return;
  for (const partyId of partyIds) await noteBooked(scope, { caseId, partyId });
}

/** One that was cancelled moves them back, unless another of theirs stands in the calendar. */
export async function noteCancelling(scope: Scope, meeting: MeetingDoc): Promise<void> {
  const { ownerId, caseId, partyIds, type } = meeting;
  if (!caseId || !(await isAssessing(scope, caseId, meeting))) return;
  for (const partyId of partyIds) {
    const status = mongoose.trusted({ $in: HOLDING_STATUSES });
    const others = await MeetingModel.find({ ownerId, caseId, partyIds: partyId, type, status }).lean();
    const standing = await Promise.all(others.map((other) => isAssessing(scope, caseId, other)));
    if (!standing.includes(true)) await noteUnbooked(scope, { caseId, partyId });
  }
}

/** Only these are first meetings; which of them depends on the case. */
export const OF_ASSESSMENT: readonly MeetingType[] = ["miam", "pre_meeting"];

/** Where there is no MIAM, whoever is met alone before mediation has their individual meeting. */
export async function isAssessing(scope: Scope, caseId: string, { type, partyIds }: MeetingDoc): Promise<boolean> {
  if (type === "miam") return true;
  if (type !== "pre_meeting" || partyIds.length !== 1) return false;
  return (await findCaseDoc(scope, caseId)).domain !== "family";
}

export const dayOf = async (scope: Scope, { startsAt }: MeetingDoc): Promise<string> =>
  dayIn(await practiceTimeZone(scope.ownerId), startsAt);

/** PRECONDITION_FAILED where it is said of a meeting that is still to come what came of it. */
export function assertBegun({ startsAt }: MeetingDoc): void {
  if (startsAt > now()) throw wrongState("This meeting has not begun yet. Mark what came of it once it is over.");
}

async function attendedAt(scope: Scope, meeting: MeetingDoc, partyId: string) {
  assertBegun(meeting);
  const { _id, caseId, clientIds, partyIds, startsAt, endsAt, location, mediatorIds } = meeting;
  return {
    caseId: caseId ?? "",
    partyId,
    clientId: clientIds[partyIds.indexOf(partyId)] ?? "",
    meetingId: _id,
    attendedOn: await dayOf(scope, meeting),
    place: location.kind,
    where: location.place,
    plannedMinutes: Math.round((endsAt.getTime() - startsAt.getTime()) / MINUTE_MS),
    mediatorIds,
  };
}
