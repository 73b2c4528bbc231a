// How a session goes on: it starts, pauses, ends, and is locked for good.
import type { z } from "zod";
import { isTakingPart } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { hasWord } from "@app/shared/has-word";
import {
  SESSION_STATUS_NAMES,
  SESSION_STATUSES,
  SESSION_TRANSITIONS,
  type SessionStatus,
  wasThere,
} from "@app/shared/session-states";
import { LONGEST_MS } from "@app/shared/session-times";
import type { moveSessionSchema, pauseSessionSchema, Session } from "@app/shared/sessions";
import { answersFor } from "@app/shared/team-access";
import { now } from "../../core/clock.ts";
import { badField, forbidden, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { hasNotesOfSession, lockNotesOfSession } from "../notes/notes.service.ts";
import { withdrawNotesOfSession } from "../notes/struck-notes.service.ts";
import { waitingEntries } from "../safeguarding/opened-entries.service.ts";
import { callOffTasks } from "../tasks/asked-tasks.service.ts";
import { assertStillAccepted } from "./proposal-answers.ts";
import { correctMediators } from "./session-mediators.ts";
import { assertAgreedInMediation } from "./session-facts.service.ts";
import { unmarkedIn } from "./session-meetings.ts";
import { minutesOf } from "./session-minutes.ts";
import { changeSession } from "./session-changes.ts";
import { lockGaps, missingReviews, unreviewed } from "./session-reviews.ts";
import { makeTasks } from "./session-work.service.ts";
import { missingOf, type SessionDoc } from "./sessions.model.ts";
import { assertSessionMayRun } from "./session-gates.ts";
import { begin, tellOfSession } from "./sessions.service.ts";
import { acknowledgeHeld } from "./unmet.ts";

/** Moves a session on. PRECONDITION_FAILED names the states that are legal next, or what is still missing. */
export const moveSession = (
  scope: Scope,
  { to, unmetReason, cancelReason, billing, mediatorIds, ...change }: z.output<typeof moveSessionSchema>,
): Promise<Session> =>
  changeSession(
    scope,
    change,
    async (draft, theCase) => {
      assertLegalStep(draft.status, to);
      if (to === "in_progress") await begin(scope, draft, { theCase, reason: unmetReason });
      if (to === "ended") await end(scope, draft, theCase);
      // Whoever begins the session of a meeting need not be who holds it.
      if (to === "locked" && mediatorIds) await correctMediators(scope, draft, theCase, mediatorIds);
      if (to === "locked") await lock(scope, { draft: Object.assign(draft, billing), theCase, unmetReason });
      const isCalledOff = to === "cancelled" && draft.status !== "scheduled";
      if (isCalledOff) await callOff(scope, draft, cancelReason);
      if (to === "struck") await strike(scope, { draft, theCase, reason: cancelReason });
      draft.status = to;
      const why = isCalledOff || to === "struck" ? `, because: ${cancelReason}` : "";
      await tellOfSession(scope, theCase, `Session ${draft.number}: ${SESSION_STATUS_NAMES[to].toLowerCase()}${why}`);
    },
    { only: SESSION_STATUSES },
  );

function assertLegalStep(from: SessionStatus, to: SessionStatus): void {
  const legal = SESSION_TRANSITIONS[from];
  if (legal.includes(to)) return;
  const is = SESSION_STATUS_NAMES[from].toLowerCase();
  const names = legal.map((status) => SESSION_STATUS_NAMES[status].toLowerCase()).join(", ");
  throw wrongState(
    names ? `A session that is ${is} can only become: ${names}.` : `A session that is ${is} cannot move on.`,
  );
}

async function end(scope: Scope, draft: SessionDoc, theCase: Case): Promise<void> {
  const endedAt = now();
  resume(draft, endedAt);
  draft.endedAt = endedAt;
  const { startedAt, pausedMs } = draft;
  draft.minutes = startedAt ? minutesOf({ startedAt, endedAt, pausedMs }) : 0;
  await makeTasks(scope, draft, theCase);
}

/**
 * One that was started by mistake, or stopped before it began, never took place, and its meeting may still be held. Who came
 * all the same stays with it, and what they said when they were asked whether it is safe.
 */
async function callOff(scope: Scope, draft: SessionDoc, reason: string): Promise<void> {
  if (!hasWord(reason)) throw badField("cancelReason", "Say why it was not held.");
  const { attendance, proposals, nextSteps, outcome, safetyReview } = draft;
  const isEmpty = proposals.length === 0 && nextSteps.length === 0 && !outcome?.text && !safetyReview;
  if (attendance.some(wasThere))
    throw wrongState(
      "Somebody is recorded as present, so it took place. If it was stopped before it began, record for each who came “Came, not held”. Else end and lock the session with what happened.",
    );
  if (!isEmpty || (await hasNotesOfSession(scope, draft._id)))
    throw wrongState(
      "Something was written in this session, so it took place. Correct or remove that first, or end and lock the session with what happened.",
    );
  const turnedAway = attendance.filter(({ state }) => state === "not_held");
  const never = { startedAt: null, endedAt: null, pausedAt: null, pausedMs: 0, minutes: 0, outcome: null };
  Object.assign(draft, never, { meetingId: null, attendance: turnedAway, countsForLegalAid: false });
  draft.cancelReason = reason;
}

interface Striking {
  draft: SessionDoc;
  theCase: Case;
  reason: string;
}

/**
 * One that was locked and never took place here, as it was recorded in the wrong case: all of it stays to be read, and nothing
 * rests on it. What it asked people to do falls away with it, no party reads what was written in it, and its meeting may have
 * another one.
 */
async function strike(scope: Scope, { draft, theCase, reason }: Striking): Promise<void> {
  if (!answersFor(scope, theCase.mediators) && !draft.mediatorIds.includes(scope.userId))
    throw forbidden("The owner of the practice, a mediator of this case or whoever held this session strikes it.");
  if (!hasWord(reason)) throw badField("cancelReason", "Say why it is struck, such as: recorded in the wrong case.");
  const tasks = draft.nextSteps.flatMap(({ taskId }) => taskId ?? []);
  await callOffTasks({ ownerId: scope.ownerId, ids: tasks });
  await withdrawNotesOfSession(scope.ownerId, draft._id);
  Object.assign(draft, { meetingId: null, countsForLegalAid: false, cancelReason: reason });
  const words = { at: now(), byId: scope.userId, byName: scope.userName, text: "Struck as recorded in error" };
  draft.amendments.push({ ...words, attendance: [], times: null, outcome: null, mediators: null });
}

interface Locking {
  draft: SessionDoc;
  theCase: Case;
  unmetReason: string;
}

const lasted = ({ startedAt, endedAt }: SessionDoc): number =>
  startedAt && endedAt ? endedAt.getTime() - startedAt.getTime() : 0;

const MISSING_WORDS = {
  attendance: "Record who came, for each party.",
  outcome: "Record the outcome of the session.",
} as const;

async function lock(scope: Scope, { draft, theCase, unmetReason }: Locking): Promise<void> {
  const missing: string[] = missingOf(draft).map((what) => MISSING_WORDS[what]);
  const others = await unmarkedIn(scope, draft.meetingId);
  if (lasted(draft) > LONGEST_MS)
    missing.push("A session lasts at most a day, so “End” was pressed late. Correct its time.");
  if (others.length > 0) missing.push(`Record who came of: ${others.join(", ")}.`);
  missing.push(
    ...missingReviews(scope, (await unreviewed(scope, draft, theCase)).filter(isTakingPart)),
    ...(await waitingEntries(scope, draft._id, theCase)),
  );
  if (missing.length > 0) throw wrongState([...new Set(missing)].join(" "));
  await assertAgreedInMediation(scope, draft, theCase);
  assertStillAccepted(draft, theCase);
  await acknowledgeHeld(scope, draft, await lockGaps(scope, draft, theCase), unmetReason);
  draft.lockedAt = now();
  await lockNotesOfSession(scope, draft._id);
}

function resume(draft: SessionDoc, at: Date): void {
  if (draft.pausedAt === null) return;
  draft.pausedMs += at.getTime() - draft.pausedAt.getTime();
  draft.pausedAt = null;
}

/** Stops the clock, or lets it run on. */
export const setPaused = (
  scope: Scope,
  { isPaused, ...change }: z.output<typeof pauseSessionSchema>,
): Promise<Session> =>
  changeSession(
    scope,
    change,
    async (draft) => {
      if (isPaused) {
        draft.pausedAt ??= now();
        return;
      }
      await assertSessionMayRun(scope, draft);
      resume(draft, now());
    },
    { only: ["in_progress"] },
  );
