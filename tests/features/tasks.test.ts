import { newId } from "@app/server/core/ids";
import { tasksForSafety } from "@app/server/features/tasks/tasks.migration";
import { createTasks } from "@app/server/features/tasks/tasks.service";
import { addDays, dayIn } from "@app/shared/days";
import type { CreateTask, Task } from "@app/shared/tasks";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import {
  aCase,
  aCaseInput,
  aClient,
  aPractice,
  aStaffUser,
  scopeOf,
  type TestPerson,
} from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice));

const aTask = (overrides: Partial<CreateTask> = {}): CreateTask & { id: string } => ({
  id: newId(),
  title: "Chase figures",
  dueOn: "2026-12-01",
  assigneeId: practice.ownerId,
  clientId: null,
  caseId: null,
  ...overrides,
});
const add = (overrides: Partial<CreateTask> = {}) => practice.api.tasks.create.mutate(aTask(overrides));
const changeOf = ({ id, version, title, dueOn, assigneeId }: Task) => ({ id, version, title, dueOn, assigneeId });
const storedTasks = () => mongoose.connection.collection("tasks").find({ ownerId: practice.ownerId }).toArray();
const titlesOf = async (
  { api }: Pick<TestPerson, "api">,
  asked: Parameters<TestPerson["api"]["tasks"]["list"]["query"]>[0],
) => (await api.tasks.list.query(asked)).items.map(({ title }) => title);

describe("tasks.create", () => {
  test("tasks.create: when a task is given to somebody, then it is stored, listed, and told in the history of its client", async () => {
    const { theCase, first } = built;
    const task = await add({ clientId: first.id, caseId: theCase.id });
    expect(task).toMatchObject({
      title: "Chase figures",
      dueOn: "2026-12-01",
      status: "open",
      assigneeName: "Ines Marchbank",
      caseRef: theCase.caseRef,
      clientName: expect.stringContaining(first.lastName),
      version: 0,
    });
    expect((await practice.api.tasks.list.query({})).items).toEqual([task]);
    expect(await storedTasks()).toMatchObject([{ caseId: theCase.id, clientId: first.id, isOpen: true, version: 0 }]);
    const { items } = await practice.api.timeline.list.query({ clientId: first.id, kind: "task" });
    expect(items).toMatchObject([{ text: "Task added: Chase figures", actorName: "Ines Marchbank" }]);
  });

  test("tasks.create: when it names what another practice has, then it is refused and nothing is stored", async () => {
    const other = await aPractice(app);
    const theirs = await aCase(other);
    const refused = {
      assignee: await refusal(add({ assigneeId: other.ownerId })),
      client: await refusal(add({ clientId: theirs.first.id })),
      case: await refusal(add({ caseId: theirs.theCase.id })),
    };
    expect(refused.assignee).toMatchObject({
      code: "BAD_REQUEST",
      fields: { assigneeId: "Choose somebody of this practice." },
    });
    expect([refused.client.code, refused.case.code]).toEqual(["NOT_FOUND", "NOT_FOUND"]);
    expect(await storedTasks()).toEqual([]);
  });

  test("tasks.create: when nothing says what is to be done, then it is refused at its field and nothing is stored", async () => {
    expect((await refusal(add({ title: "  " }))).fields).toEqual({ title: "Say what is to be done" });
    expect(await storedTasks()).toEqual([]);
  });
});

