// A day that was noted wrong is put right where it stands: what rests on it goes by the right one, and nothing true is struck.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase, leading, TODAY } from "../support/server/led.ts";
import { aCase, aStaffUser, ledBy } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

type Of = "responded" | "intake_done" | "agreement_signed" | "left";

function correcting(caseId: string) {
  const { api } = practice;
  const now = () => api.cases.get.query({ id: caseId });
  return {
    now,
    correct: async (partyId: string, of: Of, on: string, reason = "Mistyped") =>
      api.casework.correctDay.mutate({ id: caseId, version: (await now()).version, partyId, of, on, reason }),
    agree: async (to: "none" | "kept") =>
      api.casework.correctAgreement.mutate({ id: caseId, version: (await now()).version, to, reason: "Misread" }),
    lines: async () => (await api.timeline.list.query({ caseId })).items.map(({ text }) => text),
  };
}

test("casework.correctDay: the day of a signature is put right after a session was held, and the session lacks it no more", async () => {
  const { theCase, p1, p2 } = await aMediatedCase(practice, { ...ledBy(practice.ownerId), startedOn: daysAgo(90) });
  const { api } = practice;
  const { correct, lines } = correcting(theCase.id);
  for (const { partyId } of [p1, p2])
    for (const of of ["responded", "intake_done"] as const) await correct(partyId, of, daysAgo(80));
  const session = await api.sessions.record.mutate({
    id: newId(),
    caseId: theCase.id,
    meetingId: null,
    startedAt: `${daysAgo(40)}T10:00:00.000Z`,
    endedAt: `${daysAgo(40)}T11:00:00.000Z`,
    unmetReason: "As it was",
  });
  const change = () => ({ id: session.id, changeId: newId() });
  for (const { partyId } of [p1, p2]) {
    await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    const review = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...review });
  }
  await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  await api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "The days are wrong" });
  const gaps = async () => JSON.stringify((await api.sessions.get.query({ id: session.id })).unmet);
  const unsigned = `${p1.label} had not signed the agreement to mediate.`;
  expect(await gaps()).toContain(unsigned);
  const { items } = await api.assessments.list.query({ caseId: theCase.id });
  const { id, version, ...held } = items.find(({ partyId }) => partyId === p1.partyId) ?? { id: "", version: 0 };
  expect(held).toMatchObject({ status: "held" });
  expect((await refusal(correct(p1.partyId, "agreement_signed", daysAgo(70)))).fields).toHaveProperty("on");
  await api.assessments.strike.mutate({ id, version, reason: "Of another day" });
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
  const risk = { riskAssessment: "not_done" as const, riskReason: "Screened later" };
  await api.assessments.record.mutate(anAssessment(whose, { attendedOn: daysAgo(75), ...risk }));
  const after = await correct(p1.partyId, "agreement_signed", daysAgo(70));
  expect(after).toMatchObject({ status: "in_mediation", agreements: [{ on: daysAgo(70), to: "kept" }] });
  expect(after.parties[0]).toMatchObject({ agreementSignedOn: daysAgo(70), status: "active" });
  expect(await gaps()).not.toContain(unsigned);
  const { unmetBefore } = await api.sessions.get.query({ id: session.id });
  expect(unmetBefore).toContainEqual(
    expect.objectContaining({ what: expect.arrayContaining([unsigned]), reason: "As it was" }),
  );
  await correct(p1.partyId, "agreement_signed", TODAY);
  expect(await gaps()).toContain(unsigned);
  expect(JSON.stringify((await api.sessions.get.query({ id: session.id })).unmetBefore)).not.toContain(unsigned);
  await correct(p1.partyId, "agreement_signed", daysAgo(70));
  expect((await lines()).join()).toMatch(/P1 corrected: Agreement to mediate signed on .+, and not .+ \(Mistyped\)/);
});

test("casework.correctDay: the day on which somebody answered is put right, and their MIAM and certificate stay as they are", async () => {
  const { theCase, p2 } = await aCase(practice, { ...ledBy(practice.ownerId), startedOn: daysAgo(60) });
  const led = leading(practice, theCase.id);
  await led.clear();
  await led.assess(1);
  const { api } = practice;
  const { items } = await api.assessments.list.query({ caseId: theCase.id });
  const own = items.find(({ partyId }) => partyId === p2.partyId);
  const issue = { id: newId(), assessmentId: own?.id ?? "", statements: [], replaceReason: "" };
  const certificate = await api.certificates.issue.mutate(issue);
  const { correct } = correcting(theCase.id);
  const after = await correct(p2.partyId, "responded", daysAgo(20));
  expect(after.parties[1]).toMatchObject({ respondedOn: daysAgo(20), status: "suitable" });
  expect((await api.assessments.list.query({ caseId: theCase.id })).items).toMatchObject([
    { id: own?.id, status: "held", isCertified: true },
  ]);
  expect(certificate.status).toBe("issued");
  expect((await refusal(correct(p2.partyId, "responded", daysAgo(20)))).fields).toHaveProperty("on");
  expect((await refusal(correct(p2.partyId, "responded", addDays(TODAY, 2)))).fields).toHaveProperty("on");
  const of = { ownerId: practice.ownerId, _id: theCase.id };
  await CaseModel.updateOne(of, { $set: { "parties.1.miamOn": daysAgo(15) } });
  expect((await refusal(correct(p2.partyId, "responded", daysAgo(14)))).fields).toEqual({
    on: expect.stringContaining("when the first meeting was held (P2)"),
  });
  expect(await correct(p2.partyId, "responded", daysAgo(15))).toMatchObject({
    parties: [{}, { respondedOn: daysAgo(15) }],
  });
  await correct(p2.partyId, "responded", daysAgo(20));
  expect((await refusal(correct(p2.partyId, "responded", daysAgo(10), " - "))).fields).toHaveProperty("reason");
  expect((await refusal(correct(p2.partyId, "agreement_signed", daysAgo(5)))).code).toBe("PRECONDITION_FAILED");
});

