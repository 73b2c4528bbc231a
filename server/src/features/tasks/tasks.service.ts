import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { addDays } from "@app/shared/days";
import { DUE_WITHIN_DAYS, type TaskDue } from "@app/shared/task-due";
import type { CreateTask, listTasksSchema, Task, taskPageSchema, updateTaskSchema } from "@app/shared/tasks";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { inTransaction } from "../../core/database.ts";
import { badField, notFound, stale, wrongState } from "../../core/errors.ts";
import { type Needs, withinRights } from "../../core/needs.ts";
import type { Scope } from "../../core/trpc.ts";
import { literally } from "../../core/word-search.ts";
import { ofVisiblePlaces } from "../cases/case-places.service.ts";
import { findCaseRows } from "../cases/cases.service.ts";
import { assertClientsVisible, clientNames } from "../clients/clients.service.ts";
import { recordEvents } from "../history/history.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { colleagues } from "../users/users.service.ts";
import { takerOf } from "./task-takers.service.ts";
import { isForSafety, NO_DAY, type TaskDoc, TaskModel } from "./tasks.model.ts";

export interface NewTask extends CreateTask {
  /** The permission without which nobody sees it, where it tells of what asks for one; none where left out. */
  needs?: Needs;
  /** For its assignee alone; the history says nothing of it. */
  isPersonal?: boolean;
  followUp?: TaskDoc["followUp"];
  endsWith?: TaskDoc["endsWith"];
  about?: TaskDoc["about"];
}

/** The tasks that this person may see: all, or those that were given to them and hang on nothing that they do not see. */
const visibleTo = async (scope: Scope): Promise<QueryFilter<TaskDoc>> => ({
  ownerId: scope.ownerId,
  ...withinRights(scope),
  $and: [{ $or: [{ isPersonal: mongoose.trusted({ $ne: true }) }, { assigneeId: scope.userId }] }],
  ...(scope.isAssignedOnly ? { assigneeId: scope.userId } : {}),
  ...(await ofVisiblePlaces(scope)),
});

