// A way that somebody says is not safe is used no more from the moment that they send it in.
import { newId } from "@app/server/core/ids";
import type { Sensitivity } from "@app/shared/form-limits";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFormContent, aFormPage, aYesNo } from "../support/server/forms.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aClient, aPractice, aStaffUser, aVisitor } from "../support/server/people.ts";
import { aFormLink, aPublishedForm, generalPlace, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(forgetAttempts);

const contentFor = (sensitivity: Sensitivity) =>
  aFormContent([
    aFormPage("ways", [
      { ...aYesNo("mail", { sensitivity }), mapTo: "client.mayEmail" },
      { ...aYesNo("call", { sensitivity }), mapTo: "client.mayPhone" },
    ]),
  ]);

async function aSentForm(answers: Record<string, string>, sensitivity: Sensitivity = "practice") {
  const form = await aPublishedForm(practice, contentFor(sensitivity));
  const link = await aFormLink(practice, { formId: form.id });
  expect(await submit(aVisitor(app), link.place, answers)).toMatchObject({ state: "sent" });
  const { items } = await practice.api.submissions.list.query({ formId: form.id });
  return { form, clientId: link.clientId, id: items[0]?.id ?? "" };
}
const clientOf = (id: string) => practice.api.clients.get.query({ id });
const tasksOf = async (clientId: string) =>
  (await practice.api.tasks.list.query({})).items
    .filter((task) => task.clientId === clientId)
    .map(({ title }) => title);

test("a form sent in: when its answers close a way, nothing goes to its client until somebody has looked", async () => {
  const { form, clientId } = await aSentForm({ mail: "no", call: "no" });
  expect((await clientOf(clientId)).isContactUnchecked).toBe(true);
  expect(await tasksOf(clientId)).toEqual([
    expect.stringContaining("may be reached safely, as they answered in a form"),
  ]);
  const next = await aFormLink(practice, { formId: form.id, clientId });
  expect(
    await refusal(practice.api.submissions.sendLink.mutate({ id: next.id, changeId: newId(), words: "" })),
  ).not.toBeNull();
});

test("a form sent in: when its answers close nothing that was open, nothing is held", async () => {
  const { clientId } = await aSentForm({ mail: "yes", call: "yes" });
  expect((await clientOf(clientId)).isContactUnchecked).toBe(false);
  expect(await tasksOf(clientId)).toEqual([]);
});

test("submissions.decide: when one of two ways was taken over, the other holds until it was looked at as well", async () => {
  const { clientId, id } = await aSentForm({ mail: "no", call: "no" });
  for (const [fieldId, isHeld] of [
    ["mail", true],
    ["call", false],
  ] as const) {
    const { version, clientVersion } = await practice.api.submissions.get.query({ id });
    const decided = {
      id,
      version,
      clientVersion: clientVersion ?? 0,
      fieldId,
      decision: "accepted" as const,
      text: "",
      changeId: newId(),
    };
    await practice.api.submissions.decide.mutate(decided);
    expect((await clientOf(clientId)).isContactUnchecked).toBe(isHeld);
    expect(await tasksOf(clientId)).toHaveLength(isHeld ? 1 : 0);
  }
  expect((await clientOf(clientId)).safeContact).toMatchObject({ mayEmail: false, mayPhone: false, mayPost: true });
});

const decide = async (id: string, fieldId: string, decision: "accepted" | "rejected") => {
  const { version, clientVersion } = await practice.api.submissions.get.query({ id });
  const decided = { id, version, clientVersion: clientVersion ?? 0, fieldId, decision, text: "", changeId: newId() };
  await practice.api.submissions.decide.mutate(decided);
};

test("clients.confirmContact: while an answer that closes a way is not decided on, nobody says that all ways are safe, and no letter goes", async () => {
  const { form, clientId, id } = await aSentForm({ mail: "no", call: "yes" });
  const permissions = ["clients.read", "clients.write", "forms.manage", "mail.send"] as const;
  const plain = await aStaffUser(app, practice, { permissions: [...permissions] });
  for (const { api } of [plain, practice]) {
    const confirm = async () =>
      api.clients.confirmContact.mutate({ id: clientId, version: (await clientOf(clientId)).version });
    expect(await refusal(confirm())).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("decides first"),
    });
  }
  const next = await aFormLink(practice, { formId: form.id, clientId });
  const sent = plain.api.submissions.sendLink.mutate({ id: next.id, changeId: newId(), words: "" });
  expect(await refusal(sent)).not.toBeNull();
  await decide(id, "mail", "rejected");
  const { version } = await clientOf(clientId);
  expect(await practice.api.clients.confirmContact.mutate({ id: clientId, version })).toMatchObject({
    isContactUnchecked: false,
  });
});

