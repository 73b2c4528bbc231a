// A session that is written up later took place when it did, with what was missing for it then.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import { lastBegunAt } from "@app/server/features/sessions/sessions.service";
import { addDays } from "@app/shared/days";
import type { Session } from "@app/shared/sessions";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { daysAgo } from "../support/server/assessments.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { aMeetingInput, aPractice, aStaffUser, scopeOf } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { NOT_SAFE, aScreening } from "../support/server/screened.ts";
import { orderOfCourt } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const timesOf = (day: string, hour = 10) => ({
  startedAt: `${day}T${hour}:00:00.000Z`,
  endedAt: `${day}T${hour + 1}:30:00.000Z`,
});
const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };

type Built = Awaited<ReturnType<typeof aMediatedCase>>;

/** A case in which everybody had consented, signed and been screened twenty days ago. */
async function anOlderCase(): Promise<Built> {
  const built = await aMediatedCase(practice);
  const { ownerId } = practice;
  const caseId = built.theCase.id;
  const on = daysAgo(20);
  const days = { "parties.$[].consentedOn": on, "parties.$[].agreementSignedOn": on };
  await CaseModel.updateOne({ _id: caseId, ownerId }, { $set: days });
  await ScreeningModel.updateMany({ caseId, ownerId }, { $set: { heldOn: on } });
  return built;
}

const record = (
  { theCase }: Built,
  day: string,
  more: { meetingId?: string; unmetReason?: string; hour?: number } = {},
) =>
  practice.api.sessions.record.mutate({
    id: newId(),
    caseId: theCase.id,
    meetingId: more.meetingId ?? null,
    ...timesOf(day, more.hour),
    unmetReason: more.unmetReason ?? "",
  });

const correct = ({ id }: Session, day: string, more: { reason?: string; unmetReason?: string } = {}) =>
  practice.api.sessions.setTimes.mutate({
    id,
    changeId: newId(),
    ...timesOf(day),
    reason: more.reason ?? "It was another day",
    unmetReason: more.unmetReason ?? "",
  });

/** All that a lock asks for, but for why something was missing. */
async function finish({ p1, p2 }: Built, { id }: Session, said: object = {}): Promise<void> {
  const { sessions } = practice.api;
  for (const { partyId } of [p1, p2]) {
    await sessions.setAttendance.mutate({ id, changeId: newId(), partyId, state: "present" });
    await sessions.reviewSafety.mutate({ id, changeId: newId(), partyId, ...STILL_SAFE, ...said });
  }
  await sessions.update.mutate({ id, changeId: newId(), outcome: { code: "continues", text: "" } });
}

const lock = ({ id }: Session, unmetReason = "") =>
  practice.api.sessions.move.mutate({ id, changeId: newId(), to: "locked", unmetReason });

describe("sessions.record", () => {
  test("when it took place last week, then it is held on that day, ended, and every statement says so", async () => {
    const built = await anOlderCase();
    const session = await record(built, daysAgo(7));
    const times = timesOf(daysAgo(7));
    expect(session).toMatchObject({ status: "ended", ...times, minutes: 90, unmet: [] });
    expect(session.timeChanges).toMatchObject([{ from: { startedAt: null, endedAt: null }, to: times, reason: "" }]);
    const { id: caseId } = built.theCase;
    const scope = scopeOf(practice.ownerId);
    expect((await lastBegunAt(scope, caseId))?.toISOString()).toBe(times.startedAt);
    await orderOfCourt(practice, caseId);
    expect(await practice.api.sessions.courtReport.query({ id: session.id })).toMatchObject({
      tookPlaceAt: times.startedAt,
      minutes: 90,
    });
    const { items } = await practice.api.timeline.list.query({ caseId, page: 1, kind: "session" });
    expect(items.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^Session 1: took place /));
  });

  test("when an earlier one is written up after a later one, then the later one is the last of the case", async () => {
    const built = await anOlderCase();
    const later = await record(built, daysAgo(3));
    const earlier = await record(built, daysAgo(9));
    const { items } = await practice.api.sessions.ofCase.query({ id: built.theCase.id });
    expect(items.map(({ id }) => id)).toEqual([later.id, earlier.id]);
  });

  test("when it is still to come or ends before it begins, then the field says so and nothing is made", async () => {
    const built = await anOlderCase();
    expect(await refusal(record(built, addDays(TODAY, 1)))).toMatchObject({
      fields: { startedAt: expect.stringContaining("still to come") },
    });
    const backwards = { startedAt: `${daysAgo(2)}T11:00:00.000Z`, endedAt: `${daysAgo(2)}T10:00:00.000Z` };
    const sent = { id: newId(), caseId: built.theCase.id, meetingId: null, unmetReason: "" };
    expect(await refusal(practice.api.sessions.record.mutate({ ...sent, ...backwards }))).toMatchObject({
      fields: { endedAt: "Enter an end that is after the start" },
    });
    expect((await practice.api.sessions.ofCase.query({ id: built.theCase.id })).items).toEqual([]);
  });

  test("when it is of a meeting, then its session is that, prepared before or not, and a second one is refused", async () => {
    const built = await anOlderCase();
    const partyIds = [built.p1.partyId, built.p2.partyId];
    const startsAt = `${addDays(TODAY, 40)}T10:00:00.000Z`;
    const planned = aMeetingInput(practice.ownerId, { caseId: built.theCase.id, partyIds, startsAt });
    const { id: meetingId } = await practice.api.meetings.create.mutate(planned);
    const prepared = await practice.api.sessions.create.mutate({ id: newId(), caseId: built.theCase.id, meetingId });
    const session = await record(built, daysAgo(7), { meetingId });
    expect(session).toMatchObject({ id: prepared.id, status: "ended", meetingId, ...timesOf(daysAgo(7)) });
    expect(await refusal(record(built, daysAgo(6), { meetingId }))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("correct its time there"),
    });
  });

  test("when one of two has left since, then they are awaited in a session from before", async () => {
    const built = await anOlderCase();
    await CaseModel.updateOne(
      { _id: built.theCase.id, ownerId: practice.ownerId },
      { $set: { "parties.1.status": "withdrawn", "parties.1.leftAt": new Date(`${daysAgo(2)}T10:00:00.000Z`) } },
    );
    expect((await record(built, daysAgo(7))).partyIds).toContain(built.p2.partyId);
    expect((await record(built, daysAgo(1), { unmetReason: "" })).partyIds).not.toContain(built.p2.partyId);
  });
});

