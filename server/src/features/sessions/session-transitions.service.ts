// How a session goes on: it starts, pauses, ends, is locked for good, and takes amendments after that.
import type { z } from "zod";
import { can } from "@app/shared/access";
import { labelsOf } from "@app/shared/agreement-gates";
import { isTakingPart } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { hasWord } from "@app/shared/has-word";
import { SAFETY_REVIEW_MAX_AGE_DAYS } from "@app/shared/safety-reviews";
import {
  ATTENDANCE_NAMES,
  SESSION_STATUS_NAMES,
  SESSION_TRANSITIONS,
  type SessionStatus,
} from "@app/shared/session-states";
import {
  AMENDMENTS_MAX,
  type amendSessionSchema,
  type moveSessionSchema,
  type pauseSessionSchema,
  type Session,
  unreviewedIn,
} from "@app/shared/sessions";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { requireParty } from "../cases/cases.service.ts";
import { hasNotesOfSession, lockNotesOfSession } from "../notes/notes.service.ts";
import { REVIEWS_TO_LOOK_AT, waitingEntries } from "../safeguarding/opened-entries.service.ts";
import { partiesReviewed } from "../screenings/safety-reviews.service.ts";
import { unmarkedIn } from "./session-meetings.ts";
import { minutesOf } from "./session-minutes.ts";
import { gapsAt } from "./past-gates.ts";
import { changeSession } from "./session-changes.ts";
import { correctAttendance, makeTasks } from "./session-work.service.ts";
import { type Gap, missingOf, type SessionDoc } from "./sessions.model.ts";
import { assertSessionMayRun, begin, tellOfSession } from "./sessions.service.ts";
import { acknowledge } from "./unmet.ts";

const ALL: readonly SessionStatus[] = ["scheduled", "in_progress", "ended", "locked", "cancelled"];

