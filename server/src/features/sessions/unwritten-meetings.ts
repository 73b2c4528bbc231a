// The calendar says that people met as they do to mediate: that asks for what a session of that day would have asked, and
// for the session.
import { isMediation, mediates } from "@app/shared/case-sessions";
import type { Case } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { takesParties } from "@app/shared/meeting-states";
import { HELD_SESSION_STATUSES, type SessionStatus, wasThere } from "@app/shared/session-states";
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { completedMeetings, meetingsOfCase } from "../meetings/case-meetings.service.ts";
import { defineHeldFollower } from "../meetings/meeting-followers.service.ts";
import { defineHeldGate } from "../meetings/meeting-gates.service.ts";
import { practiceDates, practiceTimeZone, practiceToday } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { gapsAt } from "./past-gates.ts";
import { defineSessionFollower } from "./session-followers.service.ts";
import { askedTo } from "./session-meetings.ts";
import { SessionModel } from "./sessions.model.ts";
import { writeUpOf } from "./write-ups.service.ts";

type Meeting = Parameters<Parameters<typeof defineHeldGate>[0]>[1];

/** A session that has begun asks by itself. */
const hasBegun = async ({ ownerId }: Scope, { _id: meetingId }: Meeting): Promise<boolean> =>
  (await SessionModel.exists({ ownerId, meetingId, status: mongoose.trusted({ $ne: "scheduled" }) })) !== null;

defineHeldGate(async (scope, meeting) => {
  const { _id: meetingId, caseId, startsAt: startedAt } = meeting;
  if (caseId === null || (await hasBegun(scope, meeting))) return [];
  const theCase = await getCase(scope, caseId);
  const partyIds = await cameTo(scope, meeting, theCase);
  if (!haveMet(meeting, theCase, partyIds)) return [];
  return gapsAt(scope, { caseId, meetingId, partyIds, attendance: [], format: theCase.format, startedAt }, theCase);
});

/** Who came, as far as it was marked; of a meeting that took place everybody of whom nobody said that they did not. */
async function cameTo(scope: Scope, meeting: Meeting, theCase: Case): Promise<string[]> {
  const { _id: meetingId, status, attendance, startsAt: startedAt } = meeting;
  const isMarked = (partyId: string, isThere: boolean) =>
    attendance.some((mark) => mark.partyId === partyId && wasThere({ state: mark.attendance }) === isThere);
  const asked = await askedTo(scope, { meetingId, startedAt }, theCase);
  return asked.filter((id) => (status === "completed" ? !isMarked(id, false) : isMarked(id, true)));
}

const haveMet = ({ type }: Meeting, { parties }: Case, came: readonly string[]): boolean =>
  takesParties(type) &&
  isMediation(
    type,
    parties.filter(({ partyId }) => came.includes(partyId)),
  );

/** Whether they mediated there, by what the calendar says. */
async function wasMediation(scope: Scope, meeting: Meeting, theCase: Case): Promise<boolean> {
  if (meeting.status !== "completed" || !mediates(meeting.type)) return false;
  return haveMet(meeting, theCase, await cameTo(scope, meeting, theCase));
}

defineHeldFollower(async (scope, before, after) => {
  const { _id, caseId } = after;
  if (caseId === null) return;
  const theCase = await getCase(scope, caseId);
  const [was, is] = [await wasMediation(scope, before, theCase), await wasMediation(scope, after, theCase)];
  if (was && !is) await callOff({ ownerId: scope.ownerId, caseId, abouts: [writeUpOf(_id)] });
  if (!was && is) await askToWriteUp(scope, after, caseId);
});

/** Unless it is written up. */
async function askToWriteUp(scope: Scope, meeting: Meeting, caseId: string): Promise<void> {
  if (await isWritten(scope, meeting, caseId)) return;
  const { _id, startsAt, mediatorIds, createdBy } = meeting;
  const { longDay } = await practiceDates(scope.ownerId);
  await createTasks(scope, [
    {
      title: `Write up the session of ${longDay(startsAt)}`,
      dueOn: await practiceToday(scope.ownerId),
      assigneeId: mediatorIds[0] ?? createdBy,
      caseId,
      clientId: null,
      about: writeUpOf(_id),
    },
  ]);
}

// What was written up is not any more where its session never took place.
defineSessionFollower(async (scope, before, { caseId, status }) => {
  const { meetingId, startedAt } = before;
  if (!BEGUN.includes(before.status) || BEGUN.includes(status) || startedAt === null) return;
  const [theCase, timeZone] = [await getCase(scope, caseId), await practiceTimeZone(scope.ownerId)];
  const day = dayIn(timeZone, startedAt);
  const isItsOwn = ({ _id, startsAt }: Meeting) => (meetingId ? _id === meetingId : dayIn(timeZone, startsAt) === day);
  for (const meeting of (await completedMeetings(scope.ownerId, caseId)).filter(isItsOwn))
    if (await wasMediation(scope, meeting, theCase)) await askToWriteUp(scope, meeting, caseId);
});

/** Whether a session of this meeting was begun or is over, or one of that day that names no meeting. */
async function isWritten(scope: Scope, meeting: Meeting, caseId: string): Promise<boolean> {
  if (await hasBegun(scope, meeting)) return true;
  const ofDay = { ownerId: scope.ownerId, caseId, meetingId: null, status: mongoose.trusted({ $in: BEGUN }) };
  const sessions = await SessionModel.find(ofDay, { startedAt: 1 }).lean();
  const timeZone = await practiceTimeZone(scope.ownerId);
  const day = dayIn(timeZone, meeting.startsAt);
  return sessions.some(({ startedAt }) => startedAt !== null && dayIn(timeZone, startedAt) === day);
}

const HELD: readonly SessionStatus[] = HELD_SESSION_STATUSES;
const BEGUN: readonly SessionStatus[] = ["in_progress", ...HELD];

// Of a session without a meeting nobody said which of that day it is: it is that of each.
defineSessionFollower(async (scope, before, { caseId, meetingId, status, startedAt }) => {
  if (!HELD.includes(status) || HELD.includes(before.status) || startedAt === null) return;
  const timeZone = await practiceTimeZone(scope.ownerId);
  const day = dayIn(timeZone, startedAt);
  const isOfDay = (one: { startsAt: string }) => dayIn(timeZone, new Date(one.startsAt)) === day;
  const meetings = meetingId === null ? (await meetingsOfCase(scope, caseId)).filter(isOfDay) : [{ id: meetingId }];
  await callOff({ ownerId: scope.ownerId, caseId, abouts: meetings.map(({ id }) => writeUpOf(id)) });
});
