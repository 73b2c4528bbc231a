// Somebody works here no more: what stands in the calendar with them alone is given to somebody else, moved or cancelled.
import { cutText } from "@app/shared/cut-text";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import type { Scope } from "../../core/trpc.ts";
import { practiceDates, practiceToday } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { colleagues } from "../users/users.service.ts";
import { toDoAbout } from "./meeting-tasks.ts";
import { meetingsToComeWith } from "./meetings-to-come.ts";
import type { MeetingDoc } from "./meetings.model.ts";

const handOverOf = (_id: string): string => toDoAbout("handOver", { _id });

/** Asks the owner, for each meeting to come that nobody holds any more. Call it in the transaction of the suspension. */
export async function askToHandOver(scope: Scope, userId: string): Promise<void> {
  const { ownerId } = scope;
  const people = await colleagues(ownerId);
  const name = people.find((one) => one.userId === userId)?.name ?? "";
  const isHere = (id: string) => people.some((one) => one.userId === id && one.isActive);
  const alone = (await meetingsToComeWith(ownerId, userId)).filter(({ mediatorIds }) => !mediatorIds.some(isHere));
  const [{ dateTime }, dueOn] = [await practiceDates(ownerId), await practiceToday(ownerId)];
  const titleOf = (startsAt: Date) =>
    `${name} works here no more: give the meeting of ${dateTime(startsAt)} to somebody else, move it or cancel it`;
  await createTasks(
    scope,
    alone.map(({ _id, startsAt, caseId, clientIds }) => ({
      title: cutText(titleOf(startsAt), TASK_TITLE_MAX_LENGTH),
      dueOn,
      assigneeId: ownerId,
      caseId,
      clientId: caseId === null ? (clientIds[0] ?? null) : null,
      about: handOverOf(_id),
    })),
  );
}

/** They work here again. */
export async function keepOver({ ownerId }: Scope, userId: string): Promise<void> {
  for (const { _id, caseId } of await meetingsToComeWith(ownerId, userId))
    await callOff({ ownerId, caseId, abouts: [handOverOf(_id)] });
}

/** Others hold it now. */
export async function noteHandedOver(before: MeetingDoc, after: MeetingDoc): Promise<void> {
  if (String(before.mediatorIds) === String(after.mediatorIds)) return;
  const { ownerId, caseId, _id } = after;
  await callOff({ ownerId, caseId, abouts: [handOverOf(_id)] });
}