/** Moves a session on. PRECONDITION_FAILED names the states that are legal next, or what is still missing. */
export const moveSession = (
  scope: Scope,
  { to, unmetReason, cancelReason, billing, ...change }: z.output<typeof moveSessionSchema>,
): Promise<Session> =>
  changeSession(
    scope,
    change,
    async (draft, theCase) => {
      assertLegalStep(draft.status, to);
      if (to === "in_progress") await begin(scope, draft, { theCase, reason: unmetReason });
      if (to === "ended") await end(scope, draft, theCase);
      if (to === "locked") await lock(scope, { draft: Object.assign(draft, billing), theCase, unmetReason });
      const isCalledOff = to === "cancelled" && draft.status !== "scheduled";
      if (isCalledOff) await callOff(scope, draft, cancelReason);
      draft.status = to;
      const why = isCalledOff ? `, because: ${cancelReason}` : "";
      await tellOfSession(scope, theCase, `Session ${draft.number}: ${SESSION_STATUS_NAMES[to].toLowerCase()}${why}`);
    },
    { only: ALL },
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

/** One that was started by mistake never took place: nobody came to it, and its meeting may still be held. */
async function callOff(scope: Scope, draft: SessionDoc, reason: string): Promise<void> {
  if (!hasWord(reason)) throw badField("cancelReason", "Say why it was started by mistake.");
  const { attendance, proposals, nextSteps, outcome, safetyReview } = draft;
  const came = attendance.some(({ state }) => state !== "no_show");
  const reviewed = await partiesReviewed(scope, draft);
  const isEmpty = proposals.length === 0 && nextSteps.length === 0 && !outcome && !safetyReview;
  if (came || !isEmpty || reviewed.everIds.length > 0 || (await hasNotesOfSession(scope, draft._id)))
    throw wrongState(
      "Somebody is recorded as present, or something was written in this session, so it took place. Correct or remove that first, or end and lock the session with what happened.",
    );
  const never = { startedAt: null, endedAt: null, pausedAt: null, pausedMs: 0, minutes: 0 };
  Object.assign(draft, never, { meetingId: null, attendance: [], countsForLegalAid: false, cancelReason: reason });
}

interface Locking {
  draft: SessionDoc;
  theCase: Case;
  unmetReason: string;
}

const MISSING_WORDS = {
  attendance: "Record who came, for each party.",
  outcome: "Record the outcome of the session.",
} as const;

async function lock(scope: Scope, { draft, theCase, unmetReason }: Locking): Promise<void> {
  const missing: string[] = missingOf(draft).map((what) => MISSING_WORDS[what]);
  const reviewed = await partiesReviewed(scope, draft);
  const unreviewed = (reviewedIds: string[]) => partiesOf(theCase, unreviewedIn(draft, reviewedIds));
  const others = await unmarkedIn(scope, draft.meetingId);
  if (others.length > 0) missing.push(`Record who came of: ${others.join(", ")}.`);
  const never = unreviewed(reviewed.everIds);
  missing.push(
    ...missingReviews(scope, never.filter(isTakingPart)),
    ...(await waitingEntries(scope, draft._id, theCase)),
  );
  if (missing.length > 0) throw wrongState([...new Set(missing)].join(" "));
  const { startedAt } = draft;
  const reviewGap = (party: Party) => {
    if (never.includes(party)) return noReview(party);
    return reviewed.beforeIds.includes(party.partyId) ? oldReview(party) : lateReview(party);
  };
  const gaps = startedAt ? await gapsAt(scope, { ...draft, startedAt }, theCase) : [];
  acknowledge(scope, draft, [...gaps, ...unreviewed(reviewed.recentIds).map(reviewGap)], unmetReason);
  draft.lockedAt = now();
  await lockNotesOfSession(scope, draft._id);
}

const partiesOf = ({ parties }: Case, ids: readonly string[]): Party[] =>
  parties.filter(({ partyId }) => ids.includes(partyId));

/** Everybody who came to a joint session was asked again whether it is safe. */
function missingReviews(scope: Scope, missing: readonly Party[]): string[] {
  if (missing.length === 0) return [];
  if (!can(scope, "screening.read")) return [REVIEWS_TO_LOOK_AT];
  return [`Record the safety review of ${labelsOf(missing)}.`];
}

/** Whoever is found to have come to a locked session is reviewed first, as everybody is before the lock. */
async function assertReviewed(
  scope: Scope,
  draft: SessionDoc,
  theCase: Case,
  corrected: readonly { partyId: string }[],
): Promise<void> {
  const { everIds } = await partiesReviewed(scope, draft);
  const unreviewed = unreviewedIn(draft, everIds).filter((id) => corrected.some(({ partyId }) => partyId === id));
  const missing = missingReviews(scope, partiesOf(theCase, unreviewed));
  if (missing.length > 0) throw wrongState(missing.join(" "));
}

/** Whoever asked them before and wrote it down later says so in the reason. */
const lateReview = ({ label }: Party): Gap => ({
  text: `The safety review of ${label} was written after the session had begun.`,
  isSafety: true,
});

/** Whoever died or left cannot be asked any more: that they were not is kept, with why. */
const noReview = ({ label }: Party): Gap => ({ text: `There is no safety review of ${label}.`, isSafety: true });

const oldReview = ({ label }: Party): Gap => ({
  text: `The safety review of ${label} was over ${SAFETY_REVIEW_MAX_AGE_DAYS} days old when the session began.`,
  isSafety: true,
});

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

/** Corrects a locked session: who came is what the last amendment says, and what it said before stays beside it. */
export const amendSession = (
  scope: Scope,
  { text, attendance: marks, ...change }: z.output<typeof amendSessionSchema>,
): Promise<Session> =>
  changeSession(
    scope,
    change,
    async (draft, theCase) => {
      if (draft.amendments.length >= AMENDMENTS_MAX)
        throw badField("text", `A session has at most ${AMENDMENTS_MAX} amendments.`);
      const attendance = await correctAttendance(scope, { draft, theCase }, marks);
      await assertReviewed(scope, draft, theCase, attendance);
      draft.amendments.push({ at: now(), byId: scope.userId, byName: scope.userName, text, attendance });
      const corrected = attendance.map(({ partyId, from, to }) => {
        const was = from === null ? "Not recorded" : ATTENDANCE_NAMES[from];
        return `${requireParty(theCase, partyId).label} from “${was}” to “${ATTENDANCE_NAMES[to]}”`;
      });
      await tellOfSession(scope, theCase, [`Session ${draft.number}: amendment added`, ...corrected].join("; "));
    },
    { only: ["locked"] },
  );
