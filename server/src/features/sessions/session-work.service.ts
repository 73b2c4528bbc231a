// What is done while a session runs: agenda, attendance, next steps, safety, outcome.
import { isDeepStrictEqual } from "node:util";
import { isTakingPart } from "@app/shared/case-states";
import type { z } from "zod";
import { OR_WITHOUT_THEM } from "@app/shared/agreement-gates";
import { cutText } from "@app/shared/cut-text";
import type { Case } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import type { reviewSafetySchema } from "@app/shared/safety-reviews";
import {
  AGENDA_MAX,
  NEXT_STEPS_MAX,
  type removeNextStepSchema,
  type removeTopicSchema,
  type saveNextStepSchema,
  type saveTopicSchema,
  type Session,
  type setAttendanceSchema,
  type updateSessionSchema,
} from "@app/shared/sessions";
import { type SessionAttendance, type SessionStatus, wasThere } from "@app/shared/session-states";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { now } from "../../core/clock.ts";
import { badField, notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertAlive } from "../cases/case-days.service.ts";
import { requireParty } from "../cases/cases.service.ts";
import { assertMayMeet } from "../screenings/screening-gates.service.ts";
import { addSafetyReview } from "../screenings/kept-reviews.service.ts";
import { practiceTimeZone, practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { askedFor, assertOfThisSession } from "./review-days.ts";
import { changeSession } from "./session-changes.ts";
import { assertStillAccepted } from "./proposal-answers.ts";
import { askedTo, assertAgreedTogether, markAttendance, unsignedIn, wasMissed } from "./session-meetings.ts";
import type { SessionDoc } from "./sessions.model.ts";

/** Nobody's words are lost: what is replaced is what whoever writes had on the screen, or nothing. */
function assertSeen<Item extends object>(
  stored: Item | null | undefined,
  before: Item | null,
  after: Item | null,
): void {
  const now = stored ?? null;
  if (!isDeepStrictEqual(now, before) && !isDeepStrictEqual(now, after)) throw stale("session");
}

/** Replaces what has this id, or adds it at the end. */
function upsert<Item extends { id: string }>(items: Item[], item: Item): void {
  const index = items.findIndex(({ id }) => id === item.id);
  if (index < 0) items.push(item);
  else items[index] = item;
}

export const updateSession = (
  scope: Scope,
  { id, outcomeBefore, ...fields }: z.output<typeof updateSessionSchema>,
): Promise<Session> =>
  changeSession(scope, { id }, async (draft, theCase) => {
    if (fields.outcome !== undefined) assertSeen(draft.outcome, outcomeBefore, fields.outcome);
    const known = Object.entries(fields).filter(([, value]) => value !== undefined);
    Object.assign(draft, Object.fromEntries(known));
    if (fields.outcome) await assertAgreedTogether(scope, draft, theCase);
  });

/**
 * Notes what was found when this party was asked again whether it is safe: it is kept beside the session, so that one
 * that is locked takes it too.
 */
export const reviewSafety = (scope: Scope, { id, ...review }: z.output<typeof reviewSafetySchema>): Promise<Session> =>
  changeSession(
    scope,
    { id },
    async ({ startedAt, number }, theCase) => {
      const party = requireParty(theCase, review.partyId);
      const asked = await askedFor(scope, { startedAt }, review);
      await assertAlive(scope, party, "heldOn", asked.heldOn || (await practiceToday(scope.ownerId)));
      await assertOfThisSession(scope, theCase, { number, startedAt, heldOn: asked.heldOn });
      await addSafetyReview(scope, { caseId: theCase.id, sessionId: id, party }, { ...review, ...asked });
    },
    { only: REVIEWABLE },
  );

const REVIEWABLE: readonly SessionStatus[] = ["scheduled", "in_progress", "ended", "locked"];

/** Whoever comes though nobody awaited them must be allowed to meet those who are awaited; from then on they are too. */
export const setAttendance = (
  scope: Scope,
  { partyId, state, ...change }: z.output<typeof setAttendanceSchema>,
): Promise<Session> =>
  changeSession(scope, change, async (draft, theCase) => {
    if (state !== null) await admit(scope, draft, theCase, { partyId, state });
    // What the calendar said before it was told otherwise from here is asked about at the lock.
    if (draft.status === "ended" && state !== null && wasThere({ state }) && (await wasMissed(scope, draft, partyId)))
      draft.missedBefore = [...new Set([...(draft.missedBefore ?? []), partyId])];
    await mark(scope, draft, theCase, { partyId, state });
    await assertAgreedTogether(scope, draft, theCase);
    assertStillAccepted(draft, theCase);
  });

async function admit(
  scope: Scope,
  draft: SessionDoc,
  theCase: Case,
  { partyId, state }: { partyId: string; state: SessionAttendance },
): Promise<void> {
  const party = requireParty(theCase, partyId);
  await assertCame(scope, { ...draft, attendance: [{ partyId, state, at: now() }] }, theCase);
  if (!wasThere({ state }) || draft.partyIds.includes(partyId)) return;
  const partyIds = [...draft.partyIds, partyId];
  // Whoever came to one that is over was there: what was missing for that is asked for when it is locked.
  if (draft.status !== "ended") {
    if (!isTakingPart(party))
      throw wrongState(`${party.label} does not take part in this case any more. Bring them back into it first.`);
    const parties = theCase.parties.filter((party) => partyIds.includes(party.partyId));
    await assertMayMeet(scope, { caseId: theCase.id, parties });
    const missing = await unsignedIn(scope, { ...draft, partyIds, attendance: [{ partyId, state }] }, theCase);
    if (missing.length > 0) throw wrongState([...missing, OR_WITHOUT_THEM].join(" "));
  }
  draft.partyIds = partyIds;
}

/** BAD_REQUEST where somebody is said to have come who had died by then. */
export async function assertCame(
  scope: Scope,
  { startedAt, attendance }: Pick<SessionDoc, "startedAt" | "attendance">,
  theCase: Case,
): Promise<void> {
  const day = dayIn(await practiceTimeZone(scope.ownerId), startedAt ?? now());
  for (const { partyId, state } of attendance) {
    const party = theCase.parties.find((one) => one.partyId === partyId);
    if (party && wasThere({ state })) await assertAlive(scope, party, "state", day);
  }
}

type Mark = Omit<z.output<typeof setAttendanceSchema>, "id">;

/** Marks whether this party came; or that they were not asked, where a mark was made in error. */
export async function mark(scope: Scope, draft: SessionDoc, theCase: Case, { partyId, state }: Mark): Promise<void> {
  const { label } = requireParty(theCase, partyId);
  const others = draft.attendance.filter((entry) => entry.partyId !== partyId);
  if (state !== null) {
    draft.attendance = [...others, { partyId, state, at: now() }];
    return markAttendance(scope, draft.meetingId, { partyId, state });
  }
  if ((await askedTo(scope, draft, theCase)).includes(partyId))
    throw badField("state", `${label} was asked to come to this session. Record whether they came.`);
  draft.attendance = others;
  draft.partyIds = draft.partyIds.filter((id) => id !== partyId);
}

export const saveTopic = (
  scope: Scope,
  { topic, before, ...change }: z.output<typeof saveTopicSchema>,
): Promise<Session> =>
  changeSession(scope, change, (draft) => {
    assertSeen(
      draft.agenda.find(({ id }) => id === topic.id),
      before,
      topic,
    );
    upsert(draft.agenda, topic);
    if (draft.agenda.length > AGENDA_MAX) throw badField("topic", `An agenda has at most ${AGENDA_MAX} topics.`);
  });

export const removeTopic = (
  scope: Scope,
  { topicId, ...change }: z.output<typeof removeTopicSchema>,
): Promise<Session> =>
  changeSession(scope, change, (draft) => {
    draft.agenda = draft.agenda.filter(({ id }) => id !== topicId);
  });

/** Notes who does what until when. It becomes a task when the session ends, or at once where it has ended. */
export const saveNextStep = (
  scope: Scope,
  { step, before, ...change }: z.output<typeof saveNextStepSchema>,
): Promise<Session> =>
  changeSession(scope, change, async (draft, theCase) => {
    if (step.partyId !== null) requireParty(theCase, step.partyId);
    const known = draft.nextSteps.find(({ id }) => id === step.id);
    if (known?.taskId) throw badField("step", "This step is a task already. Change it in the list of tasks.");
    if (known || before) {
      const { taskId: _task, ...shown } = known ?? { taskId: null };
      assertSeen<object>(known ? shown : null, before, step);
    }
    upsert(draft.nextSteps, { ...step, taskId: null });
    if (draft.nextSteps.length > NEXT_STEPS_MAX)
      throw badField("step", `A session has at most ${NEXT_STEPS_MAX} next steps.`);
    if (draft.status === "ended") await makeTasks(scope, draft, theCase);
  });

export const removeNextStep = (
  scope: Scope,
  { stepId, ...change }: z.output<typeof removeNextStepSchema>,
): Promise<Session> =>
  changeSession(scope, change, (draft) => {
    const step = draft.nextSteps.find(({ id }) => id === stepId);
    if (!step) throw notFound("Next step");
    if (step.taskId !== null) throw badField("stepId", "This step is a task already. Cancel it in the list of tasks.");
    draft.nextSteps = draft.nextSteps.filter(({ id }) => id !== stepId);
  });

/** Makes a task of every next step that is none yet. */
export async function makeTasks(scope: Scope, draft: SessionDoc, theCase: Case): Promise<void> {
  const open = draft.nextSteps.filter(({ taskId }) => taskId === null);
  if (open.length === 0) return;
  const tasks = await createTasks(
    scope,
    open.map(({ text, partyId, dueOn }) => {
      const party = theCase.parties.find((one) => one.partyId === partyId);
      return {
        title: party ? cutText(`${party.label}: ${text}`, TASK_TITLE_MAX_LENGTH) : text,
        dueOn,
        assigneeId: scope.userId,
        caseId: theCase.id,
        clientId: party?.clientId ?? null,
      };
    }),
  );
  for (const [index, step] of open.entries()) step.taskId = tasks[index]?.id ?? null;
}