test("clients.update: saved with the way still open that an answer closes, it holds all the same; with the way closed, no more", async () => {
  const { clientId } = await aSentForm({ mail: "no", call: "yes" });
  const save = async (mayEmail: boolean) => {
    const { id, version, safeContact, ...before } = await clientOf(clientId);
    const { kind, title, firstName, lastName, knownAs, organisation, dateOfBirth, email, phones } = before;
    const named = { kind, title, firstName, lastName, knownAs, organisation, dateOfBirth, email, phones };
    const { address, isAddressConfidential, needs, tags } = before;
    const rest = { address, isAddressConfidential, needs, tags };
    const note = mayEmail ? "Asked again" : "Asked once more";
    const client = { ...named, ...rest, safeContact: { ...safeContact, mayEmail, note } };
    await practice.api.clients.update.mutate({ id, version, client });
  };
  await save(true);
  expect((await clientOf(clientId)).isContactUnchecked).toBe(true);
  expect(await tasksOf(clientId)).toHaveLength(1);
  await save(false);
  expect(await tasksOf(clientId)).toEqual([]);
  expect((await clientOf(clientId)).isContactUnchecked).toBe(false);
});

test.each(["processed", "withdrawn", "spam"] as const)(
  "clients.confirmContact: whoever may not read the answer does not put it out of the way as %s",
  async (way) => {
    const { clientId, id } = await aSentForm({ mail: "no", call: "yes" }, "screening");
    const plain = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
    const { submissions } = plain.api;
    const versioned = async () => ({ id, version: (await practice.api.submissions.get.query({ id })).version });
    const setStatus = async (status: "under_review" | "processed" | "withdrawn") =>
      submissions.setStatus.mutate({ ...(await versioned()), status });
    if (way === "processed") {
      await setStatus("under_review");
      await setStatus("processed");
    } else if (way === "withdrawn") expect(await refusal(setStatus("withdrawn"))).toMatchObject({ code: "FORBIDDEN" });
    else
      expect(await refusal(submissions.setSuspect.mutate({ id, isSuspect: true }))).toMatchObject({
        code: "FORBIDDEN",
      });
    const { version } = await clientOf(clientId);
    expect(await refusal(plain.api.clients.confirmContact.mutate({ id: clientId, version }))).not.toBeNull();
    expect((await clientOf(clientId)).isContactUnchecked).toBe(true);
  },
);

test("submissions.setSuspect: what was no spam after all holds again", async () => {
  const { clientId, id } = await aSentForm({ mail: "no", call: "yes" });
  await practice.api.submissions.setSuspect.mutate({ id, isSuspect: true });
  const { version } = await clientOf(clientId);
  await practice.api.clients.confirmContact.mutate({ id: clientId, version });
  await practice.api.submissions.setSuspect.mutate({ id, isSuspect: false });
  expect((await clientOf(clientId)).isContactUnchecked).toBe(true);
});

test("submissions.unassign: whoever may not read the answer that closes a way does not take it from its client", async () => {
  const form = await aPublishedForm(practice, contentFor("screening"));
  await submit(aVisitor(app), await generalPlace(practice, form.id), { mail: "no", call: "no" });
  const [row] = (await practice.api.submissions.list.query({ formId: form.id })).items;
  const { id: clientId } = await practice.api.clients.create.mutate(aClient());
  const whose = { id: row?.id ?? "", version: row?.version ?? 0, clientId, caseId: null };
  const { id, version } = await practice.api.submissions.assign.mutate(whose);
  const plain = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
  expect(await refusal(plain.api.submissions.unassign.mutate({ id, version }))).toMatchObject({ code: "FORBIDDEN" });
  expect((await clientOf(clientId)).isContactUnchecked).toBe(true);
  await practice.api.submissions.unassign.mutate({ id, version });
});
