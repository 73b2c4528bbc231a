// Certificates of what was no MIAM, and certificates that were false though they are with a court.
import { newId } from "@app/server/core/ids";
import { CertificateModel } from "@app/server/features/certificates/certificates.model";
import { recordAssessmentSchema } from "@app/shared/assessments";
import { addDays } from "@app/shared/days";
import { beforeAll, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aStaffUser, ledBy, type TestPractice } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
let practice: TestPractice;
beforeAll(async () => {
  practice = await anAuthorisedPractice(app);
});

async function aMiam(overrides: Parameters<typeof anAssessment>[1] = {}) {
  const { theCase, p1 } = await aCase(practice, ledBy(practice.ownerId));
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
  const input = anAssessment(whose, { attendedOn: daysAgo(3), ...overrides });
  const record = await practice.api.assessments.record.mutate(input);
  return { theCase, p1, input, record };
}

const issue = (assessmentId: string) =>
  practice.api.certificates.issue.mutate({
    id: newId(),
    assessmentId,
    statements: [],
    replaceReason: "",
  });

test.each([
  ["whose risk assessment was not done", { riskAssessment: "not_done" as const }, "riskReason"],
  [
    "at which child-inclusive mediation was not explained",
    { childInclusive: "not_explained" as const },
    "childInclusiveReason",
  ],
  ["at which no form may suit", { forms: ["none" as const], formsReason: "..." }, "formsReason"],
])("assessments.record: a MIAM %s, without why in words, is refused at that field", (_what, said, field) => {
  const { id: _id, ...input } = anAssessment({ caseId: "c", partyId: "p", mediatorId: "m" }, said);
  for (const words of ["", " - "]) {
    const { error } = recordAssessmentSchema.safeParse({ ...input, [field]: words });
    expect(error?.issues.map(({ path }) => path.join("."))).toEqual([field]);
  }
  expect(recordAssessmentSchema.safeParse({ ...input, [field]: "They had to leave" }).success).toBe(true);
});

test("certificates.issue: a MIAM by phone of under 45 minutes, once it is said why, is recorded and certified; without why it is not recorded", async () => {
  const phone = { place: "phone" as const, phoneReason: "She has no camera", minutes: 30 };
  expect((await refusal(aMiam(phone))).fields).toEqual({ shortReason: "Say why it was shorter than 45 minutes" });
  const { record } = await aMiam({ ...phone, shortReason: "They had read everything before" });
  expect(await issue(record.id)).toMatchObject({ status: "issued", attendedOn: record.attendedOn });
});

test("certificates.issue: a MIAM without its risk assessment, is refused with what is missing, for whoever may not read it too, and goes on once that was done", async () => {
  const { input, record } = await aMiam({ riskAssessment: "not_done", riskReason: "They had to leave early" });
  const says = expect.stringContaining("What is missing is the risk assessment");
  expect(await refusal(issue(record.id))).toMatchObject({ code: "PRECONDITION_FAILED", message: says });
  const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
  const choices = await blind.api.certificates.choices.query({ assessmentId: record.id });
  expect(choices.blockers[0]).toEqual(says);
  const seen = await blind.api.assessments.list.query({ caseId: record.caseId });
  expect(JSON.stringify(seen)).not.toContain("leave early");

  const { id: _id, caseId: _case, partyId: _party, ...details } = input;
  const done = { ...details, riskAssessment: "done" as const, riskReason: "" };
  const { id, version } = record;
  await practice.api.assessments.correct.mutate({ ...done, id, version, reason: "Done by phone the day after" });
  expect((await issue(record.id)).status).toBe("issued");
});

test.each([
  ["that was used", 0],
  ["that was used, after its months", 200],
])(
  "certificates.void: one %s, is void with its use kept, asks to tell of it, and lets go of the record",
  async (_what, ago) => {
    const { theCase, record } = await aMiam();
    const { id, number, expiresOn } = await issue(record.id);
    await practice.api.certificates.use.mutate({ id, usedOn: daysAgo(0) });
    const mine = { ownerId: practice.ownerId, _id: id };
    if (ago > 0) await CertificateModel.updateOne(mine, { $set: { expiresOn: addDays(expiresOn, -ago) } });
    expect(await refusal(practice.api.certificates.void.mutate({ id, reason: ". ." }))).toMatchObject({
      fields: { reason: "Say why" },
    });
    const strike = async () => {
      const { version } = (await practice.api.assessments.list.query({ caseId: theCase.id })).items[0] ?? record;
      return practice.api.assessments.strike.mutate({ id: record.id, version, reason: "Somebody else came" });
    };
    expect((await refusal(strike())).message).toContain("Declare the certificate void first");
    const done = await practice.api.certificates.void.mutate({ id, reason: "Another person came" });
    expect(done).toMatchObject({ status: "void", usedOn: daysAgo(0), voidReason: "Another person came" });
    const { items } = await practice.api.tasks.list.query({ caseId: theCase.id });
    const told = items.filter(({ title }) => title.startsWith("Tell the court or the solicitor"));
    expect(told).toMatchObject([{ title: expect.stringContaining(number), assigneeId: practice.ownerId }]);
    expect((await strike()).status).toBe("struck");
    expect(await CertificateModel.countDocuments({ ownerId: practice.ownerId, caseId: theCase.id })).toBe(1);
    expect(await refusal(practice.api.certificates.void.mutate({ id, reason: "Again" }))).toMatchObject({
      code: "PRECONDITION_FAILED",
    });
  },
);

test("certificates.void: one whose months are over, though never used, is void, and nobody is asked to tell of it", async () => {
  const { theCase, record } = await aMiam();
  const { id, expiresOn } = await issue(record.id);
  const mine = { ownerId: practice.ownerId, _id: id };
  await CertificateModel.updateOne(mine, { $set: { expiresOn: addDays(expiresOn, -200) } });
  expect((await practice.api.certificates.void.mutate({ id, reason: "Another person came" })).status).toBe("void");
  const { items } = await practice.api.tasks.list.query({ caseId: theCase.id });
  expect(items.filter(({ title }) => title.startsWith("Tell the court"))).toEqual([]);
});

test("assessments.record: when the risk is said to be assessed, then a screening of them that was held until that day is asked for", async () => {
  const built = await aCase(practice, ledBy(practice.ownerId), { isScreened: false });
  const whose = { caseId: built.theCase.id, partyId: built.p1.partyId, mediatorId: practice.ownerId };
  const record = (attendedOn: string) => practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn }));
  const told = { fields: { riskAssessment: expect.stringContaining("No screening of this person") } };
  expect(await refusal(record(daysAgo(1)))).toMatchObject(told);
  const { complete } = practice.api.screenings;
  await complete.mutate(aScreening(built.theCase, whose.partyId));
  expect(await refusal(record(daysAgo(1)))).toMatchObject({
    fields: { riskAssessment: expect.stringContaining("up to the day of this meeting") },
  });
  await complete.mutate(aScreening(built.theCase, whose.partyId, { heldOn: daysAgo(1) }));
  const kept = await record(daysAgo(1));
  expect(kept).toMatchObject({ riskAssessment: "done", lacksRiskAssessment: false });
  const { id: _id, caseId: _case, partyId: _party, ...details } = anAssessment(whose, { attendedOn: daysAgo(2) });
  const earlier = { ...details, id: kept.id, version: kept.version, reason: "The day before" };
  expect(await refusal(practice.api.assessments.correct.mutate(earlier))).toMatchObject({
    fields: { riskAssessment: expect.any(String) },
  });
});
