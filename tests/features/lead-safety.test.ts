// What somebody answers of their safety in a form for enquiries stands on the lead, and stops what would go out by itself.
import { createLogger } from "@app/server/core/logger";
import { settleLeads } from "@app/server/features/leads/lead-arrivals";
import { FormVersionModel } from "@app/server/features/forms/forms.model";
import { LeadModel } from "@app/server/features/leads/leads.model";
import type { FormContent } from "@app/shared/form-content";
import { contentOf, FORM_TEMPLATES } from "@app/shared/form-templates/form-templates";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";
import { forgetAttempts } from "../support/server/lifetimes.ts";
import { aVisitor } from "../support/server/people.ts";
import { aPublishedForm, generalPlace, submit } from "../support/server/submissions.ts";

const { app, practice } = aSendingPractice();
const log = createLogger("silent");
beforeEach(forgetAttempts);

const template = FORM_TEMPLATES.find(({ id }) => id === "enquiry");
const said = {
  name: { first: "Ida", last: "Quill" },
  email: "ida@example.org",
  phone: "07700 900777",
  about: "workplace",
  worried: "no",
  privacy: "agreed",
};

/** The lead that comes of the practice's own template, once all that follows from it was done. */
async function leadOf(more: Record<string, string>, name = said.name) {
  if (!template) throw new Error("there is no form for enquiries");
  await practice.api.leads.setSettings.mutate({ isReplyOn: true });
  const form = await aPublishedForm(practice, contentOf(template, "GBP"), { kind: "lead" });
  const place = await generalPlace(practice, form.id);
  expect(await submit(aVisitor(app), place, { ...said, name, ...more })).toMatchObject({ state: "sent" });
  await settleLeads(log);
  const { items } = await practice.api.leads.list.query({ state: "all" });
  const lead = await practice.api.leads.get.query({ id: items[0]?.id ?? "" });
  const stored = await LeadModel.findOne({ ownerId: practice.ownerId, _id: lead.id }).lean();
  return { form, row: items[0], lead, isAnswered: stored?.replyMailId !== null };
}

test("an enquiry: when somebody says that they must not be phoned, the lead says so, and what it is about", async () => {
  const { form, row, lead, isAnswered } = await leadOf({ may_phone: "no" });
  expect(lead).toMatchObject({ reachBy: "email", flags: [], domain: "workplace", summary: "Work" });
  expect(lead.answers).toMatchObject({ formId: form.id });
  expect([row?.isFlagged, row?.reachBy, isAnswered]).toEqual([false, "email", true]);
});

test("an enquiry: when they may be phoned, at times that they name, only these ways stand there, and nothing leaves by itself", async () => {
  const { lead, isAnswered } = await leadOf({ may_phone: "yes", safe_times: "Weekdays before noon" });
  expect(lead).toMatchObject({ reachBy: "email_phone", reachNote: "Safe to call: Weekdays before noon" });
  expect(isAnswered).toBe(false);
});

test("an enquiry: when somebody is worried about their safety, the lead bears it, and no answer leaves by itself", async () => {
  for (const worried of ["yes", "unsure"]) {
    const { row, lead, isAnswered } = await leadOf({ worried, email: `${worried}@example.org` });
    expect(lead.flags).toEqual(["Worried about safety: read how to reach them before anything is sent"]);
    expect([row?.isFlagged, isAnswered]).toEqual([true, false]);
  }
});

test("an enquiry: when a name is longer than one can be, the lead says so, with all of it", async () => {
  const last = "Wijayasekara Mudiyanselage Rathnayake";
  const { lead } = await leadOf({}, { first: "Dilhani", last });
  expect(lead.lastName).toBe(last.slice(0, 30));
  expect(lead.summary).toContain(`Their name was shortened. In full: Dilhani ${last}`);
});

test("leads.board: of those who wait, somebody who is worried, when they come last, stands first", async () => {
  await leadOf({ worried: "no", email: "calm@example.org" });
  await leadOf({ worried: "yes", email: "afraid@example.org" });
  const { columns } = await practice.api.leads.board.query({});
  expect(columns[0]?.leads.map(({ email }) => email)).toEqual(["afraid@example.org", "calm@example.org"]);
});

test("an enquiry: when the question of the phone is passed over, nothing is said of how to reach them", async () => {
  expect((await leadOf({})).lead).toMatchObject({ reachBy: "", reachNote: "" });
});

/** The template, with a time for calls that not all of the practice may read, or that tells of such an answer. */
function guarded(how: "it" | "what it is asked because of"): FormContent {
  if (!template) throw new Error("there is no form for enquiries");
  const content = contentOf(template, "GBP");
  const because = { joint: "and" as const, of: [{ fieldId: "worried", operator: "one_of" as const, value: ["yes"] }] };
  const change = how === "it" ? { sensitivity: "screening" as const } : { visibleIf: because };
  const fieldsOf = ({ fields }: FormContent["pages"][number]) =>
    fields.map((field) => (field.id === "safe_times" && field.type === "short_text" ? { ...field, ...change } : field));
  return { ...content, pages: content.pages.map((page) => ({ ...page, fields: fieldsOf(page) })) };
}

test.each(["it", "what it is asked because of"] as const)(
  "a form for enquiries: when not everybody of the practice may read %s, then its answer becomes nothing of a lead: it is not published so, and where it was, is held back",
  async (how) => {
    const content = guarded(how);
    const refused = await refusal(aPublishedForm(practice, content, { kind: "lead" }));
    expect(JSON.stringify(refused)).toContain("than a client’s record");
    if (!template) throw new Error("there is no form for enquiries");
    const form = await aPublishedForm(practice, contentOf(template, "GBP"), { kind: "lead" });
    await FormVersionModel.collection.updateOne({ formId: form.id }, { $set: { content } });
    const answers = { ...said, worried: "yes", may_phone: "yes", safe_times: "Not while he is in" };
    const place = await generalPlace(practice, form.id);
    expect(await submit(aVisitor(app), place, answers)).toMatchObject({ state: "sent" });
    await settleLeads(log);
    const lead = await LeadModel.findOne({ ownerId: practice.ownerId }).sort({ createdAt: -1 }).lean();
    expect(lead).toMatchObject({ reachBy: "email_phone" });
    expect(JSON.stringify(lead)).not.toContain("Not while he is in");
  },
);

test("an enquiry: by a form of before whose time for calls only some may read, when it names one, is answered by nobody by itself, and says that there is more", async () => {
  if (!template) throw new Error("there is no form for enquiries");
  await practice.api.leads.setSettings.mutate({ isReplyOn: true });
  const form = await aPublishedForm(practice, contentOf(template, "GBP"), { kind: "lead" });
  await FormVersionModel.collection.updateOne({ formId: form.id }, { $set: { content: guarded("it") } });
  const answers = { ...said, may_phone: "yes", safe_times: "Not while he is in" };
  const place = await generalPlace(practice, form.id);
  expect(await submit(aVisitor(app), place, answers)).toMatchObject({ state: "sent" });
  await settleLeads(log);
  const stored = await LeadModel.findOne({ ownerId: practice.ownerId }).lean();
  expect(stored).toMatchObject({ isFlagged: false, replyMailId: null });
  const lead = await practice.api.leads.get.query({ id: stored?._id ?? "" });
  expect(lead).toMatchObject({ reachNote: "", isReachConfided: true });
});
