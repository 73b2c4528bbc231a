import { newId } from "@app/server/core/ids";
import { SubmissionModel } from "@app/server/features/submissions/submissions.model";
import { describe, expect, test, vi } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFormContent, aFormPage, aShortText } from "../support/server/forms.ts";
import { aCase, aCaseInput, aClient, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aScreening } from "../support/server/screened.ts";
import { aFormLink, aPublishedForm, aSubmission, generalPlace, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const READER = ["clients.read", "clients.write"] as const;

/** Sent in by somebody whom the practice does not know by it. */
async function nobodys() {
  const form = await aPublishedForm(practice);
  await submit(practice, await generalPlace(practice, form.id), { town: "Hull", needs: "A ramp", children: "no" });
  vi.restoreAllMocks();
  const [row] = (await practice.api.submissions.list.query({ formId: form.id })).items;
  if (!row) throw new Error("nothing was sent in");
  return { form, id: row.id, version: row.version };
}

describe("answers of nobody", () => {
  test("submissions.assign: to a party of a case, when somebody says whose they are, they are theirs and propose what changes", async () => {
    const { id, version } = await nobodys();
    const { theCase, first, second } = await aCase(practice);
    expect((await practice.api.submissions.get.query({ id })).proposals).toEqual([]);
    const given = await practice.api.submissions.assign.mutate({ id, version, clientId: first.id, caseId: theCase.id });
    expect(given).toMatchObject({
      clientId: first.id,
      caseId: theCase.id,
      partyId: theCase.parties[0]?.partyId,
      proposals: [{ fieldId: "needs", after: "A ramp", decision: "pending" }],
    });
    expect((await practice.api.clients.get.query({ id: first.id })).needs).toBe("");
    const ofFirst = { clientId: first.id, isUnlinked: true };
    expect((await practice.api.submissions.list.query(ofFirst)).items.map((one) => one.id)).toEqual([id]);
    expect((await practice.api.submissions.list.query({ clientId: second.id })).total).toBe(0);
    const history = await practice.api.timeline.list.query({ clientId: first.id });
    expect(history.items.map(({ text }) => text).join("\n")).toMatch(/Answers that came in given to this client/);
  });

  test("submissions.assign: of answers that were withdrawn, then nobody gets them", async () => {
    const { id, version } = await nobodys();
    const { first } = await aCase(practice);
    const withdrawn = await practice.api.submissions.setStatus.mutate({ id, version, status: "withdrawn" });
    const given = practice.api.submissions.assign.mutate({
      id,
      version: withdrawn.version,
      clientId: first.id,
      caseId: null,
    });
    expect((await refusal(given)).message).toMatch(/withdrawn/);
    expect((await practice.api.submissions.get.query({ id })).clientId).toBeNull();
  });

  test("submissions.unassign: when it is taken back at once, they are nobody's again", async () => {
    const { id, version } = await nobodys();
    const { first } = await aCase(practice);
    const given = await practice.api.submissions.assign.mutate({ id, version, clientId: first.id, caseId: null });
    const old = practice.api.submissions.unassign.mutate({ id, version });
    expect(await refusal(old)).toMatchObject({ code: "CONFLICT", isStale: true });
    await practice.api.submissions.unassign.mutate({ id, version: given.version });
    expect(await SubmissionModel.findOne({ ownerId: practice.ownerId, _id: id }).lean()).toMatchObject({
      clientId: null,
      caseId: null,
      partyId: null,
    });
  });

  test("submissions.assign: what came by a client's own link, or goes into a case of others, is refused", async () => {
    const { form, id, version } = await nobodys();
    const { theCase, first } = await aCase(practice);
    const { first: stranger } = await aCase(practice);
    const wrong = practice.api.submissions.assign.mutate({ id, version, clientId: stranger.id, caseId: theCase.id });
    expect(await refusal(wrong)).toMatchObject({ code: "BAD_REQUEST" });
    const link = await aFormLink(practice, { formId: form.id, clientId: first.id });
    const own = await aSubmission(practice.ownerId, { link: link.id, answers: {} });
    const moved = practice.api.submissions.assign.mutate({ id: own, version: 0, clientId: stranger.id, caseId: null });
    expect(await refusal(moved)).toMatchObject({ code: "PRECONDITION_FAILED" });
    const assigned = await aStaffUser(app, practice, { permissions: [...READER, "assigned_only"] });
    const unseen = assigned.api.submissions.assign.mutate({ id, version, clientId: first.id, caseId: null });
    expect(await refusal(unseen)).toMatchObject({ code: "NOT_FOUND" });
  });
});

/** A form of the kind screening, sent in by one party by a link of their own. */
async function answeredSafely() {
  const content = aFormContent([aFormPage("first", [aShortText("safe", { sensitivity: "screening" })])]);
  const form = await aPublishedForm(practice, content, { name: "Safety questions", kind: "screening" });
  const { theCase, first, second } = await aCase(practice);
  const link = await aFormLink(practice, { formId: form.id, clientId: first.id, caseId: theCase.id });
  await submit(practice, link.place, { safe: "CANARY" });
  vi.restoreAllMocks();
  const [one, other] = theCase.parties;
  if (!one || !other) throw new Error("a party is missing");
  return { theCase, form, first, second, one, other };
}

const everythingOf = async ({ api }: TestPerson, clientId: string): Promise<string> =>
  JSON.stringify([
    (await api.submissions.list.query({})).items,
    (await api.submissions.listLinks.query({ clientId })).items,
    (await api.submissions.forms.query({ search: "" })).items,
    (await api.tasks.list.query({ clientId, isOpen: true })).items,
    (await api.timeline.list.query({ clientId })).items,
  ]);

describe("answers about safety", () => {
  test("submissions.safetyAnswers: of the party who gave them, when somebody screens them, they stand there and of the other nothing does", async () => {
    const { theCase, one, other } = await answeredSafely();
    const read = (partyId: string) => practice.api.submissions.safetyAnswers.query({ caseId: theCase.id, partyId });
    const { items, total } = await read(one.partyId);
    expect(total).toBe(1);
    expect(items[0]?.pages[0]?.lines[0]).toMatchObject({ fieldId: "safe", text: "CANARY" });
    expect(await read(other.partyId)).toEqual({ items: [], total: 0 });
  });

  test("submissions.safetyAnswers: in another case of the same client, when they belong to this one, nothing of them stands there", async () => {
    const { first } = await answeredSafely();
    const third = await practice.api.clients.create.mutate(aClient());
    const elsewhere = await practice.api.casework.create.mutate(aCaseInput([first.id, third.id]));
    const partyId = elsewhere.parties.find(({ clientId }) => clientId === first.id)?.partyId ?? "";
    const asked = { caseId: elsewhere.id, partyId };
    expect(await practice.api.submissions.safetyAnswers.query(asked)).toEqual({ items: [], total: 0 });
  });

  test("submissions: to whoever may not read screenings, when such a form is answered, nothing says that there is one", async () => {
    const { first, form } = await answeredSafely();
    const plain = await aStaffUser(app, practice, { permissions: [...READER] });
    const seen = await everythingOf(plain, first.id);
    expect(seen).not.toMatch(/Safety questions|Answers about safety|CANARY/);
    const asked = { id: newId(), formId: form.id, clientId: first.id, caseId: null, days: 30 } as const;
    expect(await refusal(plain.api.submissions.createLink.mutate(asked))).toMatchObject({ code: "NOT_FOUND" });
    const screening = await aStaffUser(app, practice, { permissions: [...READER, "screening.read"] });
    expect(await everythingOf(screening, first.id)).toMatch(/Safety questions.*Answers about safety/);
  });

  test("screenings.complete: once the party is screened, when answers were there, the task to read them is done", async () => {
    const { theCase, one, first } = await answeredSafely();
    const open = async () => (await practice.api.tasks.list.query({ clientId: first.id, isOpen: true })).items;
    expect((await open()).map(({ title }) => title).join()).toContain("Answers about safety are there");
    await practice.api.screenings.complete.mutate(aScreening(theCase, one.partyId));
    expect((await open()).map(({ title }) => title).join()).not.toContain("Answers about safety are there");
  });
});
