// Nobody is in two sessions of a case at once, and the same hours are not written up twice without a word.
import { HOUR_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { aMeetingInput, aPractice, ledBy } from "../support/server/people.ts";
import { metBefore } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const DAY = addDays(TODAY, -5);
const counted = (caseId: string) => SessionModel.countDocuments({ ownerId: practice.ownerId, caseId });
const start = (caseId: string, meetingId: string | null = null) =>
  practice.api.sessions.start.mutate({ id: newId(), caseId, meetingId });

const record = (caseId: string, [from, to]: [string, string], unmetReason = "") =>
  practice.api.sessions.record.mutate({
    id: newId(),
    caseId,
    meetingId: null,
    startedAt: `${DAY}T${from}:00.000Z`,
    endedAt: `${DAY}T${to}:00.000Z`,
    unmetReason,
  });

/** In mediation since long before, screened too late: what is missing for every session of that day. */
async function mediated() {
  const built = await aMediatedCase(practice, { ...ledBy(practice.ownerId), startedOn: addDays(TODAY, -30) });
  await metBefore(practice, built.theCase.id, addDays(TODAY, -20));
  return { ...built, caseId: built.theCase.id };
}

test("sessions.start: when one of those awaited is in a session that is under way, then it is refused with what to do, also where both start at once", async () => {
  const { caseId } = await mediated();
  const results = await Promise.allSettled([start(caseId), start(caseId)]);
  expect(results.map(({ status }) => status).toSorted((one, other) => one.localeCompare(other))).toEqual([
    "fulfilled",
    "rejected",
  ]);
  expect(await refusal(start(caseId))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("Session 1 is under way with P1 and P2. End it first"),
  });
  expect(await counted(caseId)).toBe(1);
  const [running] = (await practice.api.sessions.ofCase.query({ id: caseId })).items;
  await practice.api.sessions.move.mutate({ id: running?.id ?? "", changeId: newId(), to: "ended" });
  expect(await start(caseId)).toMatchObject({ number: 2, status: "in_progress" });
});

test("sessions.move: when one was prepared, then it waits too until the other has ended", async () => {
  const { caseId } = await mediated();
  const { id } = await practice.api.sessions.create.mutate({ id: newId(), caseId, meetingId: null });
  await start(caseId);
  const begin = practice.api.sessions.move.mutate({ id, changeId: newId(), to: "in_progress" });
  expect((await refusal(begin)).message).toContain("Session 2 is under way");
  expect((await practice.api.sessions.get.query({ id })).status).toBe("scheduled");
});

test("sessions.start: individual meetings of two who are seen apart, when they are at the same time, then both begin", async () => {
  const { caseId, p1, p2 } = await mediated();
  const numbers = [];
  for (const [index, { partyId }] of [p1, p2].entries()) {
    const startsAt = new Date(Date.UTC(2033, 1, 1 + index, 9)).toISOString();
    const input = aMeetingInput(practice.ownerId, { caseId, type: "pre_meeting", partyIds: [partyId], startsAt });
    const { id } = await practice.api.meetings.create.mutate(input);
    numbers.push((await start(caseId, id)).number);
  }
  expect(numbers).toEqual([1, 2]);
});

test("sessions.record: the same hours, when they are written up again, then it is said which session has them, and the reason is kept", async () => {
  const { caseId } = await mediated();
  await record(caseId, ["10:00", "12:00"], "Screened late");
  const told = "No hours of its own: P1 and P2 were in session 1 at that time.";
  for (const hours of [
    ["10:00", "12:00"],
    ["11:00", "13:00"],
    ["09:00", "10:01"],
  ] satisfies [string, string][])
    expect((await refusal(record(caseId, hours))).fields).toEqual({ unmetReason: expect.stringContaining(told) });
  expect(await counted(caseId)).toBe(1);
  const after = await record(caseId, ["12:00", "13:00"], "Screened late");
  expect(JSON.stringify(after.unmet)).not.toContain("No hours of its own");
  const again = await record(caseId, ["11:00", "12:00"], "Two mediators, two rooms");
  expect(again.unmet).toContainEqual(
    expect.objectContaining({ what: expect.arrayContaining([told]), reason: "Two mediators, two rooms" }),
  );
  const times = { startedAt: `${DAY}T10:30:00.000Z`, endedAt: `${DAY}T11:00:00.000Z` };
  const moved = practice.api.sessions.setTimes.mutate({
    id: after.id,
    changeId: newId(),
    ...times,
    reason: "Misread",
    unmetReason: "",
  });
  expect((await refusal(moved)).fields).toEqual({ unmetReason: expect.stringContaining(told) });
});

test("sessions.move: whoever held a session of another case in the same hours says why when the later one is locked, and of other hours nothing is asked", async () => {
  const [first, second, third] = [await mediated(), await mediated(), await mediated()];
  const told = "No hours of its own: Ines Marchbank held a session of another case at that time.";
  const write = async ({ caseId, p1, p2 }: typeof first, hours: [string, string]) => {
    const { id } = await record(caseId, hours, "Screened late");
    const change = () => ({ id, changeId: newId() });
    const safe = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
    for (const { partyId } of [p1, p2]) {
      await practice.api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
      await practice.api.sessions.reviewSafety.mutate({ ...change(), partyId, ...safe });
    }
    await practice.api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
    return (unmetReason: string) =>
      practice.api.sessions.move.mutate({ ...change(), to: "locked" as const, unmetReason });
  };
  const lockFirst = await write(first, ["14:00", "15:00"]);
  expect(JSON.stringify((await lockFirst("Written late")).unmet)).not.toContain(told);
  const lockSecond = await write(second, ["14:30", "15:30"]);
  expect((await refusal(lockSecond(""))).fields).toEqual({ unmetReason: expect.stringContaining(told) });
  expect(JSON.stringify((await lockSecond("Two rooms, by turns")).unmet)).toContain(told);
  const lockThird = await write(third, ["15:30", "16:00"]);
  expect(JSON.stringify((await lockThird("Written late")).unmet)).not.toContain(told);
});

test("sessions.move: where “End” was pressed the next morning, the lock asks why it was as long, and of more than a day it waits for the time", async () => {
  const { caseId, p1, p2 } = await mediated();
  const { id } = await start(caseId);
  const change = () => ({ id, changeId: newId() });
  const safe = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
  for (const { partyId } of [p1, p2]) {
    await practice.api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    await practice.api.sessions.reviewSafety.mutate({ ...change(), partyId, ...safe });
  }
  await practice.api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  const begunHoursAgo = (hours: number) =>
    SessionModel.updateOne(
      { ownerId: practice.ownerId, _id: id },
      { $set: { startedAt: new Date(Date.now() - hours * HOUR_MS) } },
    );
  await begunHoursAgo(25);
  await practice.api.sessions.move.mutate({ ...change(), to: "ended" });
  const lock = (unmetReason: string) => practice.api.sessions.move.mutate({ ...change(), to: "locked", unmetReason });
  expect((await refusal(lock("It was long"))).message).toContain("A session lasts at most a day");
  await begunHoursAgo(13);
  expect((await refusal(lock(""))).fields).toEqual({
    unmetReason: expect.stringContaining("it is recorded as longer than 10 hours"),
  });
  expect(await lock("They went on through the night")).toMatchObject({ status: "locked" });
});