describe("tasks.list", () => {
  test("tasks.list: when tasks wait, then the first due comes first, one without a day last, and each filter keeps its own", async () => {
    const { theCase, first, second } = built;
    const staff = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    const { user } = await staff.api.auth.status.query();
    await add({ title: "Some day", dueOn: null, clientId: first.id });
    await add({ title: "Later", dueOn: "2026-12-09", caseId: theCase.id });
    await add({ title: "Sooner", dueOn: "2026-12-02", clientId: second.id, assigneeId: user?.userId ?? "" });
    expect(await titlesOf(practice, {})).toEqual(["Sooner", "Later", "Some day"]);
    expect(await titlesOf(practice, { assignee: "me" })).toEqual(["Later", "Some day"]);
    expect(await titlesOf(staff, { assignee: "me" })).toEqual(["Sooner"]);
    expect(await titlesOf(practice, { clientId: first.id })).toEqual(["Some day"]);
    expect(await titlesOf(practice, { caseId: theCase.id })).toEqual(["Later"]);
    expect(await titlesOf(practice, { search: "SOON" })).toEqual(["Sooner"]);
    expect(await titlesOf(practice, { search: "S.*r" })).toEqual([]);
  });

  test("tasks.list: when one is for somebody's safety, then it stands before all others, also once it is reworded", async () => {
    await add({ title: "Chase figures", dueOn: "2020-01-01" });
    const safety = await add({ title: "Safety: screen Priya again", dueOn: null });
    expect(await titlesOf(practice, {})).toEqual(["Safety: screen Priya again", "Chase figures"]);
    await practice.api.tasks.update.mutate({ ...changeOf(safety), title: "Screen Priya again" });
    expect(await titlesOf(practice, {})).toEqual(["Chase figures", "Screen Priya again"]);
  });

  test("tasks.list: when tasks from before are brought up to date, then those for safety stand first", async () => {
    await add({ title: "Chase figures", dueOn: "2020-01-01" });
    await add({ title: "Safety: screen Priya again", dueOn: "2026-12-01" });
    await mongoose.connection.collection("tasks").updateMany({}, { $unset: { isSafety: "" } });
    await tasksForSafety();
    expect(await titlesOf(practice, {})).toEqual(["Safety: screen Priya again", "Chase figures"]);
  });

  test("tasks.list: when only what is overdue or due within a week is asked for, then nothing else is given", async () => {
    const today = dayIn("Europe/London", new Date());
    for (const [title, days] of [
      ["Yesterday", -1],
      ["Today", 0],
      ["In a week", 7],
      ["In eight days", 8],
    ] as const)
      await add({ title, dueOn: addDays(today, days) });
    await add({ title: "Some day", dueOn: null });
    expect(await titlesOf(practice, { due: "overdue" })).toEqual(["Yesterday"]);
    expect(await titlesOf(practice, { due: "week" })).toEqual(["Yesterday", "Today", "In a week"]);
    expect(await practice.api.dashboard.get.query()).toMatchObject({ overdueTasks: 1, tasks: { total: 3 } });
  });
});

