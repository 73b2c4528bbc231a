// A case ends early while meetings of it are still to come: nobody is called to them, and whoever mediates looks at each.
import { ENDED_EARLY } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
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

async function askToCancel(scope: Scope, { status: before }: CaseDoc, after: CaseDoc): Promise<void> {
  if (before === after.status || !ENDED_EARLY.includes(after.status)) return;
  const meetings = await meetingsToCome(scope.ownerId, after._id);
  const { dateTime } = await practiceDates(scope.ownerId);
  const dueOn = await practiceToday(scope.ownerId);
  await createMissingTasks(
    scope,
    meetings.map(({ startsAt, mediatorIds: [mediator = scope.userId] }) => ({
      title: cutText(`The case has ended: cancel the meeting of ${dateTime(startsAt)}`, TASK_TITLE_MAX_LENGTH),
      caseId: after._id,
      clientId: null,
      dueOn,
      assigneeId: mediator,
    })),
  );
}

defineCaseFollower(askToCancel);
