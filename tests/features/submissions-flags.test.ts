import { newId } from "@app/server/core/ids";
import { beforeEach, expect, test, vi } from "vitest";
import { aFormContent, aFormPage, aShortText, aYesNo, when } from "../support/server/forms.ts";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aClient, aPractice, aStaffUser, aVisitor, type TestPerson } from "../support/server/people.ts";
import { aPublishedForm, generalPlace, MARK, markedAnswers, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(forgetAttempts);
const READER = ["clients.read", "clients.write"] as const;

const tasksOf = async ({ api }: TestPerson) => (await api.tasks.list.query({ isOpen: true })).items;

test.each(["mediator", "screening"] as const)(
  "“Tell the mediator”: of a question for readers of the kind %s, when it is marked, whoever may not read it learns nothing of that",
  async (sensitivity) => {
    await markedAnswers(practice, "yes", { sensitivity });
    expect((await tasksOf(practice))[0]?.title).toMatch(/^(Safety: read|Read)/);
    const plain = await aStaffUser(app, practice, { permissions: [...READER] });
    const seen = [await tasksOf(plain), (await plain.api.submissions.list.query({})).items];
    expect(JSON.stringify(seen)).not.toContain("CANARY");
  },
);

test("“Tell the mediator”: what looks like spam tells nobody, until somebody says that it is none", async () => {
  const flag = { when: when("children", "equals", "yes"), text: MARK };
  const content = aFormContent([aFormPage("first", [aShortText("town"), aYesNo("children", { flag })])]);
  const form = await aPublishedForm(practice, content, { name: "Walk" });
  const place = await generalPlace(practice, form.id);
  await submit(aVisitor(app), place, { town: "Hull", children: "yes" }, { website: "trap", id: newId() });
  vi.restoreAllMocks();
  expect(await tasksOf(practice)).toEqual([]);
  const [row] = (await practice.api.submissions.list.query({ formId: form.id, isSuspect: true })).items;
  await practice.api.submissions.setSuspect.mutate({ id: row?.id ?? "", isSuspect: false });
  expect(await tasksOf(practice)).toHaveLength(1);
  await practice.api.submissions.setSuspect.mutate({ id: row?.id ?? "", isSuspect: true });
  expect(await tasksOf(practice)).toEqual([]);
});

test("GET /export/form-answers.csv: its file is named after the form and the day, and says when each was sent and what is marked", async () => {
  const { form } = await markedAnswers(practice, "yes");
  const table = async (person: TestPerson) => {
    const headers = { cookie: person.cookies(), "sec-fetch-site": "same-origin" };
    return fetch(`${app.url}/export/form-answers.csv?formId=${form.id}`, { headers });
  };
  const own = await table(practice);
  expect(own.headers.get("content-disposition")).toMatch(/filename="?Walk-answers-\d{4}-\d\d-\d\d\.csv"?$/);
  expect(await own.text()).toMatch(/What the mediator is told.*\s+\d{4}-\d\d-\d\d \d\d:\d\d,.*CANARY/);
});

test("answers about safety: when something of them is marked, the client's first task is in the words of that mark, for whoever may read it", async () => {
  const { row } = await markedAnswers(practice, "yes", { kind: "screening" });
  const client = await practice.api.clients.create.mutate(aClient());
  const whose = { id: row.id, version: row.version, clientId: client.id, caseId: null };
  await practice.api.submissions.assign.mutate(whose);
  const firstOf = async ({ api }: TestPerson) => (await api.tasks.list.query({ clientId: client.id })).items[0]?.title;
  expect(await firstOf(practice)).toBe(`Safety: ${MARK}. Read the answers of ${client.displayName}`);
  const plain = await aStaffUser(app, practice, { permissions: [...READER] });
  expect(await firstOf(plain)).toBeUndefined();
});

test("answers about safety: what a mark for the mediator alone says, stands in no task of whoever reads screenings", async () => {
  const { row } = await markedAnswers(practice, "yes", { kind: "screening", sensitivity: "mediator" });
  const client = await practice.api.clients.create.mutate(aClient());
  const whose = { id: row.id, version: row.version, clientId: client.id, caseId: null };
  await practice.api.submissions.assign.mutate(whose);
  const { items } = await practice.api.tasks.list.query({ clientId: client.id });
  expect(items.map(({ title }) => title).join()).toMatch(/^Answers about safety are there/);
});

test("answers with a mark: whoever may not read it sets them aside by no way, and the task to read them stays", async () => {
  const { row } = await markedAnswers(practice, "yes", { sensitivity: "screening" });
  const plain = await aStaffUser(app, practice, { permissions: [...READER] });
  const { submissions } = plain.api;
  const ways = [
    () => submissions.setSuspect.mutate({ id: row.id, isSuspect: true }),
    () => submissions.setStatus.mutate({ id: row.id, version: row.version, status: "withdrawn" }),
    () => submissions.setStatus.mutate({ id: row.id, version: row.version, status: "processed" }),
  ];
  for (const way of ways) expect((await refusal(way())).code).toBe("FORBIDDEN");
  expect(await tasksOf(practice)).toHaveLength(1);
});

test("submissions.unassign: of another form, leaves open what asks to read the answers about safety of that client", async () => {
  const { row } = await markedAnswers(practice, "yes", { kind: "screening" });
  const client = await practice.api.clients.create.mutate(aClient());
  const whose = { clientId: client.id, caseId: null };
  await practice.api.submissions.assign.mutate({ ...whose, id: row.id, version: row.version });
  const { row: other } = await markedAnswers(practice, "no");
  const plain = await aStaffUser(app, practice, { permissions: [...READER] });
  const { version } = await plain.api.submissions.assign.mutate({ ...whose, id: other.id, version: other.version });
  await plain.api.submissions.unassign.mutate({ id: other.id, version, putsBack: false });
  const { items } = await practice.api.tasks.list.query({ clientId: client.id, isOpen: true });
  expect(items.map(({ title }) => title)).toContainEqual(expect.stringMatching(/^Safety: /));
});
