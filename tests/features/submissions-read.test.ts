import { newId } from "@app/server/core/ids";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf as mailContentOf } from "@app/server/features/outbox/outbox.service";
import { SubmissionModel } from "@app/server/features/submissions/submissions.model";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import type { Field } from "@app/shared/form-fields";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFormContent, aFormPage, aShortText } from "../support/server/forms.ts";
import { wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { aCase, aClient, aPractice, aStaffUser, aVisitor, type TestPerson } from "../support/server/people.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aFormLink, aPublishedForm, aSubmission, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const SAID = { town: "Hull", needs: "A ramp", children: "no", private: "CANARY-M", safety: "CANARY-S" };

async function filledIn() {
  const form = await aPublishedForm(practice);
  const { theCase, first, second } = await aCase(practice);
  const link = await aFormLink(practice, { formId: form.id, clientId: first.id, caseId: theCase.id });
  const id = await aSubmission(practice.ownerId, { link: link.id, answers: SAID });
  return { form, theCase, first, second, link, id };
}
const textsOf = (submission: { pages: { lines: { fieldId: string }[] }[] }) =>
  submission.pages.flatMap(({ lines }) => lines.map(({ fieldId }) => fieldId));

describe("who reads answers", () => {
  test("submissions.get: each answer, when somebody of the practice reads, is for whom its question says", async () => {
    const { id } = await filledIn();
    expect(textsOf(await practice.api.submissions.get.query({ id }))).toEqual([
      "town",
      "needs",
      "children",
      "private",
      "safety",
    ]);
    const plain = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    const seen = await plain.api.submissions.get.query({ id });
    expect(textsOf(seen)).toEqual(["town", "needs", "children"]);
    expect(seen.hiddenCount).toBe(2);
    expect(JSON.stringify(seen)).not.toContain("CANARY");
    const screening = await aStaffUser(app, practice, { permissions: ["clients.read", "screening.read"] });
    expect(textsOf(await screening.api.submissions.get.query({ id }))).toContain("safety");
    const assigned = await aStaffUser(app, practice, { permissions: ["clients.read", "assigned_only"] });
    expect(await refusal(assigned.api.submissions.get.query({ id }))).toMatchObject({ code: "NOT_FOUND" });
    expect((await assigned.api.submissions.list.query({})).items).toEqual([]);
  });

  test.each([
    ["for whom the practice’s answers are", {}, {}, {}, false],
    ["for mediators", { sensitivity: "mediator" }, {}, {}, true],
    ["for readers of screenings, by what the form says", { sensitivity: null }, { readers: "screening" }, {}, true],
    ["of a screening form", {}, {}, { kind: "screening" }, true],
  ] as const)(
    "submissions.get: what an answer %s proposes, before it is accepted, says whether everybody would read it then",
    async (_whose, of, readers, kind, isForFew) => {
      const asked = { ...aShortText("way", of), mapTo: "client.codeWord" as const };
      const content = aFormContent([aFormPage("first", [asked])], readers);
      const form = await aPublishedForm(practice, content, kind);
      const link = await aFormLink(practice, { formId: form.id });
      const id = await aSubmission(practice.ownerId, { link: link.id, answers: { way: "Quince" } });
      const { proposals } = await practice.api.submissions.get.query({ id });
      expect(proposals).toMatchObject([{ fieldId: "way", decision: "pending", isForFew }]);
    },
  );

  test.each(["mediator", "screening"] as const)(
    "submissions.get: a question that names nobody, when the form says %s, is for them alone",
    async (readers) => {
      const unsaid = { sensitivity: null };
      const content = aFormContent([aFormPage("first", [aShortText("town", unsaid), aShortText("needs")])], {
        readers,
      });
      const form = await aPublishedForm(practice, content);
      const { theCase, first } = await aCase(practice);
      const link = await aFormLink(practice, { formId: form.id, clientId: first.id, caseId: theCase.id });
      const id = await aSubmission(practice.ownerId, { link: link.id, answers: SAID });
      expect(textsOf(await practice.api.submissions.get.query({ id }))).toEqual(["town", "needs"]);
      const plain = await aStaffUser(app, practice, { permissions: ["clients.read"] });
      const seen = await plain.api.submissions.get.query({ id });
      expect(textsOf(seen)).toEqual(["needs"]);
      expect(seen.hiddenCount).toBe(1);
    },
  );

  test("submissions: the other party's page, when it is looked at, shows nothing of it", async () => {
    const { first, second } = await filledIn();
    expect((await practice.api.submissions.list.query({ clientId: first.id })).total).toBe(1);
    expect((await practice.api.submissions.list.query({ clientId: second.id })).total).toBe(0);
    expect((await practice.api.submissions.listLinks.query({ clientId: second.id })).total).toBe(0);
  });

  test("submissions.createLink: for a client who is no party of the case, it is refused", async () => {
    const { form, theCase } = await filledIn();
    const stranger = await practice.api.clients.create.mutate(aClient());
    const asked = { id: newId(), formId: form.id, clientId: stranger.id, caseId: theCase.id, days: 30 } as const;
    expect(await refusal(practice.api.submissions.createLink.mutate(asked))).toMatchObject({ code: "BAD_REQUEST" });
  });
});

const printed = async (person: TestPerson, id: string): Promise<string> => {
  const response = await fetch(`${app.url}/export/submissions/${id}.pdf`, {
    headers: { cookie: person.cookies(), "sec-fetch-site": "same-origin" },
  });
  expect(response.status).toBe(200);
  return wordsOfPdf(new Uint8Array(await response.arrayBuffer()));
};

test("GET /export/submissions/:id.pdf: printed, what somebody answered stands there as far as whoever prints it may read it", async () => {
  const { id } = await filledIn();
  expect(await printed(practice, id)).toContain("canary-s");
  const plain = await aStaffUser(app, practice, { permissions: ["clients.read"] });
  const seen = await printed(plain, id);
  expect(seen).toContain("hull");
  expect(seen).not.toContain("canary");
});

test("GET /export/form-answers.csv: as a table, each answer stands under its question for whoever may read it", async () => {
  const { form } = await filledIn();
  const table = async (person: TestPerson) => {
    const response = await fetch(`${app.url}/export/form-answers.csv?formId=${form.id}`, {
      headers: { cookie: person.cookies(), "sec-fetch-site": "same-origin" },
    });
    return response.text();
  };
  expect(await table(practice)).toMatch(/Question town.*Question safety[^]*Hull,A ramp,No.*CANARY-M,CANARY-S/);
  const plain = await aStaffUser(app, practice, { permissions: ["clients.read", "data.export"] });
  const seen = await table(plain);
  expect(seen).not.toContain("CANARY");
  // Nor that it was asked.
  expect(seen).not.toContain("Question safety");
  expect(seen).toContain("Question town");
});

const answersTable = async (person: TestPerson, formId: string, more = "") => {
  const response = await fetch(`${app.url}/export/form-answers.csv?formId=${formId}${more}`, {
    headers: { cookie: person.cookies(), "sec-fetch-site": "same-origin" },
  });
  return { status: response.status, text: await response.text() };
};

test("what was not sent in yet is its writer's alone, in the list and in the table, however it is asked for", async () => {
  const { form, id } = await filledIn();
  await SubmissionModel.updateOne(
    { ownerId: practice.ownerId, _id: id },
    { $set: { status: "in_progress", submittedAt: null } },
  );
  expect((await practice.api.submissions.list.query({ formId: form.id })).items).toEqual([]);
  const asked = new URLSearchParams({ input: JSON.stringify({ formId: form.id, status: "in_progress" }) });
  const listed = await fetch(`${app.url}/trpc/submissions.list?${asked}`, { headers: { cookie: practice.cookies() } });
  expect(listed.status).toBe(400);
  expect((await answersTable(practice, form.id)).text).not.toContain("CANARY");
  const half = await answersTable(practice, form.id, "&status=in_progress");
  expect(half.status).toBe(400);
  expect(half.text).not.toContain("CANARY");
});

test("GET /export/form-answers.csv: what a later version asks no more, when the table is made, stands after what it asks", async () => {
  const { form } = await filledIn();
  const { id, version, name } = await practice.api.forms.get.query({ id: form.id });
  const content = aFormContent([aFormPage("first", [aShortText("later"), aShortText("town")])]);
  const saved = await practice.api.forms.save.mutate({ id, version, name, content });
  await practice.api.forms.publish.mutate({ id, version: saved.version, changeId: newId() });
  const { text } = await answersTable(practice, id);
  expect(text).toMatch(
    /Status,What the mediator is told,Question later,Question town,Question needs \(until version 1\)/,
  );
  expect(text).toMatch(/,,Hull,A ramp,No/);
});

test.each(["lead", "screening"] as const)(
  "GET /export/form-answers.csv: of a form of the kind %s, for whoever reads none of its answers, nothing is told",
  async (kind) => {
    const { maxLength: _none, ...asked } = aShortText("whole");
    const ofLeads: Field[] = [
      { ...asked, id: "whole", type: "name", isRequired: true, mapTo: "lead.name" },
      { ...asked, id: "mail", type: "email", isRequired: true, mapTo: "lead.email" },
    ];
    const fields = [aShortText("canary"), ...(kind === "lead" ? ofLeads : [])];
    const form = await aPublishedForm(practice, aFormContent([aFormPage("first", fields)]), { kind });
    expect((await answersTable(practice, form.id)).text).toContain("canary");
    const staff = await aStaffUser(app, practice, { permissions: ["clients.read", "data.export"] });
    const seen = await answersTable(staff, form.id);
    expect(seen.status).toBe(404);
    expect(seen.text).not.toContain("canary");
  },
);

describe("review", () => {
  test("submissions.decide: accepted, when the client is as it was, the client says it, with version and history", async () => {
    const { id, first } = await filledIn();
    const before = await practice.api.submissions.get.query({ id });
    expect(before.proposals).toMatchObject([
      { fieldId: "needs", before: "", after: "A ramp", decision: "pending", targetName: "needs" },
    ]);
    expect((await practice.api.clients.get.query({ id: first.id })).needs).toBe("");
    const decision = {
      id,
      changeId: newId(),
      version: before.version,
      clientVersion: before.clientVersion ?? 0,
      fieldId: "needs",
      decision: "accepted",
      text: "",
    } as const;
    const after = await practice.api.submissions.decide.mutate(decision);
    expect(after).toMatchObject({ status: "under_review", proposals: [{ decision: "accepted", before: "" }] });
    const client = await practice.api.clients.get.query({ id: first.id });
    expect(client).toMatchObject({ needs: "A ramp", version: (before.clientVersion ?? 0) + 1 });
    const { items } = await practice.api.timeline.list.query({ clientId: first.id });
    expect(items.map(({ text }) => text).join("\n")).toMatch(/Answer of a form taken over/);
  });

  test("submissions.decide: a name that no record takes, when it was sent, is taken in, and whoever accepts it is told what does not fit", async () => {
    const { maxLength: _maxLength, ...base } = aShortText("who", { mapTo: "client.name" });
    const form = await aPublishedForm(practice, aFormContent([aFormPage("first", [{ ...base, type: "name" }])]));
    const first = await practice.api.clients.create.mutate(aClient());
    const link = await aFormLink(practice, { formId: form.id, clientId: first.id });
    const who = { first: "Zoë 🌊", last: "Lindqvist" };
    expect(await submit(aVisitor(app), link.place, { who })).toMatchObject({ state: "sent" });
    const [sent] = (await practice.api.submissions.list.query({ formId: form.id })).items;
    const id = sent?.id ?? "";
    const { version, clientVersion } = await practice.api.submissions.get.query({ id });
    const decide = (more: { decision: "accepted" | "edited"; text: string }) =>
      practice.api.submissions.decide.mutate({
        id,
        changeId: newId(),
        version,
        clientVersion: clientVersion ?? 0,
        fieldId: "who",
        ...more,
      });
    expect(await refusal(decide({ decision: "accepted", text: "" }))).toMatchObject({
      code: "BAD_REQUEST",
      fields: {
        text: expect.stringMatching(
          /^This does not fit the client’s record\. First name: Use .*Choose “Edit”, change it/,
        ),
      },
    });
    await decide({ decision: "edited", text: "Zoë Lindqvist" });
    const named = await practice.api.clients.get.query({ id: first.id });
    expect(named).toMatchObject({ firstName: "Zoë", lastName: "Lindqvist" });
  });

  test("submissions.decide: when the client was changed meanwhile, nothing is written over it", async () => {
    const { id, first } = await filledIn();
    const shown = await practice.api.submissions.get.query({ id });
    const {
      id: _id,
      displayName,
      status,
      isContactUnchecked,
      createdAt,
      updatedAt,
      updatedByName,
      version,
      ...fields
    } = await practice.api.clients.get.query({ id: first.id });
    await practice.api.clients.update.mutate({ id: first.id, version, client: { ...fields, needs: "A loop" } });
    const decide = (clientVersion: number) =>
      practice.api.submissions.decide.mutate({
        id,
        changeId: newId(),
        version: shown.version,
        clientVersion,
        fieldId: "needs",
        decision: "accepted",
        text: "",
      });
    expect(await refusal(decide(shown.clientVersion ?? 0))).toMatchObject({ code: "CONFLICT", isStale: true });
    expect((await practice.api.clients.get.query({ id: first.id })).needs).toBe("A loop");
    const again = await practice.api.submissions.get.query({ id });
    expect(again.proposals).toMatchObject([{ before: "A loop", after: "A ramp", decision: "pending" }]);
    expect([displayName, status, isContactUnchecked, createdAt, updatedAt, updatedByName].length).toBe(6);
  });

  test("submissions.decide: edited or rejected, when it is decided, that is what is stored and nothing twice", async () => {
    const { id, first } = await filledIn();
    const shown = await practice.api.submissions.get.query({ id });
    const decision = { id, version: shown.version, clientVersion: shown.clientVersion ?? 0, fieldId: "needs" };
    await practice.api.submissions.decide.mutate({
      ...decision,
      changeId: newId(),
      decision: "edited",
      text: "A ramp and a lift",
    });
    expect((await practice.api.clients.get.query({ id: first.id })).needs).toBe("A ramp and a lift");
    const again = { ...decision, changeId: newId(), decision: "rejected", text: "" } as const;
    expect(await refusal(practice.api.submissions.decide.mutate(again))).toMatchObject({ code: "CONFLICT" });
  });

  test("submissions.decide: what somebody may not read, when they decide on it, is missing", async () => {
    const content = aFormContent([
      aFormPage("first", [aShortText("needs", { mapTo: "client.needs", sensitivity: "screening" })]),
    ]);
    const form = await aPublishedForm(practice, content);
    const link = await aFormLink(practice, { formId: form.id });
    const id = await aSubmission(practice.ownerId, { link: link.id, answers: { needs: "CANARY" } });
    const staff = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
    expect((await staff.api.submissions.get.query({ id })).proposals).toEqual([]);
    const decision = { id, changeId: newId(), version: 0, clientVersion: 0, fieldId: "needs", text: "" } as const;
    expect(await refusal(staff.api.submissions.decide.mutate({ ...decision, decision: "accepted" }))).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("sending a link", () => {
  test("submissions.sendLink: to whoever may be mailed, one letter with the link waits in the outbox, and the client's page says so", async () => {
    const form = await aPublishedForm(practice);
    const link = await aFormLink(practice, { formId: form.id });
    await practice.api.submissions.sendLink.mutate({ id: link.id, changeId: newId(), words: "Dear Priya" });
    const mails = await OutboxModel.find({ ownerId: practice.ownerId }).lean();
    expect(mails.length).toBe(1);
    const [mail] = mails.map(mailContentOf);
    expect(mail?.text).toContain(link.place.userId);
    expect(mail?.text).toContain("Dear Priya");
    expect(JSON.stringify(mails)).not.toContain(link.place.userId);
  });

  test("submissions.sendLink: to whoever may not be mailed, nothing is sent, and a task says how to reach them", async () => {
    const form = await aPublishedForm(practice);
    const client = await practice.api.clients.create.mutate(
      aClient({ safeContact: { ...DEFAULT_SAFE_CONTACT, mayEmail: false } }),
    );
    const link = await aFormLink(practice, { formId: form.id, clientId: client.id });
    const sent = await practice.api.submissions.sendLink.mutate({ id: link.id, changeId: newId(), words: "" });
    expect(sent.task).toContain("Intake");
    expect(await OutboxModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
    const { items } = await practice.api.tasks.list.query({ clientId: client.id });
    expect(items.map(({ title }) => title)).toEqual([sent.task]);
  });

  test("submissions.remind: of what was sent in or taken back, it is refused", async () => {
    const form = await aPublishedForm(practice);
    const [done, revoked] = [
      await aFormLink(practice, { formId: form.id }),
      await aFormLink(practice, { formId: form.id }),
    ];
    await aSubmission(practice.ownerId, { link: done.id, answers: {} });
    await practice.api.submissions.revokeLink.mutate({ id: revoked.id });
    for (const { id } of [done, revoked])
      expect(await refusal(practice.api.submissions.remind.mutate({ id, changeId: newId(), words: "" }))).toMatchObject(
        { code: "PRECONDITION_FAILED" },
      );
  });
});

describe("what waits to be looked at", () => {
  test("submissions.countNew: new answers, when a form was sent in, are counted for whoever may read them", async () => {
    const { form } = await filledIn();
    const other = await aFormLink(practice, { formId: form.id });
    await aSubmission(practice.ownerId, { link: other.id, answers: SAID, isSuspect: true });
    const asked = { formIds: [form.id] };
    const counted = { items: [{ formId: form.id, count: 1, suspect: 1 }] };
    expect(await practice.api.submissions.countNew.query(asked)).toEqual(counted);
    const assigned = await aStaffUser(app, practice, { permissions: ["clients.read", "assigned_only"] });
    expect(await assigned.api.submissions.countNew.query(asked)).toEqual({ items: [] });
    const stranger = await aPractice(app);
    expect(await stranger.api.submissions.countNew.query(asked)).toEqual({ items: [] });
    const [row] = (await practice.api.submissions.list.query({ formId: form.id })).items;
    await practice.api.submissions.setStatus.mutate({ id: row?.id ?? "", version: 0, status: "under_review" });
    expect((await practice.api.submissions.countNew.query(asked)).items).toMatchObject([{ count: 0, suspect: 1 }]);
  });

  test("submissions.countNew: a screening, when whoever asks may read none, is not counted", async () => {
    const form = await aPublishedForm(practice, undefined, { kind: "screening" });
    const { id } = await aFormLink(practice, { formId: form.id });
    await aSubmission(practice.ownerId, { link: id, answers: SAID });
    const plain = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    expect((await practice.api.submissions.countNew.query({ formIds: [form.id] })).items).toHaveLength(1);
    expect(await plain.api.submissions.countNew.query({ formIds: [form.id] })).toEqual({ items: [] });
  });
});
