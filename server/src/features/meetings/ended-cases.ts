// A case ends early, or somebody leaves it, while meetings are still to come: nobody is called to what cannot be, and
// whoever mediates looks at each.
import { countSides, ENDED_EARLY } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { MEDIATING } from "@app/shared/meeting-safety";
import { cutText } from "@app/shared/cut-text";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import type { Scope } from "../../core/trpc.ts";
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { practiceDates, practiceToday } from "../practices/practices.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { meetingsToCome } from "./meetings-to-come.ts";
import type { MeetingDoc } from "./meetings.model.ts";

type Ended = Pick<Case, "status" | "statusSince" | "ending">;

/** Whether the case has ended early since this was booked; after a death nothing of it is for anybody. */
export const isOffByEnd = (
  { status, statusSince, ending }: Ended,
  { createdAt }: Pick<MeetingDoc, "createdAt">,
): boolean => ENDED_EARLY.includes(status) && (ending === "died" || createdAt <= new Date(statusSince));

/** Whether nobody is mailed of this case's meetings at all: it may be the one who died. */
export const isEndedByDeath = ({ status, ending }: Omit<Ended, "statusSince">): boolean =>
  ENDED_EARLY.includes(status) && ending === "died";

type Shared = Pick<MeetingDoc, "type" | "partyIds">;
type Sided = Pick<Case["parties"][number], "partyId" | "side"> & { leftAt: Date | string | null };

/** Whether several sides were to mediate there, of whom no two are left. */
export function isOneSided({ parties }: { parties: readonly Sided[] }, { type, partyIds }: Shared): boolean {
  const named = parties.filter(({ partyId }) => partyIds.includes(partyId));
  return MEDIATING.includes(type) && countSides(named) > 1 && countSides(named.filter(({ leftAt }) => !leftAt)) < 2;
}

async function askToLook(scope: Scope, before: CaseDoc, after: CaseDoc): Promise<void> {
  const left = after.parties.filter(
    ({ partyId, leftAt }) => leftAt && before.parties.some((was) => was.partyId === partyId && !was.leftAt),
  );
  if (left.length === 0 || ENDED_EARLY.includes(after.status)) return;
  const meetings = (await meetingsToCome(scope.ownerId, after._id)).filter((meeting) => isOneSided(after, meeting));
  const { dateTime } = await practiceDates(scope.ownerId);
  const who = left.map(({ label }) => label).join(" and ");
  const tasks = meetings.map((meeting) => ({
    ...taskOf(scope, after, meeting),
    title: cutText(`${who} left the case: look at the meeting of ${dateTime(meeting.startsAt)}`, TASK_TITLE_MAX_LENGTH),
  }));
  await createMissingTasks(scope, await dueToday(scope, tasks));
}

async function askToCancel(scope: Scope, { status: before }: CaseDoc, after: CaseDoc): Promise<void> {
  if (before === after.status || !ENDED_EARLY.includes(after.status)) return;
  const meetings = await meetingsToCome(scope.ownerId, after._id);
  const { dateTime } = await practiceDates(scope.ownerId);
  const tasks = meetings.map((meeting) => ({
    ...taskOf(scope, after, meeting),
    title: cutText(`The case has ended: cancel the meeting of ${dateTime(meeting.startsAt)}`, TASK_TITLE_MAX_LENGTH),
  }));
  await createMissingTasks(scope, await dueToday(scope, tasks));
}

const taskOf = ({ userId }: Scope, { _id: caseId }: CaseDoc, { mediatorIds: [mediator = userId] }: MeetingDoc) => ({
  caseId,
  clientId: null,
  assigneeId: mediator,
});

async function dueToday<Task>({ ownerId }: Scope, tasks: readonly Task[]): Promise<(Task & { dueOn: string })[]> {
  const dueOn = await practiceToday(ownerId);
  return tasks.map((task) => ({ ...task, dueOn }));
}

defineCaseFollower(askToCancel);
defineCaseFollower(askToLook);