describe("what was missing on the day of a session", () => {
  test("when all signed and were screened only later, then it is named, a reason is asked for, and both are kept", async () => {
    const built = await aMediatedCase(practice);
    await ScreeningModel.deleteMany({
      ownerId: practice.ownerId,
      caseId: built.theCase.id,
      partyId: built.p1.partyId,
      status: "superseded",
    });
    await ScreeningModel.updateMany(
      { ownerId: practice.ownerId, caseId: built.theCase.id, partyId: built.p2.partyId, status: "superseded" },
      { $set: { heldOn: "2020-01-01" } },
    );
    const refused = await refusal(record(built, daysAgo(7)));
    for (const words of [
      "P1 had not consented",
      "P2 had not signed the agreement",
      "P1 had not been screened",
      "The screening of P2 was over 180 days old",
    ])
      expect(refused.fields["unmetReason"]).toContain(words);
    expect((await practice.api.sessions.ofCase.query({ id: built.theCase.id })).items).toEqual([]);
    const session = await record(built, daysAgo(7), { unmetReason: "An emergency before the holidays" });
    expect(session.unmet).toMatchObject([{ reason: "An emergency before the holidays" }]);
    expect(session.unmet[0]?.what).toContain("P1 had not been screened.");
  });

  test("when somebody is found not safe only after it, then that takes nothing from it; found before, it is named", async () => {
    const built = await anOlderCase();
    const { partyId } = built.p1;
    const found = (heldOn: string) =>
      practice.api.screenings.complete.mutate(aScreening(built.theCase, partyId, { ...NOT_SAFE, heldOn }));
    await found(daysAgo(5));
    expect((await record(built, daysAgo(7))).unmet).toEqual([]);
    expect(await refusal(record(built, daysAgo(4)))).toMatchObject({
      fields: { unmetReason: expect.stringContaining("The screening of P1 did not allow mediation.") },
    });
  });

  test("when somebody may not read screenings, then what of safety was missing and why stays from them", async () => {
    const built = await anOlderCase();
    await ScreeningModel.deleteMany({ ownerId: practice.ownerId, caseId: built.theCase.id });
    const { id } = await record(built, daysAgo(7), { unmetReason: "P1 was at a refuge" });
    const worker = await aStaffUser(app, practice, { role: 3, permissions: ["clients.read", "clients.write"] });
    const seen = await worker.api.sessions.get.query({ id });
    expect(seen.unmet).toMatchObject([{ reason: null }]);
    expect(JSON.stringify(seen)).not.toMatch(/refuge|had not been screened/);
    expect((await practice.api.sessions.get.query({ id })).unmet).toMatchObject([{ reason: "P1 was at a refuge" }]);
  });

  test("when it is locked, then whoever came counts, and what was named before is not asked for again", async () => {
    const built = await aMediatedCase(practice);
    const session = await record(built, daysAgo(7), { unmetReason: "On paper, in a hurry" });
    await finish(built, session);
    expect(await lock(session, "Asked before it by phone")).toMatchObject({ status: "locked" });
  });
});

