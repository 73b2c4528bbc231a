// A case came back to mediation before anybody wrote that down: from the day on which two sides had signed anew it goes on.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import type { CaseStatus } from "@app/shared/case-states";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { AGREED, ending } from "../support/server/ending.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { ledBy } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { metBefore } from "../support/server/signed.ts";
import { at, OUTCOME } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
const NOW = "now";
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const HAD_ENDED = "Mediation had ended in this case";

/** In mediation since seventy-five days ago, with what is done to it then. */
async function begun() {
  const { api, ownerId } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice, { ...ledBy(ownerId), startedOn: daysAgo(90) });
  const caseId = theCase.id;
  const days = Object.fromEntries(["respondedOn", "intakeDoneOn"].map((one) => [`parties.$[].${one}`, daysAgo(75)]));
  await CaseModel.updateOne({ _id: caseId, ownerId }, { $set: { ...days, "parties.$[].steps.$[].on": daysAgo(75) } });
  await metBefore(practice, caseId, daysAgo(75));
  await ScreeningModel.updateMany({ caseId, ownerId }, { $set: { heldOn: daysAgo(75) } });
  const fresh = () => api.cases.get.query({ id: caseId });
  const record = (day: string, unmetReason = "") => {
    const [startedAt, endedAt] =
      day === NOW ? [secondsAgo(0.02), secondsAgo(0.01)] : [`${day}T10:00:00.000Z`, `${day}T11:00:00.000Z`];
    return api.sessions.record.mutate({ id: newId(), caseId, meetingId: null, startedAt, endedAt, unmetReason });
  };
  const hold = async (day: string, unmetReason = "") => {
    const { id, partyIds } = await record(day, unmetReason);
    const change = () => ({ id, changeId: newId() });
    for (const partyId of partyIds) {
      await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
      await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
    }
    await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
    await api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began" });
  };
  const move = async (to: CaseStatus, how: object = {}) =>
    api.casework.move.mutate({ ...at(await fresh()), to, reason: "As it was", ...how });
  const end = (endedOn: string) => move("terminated", { ending: "broken_down", outcome: { ...OUTCOME }, endedOn });
  const sign = async (partyId: string, on: string) => {
    const party = (await fresh()).parties.find((one) => one.partyId === partyId);
    if (!party) throw new Error("there is no such party");
    const { side, role, representativeContactIds } = party;
    const whose = { partyId, side, role, representativeContactIds, consentedOn: on };
    await api.casework.updateParty.mutate({ ...at(await fresh()), ...whose });
    // Whoever signs first says what the agreement of this round keeps.
    const confidences = (await fresh()).confidences === null ? ("none" as const) : null;
    const step = { partyId, to: "agreement_signed" as const, on, reason: "", confidences };
    await api.casework.moveParty.mutate({ ...at(await fresh()), ...step });
  };
  const screen = async (heldOn: string) => {
    for (const { partyId } of [p1, p2]) await api.screenings.complete.mutate(aScreening(theCase, partyId, { heldOn }));
  };
  return { caseId, p1, p2, fresh, record, hold, move, end, sign, screen };
}

/** The same with a session seventy days ago; it ended forty-nine days ago, and came back, as is written down today. */
async function sentBack({ screenedOn = daysAgo(22) } = {}) {
  const built = await begun();
  await built.hold(daysAgo(70));
  await built.end(daysAgo(49));
  await built.move("assessing");
  await built.screen(screenedOn);
  return built;
}

async function signedAnew(of: Parameters<typeof sentBack>[0] = {}) {
  const built = await sentBack(of);
  await built.sign(built.p1.partyId, daysAgo(21));
  await built.sign(built.p2.partyId, daysAgo(20));
  await built.move("ready");
  await built.move("in_mediation");
  return built;
}

test("sessions.record: of a day after both had signed anew, it asks for nothing, and what was agreed there is agreed in mediation", async () => {
  const { caseId, p1, fresh, hold } = await signedAnew();
  await hold(daysAgo(10));
  const choices = await practice.api.certificates.mediationChoices.query({ caseId, partyId: p1.partyId });
  expect(choices).toMatchObject({ firstOn: daysAgo(10), lastOn: daysAgo(10) });
  const concluded = await ending(practice).conclude(await fresh(), AGREED, "As was said there");
  expect(concluded.status).toBe("concluded");
});

test("sessions.record: of a day before both had signed anew, mediation had ended, and nothing certifies it", async () => {
  const { caseId, p1, record, hold } = await signedAnew();
  for (const day of [daysAgo(48), daysAgo(21)])
    expect((await refusal(record(day))).fields["unmetReason"]).toContain(HAD_ENDED);
  await hold(daysAgo(21), "They met all the same");
  const choices = await practice.api.certificates.mediationChoices.query({ caseId, partyId: p1.partyId });
  expect(choices.lastOn).toBe(daysAgo(70));
});