export async function listTasks(
  scope: Scope,
  input: z.output<typeof listTasksSchema>,
): Promise<z.infer<typeof taskPageSchema>> {
  const filter: QueryFilter<TaskDoc> = {
    ...(await visibleTo(scope)),
    isOpen: input.isOpen,
    ...(input.assignee === "me" ? { assigneeId: scope.userId } : {}),
    ...(input.clientId ? { clientId: input.clientId } : {}),
    ...(input.caseId ? { caseId: input.caseId } : {}),
    ...(input.search ? { title: mongoose.trusted({ $regex: literally(input.search), $options: "i" }) } : {}),
    ...(input.due ? await dueBy(scope, input.due) : {}),
  };
  const [docs, total] = await Promise.all([
    TaskModel.find(filter)
      .sort(input.isOpen ? { isSafety: -1, dueOn: 1, _id: 1 } : { dueOn: -1, _id: -1 })
      .skip((input.page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    TaskModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  return { items: await toTasks(scope, docs), total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

async function dueBy({ ownerId }: Scope, due: TaskDue) {
  const day = addDays(await practiceToday(ownerId), due === "overdue" ? -1 : DUE_WITHIN_DAYS);
  return { dueOn: mongoose.trusted({ $lte: day }) };
}

/** How many open tasks were due before today. */
export async function countOverdue(scope: Scope): Promise<number> {
  const isOverdue = { isOpen: true, ...(await dueBy(scope, "overdue")) };
  return TaskModel.countDocuments({ ...(await visibleTo(scope)), ...isOverdue }).limit(COUNT_MAX);
}

/** Of each of these cases the open task that is due first, one for safety before others; a task without a day is none. */
export async function nextTasks(
  scope: Scope,
  caseIds: string[],
): Promise<Map<string, Pick<TaskDoc, "title" | "dueOn">>> {
  const filter: QueryFilter<TaskDoc> = {
    ...(await visibleTo(scope)),
    caseId: mongoose.trusted({ $in: caseIds }),
    isOpen: true,
    dueOn: mongoose.trusted({ $ne: NO_DAY }),
  };
  const found = await TaskModel.aggregate<Pick<TaskDoc, "title" | "dueOn"> & { _id: string }>([
    { $match: filter },
    { $sort: { caseId: 1, isSafety: -1, dueOn: 1, _id: 1 } },
    { $group: { _id: "$caseId", title: { $first: "$title" }, dueOn: { $first: "$dueOn" } } },
  ]);
  return new Map(found.map(({ _id, title, dueOn }) => [_id, { title, dueOn }]));
}

async function toTasks(scope: Scope, docs: TaskDoc[]): Promise<Task[]> {
  if (docs.length === 0) return [];
  const [people, names, cases] = await Promise.all([
    colleagues(scope.ownerId),
    clientNames(
      scope,
      docs.flatMap(({ clientId }) => clientId ?? []),
    ),
    findCaseRows(
      scope,
      docs.flatMap(({ caseId }) => caseId ?? []),
    ),
  ]);
  const refs = new Map(cases.map(({ id, caseRef }) => [id, caseRef]));
  return docs.map((doc) => ({
    ...doc,
    id: doc._id,
    dueOn: doc.dueOn === NO_DAY ? null : doc.dueOn,
    assigneeName: people.find(({ userId }) => userId === doc.assigneeId)?.name ?? "Former colleague",
    caseRef: refs.get(doc.caseId ?? "") ?? "",
    // Given with a case, it may still be of a client whom its reader does not see.
    clientId: names.has(doc.clientId ?? "") ? doc.clientId : null,
    clientName: names.get(doc.clientId ?? "") ?? "",
    createdAt: doc.createdAt.toISOString(),
  }));
}

/** Makes the tasks that follow from something, such as the next steps of a session, each for somebody who can do it. */
export async function createTasks(scope: Scope, inputs: NewTask[]): Promise<Task[]> {
  const given: NewTask[] = [];
  for (const input of inputs)
    given.push(input.isPersonal ? input : { ...input, assigneeId: await takerOf(scope, input) });
  return storeTasks(scope, given);
}

/** Their history is written with them. */
async function storeTasks(scope: Scope, inputs: NewTask[]): Promise<Task[]> {
  await assertLinksVisible(scope, inputs);
  const docs = inputs.map(({ dueOn, ...input }) => ({
    ...input,
    dueOn: dueOn ?? NO_DAY,
    isSafety: isForSafety(input.title),
    ownerId: scope.ownerId,
  }));
  const made = await inTransaction(async () => {
    const stored = await TaskModel.insertMany(docs);
    const told = inputs.filter(({ isPersonal }) => !isPersonal);
    const events = told.map(({ title, caseId, clientId, needs }) => ({
      kind: "task" as const,
      text: `Task added: ${title}`,
      caseId,
      clientIds: clientId ? [clientId] : [],
      visibility: PRACTICE_ONLY,
      needs: needs ?? null,
    }));
    if (events.length > 0) await recordEvents(scope, events);
    return stored.map((doc) => doc.toObject());
  });
  return toTasks(scope, made);
}

/** The same for what was found again: one that waits in its case with the same words is not made a second time. */
export async function createMissingTasks(scope: Scope, inputs: NewTask[]): Promise<void> {
  const caseIds = inputs.map(({ caseId }) => caseId);
  const titles = mongoose.trusted({ $in: inputs.map(({ title }) => title) });
  const found = await TaskModel.find(
    { ownerId: scope.ownerId, isOpen: true, caseId: mongoose.trusted({ $in: caseIds }), title: titles },
    { caseId: 1, title: 1 },
  ).lean();
  const missing = inputs.filter(({ caseId, title }) => {
    const index = found.findIndex((task) => task.caseId === caseId && task.title === title);
    // Each stands for one: two may have the same words.
    if (index >= 0) found.splice(index, 1);
    return index < 0;
  });
  if (missing.length > 0) await createTasks(scope, missing);
}

async function assertLinksVisible(scope: Scope, inputs: Pick<CreateTask, "clientId" | "caseId" | "assigneeId">[]) {
  const clientIds = inputs.flatMap(({ clientId }) => clientId ?? []);
  if (clientIds.length > 0) await assertClientsVisible(scope, clientIds);
  const caseIds = [...new Set(inputs.flatMap(({ caseId }) => caseId ?? []))];
  if (caseIds.length > 0 && (await findCaseRows(scope, caseIds)).length < caseIds.length) throw notFound("Case");
  await assertAssignees(
    scope,
    inputs.map(({ assigneeId }) => assigneeId),
  );
}

async function assertAssignees(scope: Scope, ids: string[]): Promise<void> {
  const known = new Set((await colleagues(scope.ownerId)).map(({ userId }) => userId));
  if (ids.some((id) => !known.has(id))) throw badField("assigneeId", "Choose somebody of this practice.");
}

export async function createTask(scope: Scope, input: CreateTask): Promise<Task> {
  const [task] = await storeTasks(scope, [input]);
  if (!task) throw new Error("the task that was just stored is missing");
  return task;
}

export async function getTask(scope: Scope, id: string): Promise<Task> {
  const doc = await TaskModel.findOne({ ...(await visibleTo(scope)), _id: id }).lean();
  if (!doc) throw notFound("Task");
  return oneTask(scope, doc);
}

export async function updateTask(
  scope: Scope,
  { id, version, dueOn, ...fields }: z.output<typeof updateTaskSchema>,
): Promise<Task> {
  const before = await TaskModel.findOne({ ...(await visibleTo(scope)), _id: id }).lean();
  if (!before) throw notFound("Task");
  if (before.endsWith) throw endsByItself();
  await assertAssignees(scope, [fields.assigneeId]);
  const doc = await TaskModel.findOneAndUpdate(
    { ...(await visibleTo(scope)), _id: id, version },
    { $set: { ...fields, dueOn: dueOn ?? NO_DAY, isSafety: isForSafety(fields.title) }, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!doc) throw stale("task");
  return oneTask(scope, doc);
}

async function oneTask(scope: Scope, doc: TaskDoc): Promise<Task> {
  const [task] = await toTasks(scope, [doc]);
  if (!task) throw notFound("Task");
  return task;
}

export async function setTaskStatus(scope: Scope, { id, status }: Pick<Task, "id" | "status">): Promise<Task> {
  const isOpen = status === "open" || status === "doing";
  const seen: QueryFilter<TaskDoc> = { ...(await visibleTo(scope)), _id: id };
  const movesByHand = { $or: [{ endsWith: null }, ...(isOpen ? [{ isOpen: true }] : [])] };
  const doc = await TaskModel.findOneAndUpdate(
    { ...seen, $and: [...(seen.$and ?? []), movesByHand] },
    { $set: { status, isOpen }, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (doc) return oneTask(scope, doc);
  throw (await TaskModel.exists(seen)) ? endsByItself() : notFound("Task");
}

const endsByItself = () =>
  wrongState("This task ends by itself: when what it names is completed, or somebody says there why it need not be.");
