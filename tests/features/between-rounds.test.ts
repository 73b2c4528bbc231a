// What was held after a case had ended, and before it was reopened, was held without an agreement to mediate.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { ending } from "../support/server/ending.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { ledBy } from "../support/server/people.ts";
import { signedBefore } from "../support/server/signed.ts";
import { stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };

test("sessions.record: of a day after the case had ended, and before it came back, it asks why, and nothing certifies it", async () => {
  const { theCase, p1 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const caseId = theCase.id;
  const { api, ownerId } = practice;
  const { move } = stepping(practice);
  const fresh = () => api.cases.get.query({ id: caseId });
  await signedBefore(practice, caseId);
  await ending(practice).hold(theCase, "broken_off");
  await move(await fresh(), "terminated");
  await move(await fresh(), "assessing");
  await CaseModel.updateOne({ ownerId, _id: caseId }, { $set: { "rounds.0.concludedOn": daysAgo(20) } });
  const record = (day: string, unmetReason: string) =>
    api.sessions.record.mutate({
      id: newId(),
      caseId,
      meetingId: null,
      startedAt: `${day}T10:00:00.000Z`,
      endedAt: `${day}T11:00:00.000Z`,
      unmetReason,
    });
  expect((await refusal(record(daysAgo(10), ""))).fields["unmetReason"]).toContain("Mediation had ended in this case");
  const lastOn = async () => (await api.certificates.mediationChoices.query({ caseId, partyId: p1.partyId })).lastOn;
  const before = await lastOn();
  const { id, partyIds } = await record(daysAgo(10), "They met all the same");
  const change = () => ({ id, changeId: newId() });
  for (const partyId of partyIds) {
    await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
  }
  await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  await api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "They met all the same" });
  expect(await lastOn()).toBe(before);
});
