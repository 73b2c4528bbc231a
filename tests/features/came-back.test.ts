// Whoever left a case and came back starts anew: what they said, signed and were screened for before they left was of before.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import type { PartyStatus } from "@app/shared/case-states";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { ledBy } from "../support/server/people.ts";
import { at } from "../support/server/stepping.ts";
import { metBefore } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

/** In mediation since twenty days ago; P2 withdrew ten days ago and came back eight days ago, which was written down today. */
async function cameBack() {
  const { api, ownerId } = practice;
  const built = await aMediatedCase(practice, { ...ledBy(ownerId), startedOn: daysAgo(30) });
  const caseId = built.theCase.id;
  const days = Object.fromEntries(["respondedOn", "intakeDoneOn"].map((one) => [`parties.$[].${one}`, daysAgo(20)]));
  await CaseModel.updateOne({ _id: caseId, ownerId }, { $set: { ...days, "parties.$[].steps": [] } });
  await metBefore(practice, caseId, daysAgo(20));
  await ScreeningModel.updateMany({ caseId, ownerId }, { $set: { heldOn: daysAgo(20) } });
  const fresh = () => api.cases.get.query({ id: caseId });
  const step = async (to: PartyStatus, on: string) => {
    const whose = { ...at(await fresh()), partyId: built.p2.partyId };
    return api.casework.moveParty.mutate({
      ...whose,
      to,
      on,
      reason: "They rang",
      isOwnDecision: to === "withdrawn" ? true : null,
    });
  };
  await step("withdrawn", daysAgo(10));
  await step("responded", daysAgo(8));
  const stands = (...statuses: PartyStatus[]) =>
    CaseModel.updateOne(
      { _id: caseId, ownerId },
      { $set: Object.fromEntries(statuses.map((status, index) => [`parties.${index}.status`, status])) },
    );
  return { ...built, caseId, fresh, step, stands };
}

/** Writes up a session of both, of this day. */
const record = (caseId: string, day: string) =>
  practice.api.sessions.record.mutate({
    id: newId(),
    caseId,
    meetingId: null,
    startedAt: `${day}T10:00:00.000Z`,
    endedAt: `${day}T11:00:00.000Z`,
    unmetReason: "As it was",
  });

/** The same, to which both came. */
async function metOn(built: Awaited<ReturnType<typeof cameBack>>, day: string) {
  const { sessions } = practice.api;
  const { id } = await record(built.caseId, day);
  const come = async (partyId: string) =>
    sessions.setAttendance.mutate({ id, changeId: newId(), partyId, state: "present" });
  for (const { partyId } of [built.p1, built.p2]) await come(partyId);
  const change = { id, changeId: newId(), reason: "To the minute", unmetReason: "As it was" };
  const times = { startedAt: `${day}T10:00:00.000Z`, endedAt: `${day}T11:01:00.000Z` };
  return sessions.setTimes.mutate({ ...change, ...times });
}
const textsOf = ({ unmet }: Awaited<ReturnType<typeof metOn>>) =>
  unmet.flatMap(({ what }) => what).filter((text) => text.startsWith("P2"));

test("sessions.record: of somebody who was back that day, they were in the case, and nothing of before they left counts", async () => {
  const built = await cameBack();
  const texts = textsOf(await metOn(built, daysAgo(5)));
  expect(texts).not.toContain("P2 was not in the case.");
  expect(texts).toEqual(
    expect.arrayContaining([
      "P2 had not consented since they came back into the case.",
      "P2 had not signed the agreement to mediate since they came back into the case.",
      "P2 had not been screened since they left the case.",
    ]),
  );
});

test("sessions.record: of somebody who was away that day, or had not left yet, that is what is said", async () => {
  const built = await cameBack();
  expect(textsOf(await metOn(built, daysAgo(9)))).toContain("P2 was not in the case.");
  const before = textsOf(await metOn(built, daysAgo(12)));
  expect(before.filter((text) => /left|came back|in the case/.test(text))).toEqual([]);
});

test("casework.steps: of whoever consented before they left, consent is asked anew until its day is that of their return", async () => {
  const { api, ownerId } = practice;
  const { caseId, p2, fresh, stands } = await cameBack();
  await stands("agreement_signed", "agreement_signed");
  await CaseModel.updateOne({ _id: caseId, ownerId }, { $set: { status: "assessing" } });
  const blockers = async () => (await api.casework.steps.query({ id: caseId })).items.flatMap((one) => one.blockers);
  const asked = "P2 consented before they came back into the case. Ask again, and record the consent with its new day.";
  expect(await blockers()).toContain(asked);
  const party = (await fresh()).parties.find(({ partyId }) => partyId === p2.partyId);
  if (!party) throw new Error("there is no such party");
  const { side, role, representativeContactIds } = party;
  const consent = async (consentedOn: string) =>
    api.casework.updateParty.mutate({
      ...at(await fresh()),
      partyId: p2.partyId,
      side,
      role,
      representativeContactIds,
      consentedOn,
    });
  await consent(daysAgo(9));
  expect(await blockers()).toContain(asked);
  await consent(daysAgo(8));
  expect(await blockers()).not.toContain(asked);
});

test("certificates: of whoever came back and did not sign again, a session after that is no mediation", async () => {
  const built = await cameBack();
  await metOn(built, daysAgo(5));
  const { caseId, p1 } = built;
  const choices = () => practice.api.certificates.mediationChoices.query({ caseId, partyId: p1.partyId });
  expect((await choices()).blockers).toEqual([expect.stringContaining("had signed")]);
  await metOn(built, daysAgo(12));
  expect(await choices()).toMatchObject({ firstOn: daysAgo(12), lastOn: daysAgo(12) });
});

test("casework.correctDay: nobody came back before they had left", async () => {
  const { caseId, p2, fresh } = await cameBack();
  const correct = async (on: string) =>
    practice.api.casework.correctDay.mutate({
      ...at(await fresh()),
      partyId: p2.partyId,
      of: "responded",
      on,
      reason: "Misread",
    });
  expect((await refusal(correct(daysAgo(11)))).fields).toEqual({ on: expect.stringContaining("P2 left on") });
  await correct(daysAgo(10));
  const stored = await CaseModel.findOne({ _id: caseId, ownerId: practice.ownerId }).lean();
  expect(stored?.parties[1]?.steps.at(-1)?.on).toBe(daysAgo(10));
});
