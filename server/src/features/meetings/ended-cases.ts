// A case ends early, or somebody leaves it, while meetings are still to come: nobody is called to what cannot be, and
// whoever mediates looks at each.
import { countSides, ENDED_EARLY, isEndedByDeath } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { MEDIATING } from "@app/shared/meeting-states";
import { cutText } from "@app/shared/cut-text";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import type { Scope } from "../../core/trpc.ts";
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { practiceDates, practiceToday } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { toDoAbout } from "./meeting-tasks.ts";
import { meetingsToCome } from "./meetings-to-come.ts";
import type { MeetingDoc } from "./meetings.model.ts";

type Ended = Pick<Case, "status" | "statusSince" | "ending">;

/** Whether the case has ended early since this was booked; after a death nothing of it is for anybody. */
export const isOffByEnd = (
  { status, statusSince, ending }: Ended,
  { createdAt }: Pick<MeetingDoc, "createdAt">,
): boolean => ENDED_EARLY.includes(status) && (isEndedByDeath({ ending }) || createdAt <= new Date(statusSince));

type Shared = Pick<MeetingDoc, "type" | "partyIds">;
type Sided = Pick<Case["parties"][number], "partyId" | "side"> & { leftAt: Date | string | null };

/** Whether several sides were to mediate there, of whom no two are left. */
export function isOneSided({ parties }: { parties: readonly Sided[] }, { type, partyIds }: Shared): boolean {
  const named = parties.filter(({ partyId }) => partyIds.includes(partyId));
  return MEDIATING.includes(type) && countSides(named) > 1 && countSides(named.filter(({ leftAt }) => !leftAt)) < 2;
}

/** Whether somebody who was to come there died: nobody prepares it, or reminds of it, as it stands. */
export const hasDiedBefore = (
  { partyId, status }: Pick<Case["parties"][number], "partyId" | "status">,
  { partyIds }: Pick<MeetingDoc, "partyIds">,
): boolean => status === "died" && partyIds.includes(partyId);

async function askToLook(scope: Scope, before: CaseDoc, after: CaseDoc): Promise<void> {
  const left = after.parties.filter(
    ({ partyId, leftAt }) => leftAt && before.parties.some((was) => was.partyId === partyId && !was.leftAt),
  );
  if (left.length === 0 || ENDED_EARLY.includes(after.status)) return;
  const why = left.map(({ label, status }) => `${label} ${status === "died" ? "died" : "left the case"}`).join(" and ");
  const meetings = (await meetingsToCome(scope.ownerId, after._id)).filter(
    (meeting) => isOneSided(after, meeting) || left.some((party) => hasDiedBefore(party, meeting)),
  );
  await ask(scope, meetings, { aboutOf: leftAbout, titleOf: (when) => `${why}: look at the meeting of ${when}` });
}

/** Whoever came back, or had not left, comes to what was planned with them. */
async function lookNoMore(scope: Scope, before: CaseDoc, after: CaseDoc): Promise<void> {
  const isBack = after.parties.some(
    ({ partyId, leftAt }) => !leftAt && before.parties.some((was) => was.partyId === partyId && was.leftAt),
  );
  if (!isBack) return;
  const { ownerId } = scope;
  const meetings = (await meetingsToCome(ownerId, after._id)).filter(
    (meeting) => !isOneSided(after, meeting) && !after.parties.some((party) => hasDiedBefore(party, meeting)),
  );
  await callOff({ ownerId, caseId: after._id, abouts: meetings.map(leftAbout) });
}

async function askToCancel(scope: Scope, { status: before }: CaseDoc, after: CaseDoc): Promise<void> {
  if (before === after.status || !ENDED_EARLY.includes(after.status)) return;
  const meetings = await meetingsToCome(scope.ownerId, after._id);
  await ask(scope, meetings, {
    aboutOf: endedAbout,
    titleOf: (when) => `The case has ended: cancel the meeting of ${when}`,
  });
}

/** A case that goes on keeps its meetings. */
async function cancelNoMore(scope: Scope, { status: before }: CaseDoc, after: CaseDoc): Promise<void> {
  if (!ENDED_EARLY.includes(before) || ENDED_EARLY.includes(after.status)) return;
  const { ownerId } = scope;
  const abouts = (await meetingsToCome(ownerId, after._id)).map(endedAbout);
  await callOff({ ownerId, caseId: after._id, abouts });
}

type Named = Pick<MeetingDoc, "_id">;

const leftAbout = (meeting: Named): string => toDoAbout("left", meeting);
const endedAbout = (meeting: Named): string => toDoAbout("ended", meeting);

interface Asking {
  aboutOf: (meeting: Named) => string;
  titleOf: (when: string) => string;
}

/** A task for whoever mediates each of these, due today. */
async function ask(scope: Scope, meetings: readonly MeetingDoc[], { aboutOf, titleOf }: Asking): Promise<void> {
  const { dateTime } = await practiceDates(scope.ownerId);
  const dueOn = await practiceToday(scope.ownerId);
  const tasks = meetings.map(({ _id, caseId, startsAt, mediatorIds: [mediator = scope.userId] }) => ({
    about: aboutOf({ _id }),
    caseId,
    clientId: null,
    assigneeId: mediator,
    dueOn,
    title: cutText(titleOf(dateTime(startsAt)), TASK_TITLE_MAX_LENGTH),
  }));
  await createMissingTasks(scope, tasks);
}

defineCaseFollower(askToCancel);
defineCaseFollower(askToLook);
defineCaseFollower(cancelNoMore);
defineCaseFollower(lookNoMore);
