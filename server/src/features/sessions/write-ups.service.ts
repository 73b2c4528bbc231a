// What the calendar says was held to mediate, or does not say yet, and nobody wrote up.
import { isMediation, mediates } from "@app/shared/case-sessions";
import type { Case } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { takesParties } from "@app/shared/meeting-states";
import { HELD_SESSION_STATUSES, type SessionStatus, wasThere } from "@app/shared/session-states";
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { begunMeetings, meetingsOfCase } from "../meetings/case-meetings.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { openTitles } from "../tasks/asked-tasks.service.ts";
import { askedTo } from "./session-meetings.ts";
import { type SessionDoc, SessionModel } from "./sessions.model.ts";

export type BegunMeeting = Awaited<ReturnType<typeof begunMeetings>>[number];

/** What the task to write up the session of this meeting is about. */
export const writeUpOf = (meetingId: string): string => `write up ${meetingId}`;

/** The tasks to write up sessions of a case that are open, in their words. */
export async function unwrittenIn(scope: Scope, caseId: string): Promise<string[]> {
  const abouts = (await meetingsOfCase(scope, caseId)).map(({ id }) => writeUpOf(id));
  return openTitles({ ownerId: scope.ownerId, caseId, abouts });
}

/** Who came, as far as it was marked; of a meeting that took place everybody of whom nobody said that they did not. */
export async function cameTo(scope: Scope, meeting: BegunMeeting, theCase: Case): Promise<string[]> {
  const asked = await askedOf(scope, meeting, theCase);
  return asked.filter((id) =>
    meeting.status === "completed" ? !isMarked(meeting, id, false) : isMarked(meeting, id, true),
  );
}

const askedOf = (scope: Scope, { _id: meetingId, startsAt: startedAt }: BegunMeeting, theCase: Case) =>
  askedTo(scope, { meetingId, startedAt }, theCase);

const isMarked = ({ attendance }: BegunMeeting, partyId: string, isThere: boolean): boolean =>
  attendance.some((mark) => mark.partyId === partyId && wasThere({ state: mark.attendance }) === isThere);

export const haveMet = ({ type }: BegunMeeting, { parties }: Case, came: readonly string[]): boolean =>
  takesParties(type) &&
  isMediation(
    type,
    parties.filter(({ partyId }) => came.includes(partyId)),
  );

/** Whether they mediated there, by what the calendar says. */
export async function wasMediation(scope: Scope, meeting: BegunMeeting, theCase: Case): Promise<boolean> {
  if (meeting.status !== "completed" || !mediates(meeting.type)) return false;
  return haveMet(meeting, theCase, await cameTo(scope, meeting, theCase));
}

interface Came {
  partyId: string;
  /** Which moments are meant. */
  isMeant: (startedAt: Date) => boolean;
}

interface Unwritten {
  startsAt: Date;
  /** The calendar says so; else it does not say yet what came of it. */
  isHeld: boolean;
}

/** The meetings of a case that are not written up at which this party mediated with another side, or may have, the earliest first. */
export async function unwrittenOf(scope: Scope, theCase: Case, { partyId, isMeant }: Came): Promise<Unwritten[]> {
  const { ownerId } = scope;
  const meetings = (await begunMeetings(ownerId, theCase.id)).filter(({ type }) => mediates(type));
  const written = writtenAmong(meetings, await begunSessions(ownerId, theCase.id), await practiceTimeZone(ownerId));
  const found: Unwritten[] = [];
  for (const meeting of meetings) {
    if (written.has(meeting._id) || !isMeant(meeting.startsAt)) continue;
    const met = (await askedOf(scope, meeting, theCase)).filter((id) => !isMarked(meeting, id, false));
    if (met.includes(partyId) && haveMet(meeting, theCase, met))
      found.push({ startsAt: meeting.startsAt, isHeld: meeting.status === "completed" });
  }
  return found;
}

const BEGUN: readonly SessionStatus[] = ["in_progress", ...HELD_SESSION_STATUSES];

export type OfMeeting = Pick<SessionDoc, "_id" | "status" | "meetingId" | "startedAt" | "endedAt">;

const OF_MEETING = { status: 1, meetingId: 1, startedAt: 1, endedAt: 1 } as const;

/** The sessions of a case that were begun, or are over. */
export const begunSessions = (ownerId: string, caseId: string): Promise<OfMeeting[]> =>
  SessionModel.find({ ownerId, caseId, status: mongoose.trusted({ $in: BEGUN }) }, OF_MEETING).lean();

/**
 * Which of these meetings were written up: those that a session names, and of a session that names none each of its day
 * whose hours it shares, or else the one that is nearest.
 */
export function writtenAmong(
  meetings: readonly Pick<BegunMeeting, "_id" | "startsAt" | "endsAt">[],
  sessions: readonly OfMeeting[],
  timeZone: string,
): Set<string> {
  const written = new Set<string>();
  for (const { status, meetingId, startedAt, endedAt } of sessions) {
    if (!BEGUN.includes(status)) continue;
    if (meetingId !== null) written.add(meetingId);
    if (meetingId !== null || startedAt === null) continue;
    const day = dayIn(timeZone, startedAt);
    const from = startedAt.getTime();
    const ofDay = meetings
      .filter(({ startsAt }) => dayIn(timeZone, startsAt) === day)
      .toSorted((one, other) => Math.abs(one.startsAt.getTime() - from) - Math.abs(other.startsAt.getTime() - from));
    const shared = ofDay.filter(({ startsAt, endsAt }) => startsAt < (endedAt ?? now()) && startedAt < endsAt);
    for (const { _id } of shared.length > 0 ? shared : ofDay.slice(0, 1)) written.add(_id);
  }
  return written;
}
