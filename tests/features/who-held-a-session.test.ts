// Who held a session, or a MIAM, where somebody has left the practice.
import { newId } from "@app/server/core/ids";
import { UserModel } from "@app/server/features/users/users.model";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAuthorisedPractice, anUnscreenedMiam, authorise, daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { aCase, aStaffUser, ledBy } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

let number = 0;
/** A mediator of the practice, and how they leave: some days ago where it is said. */
async function aColleague() {
  const { api, ownerId } = practice;
  const person = await aStaffUser(app, practice, { role: 2 });
  number += 1;
  const id = await authorise(practice, person, `77${number}Z`);
  const leave = async (days = 0) => {
    await api.staff.suspend.mutate({ id });
    if (days > 0)
      await UserModel.updateOne(
        { _id: id, owner_id: ownerId },
        { $set: { suspended_at: new Date(`${daysAgo(days)}T09:00Z`) } },
      );
  };
  return { id, leave };
}

async function ledByColleague(leftDaysAgo: number) {
  const { id, leave } = await aColleague();
  const built = await aMediatedCase(practice, { ...ledBy(id), startedOn: daysAgo(30) });
  await leave(leftDaysAgo);
  const caseId = built.theCase.id;
  const record = (day: string) =>
    practice.api.sessions.record.mutate({
      id: newId(),
      caseId,
      meetingId: null,
      startedAt: `${day}T09:00:00.000Z`,
      endedAt: `${day}T10:00:00.000Z`,
      unmetReason: "Asked by telephone",
    });
  return { ...built, id, caseId, record };
}

test("sessions.record: a session was held by the mediators of its case who worked in the practice on its day, else by whoever records it", async () => {
  const { id, record } = await ledByColleague(3);
  expect(await record(daysAgo(5))).toMatchObject({ mediatorIds: [id], mediatorNames: [expect.any(String)] });
  expect(await record(daysAgo(2))).toMatchObject({
    mediatorIds: [practice.ownerId],
    mediatorNames: ["Ines Marchbank"],
  });
});

test("sessions.start: whoever begins a session of a mediator who has left holds it, also one that was prepared", async () => {
  const { caseId, id } = await ledByColleague(1);
  const { api, ownerId } = practice;
  const prepared = await api.sessions.create.mutate({ id: newId(), caseId, meetingId: null });
  expect(prepared.mediatorIds).toEqual([id]);
  const begun = await api.sessions.move.mutate({ id: prepared.id, changeId: newId(), to: "in_progress" });
  expect(begun.mediatorIds).toEqual([ownerId]);
});

test("sessions.start: whoever has left on this very day does not hold what begins now", async () => {
  const { caseId } = await ledByColleague(0);
  const begun = await practice.api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
  expect(begun.mediatorIds).toEqual([practice.ownerId]);
});

test("staff.reactivate: nobody held a session of a day between their leaving and their coming back", async () => {
  const { id, record } = await ledByColleague(6);
  await practice.api.staff.reactivate.mutate({ id });
  await UserModel.updateOne(
    { _id: id, owner_id: practice.ownerId },
    { $set: { "absences.0.to": new Date(`${daysAgo(2)}T09:00Z`) } },
  );
  expect(await record(daysAgo(4))).toMatchObject({ mediatorIds: [practice.ownerId] });
  for (const day of [daysAgo(6), daysAgo(2), daysAgo(1)])
    expect(await record(day)).toMatchObject({ mediatorIds: [id] });
});

test("sessions.amend: who held it is corrected, what was recorded stays readable, and nobody is named who worked there no more", async () => {
  const other = await aColleague();
  const { caseId } = await ledByColleague(3);
  const { api, ownerId } = practice;
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
  const change = () => ({ id, changeId: newId() });
  for (const { partyId } of (await api.cases.get.query({ id: caseId })).parties) {
    await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    const safe = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...safe });
  }
  await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  await api.sessions.move.mutate({ ...change(), to: "ended" });
  await api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "As it was agreed" });
  const amend = (mediatorIds: string[]) =>
    api.sessions.amend.mutate({ ...change(), text: "Both came", attendance: [], mediatorIds });
  const gone = await aColleague();
  await gone.leave(2);
  expect((await refusal(amend([gone.id]))).fields).toHaveProperty("mediatorIds");
  const amended = await amend([ownerId, other.id]);
  expect(amended.mediatorIds).toEqual([ownerId, other.id]);
  expect(amended.amendments).toMatchObject([
    { mediators: { from: ["Ines Marchbank"], to: ["Ines Marchbank", expect.any(String)] } },
  ]);
  expect((await amend([ownerId, other.id])).amendments.at(-1)).toMatchObject({ mediators: null });
});

test("assessments.record: nobody conducted a MIAM after they had left, and on the day before they did", async () => {
  const { id, leave } = await aColleague();
  const { theCase, p1, p2 } = await aCase(practice, { mediators: [] }, { isScreened: false });
  await leave(3);
  const record = ({ partyId }: { partyId: string }, attendedOn: string) =>
    practice.api.assessments.record.mutate(
      anUnscreenedMiam({ caseId: theCase.id, partyId, mediatorId: id }, { attendedOn }),
    );
  expect((await refusal(record(p1, TODAY))).fields).toEqual({
    mediatorId: expect.stringContaining("who worked in the practice on this day"),
  });
  expect(await record(p1, daysAgo(4))).toMatchObject({ mediatorId: id });
  expect(await record(p2, daysAgo(3))).toMatchObject({ mediatorId: id });
});

test("sessions.move: when somebody else held the session of a colleague's meeting, then it is said as it is locked, of whoever worked there then", async () => {
  const { id: colleague } = await aColleague();
  const { theCase } = await aMediatedCase(practice, ledBy(colleague));
  const { api, ownerId } = practice;
  const started = await api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  expect(started.mediatorIds).toEqual([colleague]);
  const change = () => ({ id: started.id, changeId: newId() });
  for (const { partyId } of theCase.parties) {
    await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    const safe = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...safe });
  }
  await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  await api.sessions.move.mutate({ ...change(), to: "ended" });
  const lock = (mediatorIds: string[]) =>
    api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "As it was agreed", mediatorIds });
  const gone = await aColleague();
  await gone.leave(2);
  expect((await refusal(lock([gone.id]))).fields).toHaveProperty("mediatorIds");
  expect(await lock([ownerId])).toMatchObject({ status: "locked", mediatorIds: [ownerId], amendments: [] });
});
