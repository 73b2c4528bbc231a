// Answers that close a way to somebody, given to the wrong client and taken back: what they held is held no more.
import { newId } from "@app/server/core/ids";
import { ClientModel } from "@app/server/features/clients/clients.model";
import { beforeEach, expect, test, vi } from "vitest";
import { aFormContent, aFormPage, aYesNo } from "../support/server/forms.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aClient, aPractice, aVisitor } from "../support/server/people.ts";
import { aFormLink, aPublishedForm, generalPlace, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(forgetAttempts);

const content = aFormContent([
  aFormPage("ways", [
    { ...aYesNo("mail"), mapTo: "client.mayEmail" },
    { ...aYesNo("call"), mapTo: "client.mayPhone" },
  ]),
]);

/** A form, and answers by its general address that nobody gave to anybody yet. */
async function comeIn(answers: Record<string, string> = { call: "no" }) {
  const form = await aPublishedForm(practice, content);
  await submit(aVisitor(app), await generalPlace(practice, form.id), answers);
  vi.restoreAllMocks();
  const [row] = (await practice.api.submissions.list.query({ formId: form.id })).items;
  return { form, id: row?.id ?? "" };
}

const look = (id: string) => practice.api.submissions.get.query({ id });
const give = async (id: string, clientId: string) =>
  practice.api.submissions.assign.mutate({ id, version: (await look(id)).version, clientId, caseId: null });
const takeBack = async (id: string, putsBack = false) =>
  practice.api.submissions.unassign.mutate({ id, version: (await look(id)).version, putsBack });

async function decide(id: string, fieldId: string, decision: "accepted" | "rejected") {
  const { version, clientVersion } = await look(id);
  const decided = { id, version, clientVersion: clientVersion ?? 0, fieldId, decision, text: "", changeId: newId() };
  await practice.api.submissions.decide.mutate(decided);
}

async function standingOf(clientId: string) {
  const { isContactUnchecked } = await practice.api.clients.get.query({ id: clientId });
  const { items } = await practice.api.tasks.list.query({});
  const tasks = items.filter((task) => task.clientId === clientId && task.title.includes("may be reached safely"));
  return { isHeld: isContactUnchecked, tasks: tasks.length };
}

const FREE = { isHeld: false, tasks: 0 };
const HELD = { isHeld: true, tasks: 1 };
const aWrongOne = async () => (await practice.api.clients.create.mutate(aClient())).id;

test.each([
  ["at once", () => Promise.resolve()],
  ["after a rejection", (id: string) => decide(id, "call", "rejected")],
  [
    "after they were withdrawn",
    async (id: string) =>
      void (await practice.api.submissions.setStatus.mutate({
        id,
        version: (await look(id)).version,
        status: "withdrawn",
      })),
  ],
])(
  "submissions.unassign: answers that close a way, when they are taken back %s, hold nothing any more",
  async (_when, first) => {
    const { id } = await comeIn();
    const clientId = await aWrongOne();
    await give(id, clientId);
    expect(await standingOf(clientId)).toEqual(HELD);
    await first(id);
    await takeBack(id);
    expect(await standingOf(clientId)).toEqual(FREE);
    const history = await practice.api.timeline.list.query({ clientId });
    expect(history.items.map(({ text }) => text).join("\n")).toContain("mail to them is held for it no more");
  },
);

test("submissions.unassign: answers of which one was taken over, when they are taken back with it, hold nothing any more", async () => {
  const { id } = await comeIn({ mail: "no", call: "no" });
  const clientId = await aWrongOne();
  await give(id, clientId);
  await decide(id, "mail", "accepted");
  expect(await standingOf(clientId)).toEqual(HELD);
  await takeBack(id, true);
  expect(await standingOf(clientId)).toEqual(FREE);
});

test("submissions.unassign: answers of somebody else, when the client's own close a way as well, leave what those hold", async () => {
  const { form, id } = await comeIn();
  const { clientId, place } = await aFormLink(practice, { formId: form.id });
  await submit(aVisitor(app), place, { call: "no" });
  await give(id, clientId);
  await takeBack(id);
  expect(await standingOf(clientId)).toEqual(HELD);
});

test("submissions.unassign: answers of somebody else, when the client's own were rejected and nobody looked since, leave what those hold", async () => {
  const { form, id } = await comeIn();
  const { clientId, place } = await aFormLink(practice, { formId: form.id });
  await submit(aVisitor(app), place, { call: "no" });
  const own = (await practice.api.submissions.list.query({ formId: form.id })).items.find((row) => row.id !== id);
  await decide(own?.id ?? "", "call", "rejected");
  await give(id, clientId);
  await takeBack(id);
  expect(await standingOf(clientId)).toEqual(HELD);
});

test("submissions.unassign: answers of somebody else, when something besides answers asked to look, leave that", async () => {
  const { id } = await comeIn();
  const clientId = await aWrongOne();
  // As a screening leaves it, and as it was before it was kept by which answers.
  await ClientModel.updateOne({ ownerId: practice.ownerId, _id: clientId }, { $set: { isContactUnchecked: true } });
  await give(id, clientId);
  await takeBack(id);
  expect((await standingOf(clientId)).isHeld).toBe(true);
});

test("submissions.setSuspect: answers that close a way to the client whose they were taken for, when they are spam, hold nothing until they are none", async () => {
  const { id } = await comeIn();
  const clientId = await aWrongOne();
  await give(id, clientId);
  expect(await standingOf(clientId)).toEqual(HELD);
  await practice.api.submissions.setSuspect.mutate({ id, isSuspect: true });
  expect(await standingOf(clientId)).toEqual(FREE);
  await practice.api.submissions.setSuspect.mutate({ id, isSuspect: false });
  expect(await standingOf(clientId)).toEqual(HELD);
});
