// How certificates read is the owner's word; what they certify always stands in them.
import { newId } from "@app/server/core/ids";
import { documentContentSchema, type DocumentBlock } from "@app/shared/document-content";
import { forAllTests } from "../../support/server/lifetimes.ts";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import { doc, field, para } from "../../support/documents/content.ts";
import { pdfText } from "../../support/hostile/pdf-text.ts";
import { anAuthorisedPractice, anAssessment, URN } from "../../support/server/assessments.ts";
import { aCase, aStaffUser, ledBy, type TestPractice } from "../../support/server/people.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(startTestApp);
let practice: TestPractice;
beforeEach(async () => {
  practice = await anAuthorisedPractice(app);
});

const template = async () => {
  const { items } = await practice.api.documentTemplates.list.query({ kind: "certificate" });
  return practice.api.documentTemplates.get.query({ id: items[0]?.id ?? "" });
};

async function word(...blocks: DocumentBlock[]) {
  const { id, version, name, content } = await template();
  const worded = documentContentSchema.parse(doc(...blocks, ...content.content));
  return practice.api.documentTemplates.save.mutate({ id, version, name, content: worded });
}

async function attended() {
  const built = await aCase(practice, ledBy(practice.ownerId));
  const whose = { caseId: built.theCase.id, partyId: built.p1.partyId, mediatorId: practice.ownerId };
  const today = new Date().toISOString().slice(0, 10);
  const { id } = await practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn: today }));
  return { ...built, assessmentId: id };
}

const issue = (assessmentId: string, hasReadWords = true) =>
  practice.api.certificates.issue.mutate({
    id: newId(),
    assessmentId,
    statements: [],
    replaceReason: "",
    hasReadWords,
  });
/** In small letters and without blanks, some of which become the ends of lines. */
const plain = (text: string) => text.toLowerCase().replaceAll(/\s/g, "");
const printed = async (id: string) => plain(await pdfText(app, practice, `/export/certificates/${id}.pdf`));

test("the template of certificates: what the owner adds stands on new ones, and those that were issued stay as they are", async () => {
  const before = await issue((await attended()).assessmentId);
  const text = await printed(before.id);
  await word(para("Quoted in the words of the Okonkwo rooms"));
  expect(await printed(before.id)).toBe(text);
  const { assessmentId, first } = await attended();
  const after = await issue(assessmentId);
  const own = await printed(after.id);
  for (const words of ["Okonkwo rooms", after.number, first.lastName, ...after.sentences, URN, practice.practiceName])
    expect(own).toContain(plain(words));
});

test("the template of certificates: where it leaves out what has to be certified, nothing is issued and the reason names it", async () => {
  const { id, version, name } = await template();
  const content = doc(para("Only ", field("certificate.person"), " and ", field("certificate.number")));
  await practice.api.documentTemplates.save.mutate({ id, version, name, content });
  const refused = await refusal(issue((await attended()).assessmentId));
  expect(refused.message).toMatch(/leaves this out: .*Mediator who signed it.*What is certified/);
});

test("the template of certificates: where it asks for what there is not, nothing is issued", async () => {
  await word(para("First session ", field("certificate.firstSession")));
  const refused = await refusal(issue((await attended()).assessmentId));
  expect(refused.message).toContain("asks for what this one does not have: Day of the first session");
});

test("the template of certificates: archived, certificates read as they came with the product", async () => {
  await word(para("Odd words"));
  await practice.api.documentTemplates.setStatus.mutate({ id: (await template()).id, isArchived: true });
  const text = await printed((await issue((await attended()).assessmentId)).id);
  expect(text).not.toContain(plain("Odd words"));
  expect(text).toContain(plain("Mediation information and assessment meeting"));
});

test("the template of certificates: nobody but the owner changes it, and no document is written from it by hand", async () => {
  const { id, version, name, content } = await template();
  const { theCase, p1 } = await attended();
  const staff = await aStaffUser(app, practice, { role: 2 });
  const { documentTemplates: theirs } = staff.api;
  const [own, theirsToo] = [practice.api.documentTemplates, practice.api.documents];
  const byStaff = [
    () => theirs.save.mutate({ id, version, name, content }),
    () => theirs.rename.mutate({ id, version, name: "Mine" }),
    () => theirs.setStatus.mutate({ id, isArchived: true }),
  ];
  for (const call of byStaff) expect((await refusal(call())).message).toContain("Only the owner of the practice");
  const byHand = [
    () => own.create.mutate({ id: newId(), name: "Another", kind: "certificate" }),
    () => own.copy.mutate({ id: newId(), templateId: id }),
    () =>
      theirsToo.create.mutate({
        id: newId(),
        caseId: theCase.id,
        templateId: id,
        name: "By hand",
        addressee: { kind: "party", partyId: p1.partyId },
        privilege: "open",
      }),
  ];
  for (const call of byHand) expect((await refusal(call())).fields).not.toEqual({});
  expect((await own.list.query({ isWritten: true })).items.map((one) => one.kind)).not.toContain("certificate");
});

test("the template of certificates: words of the practice's own are shown to whoever signs, who says that they are true", async () => {
  await word(para("Paid for by the Okonkwo trust"));
  const { assessmentId } = await attended();
  const choices = await practice.api.certificates.choices.query({ assessmentId });
  expect(choices.ownWords).toEqual(["Paid for by the Okonkwo trust"]);
  expect((await refusal(issue(assessmentId, false))).fields["hasReadWords"]).toContain(
    "“Paid for by the Okonkwo trust”",
  );
  expect((await issue(assessmentId)).status).toBe("issued");
});

test.each([
  ["exemption", para("The applicant is EXEMPT from attending"), "never that they are exempt"],
  ["another person", para(field("otherParty.fullName", "nobody")), "Take the field out"],
])("the template of certificates: with words of %s it is not saved", async (_what, block, words) => {
  expect((await refusal(word(block))).fields["content"]).toContain(words);
});
