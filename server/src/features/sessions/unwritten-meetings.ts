// The calendar says that people met as they do to mediate: that asks for what a session of that day would have asked, and
// for the session.
import { mediates } from "@app/shared/case-sessions";
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { begunMeetings } from "../meetings/case-meetings.service.ts";
import { defineHeldFollower } from "../meetings/meeting-followers.service.ts";
import { defineHeldGate } from "../meetings/meeting-gates.service.ts";
import { practiceDates, practiceTimeZone, practiceToday } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { gapsAt } from "./past-gates.ts";
import { defineSessionFollower } from "./session-followers.service.ts";
import { SessionModel } from "./sessions.model.ts";
import {
  type BegunMeeting,
  begunSessions,
  cameTo,
  haveMet,
  type OfMeeting,
  wasMediation,
  writeUpOf,
  writtenAmong,
} from "./write-ups.service.ts";

/** A session that has begun asks by itself. */
const hasBegun = async ({ ownerId }: Scope, { _id: meetingId }: BegunMeeting): Promise<boolean> =>
  (await SessionModel.exists({ ownerId, meetingId, status: mongoose.trusted({ $ne: "scheduled" }) })) !== null;

defineHeldGate(async (scope, meeting) => {
  const { _id: meetingId, caseId, startsAt: startedAt } = meeting;
  if (caseId === null || (await hasBegun(scope, meeting))) return [];
  const theCase = await getCase(scope, caseId);
  const partyIds = await cameTo(scope, meeting, theCase);
  if (!haveMet(meeting, theCase, partyIds)) return [];
  return gapsAt(scope, { caseId, meetingId, partyIds, attendance: [], format: theCase.format, startedAt }, theCase);
});

defineHeldFollower(async (scope, before, after) => {
  const { _id, caseId } = after;
  if (caseId === null) return;
  const theCase = await getCase(scope, caseId);
  const [was, is] = [await wasMediation(scope, before, theCase), await wasMediation(scope, after, theCase)];
  if (was && !is) await callOff({ ownerId: scope.ownerId, caseId, abouts: [writeUpOf(_id)] });
  if (was || !is) return;
  const written = await writtenBy(scope, caseId, await begunSessions(scope.ownerId, caseId));
  if (!written.has(_id)) await askToWriteUp(scope, after, caseId);
});

/** Which meetings of a case these sessions write up. */
async function writtenBy({ ownerId }: Scope, caseId: string, sessions: readonly OfMeeting[]): Promise<Set<string>> {
  const meetings = (await begunMeetings(ownerId, caseId)).filter(({ type }) => mediates(type));
  return writtenAmong(meetings, sessions, await practiceTimeZone(ownerId));
}

async function askToWriteUp(scope: Scope, meeting: BegunMeeting, caseId: string): Promise<void> {
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

// What was written up is not any more where its session never took place, or was of other hours.
defineSessionFollower(async (scope, before, after) => {
  const { ownerId } = scope;
  const { caseId } = after;
  if (ofMeeting(before) === ofMeeting(after)) return;
  const others = (await begunSessions(ownerId, caseId)).filter(({ _id }) => _id !== after._id);
  const [was, is] = [
    await writtenBy(scope, caseId, [...others, before]),
    await writtenBy(scope, caseId, [...others, after]),
  ];
  const newly = [...is].filter((id) => !was.has(id));
  if (newly.length > 0) await callOff({ ownerId, caseId, abouts: newly.map(writeUpOf) });
  const isUnwritten = ({ _id }: BegunMeeting) => was.has(_id) && !is.has(_id);
  const theCase = await getCase(scope, caseId);
  for (const meeting of (await begunMeetings(ownerId, caseId)).filter(isUnwritten))
    if (await wasMediation(scope, meeting, theCase)) await askToWriteUp(scope, meeting, caseId);
});

const ofMeeting = ({ status, meetingId, startedAt, endedAt }: OfMeeting): string =>
  JSON.stringify([status, meetingId, startedAt, endedAt]);