describe("the safety review before a joint session", () => {
  const review = (id: string, partyId: string) =>
    practice.api.sessions.reviewSafety.mutate({ id, changeId: newId(), partyId, ...STILL_SAFE });
  const mark = (id: string, partyId: string) =>
    practice.api.sessions.setAttendance.mutate({ id, changeId: newId(), partyId, state: "present" });
  const end = (id: string) => practice.api.sessions.move.mutate({ id, changeId: newId(), to: "ended" });

  test("when it is written before the session begins, then it is no late one, and the lock asks for nothing", async () => {
    const { p1, p2, theCase } = await anOlderCase();
    const session = await practice.api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
    for (const { partyId } of [p1, p2]) await review(session.id, partyId);
    await practice.api.sessions.move.mutate({ id: session.id, changeId: newId(), to: "in_progress" });
    for (const { partyId } of [p1, p2]) await mark(session.id, partyId);
    const outcome = { code: "continues" as const, text: "" };
    await practice.api.sessions.update.mutate({ id: session.id, changeId: newId(), outcome });
    const ended = await end(session.id);
    expect(ended.safetyReviews?.map(({ isLate }) => isLate)).toEqual([false, false]);
    expect(await lock(session)).toMatchObject({ status: "locked", unmet: [] });
  });

  test("when one of concern was held before a session that is recorded, then it counts from its day, whenever it was written down", async () => {
    const built = await anOlderCase();
    const first = await record(built, daysAgo(10));
    await practice.api.sessions.reviewSafety.mutate({
      id: first.id,
      changeId: newId(),
      partyId: built.p1.partyId,
      ...STILL_SAFE,
      isSafe: false,
      note: "They were followed home",
      heldOn: daysAgo(5),
    });
    const words = "P1 had not been screened since a safety review raised a concern.";
    expect((await refusal(record(built, daysAgo(3)))).fields?.["unmetReason"]).toContain(words);
    expect((await record(built, daysAgo(7))).unmet).toEqual([]);
  });

  test("when one is said to have been asked before, then the lock asks for nothing, both days are kept, and its line says so to who may read screenings", async () => {
    const built = await anOlderCase();
    const session = await record(built, daysAgo(7), { hour: 14 });
    const { partyId, clientId } = built.p1;
    await finish(built, session, { wasAskedBefore: true });
    const at = (heldOn: string, wasAskedBefore: boolean | null) =>
      practice.api.sessions.reviewSafety.mutate({
        ...STILL_SAFE,
        id: session.id,
        changeId: newId(),
        partyId,
        heldOn,
        wasAskedBefore,
      });
    for (const [heldOn, wasAskedBefore, field] of [
      [daysAgo(8), null, "wasAskedBefore"],
      [daysAgo(7), null, "wasAskedBefore"],
      [daysAgo(8), false, "heldOn"],
      [daysAgo(6), true, "heldOn"],
      [daysAgo(-2), null, "heldOn"],
    ] as const)
      expect(Object.keys((await refusal(at(heldOn, wasAskedBefore))).fields ?? {})).toEqual([field]);
    await at(daysAgo(6), false);
    const { safetyReviews } = await at(daysAgo(8), true);
    const said = safetyReviews?.filter((each) => each.partyId === partyId);
    expect(said?.map(({ heldOn, wasAskedBefore, isLate }) => ({ heldOn, wasAskedBefore, isLate }))).toEqual([
      { heldOn: daysAgo(7), wasAskedBefore: true, isLate: true },
      { heldOn: daysAgo(6), wasAskedBefore: false, isLate: true },
      { heldOn: daysAgo(8), wasAskedBefore: true, isLate: true },
    ]);
    const told = async ({ api }: Pick<typeof practice, "api">) =>
      (await api.timeline.list.query({ clientId })).items.filter(({ text }) => text.includes("Safety review of P1"));
    const line = { text: expect.stringMatching(/recorded after the session had begun$/) };
    expect(await told(practice)).toMatchObject([line, line]);
    expect(await told(await aStaffUser(app, practice, { permissions: ["clients.read"] }))).toEqual([]);
    expect(await lock(session)).toMatchObject({ status: "locked", unmet: [] });
  });

  test("when somebody was asked only after it began, then the lock says so and asks why; a day corrected to before the asking leaves open when they were", async () => {
    const built = await anOlderCase();
    const session = await record(built, daysAgo(7));
    await finish(built, session, { wasAskedBefore: false });
    const asked = (await refusal(lock(session))).fields?.["unmetReason"];
    expect(asked).toContain("P1 was asked only after the session had begun whether it was safe.");
    const other = await record(built, daysAgo(5));
    await finish(built, other, { wasAskedBefore: true });
    await correct(other, daysAgo(6));
    const { safetyReviews } = await practice.api.sessions.get.query({ id: other.id });
    expect(safetyReviews?.map(({ wasAskedBefore }) => wasAskedBefore)).toEqual([null, null]);
    expect((await refusal(lock(other))).fields?.["unmetReason"]).toContain("The safety review of P1 was written after");
  });

  test("when a concern was told before a session that is written up later, then the lock says that nobody had screened since", async () => {
    const built = await anOlderCase();
    const session = await record(built, daysAgo(7));
    await finish(built, session, { wasAskedBefore: true, isSafe: false, note: "They were followed" });
    const asked = (await refusal(lock(session))).message;
    expect(asked).toContain("P1");
  });

  test("when one is written after it began, then it reads so, and the lock asks why and keeps it", async () => {
    const built = await anOlderCase();
    const session = await record(built, daysAgo(7));
    await finish(built, session);
    const { safetyReviews } = await practice.api.sessions.get.query({ id: session.id });
    expect(safetyReviews?.map(({ isLate }) => isLate)).toEqual([true, true]);
    expect(await refusal(lock(session))).toMatchObject({
      code: "BAD_REQUEST",
      fields: {
        unmetReason: expect.stringContaining("The safety review of P1 was written after the session had begun."),
      },
    });
    expect(await lock(session, "Asked before it by phone")).toMatchObject({
      status: "locked",
      unmet: [{ reason: "Asked before it by phone" }],
    });
  });
});