test("casework.correctAgreement: what the first agreement says is put right by who answers for the case, and nobody signs anew", async () => {
  const { theCase } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const { agree, now, lines } = correcting(theCase.id);
  const helper = await aStaffUser(app, practice, { role: 3, permissions: ["clients.read", "clients.write"] });
  const { version } = await now();
  const byHelper = { id: theCase.id, version, to: "none" as const, reason: "Misread" };
  expect((await refusal(helper.api.casework.correctAgreement.mutate(byHelper))).code).toBe("FORBIDDEN");
  expect((await refusal(agree("kept"))).fields).toHaveProperty("to");
  expect(await agree("none")).toMatchObject({ confidences: "none", agreements: [{ to: "none" }], newAgreement: null });
  expect((await lines()).join()).toContain("Corrected: the agreement says of confidences");
});

test("casework.correctDay: the day on which somebody left is put right where it stands, within the days that are known of them", async () => {
  const { theCase, p2 } = await aCase(practice, { ...ledBy(practice.ownerId), startedOn: daysAgo(90) });
  const { api } = practice;
  const { now, correct, lines } = correcting(theCase.id);
  const step = async (to: "responded" | "withdrawn", on: string) =>
    api.casework.moveParty.mutate({
      id: theCase.id,
      version: (await now()).version,
      partyId: p2.partyId,
      to,
      on,
      reason: "They rang",
      isOwnDecision: to === "withdrawn" ? true : null,
    });
  expect(await refusal(correct(p2.partyId, "left", daysAgo(10)))).toMatchObject({ code: "PRECONDITION_FAILED" });
  await step("responded", daysAgo(30));
  await step("withdrawn", daysAgo(2));
  expect(Object.keys((await refusal(correct(p2.partyId, "left", daysAgo(31)))).fields)).toEqual(["on"]);
  expect(Object.keys((await refusal(correct(p2.partyId, "left", addDays(TODAY, 1)))).fields)).toEqual(["on"]);
  const { parties } = await correct(p2.partyId, "left", daysAgo(20));
  expect(parties[1]).toMatchObject({ status: "withdrawn", lastStep: { to: "withdrawn", on: daysAgo(20) } });
  expect((await lines()).join()).toMatch(/P2 corrected: Takes no part any more on .+, and not .+ \(Mistyped\)/);
});

test("casework.correctDay: to a day after the one on which the step was recorded, an answer is refused, because it had been by then, and a signature is not", async () => {
  const { theCase, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const { correct } = correcting(theCase.id);
  const stand = (step: "responded" | "agreement_signed", field: string) =>
    CaseModel.updateOne(
      { ownerId: practice.ownerId, _id: theCase.id },
      {
        $set: {
          [`parties.1.${field}`]: daysAgo(5),
          "parties.1.steps.0": { from: "invited", to: step, on: daysAgo(5), at: new Date(Date.now() - 3 * 86_400_000) },
        },
      },
    );
  await stand("responded", "respondedOn");
  expect((await refusal(correct(p2.partyId, "responded", daysAgo(1)))).fields).toEqual({
    on: expect.stringMatching(/^This was recorded on .+ Enter that day or an earlier one/),
  });
  await stand("agreement_signed", "agreementSignedOn");
  expect(await correct(p2.partyId, "agreement_signed", daysAgo(1))).toMatchObject({
    parties: [{}, { agreementSignedOn: daysAgo(1) }],
  });
});

test("casework.correctDay: the day of a refusal, or an answer, is not put right to one before the invitation that it answers", async () => {
  const { theCase, p1, p2 } = await aCase(practice, { ...ledBy(practice.ownerId), startedOn: daysAgo(60) });
  const { api, ownerId } = practice;
  const { correct, now } = correcting(theCase.id);
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: ownerId };
  await api.assessments.record.mutate(anAssessment(whose, { attendedOn: daysAgo(40) }));
  const of = async () => ({ id: theCase.id, version: (await now()).version });
  const said = { partyId: p1.partyId, isAgreed: true, isNamed: true, on: daysAgo(40) };
  await api.casework.recordContactAgreement.mutate({ ...(await of()), ...said });
  const letter = { partyId: p2.partyId, channel: "post" as const, on: daysAgo(30), wording: "A letter" };
  const invited = { ...(await of()), ...letter, changeId: newId(), unmetReason: "Screened on paper" };
  await api.casework.inviteParty.mutate(invited);
  const step = { partyId: p2.partyId, reason: "Rang", confidences: null };
  const early = { on: expect.stringContaining("when the first invitation was made") };
  for (const [to, which] of [
    ["responded", "responded"],
    ["refused", "left"],
  ] as const) {
    const isOwnDecision = to === "refused" ? true : null;
    await api.casework.moveParty.mutate({ ...(await of()), ...step, to, on: daysAgo(20), isOwnDecision });
    expect((await refusal(correct(p2.partyId, which, daysAgo(35)))).fields).toEqual(early);
    await correct(p2.partyId, which, daysAgo(25));
    if (to === "responded")
      await api.casework.correct.mutate({ ...(await of()), partyId: p2.partyId, reason: "Not so" });
  }
});
