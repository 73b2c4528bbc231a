// A session that is written up later took place when it did, not when somebody wrote it down.
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import { SESSION_STATUS_NAMES } from "@app/shared/session-states";
import { type recordSessionSchema, type setTimesSchema, TIME_CHANGES_MAX } from "@app/shared/session-times";
import type { Session } from "@app/shared/sessions";
import { dayIn } from "@app/shared/days";
import { hasWord } from "@app/shared/has-word";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import { type Keep, KEPT_BY_NOBODY } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertNotLongBefore } from "../cases/case-days.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import { gapsAt } from "./past-gates.ts";
import { sameHours } from "./same-hours.ts";
import { changeSession } from "./session-changes.ts";
import { assertNotAfterMeeting } from "./session-meetings.ts";
import { heldBy } from "./session-mediators.ts";
import { minutesOf } from "./session-minutes.ts";
import { assertCame, makeTasks } from "./session-work.service.ts";
import type { SessionDoc, TimeChangeDoc } from "./sessions.model.ts";
import { isAidedMediation, openSession, tellOfSession } from "./sessions.service.ts";
import { acknowledgeHeld } from "./unmet.ts";

/** Records a session that took place already: of a meeting or of the case, prepared before or not. */
export const recordSession = (
  scope: Scope,
  { caseId, meetingId, ...sent }: z.output<typeof recordSessionSchema>,
  keep: Keep = KEPT_BY_NOBODY,
): Promise<Session> =>
  openSession(scope, {
    caseId,
    meetingId,
    keep,
    heldAt: new Date(sent.startedAt),
    goOn: ({ id, status, number }) => {
      if (status !== "scheduled")
        throw wrongState(
          `Session ${number} of this meeting is ${SESSION_STATUS_NAMES[status].toLowerCase()} already. Open it, and correct its time there.`,
        );
      return setTimes(scope, { id, reason: "", ...sent });
    },
  });

/** Says when a session took place: one that was prepared was held then, and of one that is not locked yet it is corrected. */
export const setTimes = (
  scope: Scope,
  { id, reason, unmetReason, ...sent }: z.output<typeof setTimesSchema>,
): Promise<Session> =>
  changeSession(
    scope,
    { id },
    async (draft, theCase) => {
      if (draft.status === "ended" && !hasWord(reason)) throw badField("reason", "Say why the time is corrected.");
      const times = pastTimes(sent);
      await assertWithinCase(scope, theCase, times);
      await assertNotAfterMeeting(scope, draft.meetingId, times.startedAt);
      if (draft.status === "ended") await assertByRecord(scope, draft, times);
      await hold(scope, { draft, theCase, ...times, reason, unmetReason });
    },
    { only: ["scheduled", "ended"] },
  );

interface Times {
  startedAt: Date;
  endedAt: Date;
}

function pastTimes({ startedAt, endedAt }: { startedAt: string; endedAt: string }): Times {
  const times = { startedAt: new Date(startedAt), endedAt: new Date(endedAt) };
  for (const field of ["startedAt", "endedAt"] as const)
    if (times[field] > now())
      throw badField(field, "This is still to come. Enter when it took place, or start the session when it begins.");
  return times;
}

/** BAD_REQUEST where the case had not started by then, or had ended: what is certified goes by the days of its sessions. */
async function assertWithinCase(scope: Scope, theCase: Case, { startedAt }: Times): Promise<void> {
  const { startedOn, concludedOn } = theCase;
  const day = dayIn(await practiceTimeZone(scope.ownerId), startedAt);
  await assertNotLongBefore(scope, theCase, "startedAt", day);
  const { calendarDay } = await practiceDates(scope.ownerId);
  if (day < startedOn)
    throw badField("startedAt", `This case started on ${calendarDay(startedOn)}. Enter a later day.`);
  if (concludedOn !== "" && day > concludedOn)
    throw badField(
      "startedAt",
      `This case ended on ${calendarDay(concludedOn)}. Enter that day, or an earlier one; or take the end back under “Correct” first.`,
    );
}

