// What really happened is what is recorded: a session that was stopped before it began, and one that somebody had left before.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aLedCase, aMediatedCase } from "../support/server/led.ts";
import { ledBy } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const AT_THE_DOOR = { hasChanged: true, isSafe: false, doMeasuresFit: true, note: "He waited outside" };

/** A session that was started, with how to say who came and what became of it. */
async function started() {
  const built = await aMediatedCase(practice, ledBy(practice.ownerId));
  const { api } = practice;
  const caseId = built.theCase.id;
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
  const change = () => ({ id, changeId: newId() });
  const come = (partyId: string, state: "present" | "not_held") =>
    api.sessions.setAttendance.mutate({ ...change(), partyId, state });
  const callOff = () =>
    api.sessions.move.mutate({ ...change(), to: "cancelled", cancelReason: "P2 is not safe, both sent home" });
  const mediated = () => api.certificates.mediationChoices.query({ caseId, partyId: built.p1.partyId });
  return { ...built, api, caseId, id, change, come, callOff, mediated };
}

test("sessions.move: a session that was stopped at the door is called off with the review, and who came stays with it", async () => {
  const { api, p1, p2, change, come, callOff, mediated, id } = await started();
  await api.sessions.reviewSafety.mutate({ ...change(), partyId: p2.partyId, ...AT_THE_DOOR });
  for (const { partyId } of [p1, p2]) await come(partyId, "present");
  expect((await refusal(callOff())).message).toContain("Came, not held");
  for (const { partyId } of [p1, p2]) await come(partyId, "not_held");
  const session = await callOff();
  expect(session).toMatchObject({
    status: "cancelled",
    cancelReason: "P2 is not safe, both sent home",
    attendance: [
      { partyId: p1.partyId, state: "not_held" },
      { partyId: p2.partyId, state: "not_held" },
    ],
  });
  expect((await api.sessions.get.query({ id })).safetyReviews).toMatchObject([{ partyId: p2.partyId, isSafe: false }]);
  expect((await mediated()).blockers).not.toEqual([]);
});

test("sessions.move: one that ended before it began is locked without a review that never was, and nobody mediated in it", async () => {
  const { api, p1, p2, change, come, mediated, caseId } = await started();
  for (const { partyId } of [p1, p2]) await come(partyId, "not_held");
  await api.sessions.update.mutate({ ...change(), outcome: { code: "broken_off", text: "" } });
  await api.sessions.move.mutate({ ...change(), to: "ended" });
  expect(await api.sessions.move.mutate({ ...change(), to: "locked" })).toMatchObject({ status: "locked" });
  expect((await mediated()).blockers).not.toEqual([]);
  expect(await api.casework.steps.query({ id: caseId })).toMatchObject({ hasSession: false, mediatedIds: [] });
});

test("sessions.update: an outcome that was clicked by mistake, when it is taken off by who has it on the screen, is none, and the session is called off", async () => {
  const { api, p1, p2, change, come, callOff, id } = await started();
  const outcome = { code: "continues" as const, text: "They go on in May" };
  await come(p1.partyId, "not_held");
  await api.sessions.setAttendance.mutate({ ...change(), partyId: p2.partyId, state: "no_show" });
  await api.sessions.update.mutate({ ...change(), outcome });
  expect((await refusal(callOff())).message).toContain("Something was written");
  const off = { outcome: null, outcomeBefore: null };
  expect(await refusal(api.sessions.update.mutate({ ...change(), ...off }))).toMatchObject({ isStale: true });
  const without = await api.sessions.update.mutate({ ...change(), outcome: null, outcomeBefore: outcome });
  expect(without.outcome).toBeNull();
  expect(await callOff()).toMatchObject({ status: "cancelled", outcome: null });
  expect(await api.sessions.get.query({ id })).toMatchObject({ outcome: null, isBillable: without.isBillable });
});

test("sessions.move: an outcome without words, when the session is called off and nobody was there, goes with it", async () => {
  const { api, change, callOff } = await started();
  await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  expect(await callOff()).toMatchObject({ status: "cancelled", outcome: null });
});

const SIGNED_ON = daysAgo(60);

/** Three who had signed long ago, and how to write a session of a past day up. */
async function three() {
  const led = await aLedCase(practice, ["Ada Berg", "Bo Carr", "Cy Dunn"], { startedOn: daysAgo(90) });
  const { api, ownerId } = practice;
  const { parties } = await led.mediate();
  const days = ["respondedOn", "intakeDoneOn", "miamOn", "assessedOn", "consentedOn", "agreementSignedOn"];
  const set = Object.fromEntries(days.map((day) => [`parties.$[].${day}`, SIGNED_ON]));
  const steps = { "parties.$[].steps.$[].on": SIGNED_ON };
  await CaseModel.updateOne({ _id: led.caseId, ownerId }, { $set: { ...set, ...steps } });
  const write = (day: string) =>
    api.sessions.record.mutate({
      id: newId(),
      caseId: led.caseId,
      meetingId: null,
      startedAt: `${day}T10:00:00.000Z`,
      endedAt: `${day}T11:00:00.000Z`,
      unmetReason: "As it was",
    });
  const leave = async (to: "withdrawn" | "not_suitable", on: string) => {
    const { version } = await led.now();
    const partyId = parties[2]?.partyId ?? "";
    const isOwnDecision = to === "withdrawn" ? true : null;
    await api.casework.moveParty.mutate({ id: led.caseId, version, partyId, to, on, reason: "Said so", isOwnDecision });
    return partyId;
  };
  return { api, write, leave };
}

test("sessions.record: whoever left on a day that is recorded later is not asked to the sessions after it, and is to those before", async () => {
  const { api, write, leave } = await three();
  const gone = await leave("withdrawn", daysAgo(20));
  const after = await write(daysAgo(15));
  expect(after.partyIds).toHaveLength(2);
  expect(after.partyIds).not.toContain(gone);
  const told = await refusal(api.sessions.partySummary.query({ id: after.id, partyId: gone }));
  expect(told.message).toContain("not asked to this session");
  expect((await write(daysAgo(25))).partyIds).toContain(gone);
});

test("sessions.setAttendance: that somebody came after they were found not suitable by hand is missing when it is locked", async () => {
  const { api, write, leave } = await three();
  const gone = await leave("not_suitable", daysAgo(20));
  const { id, partyIds } = await write(daysAgo(10));
  expect(partyIds).not.toContain(gone);
  const change = () => ({ id, changeId: newId() });
  for (const partyId of [...partyIds, gone]) {
    await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    const review = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...review });
  }
  await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  const locked = await api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "They came all the same" });
  expect(JSON.stringify(locked.unmet)).toContain("P3 was not in the case.");
});