describe("sessions.setTimes", () => {
  test("when the time of a held session is corrected, then why is asked for, and both times stay in its history", async () => {
    const built = await anOlderCase();
    const session = await record(built, daysAgo(7));
    expect(await refusal(correct(session, daysAgo(8), { reason: " " }))).toMatchObject({
      fields: { reason: "Say why the time is corrected." },
    });
    const corrected = await correct(session, daysAgo(8));
    expect(corrected).toMatchObject(timesOf(daysAgo(8)));
    expect(corrected.timeChanges).toMatchObject([
      { to: timesOf(daysAgo(7)) },
      { from: timesOf(daysAgo(7)), to: timesOf(daysAgo(8)), reason: "It was another day" },
    ]);
  });

  test("when it is moved to a day on which something was missing, then that is asked for; moved back, it is gone", async () => {
    const built = await anOlderCase();
    const session = await record(built, daysAgo(7));
    expect((await refusal(correct(session, daysAgo(25)))).fields).toHaveProperty("unmetReason");
    const moved = await correct(session, daysAgo(25), { unmetReason: "They signed at its end" });
    expect(moved.unmet).toHaveLength(1);
    expect((await correct(session, daysAgo(7))).unmet).toEqual([]);
  });

  test("when a session was prepared, then it was held then, and its next steps become tasks", async () => {
    const built = await anOlderCase();
    const session = await practice.api.sessions.create.mutate({
      id: newId(),
      caseId: built.theCase.id,
      meetingId: null,
    });
    const step = { id: newId(), text: "Ask the bank", partyId: null, dueOn: null };
    await practice.api.sessions.saveNextStep.mutate({ id: session.id, changeId: newId(), step });
    const held = await correct(session, daysAgo(7), { reason: "" });
    expect(held).toMatchObject({ status: "ended", nextSteps: [{ taskId: expect.any(String) }] });
  });

  test("when it is locked or runs, then its time stays", async () => {
    const built = await anOlderCase();
    const running = await practice.api.sessions.start.mutate({
      id: newId(),
      caseId: built.theCase.id,
      meetingId: null,
    });
    expect(await refusal(correct(running, daysAgo(7)))).toMatchObject({ code: "PRECONDITION_FAILED" });
    const session = await record(built, daysAgo(7));
    await finish(built, session);
    await lock(session, "Asked before it by phone");
    expect(await refusal(correct(session, daysAgo(8)))).toMatchObject({ code: "PRECONDITION_FAILED" });
  });
});

test("sessions.get: when a session is from before times were kept, then it reads as it is", async () => {
  const built = await anOlderCase();
  const { id } = await record(built, daysAgo(7));
  const sessions = mongoose.connection.collection<{ _id: string }>("sessions");
  await sessions.updateOne({ _id: id }, { $unset: { timeChanges: 1, unmet: 1 } });
  expect(await practice.api.sessions.get.query({ id })).toMatchObject({ timeChanges: [], unmet: [] });
});

test("casework.correct: when a session of an earlier day was written up since, then its case was in mediation", async () => {
  const built = await anOlderCase();
  await record(built, daysAgo(7));
  const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
  const back = practice.api.casework.correct.mutate({ id, version, partyId: "", reason: "Too early" });
  expect(await refusal(back)).toMatchObject({ message: expect.stringContaining("was begun since") });
});
