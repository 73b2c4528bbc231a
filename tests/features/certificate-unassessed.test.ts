// A meeting at which the risk was not assessed was no MIAM yet: whoever asks, and whosever certificate it is for.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { anAssessment, anAuthorisedPractice, anUnscreenedMiam } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, ledBy } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const today = new Date().toISOString().slice(0, 10);
const LEFT = { minutes: 16, shortReason: "She left", riskReason: "She left", attendedOn: addDays(today, -20) };

/** The first attended a MIAM; the other came to one, or left before the risk was assessed. */
async function met({ wasAssessed, isTogether = false }: { wasAssessed: boolean; isTogether?: boolean }) {
  const { theCase, p1, p2 } = await aCase(practice, ledBy(practice.ownerId));
  const caseId = theCase.id;
  for (const { partyId } of [p1, p2]) {
    const screening = aScreening(theCase, partyId, { heldOn: addDays(today, -40) });
    await practice.api.screenings.complete.mutate(screening);
  }
  await mayContact(theCase);
  const whose = (party: { partyId: string }) => ({ caseId, partyId: party.partyId, mediatorId: practice.ownerId });
  const withOther = (party: { partyId: string }) =>
    isTogether ? { company: "with" as const, withPartyIds: [party.partyId] } : {};
  const record = practice.api.assessments.record;
  const own = { attendedOn: isTogether ? LEFT.attendedOn : addDays(today, -30), ...withOther(p2) };
  const { id: assessmentId } = await record.mutate(anAssessment(whose(p1), own));
  const others = { ...LEFT, ...withOther(p1) };
  const other = await record.mutate(
    wasAssessed ? anAssessment(whose(p2), { ...others, riskReason: "" }) : anUnscreenedMiam(whose(p2), others),
  );
  const judged = async (statement: string) =>
    (await practice.api.certificates.choices.query({ assessmentId })).statements.find(
      (one) => one.statement === statement,
    );
  const move = async (to: "refused" | "suitable", isOwnDecision: boolean | null) => {
    const { version } = await practice.api.cases.get.query({ id: caseId });
    const step = { id: caseId, version, partyId: p2.partyId, to, on: today, reason: "Said so", isOwnDecision };
    return practice.api.casework.moveParty.mutate(step);
  };
  return { caseId, assessmentId, other, judged, move };
}

test("certificates.choices: that the others attended separately is not said of whoever left before the risk was assessed", async () => {
  const { judged, assessmentId, other } = await met({ wasAssessed: false });
  expect(await judged("separately")).toMatchObject({
    isAllowed: false,
    because: expect.stringContaining("The record of P2 says that the risk was not assessed"),
  });
  const said = { assessmentId, statements: ["separately" as const], replaceReason: "" };
  const refused = await refusal(practice.api.certificates.issue.mutate({ id: newId(), ...said }));
  expect(Object.keys(refused.fields)).toEqual(["statements"]);
  const { id: _id, version, ...rest } = other;
  expect(rest.lacksRiskAssessment).toBe(true);
  const whole = anAssessment({ caseId: other.caseId, partyId: other.partyId, mediatorId: practice.ownerId }, LEFT);
  const { id: _own, caseId: _case, partyId: _party, ...details } = whole;
  const corrected = { ...details, riskReason: "", reason: "It was done before she left" };
  await practice.api.assessments.correct.mutate({ id: other.id, version, ...corrected });
  expect(await judged("separately")).toMatchObject({ isAllowed: true });
  const { id } = await practice.api.certificates.issue.mutate({ id: newId(), ...said });
  const paper = (await pdfText(app, practice, `/export/certificates/${id}.pdf`)).replaceAll(/\s/g, "");
  expect(paper).toContain("attendedamiamseparately");
});

test("certificates.choices: that they attended together is not said where it was no MIAM for the other", async () => {
  expect(await (await met({ wasAssessed: true, isTogether: true })).judged("together")).toMatchObject({
    isAllowed: true,
  });
  const { judged } = await met({ wasAssessed: false, isTogether: true });
  expect(await judged("together")).toMatchObject({ isAllowed: false, because: expect.stringContaining("P2") });
  expect(await judged("alone")).toMatchObject({ isAllowed: false });
});

test("certificates.choices: whoever left before the risk was assessed, and refuses, is not willing to attend a MIAM", async () => {
  const left = await met({ wasAssessed: false });
  await left.move("refused", true);
  expect(await left.judged("none_willing")).toMatchObject({ isAllowed: true });
  const attended = await met({ wasAssessed: true });
  await attended.move("refused", true);
  expect(await attended.judged("none_willing")).toMatchObject({
    isAllowed: false,
    because: expect.stringContaining("attended a MIAM"),
  });
});

test("casework.steps: a case whose other participant left before the risk was assessed is not ready, and says what to do", async () => {
  const gapsOf = async (wasAssessed: boolean) => {
    const { caseId } = await met({ wasAssessed });
    await CaseModel.updateOne({ _id: caseId }, { $set: { status: "assessing" } }).setOptions({ anyOwner: true });
    const theCase = await practice.api.casework.steps.query({ id: caseId });
    return JSON.stringify(theCase).includes("The risk was not assessed at the MIAM of P2");
  };
  expect(await gapsOf(false)).toBe(true);
  expect(await gapsOf(true)).toBe(false);
});

test("certificates.issue: of a MIAM whose screening was struck nothing is certified, whosever certificate it is for, until another is recorded", async () => {
  const { theCase, p1, p2 } = await aCase(practice, ledBy(practice.ownerId), { isScreened: false });
  const caseId = theCase.id;
  const attendedOn = addDays(today, -20);
  const screen = ({ partyId }: typeof p1) =>
    practice.api.screenings.complete.mutate(aScreening(theCase, partyId, { heldOn: attendedOn }));
  const attend = ({ partyId }: typeof p1) =>
    practice.api.assessments.record.mutate(
      anAssessment({ caseId, partyId, mediatorId: practice.ownerId }, { attendedOn }),
    );
  const wrong = await screen(p1);
  await screen(p2);
  const { id: assessmentId } = await attend(p1);
  const other = await attend(p2);
  const choices = (id: string) => practice.api.certificates.choices.query({ assessmentId: id });
  const separately = async () =>
    (await choices(other.id)).statements.find(({ statement }) => statement === "separately")?.isAllowed;
  const issue = () =>
    practice.api.certificates.issue.mutate({ id: newId(), assessmentId, statements: [], replaceReason: "" });
  const blockersToReady = async () => {
    const { version } = await practice.api.cases.get.query({ id: caseId });
    await practice.api.casework.move.mutate({ id: caseId, version, to: "intake", reason: "" });
    const assessing = { id: caseId, version: version + 1, to: "assessing" as const, reason: "" };
    await practice.api.casework.move.mutate(assessing);
    const { items } = await practice.api.casework.steps.query({ id: caseId });
    return items.find(({ to }) => to === "ready")?.blockers.join();
  };
  expect(await separately()).toBe(true);
  await practice.api.screenings.strike.mutate({ id: wrong.id, reason: "It was of the wrong person" });
  const words = "the screening on which it rested was struck";
  expect((await choices(assessmentId)).blockers.join()).toContain(words);
  expect(await refusal(issue())).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining(words),
  });
  expect((await practice.api.certificates.list.query({ caseId })).items).toEqual([]);
  expect(await separately()).toBe(false);
  expect(await blockersToReady()).toContain("The risk was not assessed at the MIAM of P1");
  await screen(p1);
  expect((await choices(assessmentId)).blockers).toEqual([]);
  expect(await separately()).toBe(true);
  await issue();
});
