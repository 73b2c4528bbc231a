// What forms and booking links leave of a party, and what goes with an enquiry that is deleted.
import { newId } from "@app/server/core/ids";
import { settleLeads } from "@app/server/features/leads/lead-arrivals";
import { createLogger } from "@app/server/core/logger";
import { SubmissionModel } from "@app/server/features/submissions/submissions.model";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aLink } from "../support/server/booked.ts";
import { aFormContent, aFormPage, aShortText } from "../support/server/forms.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aVisitor } from "../support/server/people.ts";
import { aFormLink, aPublishedForm, generalPlace, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(forgetAttempts);

async function takeOut(caseId: string, partyId: string) {
  const { version } = await practice.api.cases.get.query({ id: caseId });
  const taken = { id: caseId, version, partyId, reason: "Entered by mistake" };
  return (await refusal(practice.api.casework.takeOutParty.mutate(taken)))?.message ?? null;
}

test("casework.takeOutParty: while a link to a form is open, and once its answers are there, they stay", async () => {
  const { theCase, p2, second } = await aCase(practice);
  const form = await aPublishedForm(practice);
  const link = await aFormLink(practice, { formId: form.id, clientId: second.id, caseId: theCase.id });
  expect(await takeOut(theCase.id, p2.partyId)).toContain("a link to a form of theirs is open");
  await submit(aVisitor(app), link.place, { town: "Hull", children: "no" });
  await practice.api.submissions.revokeLink.mutate({ id: link.id });
  expect(await takeOut(theCase.id, p2.partyId)).toContain("answers to a form are there");
});

test("casework.takeOutParty: while a booking link of theirs is open, they stay, and go once it is archived", async () => {
  const { theCase, p2, second } = await aCase(practice);
  const input = { ...aLink(practice.ownerId), clientId: second.id, caseId: theCase.id };
  const { id } = await practice.api.bookings.createLink.mutate(input);
  expect(await takeOut(theCase.id, p2.partyId)).toContain("a booking link of theirs is open");
  await practice.api.bookings.setLinkArchived.mutate({ id, isArchived: true });
  expect(await takeOut(theCase.id, p2.partyId)).not.toContain("booking link");
});

test("leads.erase: what was answered in the form that it came by goes with it", async () => {
  const { maxLength: _none, ...asked } = aShortText("whole");
  const content = aFormContent([
    aFormPage("first", [
      { ...asked, id: "whole", type: "name", isRequired: true, mapTo: "lead.name" },
      { ...asked, id: "mail", type: "email", isRequired: true, mapTo: "lead.email" },
      aShortText("about", { mapTo: "lead.summary" }),
    ]),
  ]);
  const form = await aPublishedForm(practice, content, { kind: "lead" });
  const said = { whole: { first: "Ida", last: "Quill" }, mail: "ida@example.org", about: `GONE${newId()}` };
  await submit(aVisitor(app), await generalPlace(practice, form.id), said);
  await settleLeads(createLogger("silent"));
  const [lead] = (await practice.api.leads.list.query({ state: "all" })).items;
  expect(await SubmissionModel.countDocuments({ ownerId: practice.ownerId })).toBe(1);
  await practice.api.leads.erase.mutate({ id: lead?.id ?? "" });
  expect(await SubmissionModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
  expect((await practice.api.submissions.list.query({ formId: form.id })).items).toEqual([]);
});
