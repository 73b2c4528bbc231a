// Forms for enquiries: what is sent by one becomes a lead of the owner's, and only the websites that they named show it.
import { newId } from "@app/server/core/ids";
import { settleLeads } from "@app/server/features/leads/lead-arrivals";
import { createLogger } from "@app/server/core/logger";
import type { FormContent } from "@app/shared/form-content";
import { NO_ATTRIBUTION } from "@app/shared/leads";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFormContent, aFormPage, aShortText } from "../support/server/forms.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aClient, aPractice, aStaffUser, aVisitor } from "../support/server/people.ts";
import { aPublishedForm, generalPlace, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const log = createLogger("silent");
beforeEach(forgetAttempts);

const enquiry = (): FormContent => {
  const { maxLength: _none, ...asked } = aShortText("whole");
  return aFormContent([
    aFormPage("first", [
      { ...asked, id: "whole", type: "name", isRequired: true, mapTo: "lead.name" },
      { ...asked, id: "mail", type: "email", isRequired: true, mapTo: "lead.email" },
      aShortText("other", { mapTo: "lead.otherName" }),
      aShortText("about", { mapTo: "lead.summary" }),
      { ...asked, id: "agree", type: "consent", text: "You may write to me about this.", isRequired: true },
    ]),
  ]);
};
const said = {
  whole: { first: "Ida", last: "Quill" },
  mail: "ida@example.org",
  other: "Owen Brand",
  about: "Our two children",
  agree: "agreed",
};
const attribution = { ...NO_ATTRIBUTION, utmSource: "search", utmCampaign: "spring", referrerHost: "www.example.org" };

async function aLeadForm() {
  const form = await aPublishedForm(practice, enquiry(), { kind: "lead" });
  return { form, place: await generalPlace(practice, form.id) };
}
const leads = async () => (await practice.api.leads.list.query({ state: "all" })).items;

test("a form for enquiries: what is sent becomes a lead, with where they came from and what they agreed to", async () => {
  const { place } = await aLeadForm();
  expect(await submit(aVisitor(app), place, said, { attribution })).toMatchObject({ state: "sent" });
  const [row] = await leads();
  const lead = await practice.api.leads.get.query({ id: row?.id ?? "" });
  expect(lead).toMatchObject({
    channel: "form",
    attribution,
    consent: "You may write to me about this.",
    firstName: "Ida",
    lastName: "Quill",
    email: "ida@example.org",
    summary: "Our two children",
    source: "website",
    other: { firstName: "Owen", lastName: "Brand" },
  });
});

test("a form for enquiries: when the same sending arrives twice, there is one lead", async () => {
  const { place } = await aLeadForm();
  const id = newId();
  const visitor = aVisitor(app);
  await submit(visitor, place, said, { id });
  await submit(visitor, place, said, { id });
  expect(await leads()).toHaveLength(1);
});

test("a form for enquiries: whoever the practice knows, the answer is the same, and the conflict is the owner's to see", async () => {
  await practice.api.clients.create.mutate(aClient({ firstName: "Owen", lastName: "Brand" }));
  const { place } = await aLeadForm();
  const known = await submit(aVisitor(app), place, said);
  const unknown = await submit(aVisitor(app), place, { ...said, other: "Nobody Known", mail: "other@example.org" });
  // Each has a receipt of its own.
  expect({ ...known, at: "", receipt: "" }).toEqual({ ...unknown, at: "", receipt: "" });
  await settleLeads(log);
  const rows = await leads();
  const found = await Promise.all(rows.map(({ id }) => practice.api.leads.get.query({ id })));
  expect(found.map(({ conflict }) => conflict?.hits.length ?? 0).toSorted((a, b) => a - b)).toEqual([0, 1]);
});

test("a form for enquiries: what looks like spam makes no lead until the owner says that it is none", async () => {
  const { form, place } = await aLeadForm();
  await submit(aVisitor(app), place, said, { website: "https://spam.example.org" });
  expect(await leads()).toEqual([]);
  const { items } = await practice.api.submissions.list.query({ formId: form.id, isSuspect: true });
  await practice.api.submissions.setSuspect.mutate({ id: items[0]?.id ?? "", isSuspect: false });
  await practice.api.submissions.setSuspect.mutate({ id: items[0]?.id ?? "", isSuspect: false });
  expect(await leads()).toHaveLength(1);
});

test("a form for enquiries: staff read neither its answers nor its address", async () => {
  const { form, place } = await aLeadForm();
  await submit(aVisitor(app), place, said);
  const [row] = (await practice.api.submissions.list.query({ formId: form.id, isSuspect: false })).items;
  const { api } = await aStaffUser(app, practice, { role: 2 });
  expect((await api.submissions.list.query({ formId: form.id, isSuspect: false })).items).toEqual([]);
  expect(await refusal(api.submissions.get.query({ id: row?.id ?? "" }))).toMatchObject({ code: "NOT_FOUND" });
  expect(await refusal(api.submissions.generalAddress.query({ id: form.id }))).toMatchObject({ code: "NOT_FOUND" });
  expect(await refusal(api.forms.setSharing.mutate({ id: form.id, embedOrigins: [], redirectUrl: "" }))).toMatchObject({
    code: "FORBIDDEN",
  });
});

const share = (id: string, embedOrigins: string[], redirectUrl = "") =>
  practice.api.forms.setSharing.mutate({ id, embedOrigins, redirectUrl });
const headersOf = async (path: string) =>
  (await fetch(`${app.url}${path}`, { headers: { accept: "text/html" } })).headers;

test("forms.setSharing: the websites that the owner names may frame this form, and nothing else of ours", async () => {
  const { form, place } = await aLeadForm();
  const path = `/lead-form/${place.formId}/${place.userId}`;
  const framersOf = async (at: string) =>
    /frame-ancestors ([^;]*)/.exec((await headersOf(at)).get("content-security-policy") ?? "")?.[1];
  expect(await framersOf(path)).toBe("'none'");
  await share(form.id, ["https://WWW.Example.org/"], "https://www.example.org/thanks");
  expect(await framersOf(path)).toBe("https://www.example.org");
  expect((await headersOf(path)).get("x-frame-options")).toBeNull();
  const wrongPairs = [`/lead-form/${newId()}/${place.userId}`, `/lead-form/${place.formId}/${newId()}`];
  for (const other of [...wrongPairs, `/form/${place.formId}/${place.userId}`, "/login"])
    expect(await framersOf(other)).toBe("'none'");
  const opened = await aVisitor(app).api.submissions.filling.open.mutate(place);
  expect(opened).toMatchObject({ redirectUrl: "https://www.example.org/thanks", isEnquiry: true });
});

test.each([
  "https://*",
  "*",
  "https://example.org 'self'",
  "https://example.org;script-src *",
  "javascript:alert(1)",
  "https://exa mple.org",
  "http://example.org",
])("forms.setSharing: %s is no website", async (origin) => {
  const { form } = await aLeadForm();
  expect(await refusal(share(form.id, [origin]))).toMatchObject({ code: "BAD_REQUEST" });
});

test("forms.setSharing: people are sent on by https alone", async () => {
  const { form } = await aLeadForm();
  for (const to of ["javascript:alert(1)", "http://www.example.org", "//www.example.org", "https://me@example.org"])
    expect(await refusal(share(form.id, [], to))).toMatchObject({ code: "BAD_REQUEST" });
});

test("forms.setSharing: a form that is no enquiry is shown on no website", async () => {
  const form = await aPublishedForm(practice);
  expect(await refusal(share(form.id, ["https://www.example.org"]))).toMatchObject({ code: "PRECONDITION_FAILED" });
});

test("an enquiry by a form: when its lead is spam its answers are set apart, and the other way round", async () => {
  const { form, place } = await aLeadForm();
  await submit(aVisitor(app), place, said);
  const [lead] = await leads();
  const answers = async (isSuspect: boolean) =>
    (await practice.api.submissions.list.query({ formId: form.id, isSuspect })).items;
  const spamLeads = async () => (await practice.api.leads.list.query({ state: "spam" })).total;
  await practice.api.leads.setSpam.mutate({ ids: [lead?.id ?? ""], isSpam: true });
  expect([await answers(false), await answers(true)]).toMatchObject([[], [{ isSuspect: true }]]);
  const [suspect] = await answers(true);
  const id = suspect?.id ?? "";
  await practice.api.submissions.setSuspect.mutate({ id, isSuspect: false });
  expect([await spamLeads(), (await leads()).length, (await answers(false)).length]).toEqual([0, 1, 1]);
  await practice.api.submissions.setSuspect.mutate({ id, isSuspect: true });
  expect([await spamLeads(), (await leads()).length, (await answers(true)).length]).toEqual([1, 0, 1]);
});