describe("tasks.update", () => {
  test("tasks.update: when all of it changes, then the task is stored so, one version on", async () => {
    const staff = await aStaffUser(app, practice);
    const { user } = await staff.api.auth.status.query();
    const task = await add({ caseId: built.theCase.id });
    const changed = await practice.api.tasks.update.mutate({
      ...changeOf(task),
      title: "Ask the bank",
      dueOn: null,
      assigneeId: user?.userId ?? "",
    });
    expect(changed).toEqual({
      ...task,
      title: "Ask the bank",
      dueOn: null,
      assigneeId: user?.userId,
      assigneeName: "Tom Birch",
      version: 1,
    });
    expect((await practice.api.tasks.list.query({})).items).toEqual([changed]);
  });

  test("tasks.get: when a task is read by itself, then it is as the list has it, and another practice's is missing", async () => {
    const task = await add({ caseId: built.theCase.id });
    expect(await practice.api.tasks.get.query({ id: task.id })).toEqual(task);
    const other = await aPractice(app);
    expect(await refusal(other.api.tasks.get.query({ id: task.id }))).toMatchObject({ code: "NOT_FOUND" });
  });

  test("tasks.update: when two change one version at once, then one is stored and the other hears of it", async () => {
    const task = await add();
    const titles = ["Ask the bank", "Ask the court"];
    const answers = await Promise.all(
      titles.map((title) => refusal(practice.api.tasks.update.mutate({ ...changeOf(task), title }))),
    );
    const [lost = answers[1]] = answers.filter(({ code }) => code !== "");
    expect(lost).toMatchObject({ code: "CONFLICT", isStale: true });
    const kept = titles[answers.findIndex(({ code }) => code === "")];
    expect(await storedTasks()).toMatchObject([{ title: kept, version: 1 }]);
  });

  test("tasks.update: when it goes to somebody of another practice, or is another practice's, then nothing changes", async () => {
    const other = await aPractice(app);
    const task = await add();
    const outside = { ...changeOf(task), assigneeId: other.ownerId };
    expect((await refusal(practice.api.tasks.update.mutate(outside))).fields).toHaveProperty("assigneeId");
    const foreign = { ...changeOf(task), title: "Taken", assigneeId: other.ownerId };
    expect(await refusal(other.api.tasks.update.mutate(foreign))).toMatchObject({ code: "NOT_FOUND" });
    expect(await refusal(other.api.tasks.setStatus.mutate({ id: task.id, status: "done" }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect((await practice.api.tasks.list.query({})).items).toEqual([task]);
  });
});

describe("tasks.setStatus", () => {
  test("tasks.setStatus: when a task is done, then it leaves the list of those that wait, and comes back when it is opened", async () => {
    const { id } = await add();
    const set = (status: Task["status"]) => practice.api.tasks.setStatus.mutate({ id, status });
    const lists = async () => [await titlesOf(practice, {}), await titlesOf(practice, { isOpen: false })];
    expect(await set("doing")).toMatchObject({ status: "doing", version: 1 });
    expect(await lists()).toEqual([["Chase figures"], []]);
    for (const over of ["done", "cancelled"] as const) {
      expect(await set(over)).toMatchObject({ status: over });
      expect(await lists()).toEqual([[], ["Chase figures"]]);
    }
    expect(await set("open")).toMatchObject({ status: "open", version: 4 });
    expect(await lists()).toEqual([["Chase figures"], []]);
  });

  test("tasks.setStatus: when somebody has the task open to change it, then their save over the older state is refused", async () => {
    const task = await add();
    await practice.api.tasks.setStatus.mutate({ id: task.id, status: "done" });
    const late = practice.api.tasks.update.mutate({ ...changeOf(task), title: "Ask the bank" });
    expect(await refusal(late)).toMatchObject({ code: "CONFLICT", isStale: true });
    expect(await storedTasks()).toMatchObject([{ title: "Chase figures", status: "done", isOpen: false }]);
  });

  test("tasks.setStatus and update: when somebody sees assigned cases only, then a colleague's task is missing and stays", async () => {
    const staff = await aStaffUser(app, practice, {
      permissions: ["clients.read", "clients.write", "assigned_only"],
    });
    const task = await add();
    expect(await titlesOf(staff, {})).toEqual([]);
    expect(await refusal(staff.api.tasks.setStatus.mutate({ id: task.id, status: "done" }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await refusal(staff.api.tasks.update.mutate({ ...changeOf(task), title: "Taken" }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect((await practice.api.tasks.list.query({})).items).toEqual([task]);
  });
});

describe("tasks.nextOfClients", () => {
  const nextOf = async (clientIds: string[]) =>
    (await practice.api.tasks.nextOfClients.query({ clientIds })).items.map(({ clientId, theCase, task }) => [
      clientId,
      theCase.id,
      task && `${task.title} ${task.dueOn}`,
    ]);

  test("tasks.nextOfClients: when a client's case has tasks, then the open one that is due first stands there", async () => {
    const { theCase, first, second } = built;
    const alone = await practice.api.clients.create.mutate(aClient());
    const clientIds = [first.id, alone.id, second.id];
    expect(await nextOf(clientIds)).toEqual([
      [first.id, theCase.id, null],
      [second.id, theCase.id, null],
    ]);
    await add({ title: "Some day", dueOn: null, caseId: theCase.id });
    await add({ title: "Later", dueOn: "2026-12-09", caseId: theCase.id });
    const { id } = await add({ title: "Sooner", dueOn: "2026-12-02", caseId: theCase.id });
    expect(await nextOf([first.id])).toEqual([[first.id, theCase.id, "Sooner 2026-12-02"]]);
    await practice.api.tasks.setStatus.mutate({ id, status: "done" });
    expect(await nextOf(clientIds)).toEqual([
      [first.id, theCase.id, "Later 2026-12-09"],
      [second.id, theCase.id, "Later 2026-12-09"],
    ]);
  });

  test("tasks.nextOfClients: when a client has two cases, then the newest that is not over counts", async () => {
    const { theCase, first } = built;
    const newer = await practice.api.casework.create.mutate(aCaseInput([first.id]));
    await add({ title: "Of the older", caseId: theCase.id });
    await add({ title: "Of the newer", caseId: newer.id });
    expect(await nextOf([first.id])).toEqual([[first.id, newer.id, "Of the newer 2026-12-01"]]);
  });

  test("tasks.nextOfClients: when other cases have hundreds of later tasks, then the one that is due first still stands there", async () => {
    const { theCase, first } = built;
    const busy = await aCase(practice);
    await add({ title: "Due first", dueOn: "2026-12-01", caseId: theCase.id });
    const later = aTask({ title: "Later", dueOn: "2027-01-01", caseId: busy.theCase.id });
    const { id: _id, ...each } = later;
    await createTasks(
      scopeOf(practice.ownerId),
      Array.from({ length: 501 }, () => each),
    );
    expect(await nextOf([busy.first.id, first.id])).toEqual([
      [busy.first.id, busy.theCase.id, "Later 2027-01-01"],
      [first.id, theCase.id, "Due first 2026-12-01"],
    ]);
  });
});
