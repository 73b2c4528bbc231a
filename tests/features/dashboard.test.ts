import { DAY_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { DASHBOARD_ROWS } from "@app/shared/dashboard";
import { expect, test } from "vitest";
import { aLead } from "../support/access/leads-access.ts";
import { aCase, aMeetingInput, aPractice, aStaffUser } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const addTask = (title: string, dueOn: string) =>
  practice.api.tasks.create.mutate({
    id: newId(),
    title,
    dueOn,
    assigneeId: practice.ownerId,
    clientId: null,
    caseId: null,
  });

test("dashboard.get: when a practice is new, then every part of it is empty", async () => {
  const { board, ...parts } = await practice.api.dashboard.get.query();
  expect(board).toMatchObject({ total: 0, waiting: { first: 0, second: 0, practice: 0 } });
  expect(parts).toEqual({
    meetings: { total: 0, items: [] },
    tasks: { total: 0, items: [] },
    overdueTasks: 0,
    certificates: { total: 0, items: [] },
    unsentMails: 0,
    newLeads: 0,
  });
});

test("dashboard.get: when there is work, then its cases, the tasks of a week and those that are late stand there", async () => {
  const { theCase } = await aCase(practice);
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
  const { id, version } = theCase;
  await practice.api.casework.move.mutate({ id, version, to: "intake", reason: "" });
  await addTask("Late", inDays(-3));
  await addTask("Soon", inDays(3));
  await addTask("Far away", inDays(30));
  const { board, tasks, overdueTasks } = await practice.api.dashboard.get.query();
  expect(board.total).toBe(1);
  expect(board.columns.flatMap(({ cases }) => cases.map(({ id }) => id))).toEqual([theCase.id]);
  expect(tasks.items.map(({ title }) => title)).toEqual(["Late", "Soon"]);
  expect(overdueTasks).toBe(1);
});

test("dashboard.get: when today has more meetings than it shows, then it shows the first and counts all, without a cancelled one", async () => {
  const { version: _version, currency: _currency, ...settings } = await practice.api.practices.get.query();
  await practice.api.practices.update.mutate({ ...settings, timeZone: "UTC", version: 0 });
  const book = (hour: number, day = 0) =>
    practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, { startsAt: `${inDays(day)}T${String(hour).padStart(2, "0")}:00:00.000Z` }),
    );
  const count = DASHBOARD_ROWS + 2;
  for (let hour = count - 1; hour >= 0; hour -= 1) await book(hour);
  await book(9, 1);
  const last = await book(count);
  const why = { changeId: newId(), reason: "Ill", isLate: false, isWholeSeries: false };
  await practice.api.meetings.cancel.mutate({ id: last.id, version: last.version, ...why });
  const { meetings } = await practice.api.dashboard.get.query();
  expect(meetings.total).toBe(count);
  expect(meetings.items.map(({ startsAt }) => Number(startsAt.slice(11, 13)))).toEqual(
    Array.from({ length: DASHBOARD_ROWS }, (_, hour) => hour),
  );
});

test("dashboard.get: when somebody may read neither mail nor leads, then how many wait is not theirs to know", async () => {
  const staff = await aStaffUser(app, practice, { permissions: ["clients.read"] });
  expect(await staff.api.dashboard.get.query()).toMatchObject({ unsentMails: null, newLeads: null });
});

test("dashboard.get: when leads came, then those that nobody has answered are counted", async () => {
  await practice.api.leads.create.mutate(aLead());
  const { id, version } = await practice.api.leads.create.mutate(aLead());
  await practice.api.leads.move.mutate({ id, version, to: "contacted" });
  expect((await practice.api.dashboard.get.query()).newLeads).toBe(1);
});