test("sessions.record: of the day on which both signed anew, which is today, it is of what goes on, though it was held before that was written down", async () => {
  const built = await sentBack({ screenedOn: daysAgo(0) });
  for (const { partyId } of [built.p1, built.p2]) await built.sign(partyId, daysAgo(0));
  await built.move("ready");
  await built.move("in_mediation");
  const id = newId();
  const times = { startedAt: secondsAgo(20), endedAt: secondsAgo(10) };
  const what = { id, caseId: built.caseId, meetingId: null, ...times, unmetReason: "" };
  const session = await practice.api.sessions.record.mutate(what);
  expect(session).toMatchObject({ number: 2, unmet: [] });
});

test("sessions.record: of a day by which they had signed anew, and were screened only later, their screening is what was missing", async () => {
  const { record } = await signedAnew({ screenedOn: daysAgo(5) });
  const asked = (await refusal(record(daysAgo(10)))).fields["unmetReason"];
  expect(asked).toContain("P1 had not been screened since mediation ended.");
  expect(asked).not.toContain(HAD_ENDED);
});

test("sessions.record: of today, before anybody signed anew, it asks why, and nothing certifies it", async () => {
  const { caseId, p1, hold, record } = await sentBack({ screenedOn: daysAgo(0) });
  const asked = (await refusal(record(NOW))).fields["unmetReason"];
  expect(asked).toContain("Mediation has not begun in this case.");
  expect(asked).toContain("P1 had not consented to mediation.");
  expect(asked).toContain("P2 had not signed the agreement to mediate.");
  await hold(NOW, "They came all the same");
  const choices = await practice.api.certificates.mediationChoices.query({ caseId, partyId: p1.partyId });
  expect(choices.lastOn).toBe(daysAgo(70));
});

test("sessions.record: of a case that did not proceed once both had signed, and came back later, what they signed counts still", async () => {
  const { caseId, p1, fresh, hold, move, screen } = await begun();
  await CaseModel.updateOne({ _id: caseId, ownerId: practice.ownerId }, { $set: { status: "assessing" } });
  await move("not_proceeding", { ending: "other", endedOn: daysAgo(30) });
  await move("assessing");
  await screen(daysAgo(12));
  await move("ready");
  await move("in_mediation");
  await hold(daysAgo(10));
  const choices = await practice.api.certificates.mediationChoices.query({ caseId, partyId: p1.partyId });
  expect(choices).toMatchObject({ firstOn: daysAgo(10), lastOn: daysAgo(10) });
  expect((await ending(practice).conclude(await fresh(), AGREED, "As was said there")).status).toBe("concluded");
});

test("sessions.record: of a day before a case that never had mediated came back, mediation has not begun", async () => {
  const { record, move, sign, p1, p2, screen, caseId } = await begun();
  const { ownerId } = practice;
  // As if nobody had signed yet, and the case had not come to mediation.
  const unsigned = {
    "parties.$[].status": "miam_attended",
    "parties.$[].agreementSignedOn": "",
    "parties.$[].steps": [],
  };
  await CaseModel.updateOne({ _id: caseId, ownerId }, { $set: { status: "assessing", steps: [], ...unsigned } });
  await move("not_proceeding", { ending: "other", endedOn: daysAgo(60) });
  await move("assessing");
  await screen(daysAgo(22));
  await sign(p1.partyId, daysAgo(21));
  await sign(p2.partyId, daysAgo(20));
  await move("ready");
  await move("in_mediation");
  const { unmetReason = "" } = (await refusal(record(daysAgo(25)))).fields;
  expect(unmetReason).toContain("Mediation has not begun in this case.");
  expect(unmetReason).not.toContain(HAD_ENDED);
});

test("casework.correctDay: the day of a signature of an earlier round is moved within that round, and not behind its end", async () => {
  const { fresh, p1 } = await sentBack();
  const correct = async (on: string) =>
    practice.api.casework.correctDay.mutate({
      ...at(await fresh()),
      partyId: p1.partyId,
      of: "agreement_signed",
      on,
      reason: "By the paper",
    });
  expect((await refusal(correct(daysAgo(30)))).fields).toEqual({ on: expect.stringContaining("This case ended on") });
  expect((await correct(daysAgo(74))).parties[0]).toMatchObject({ agreementSignedOn: daysAgo(74) });
});

test("casework.correct: of a return and an end that are taken back once everybody had signed anew, they mediate, as their case does", async () => {
  const built = await sentBack();
  for (const { partyId } of [built.p1, built.p2]) await built.sign(partyId, daysAgo(20));
  for (const status of ["terminated", "in_mediation"]) {
    const correction = { ...at(await built.fresh()), partyId: "", reason: "It never ended" };
    expect(await practice.api.casework.correct.mutate(correction)).toMatchObject({ status });
  }
  expect((await built.fresh()).parties.map(({ status }) => status)).toEqual(["active", "active"]);
});
