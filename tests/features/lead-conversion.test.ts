// What somebody said before they were a client goes on to the client with all who have to read it, and to nobody else.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { FormVersionModel } from "@app/server/features/forms/forms.model";
import { settleLeads } from "@app/server/features/leads/lead-arrivals";
import type { Permission } from "@app/shared/access";
import { contentOf, FORM_TEMPLATES } from "@app/shared/form-templates/form-templates";
import { plainText } from "@app/shared/rich-text";
import { beforeEach, expect, test } from "vitest";
import { aLead } from "../support/access/leads-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { anIntake, aPractice, aStaffUser, aVisitor, clientFields } from "../support/server/people.ts";
import { aPublishedForm, generalPlace, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const log = createLogger("silent");
beforeEach(forgetAttempts);

const template = FORM_TEMPLATES.find(({ id }) => id === "enquiry");
if (!template) throw new Error("there is no form for enquiries");
const content = contentOf(template, "GBP");

/** A form for enquiries; one of before may ask what it is about of fewer readers than it could be published with. */
async function aLeadForm(isSummaryKept = false) {
  const form = await aPublishedForm(practice, content, { kind: "lead" });
  if (!isSummaryKept) return form;
  const pages = content.pages.map((page) => ({
    ...page,
    fields: page.fields.map((field) => (field.id === "summary" ? { ...field, sensitivity: "screening" } : field)),
  }));
  await FormVersionModel.collection.updateOne({ formId: form.id }, { $set: { content: { ...content, pages } } });
  return form;
}

/** Sends it, and takes the lead up to where it becomes a case. */
async function enquired(worried: string, isSummaryKept = false) {
  const { id: formId } = await aLeadForm(isSummaryKept);
  const answers = {
    name: { first: "Kemi", last: "Adeyemi" },
    email: "kemi@example.org",
    about: "family_both",
    summary: "He must not learn that I wrote.",
    worried,
    privacy: "agreed",
  };
  expect(await submit(aVisitor(app), await generalPlace(practice, formId), answers)).toMatchObject({ state: "sent" });
  await settleLeads(log);
  const [lead] = (await practice.api.leads.list.query({})).items;
  if (!lead) throw new Error("there is no lead");
  let { version } = lead;
  for (const to of ["contacted", "qualified", "awaiting_p2"] as const)
    ({ version } = await practice.api.leads.move.mutate({ id: lead.id, version, to }));
  return { id: lead.id, version };
}

async function converted(lead: { id: string; version: number }) {
  const { id: _id, ...intake } = anIntake({
    client: clientFields({ firstName: "Kemi", lastName: "Adeyemi" }),
    other: { client: clientFields({ firstName: "Olu", lastName: "Adeyemi", email: "" }) },
    conflict: { decision: "clear", reason: "" },
  });
  const made = await practice.api.leads.convert.mutate({ changeId: newId(), ...lead, intake });
  const { parties } = await practice.api.cases.get.query({ id: made.caseId });
  const partyId = parties.find(({ clientId }) => clientId === made.clientId)?.partyId ?? "";
  return { ...made, partyId };
}

const colleague = (permissions: Permission[]) => aStaffUser(app, practice, { role: 2, permissions });

test("leads.convert: a lead whose answers are marked, when it becomes a client, hands on the answers, a task to read them and that they were given", async () => {
  const lead = await enquired("unsure");
  const { clientId, caseId, partyId } = await converted(lead);
  const reader = await colleague(["clients.read", "screening.read"]);
  const [row] = (await reader.api.submissions.list.query({ clientId })).items;
  expect(row).toMatchObject({ clientId, caseId, partyId, status: "submitted" });
  const read = await reader.api.submissions.get.query({ id: row?.id ?? "" });
  expect(read.flags).toEqual([expect.stringMatching(/^Worried about safety/)]);
  expect(read.hiddenCount).toBe(0);
  const { items: tasks } = await reader.api.tasks.list.query({ clientId });
  expect(tasks).toMatchObject([
    { title: "Safety: read what Kemi Adeyemi said in the enquiry before anything is sent", caseId },
  ]);
  expect(await reader.api.submissions.safetySaid.query({ caseId })).toEqual({ partyIds: [partyId] });
  expect((await reader.api.submissions.safetyAnswers.query({ caseId, partyId })).items).toMatchObject([
    { id: row?.id },
  ]);
});

test("leads.convert: a colleague, when they may not read screenings, reads the enquiry but what it says of safety, and gets no task", async () => {
  const lead = await enquired("yes");
  const { clientId, caseId } = await converted(lead);
  const other = await colleague(["clients.read"]);
  const [row] = (await other.api.submissions.list.query({ clientId })).items;
  const read = await other.api.submissions.get.query({ id: row?.id ?? "" });
  expect([read.flags, read.hiddenCount]).toEqual([[], 1]);
  expect(JSON.stringify(read.pages)).toContain("He must not learn");
  expect((await other.api.tasks.list.query({ clientId })).items).toEqual([]);
  expect((await refusal(other.api.submissions.safetySaid.query({ caseId }))).code).toBe("FORBIDDEN");
  const seen = JSON.stringify(await other.api.timeline.list.query({ clientId }));
  expect(seen).toContain("Enquiry given to this client: ");
  expect(seen).not.toMatch(/worried|safety/i);
});

test("leads.convert: what they wrote, when it becomes a client, is the first note, in their confidence", async () => {
  const { caseId, partyId } = await converted(await enquired("no"));
  const { items } = await practice.api.notes.list.query({ caseId });
  expect(items).toMatchObject([
    { kind: "file_note", partyId, visibility: { scope: "staff", partyIds: [], aboutPartyIds: [partyId] } },
  ]);
  expect(items.map(({ body }) => plainText(body)).join()).toContain("He must not learn that I wrote.");
  expect((await practice.api.tasks.list.query({ caseId })).items).toEqual([]);
});

test("leads.convert: what they wrote, when only some may read the answer, becomes no note", async () => {
  const { clientId, caseId } = await converted(await enquired("no", true));
  expect((await practice.api.notes.list.query({ caseId })).items).toEqual([]);
  const other = await colleague(["clients.read"]);
  const [row] = (await other.api.submissions.list.query({ clientId })).items;
  expect(JSON.stringify(await other.api.submissions.get.query({ id: row?.id ?? "" }))).not.toContain("must not learn");
});

test("leads.convert: the lead, when it is converted and then erased, is reached from the client until then, and leaves the client their answers", async () => {
  const lead = await enquired("yes");
  const { clientId } = await converted(lead);
  expect(await practice.api.leads.ofClient.query({ id: clientId })).toMatchObject({ lead: { id: lead.id } });
  await practice.api.leads.erase.mutate({ id: lead.id });
  expect(await practice.api.leads.ofClient.query({ id: clientId })).toEqual({ lead: null });
  expect((await practice.api.submissions.list.query({ clientId })).items).toHaveLength(1);
});

test("leads.convert: a conflict that was found for the lead, when it was decided for its case, is to be looked at no more", async () => {
  await practice.api.clients.create.mutate({
    id: newId(),
    ...clientFields({ firstName: "Winifred", lastName: "Dace" }),
  });
  let made = await practice.api.leads.create.mutate(aLead());
  expect(made.conflictState).toBe("to_look_at");
  for (const to of ["contacted", "qualified", "awaiting_p2"] as const)
    made = await practice.api.leads.move.mutate({ id: made.id, version: made.version, to });
  await converted({ id: made.id, version: made.version });
  expect((await practice.api.leads.get.query({ id: made.id })).conflictState).toBe("looked_at");
});