/** Of one that is locked: gives what was recorded, or null where it was recorded so already. */
export async function correctTimes(
  scope: Scope,
  { draft, theCase }: { draft: SessionDoc; theCase: Case },
  sent: { startedAt: string; endedAt: string },
): Promise<Pick<TimeChangeDoc, "from" | "to"> | null> {
  const to = pastTimes(sent);
  const { startedAt, endedAt, pausedMs } = draft;
  const from = { startedAt, endedAt };
  if (isDeepStrictEqual(from, to)) return null;
  await assertWithinCase(scope, theCase, to);
  await assertNotAfterMeeting(scope, draft.meetingId, to.startedAt);
  await assertByRecord(scope, draft, to);
  // Minutes that were written by hand are as they were written.
  const isCounted = startedAt && endedAt && draft.minutes === minutesOf({ startedAt, endedAt, pausedMs });
  Object.assign(draft, to);
  await countAid(scope, draft, theCase);
  if (isCounted) draft.minutes = minutesOf({ ...to, pausedMs });
  return { from, to };
}

/** It had been held when it was first recorded as over: as it ended here, as somebody wrote it down, or by its lock. */
function recordedAt({ timeChanges = [], amendments, endedAt, lockedAt }: SessionDoc): Date | null {
  const [first] = timeChanges;
  const before = first ? first.from : amendments.find(({ times }) => times)?.times?.from;
  const over = (before ? before.endedAt : endedAt) ?? first?.at ?? lockedAt;
  return over && lockedAt && lockedAt < over ? lockedAt : over;
}

/** “End” may be pressed too soon: on that day it may have gone on, where it had begun by then. */
async function assertByRecord({ ownerId }: Scope, draft: SessionDoc, { startedAt, endedAt }: Times): Promise<void> {
  const recorded = recordedAt(draft);
  if (recorded === null || endedAt <= recorded) return;
  const timeZone = await practiceTimeZone(ownerId);
  if (startedAt <= recorded && dayIn(timeZone, endedAt) === dayIn(timeZone, recorded)) return;
  const { dateTime } = await practiceDates(ownerId);
  throw badField(
    "endedAt",
    `This session was recorded as over ${dateTime(recorded)}, so it had been held by then. Enter when that was; what came later is a session of its own.`,
  );
}

/** Talk before the last of their signatures is no mediation for which legal aid pays. */
async function countAid(scope: Scope, draft: SessionDoc, theCase: Case): Promise<void> {
  if (!draft.startedAt || !draft.countsForLegalAid) return;
  const day = dayIn(await practiceTimeZone(scope.ownerId), draft.startedAt);
  draft.countsForLegalAid = isAidedMediation(theCase, draft.partyIds, day);
}

interface Holding extends Times {
  draft: SessionDoc;
  theCase: Case;
  reason: string;
  unmetReason: string;
}

async function hold(scope: Scope, { draft, theCase, reason, unmetReason, ...times }: Holding): Promise<void> {
  const { startedAt, endedAt } = times;
  const changes = draft.timeChanges ?? [];
  if (changes.length >= TIME_CHANGES_MAX)
    throw badField("startedAt", `The time of a session is corrected at most ${TIME_CHANGES_MAX} times.`);
  const from = { startedAt: draft.startedAt, endedAt: draft.endedAt };
  const by = { at: now(), byId: scope.userId, byName: scope.userName };
  draft.timeChanges = [...changes, { ...by, from, to: times, reason }];
  const mediatorIds = await heldBy(scope, draft.mediatorIds, startedAt);
  Object.assign(draft, { ...times, pausedAt: null, status: "ended", mediatorIds });
  await assertCame(scope, draft, theCase);
  await countAid(scope, draft, theCase);
  draft.minutes = minutesOf({ ...times, pausedMs: draft.pausedMs });
  await makeTasks(scope, draft, theCase);
  const held = { ...draft, startedAt };
  const gaps = [...(await sameHours(scope, held, theCase)), ...(await gapsAt(scope, held, theCase))];
  await acknowledgeHeld(scope, draft, gaps, unmetReason);
  const { dateTime } = await practiceDates(scope.ownerId);
  const why = reason === "" ? "" : ` (${reason})`;
  await tellOfSession(
    scope,
    theCase,
    `Session ${draft.number}: took place ${dateTime(startedAt)} to ${dateTime(endedAt)}${why}`,
  );
}
