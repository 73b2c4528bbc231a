// A session that was written up of a case in which nobody had signed yet is talk before mediation: nothing certifies it as more.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import { expect, test } from "vitest";
import { anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { aCase, ledBy } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };

/** Writes a session of both up, of this day, and locks it. */
async function held(caseId: string, day: string): Promise<void> {
  const { sessions } = practice.api;
  const when = { startedAt: `${day}T10:00:00.000Z`, endedAt: `${day}T11:00:00.000Z` };
  const { id, partyIds } = await sessions.record.mutate({
    id: newId(),
    caseId,
    meetingId: null,
    ...when,
    unmetReason: "As it was",
  });
  const change = () => ({ id, changeId: newId() });
  for (const partyId of partyIds) {
    await sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    await sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
  }
  await sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  await sessions.move.mutate({ ...change(), to: "locked", unmetReason: "As it was" });
}

test("certificates.choices: of a case in which nobody had signed, when a session of both is locked and it ends, nothing broke down and nobody mediated", async () => {
  const { api, ownerId } = practice;
  const { theCase, p1, p2 } = await aCase(practice, ledBy(ownerId));
  const caseId = theCase.id;
  const records = [];
  for (const { partyId } of [p1, p2]) {
    const whose = { caseId, partyId, mediatorId: ownerId };
    records.push(await api.assessments.record.mutate(anAssessment(whose, { attendedOn: daysAgo(30) })));
  }
  await held(caseId, daysAgo(20));
  const { version } = await api.cases.get.query({ id: caseId });
  await api.casework.move.mutate({ id: caseId, version, to: "not_proceeding", reason: "To court", ending: "court" });
  const { statements } = await api.certificates.choices.query({ assessmentId: records[0]?.id ?? "" });
  expect(statements.find(({ statement }) => statement === "broken_down")).toMatchObject({
    isAllowed: false,
    because: expect.stringContaining("had signed"),
  });
  const { blockers } = await api.certificates.mediationChoices.query({ caseId, partyId: p1.partyId });
  expect(blockers).toEqual([expect.stringContaining("had signed")]);
});

test("certificates.mediationChoices: where both signed on a day, when sessions were held before and after it, only what came after counts", async () => {
  const { api, ownerId } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice, ledBy(ownerId));
  const caseId = theCase.id;
  const signedOn = (index: number, on: string) =>
    CaseModel.updateOne(
      { _id: caseId, ownerId },
      {
        $set: {
          [`parties.${index}.consentedOn`]: on,
          [`parties.${index}.agreementSignedOn`]: on,
          [`parties.${index}.steps.$[].on`]: on,
        },
      },
    );
  await signedOn(0, daysAgo(40));
  await signedOn(1, daysAgo(20));
  await held(caseId, daysAgo(30));
  for (const { partyId } of [p1, p2])
    expect((await api.certificates.mediationChoices.query({ caseId, partyId })).blockers).not.toEqual([]);
  await held(caseId, daysAgo(10));
  for (const { partyId } of [p1, p2]) {
    const choices = await api.certificates.mediationChoices.query({ caseId, partyId });
    expect(choices).toMatchObject({ blockers: [], firstOn: daysAgo(10), lastOn: daysAgo(10) });
  }
});

test("casework.steps and legal aid: a session counts from the day of the last signature that both sides need, whenever it was typed", async () => {
  const { api, ownerId } = practice;
  const { theCase, p1 } = await aMediatedCase(practice, ledBy(ownerId));
  const { id: caseId } = theCase;
  const signedOn = (index: number, on: string) =>
    CaseModel.updateOne(
      { _id: caseId, ownerId },
      { $set: { [`parties.${index}.agreementSignedOn`]: on, [`parties.${index}.steps.$[].on`]: on } },
    );
  await CaseModel.updateOne({ _id: caseId, ownerId }, { $set: { "parties.0.funding.type": "legal_aid" } });
  await signedOn(0, daysAgo(40));
  await signedOn(1, daysAgo(20));
  const countsOf = async (day: string) => {
    await held(caseId, day);
    const last = await SessionModel.findOne({ ownerId, caseId }).sort({ number: -1 }).lean();
    return last?.countsForLegalAid;
  };
  expect(await countsOf(daysAgo(30))).toBe(false);
  expect(await api.casework.steps.query({ id: caseId })).toMatchObject({ hasSession: false, mediatedIds: [] });
  expect(await countsOf(daysAgo(20))).toBe(true);
  const { hasSession, mediatedIds } = await api.casework.steps.query({ id: caseId });
  expect([hasSession, mediatedIds.includes(p1.partyId)]).toEqual([true, true]);
});
