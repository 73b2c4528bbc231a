// Where a death left one side alone, no certificate says that mediation broke down, whatever is said of why the case ended.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { CertificateModel } from "@app/server/features/certificates/certificates.model";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import type { Ending } from "@app/shared/case-states";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aMiamElsewhere, anAssessment, anAuthorisedPractice } from "../support/server/assessments.ts";
import { ending } from "../support/server/ending.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, ledBy } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { at, OUTCOME } from "../support/server/stepping.ts";
import { metBefore } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const { fresh, hold } = ending(practice);
const agoDays = (days: number) => addDays(TODAY, -days);

/** What is to be said of a case with a session of 20 days ago, of whom P2 died 10 days ago, and which ended so. */
async function brokenDown(why: Ending, endedOn: string) {
  const { api, ownerId } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice, { ...ledBy(ownerId), startedOn: agoDays(30) });
  await metBefore(practice, theCase.id, agoDays(30));
  await hold(theCase, "not_agreed");
  const startedAt = new Date(`${agoDays(20)}T09:00:00.000Z`);
  await SessionModel.updateOne({ ownerId, caseId: theCase.id }, { $set: { startedAt } });
  const died = { partyId: p2.partyId, to: "died" as const, on: agoDays(10), reason: "", confidences: null };
  await api.casework.moveParty.mutate({ ...at(await fresh(theCase)), ...died });
  const end = { to: "terminated" as const, ending: why, endedOn, reason: "As it is" };
  await api.casework.move.mutate({ ...at(await fresh(theCase)), ...end, outcome: { ...OUTCOME, issues: [] } });
  const record = (await api.assessments.list.query({ caseId: theCase.id })).items.find(
    ({ partyId }) => partyId === p1.partyId,
  );
  const { statements } = await api.certificates.choices.query({ assessmentId: record?.id ?? "" });
  return statements.find(({ statement }) => statement === "broken_down");
}

test.each([
  ["court", agoDays(10)],
  ["other", agoDays(9)],
  ["other_route", ""],
] as const)(
  "certificates.choices: a case that ended as “%s” when a death had left one side did not break down",
  async (why, on) => {
    expect(await brokenDown(why, on)).toMatchObject({
      isAllowed: false,
      because: expect.stringContaining("Somebody died, and one side was left"),
    });
  },
);

test("certificates.choices: a case that had ended before a death broke down", async () => {
  expect(await brokenDown("court", agoDays(11))).toMatchObject({ isAllowed: true });
});

/** As it was stored before a death was compared with what is recorded of somebody. */
const storeDeath = (caseId: string, index: number, on: string) => {
  const step = { from: "miam_attended", to: "died", at: new Date(), since: new Date(), reason: "", on };
  const party = { [`parties.${index}.status`]: "died", [`parties.${index}.leftAt`]: new Date() };
  const pushed = { [`parties.${index}.steps`]: step };
  return CaseModel.updateOne({ _id: caseId, ownerId: practice.ownerId }, { $set: party, $push: pushed });
};

test("certificates.choices: of whoever died it never says that they attended a MIAM after that day, and none elsewhere is recorded of them", async () => {
  const { api, ownerId } = practice;
  const { theCase, p1, p2 } = await aCase(practice, { ...ledBy(ownerId), startedOn: agoDays(60) });
  const attend = async ({ partyId }: typeof p1) => {
    await api.screenings.complete.mutate(aScreening(theCase, partyId, { heldOn: agoDays(40) }));
    const whose = { caseId: theCase.id, partyId, mediatorId: ownerId };
    return api.assessments.record.mutate(anAssessment(whose, { attendedOn: agoDays(20) }));
  };
  const { id: assessmentId } = await attend(p1);
  await attend(p2);
  const separately = async () =>
    (await api.certificates.choices.query({ assessmentId })).statements.find(
      ({ statement }) => statement === "separately",
    )?.isAllowed;
  expect(await separately()).toBe(true);
  await storeDeath(theCase.id, 1, agoDays(30));
  expect(await separately()).toBe(false);
  const elsewhere = aMiamElsewhere({ caseId: theCase.id, partyId: p2.partyId }, { attendedOn: agoDays(10) });
  expect((await refusal(api.assessments.recordElsewhere.mutate(elsewhere))).fields).toEqual({
    attendedOn: expect.stringContaining("P2 is recorded as dead since"),
  });
});

test("certificates.issue: of a meeting that is recorded as held after the person had died nothing is certified, and it is said what to correct", async () => {
  const { api, ownerId } = practice;
  const { theCase, p1 } = await aCase(practice, { ...ledBy(ownerId), startedOn: agoDays(60) });
  await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, { heldOn: agoDays(40) }));
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: ownerId };
  const { id: assessmentId } = await api.assessments.record.mutate(anAssessment(whose, { attendedOn: agoDays(20) }));
  await storeDeath(theCase.id, 0, agoDays(25));
  const told = expect.stringContaining("P1 is recorded as dead since");
  expect((await api.certificates.choices.query({ assessmentId })).blockers).toEqual([told]);
  const issue = api.certificates.issue.mutate({ id: newId(), assessmentId, statements: [], replaceReason: "" });
  expect(await refusal(issue)).toMatchObject({ code: "PRECONDITION_FAILED", message: told });
  expect(await CertificateModel.countDocuments({ ownerId, caseId: theCase.id })).toBe(0);
});
