// A task that is there for as long as something is true, such as that nobody has answered yet.
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { TaskModel } from "./tasks.model.ts";
import { mayTake } from "./task-takers.service.ts";
import { createTasks, type NewTask } from "./tasks.service.ts";

interface Wanted {
  /** What it follows from: for each of them it is made once, whatever a person then does with it. */
  after: string;
  title: string;
  dueOn: string | null;
  assigneeId: string;
  clientId: string;
}

/**
 * Leaves of the tasks about one party's answer only the one that is wanted. One that was closed here is opened again
 * where it is wanted again, for instance because a step was taken back; what a person did with it stays as it is.
 */
export async function keepFollowUp(
  scope: Scope,
  { caseId, partyId }: { caseId: string; partyId: string },
  wanted: Wanted | null,
): Promise<void> {
  const { ownerId } = scope;
  const all = { ownerId, caseId, "followUp.partyId": partyId };
  const others = wanted ? { "followUp.after": mongoose.trusted({ $ne: wanted.after }) } : {};
  const status = wanted ? ("done" as const) : ("cancelled" as const);
  await TaskModel.updateMany(
    { ...all, ...others, isOpen: true },
    { $set: { status, isOpen: false, "followUp.isClosedHere": true }, $inc: { version: 1 } },
  );
  if (!wanted) return;
  const { after, ...fields } = wanted;
  const same = { ...all, "followUp.after": after };
  await TaskModel.updateMany(
    { ...same, isOpen: false, "followUp.isClosedHere": true },
    { $set: { status: "open", isOpen: true, "followUp.isClosedHere": false }, $inc: { version: 1 } },
  );
  if (await TaskModel.exists(same)) return;
  await createTasks(scope, [{ ...fields, caseId, followUp: { partyId, after, isClosedHere: false } }]);
}

type Shared = Omit<NewTask, "assigneeId" | "isPersonal">;

/** Gives each of these people who may see it a task of their own, which stands in nobody else's list and in no history. */
export async function giveEach(scope: Scope, userIds: readonly string[], task: Shared): Promise<void> {
  const given: NewTask[] = [];
  for (const assigneeId of new Set(userIds))
    if (await mayTake(scope.ownerId, assigneeId, task)) given.push({ ...task, assigneeId, isPersonal: true });
  await createTasks(scope, given);
}

/** What these tasks were about is done. */
export const isTaskOpenWith = async ({ ownerId }: Scope, endsWith: string): Promise<boolean> =>
  (await TaskModel.exists({ ownerId, endsWith, isOpen: true })) !== null;

export async function endTasksWith({ ownerId }: Scope, endsWith: string): Promise<void> {
  await TaskModel.updateMany(
    { ownerId, endsWith, isOpen: true },
    { $set: { status: "done", isOpen: false }, $inc: { version: 1 } },
  );
}

/** Of the tasks of a case those that say this are needed no more. Gives how many were open. */
export async function dropTasks(
  { ownerId }: Scope,
  { caseId, titles }: { caseId: string; titles: readonly string[] },
): Promise<number> {
  if (titles.length === 0) return 0;
  const { modifiedCount } = await TaskModel.updateMany(
    { ownerId, caseId, isOpen: true, title: mongoose.trusted({ $in: [...titles] }) },
    { $set: { status: "cancelled", isOpen: false }, $inc: { version: 1 } },
  );
  return modifiedCount;
}

/** What these tasks were about was deleted with all that is kept of it. */
export async function forgetTasksWith({ ownerId }: Scope, endsWith: string): Promise<void> {
  await TaskModel.deleteMany({ ownerId, endsWith });
}
