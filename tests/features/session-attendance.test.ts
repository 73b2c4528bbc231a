// Who is awaited in a session, and who may be marked as present in it.
import { newId } from "@app/server/core/ids";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase } from "../support/server/led.ts";
import {
  aCase,
  aClient,
  aMeetingInput,
  aPractice,
  meetingDetailsOf,
  type TestPractice,
} from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);

test("sessions.setAttendance: somebody who has left the case comes to none of its sessions before they are back in it", async () => {
  const practice = await aPractice(app);
  const { theCase, p1, p2 } = await aCase(practice, { domain: "other" });
  const { api } = practice;
  const { version } = await api.cases.get.query({ id: theCase.id });
  const leaving = { to: "withdrawn" as const, on: "2026-01-05", reason: "Ill", isOwnDecision: true, confidences: null };
  await api.casework.moveParty.mutate({ id: theCase.id, version, partyId: p2.partyId, ...leaving });
  const alone = { caseId: theCase.id, partyIds: [p1.partyId], type: "pre_meeting" as const };
  const { id: meetingId } = await api.meetings.create.mutate(aMeetingInput(practice.ownerId, alone));
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId });
  const come = api.sessions.setAttendance.mutate({ id, changeId: newId(), partyId: p2.partyId, state: "present" });
  expect((await refusal(come)).message).toBe(
    "P2 does not take part in this case any more. Bring them back into it first.",
  );
});

async function aCaseThatSomebodyJoins(practice: TestPractice) {
  const { api } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice);
  const join = async () => {
    const { id: clientId } = await api.clients.create.mutate(aClient());
    const { version } = await api.cases.get.query({ id: theCase.id });
    const party = { clientId, role: "respondent" as const, side: "" };
    const joined = await api.casework.addParty.mutate({ changeId: newId(), id: theCase.id, version, party });
    await api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
    return joined.parties[2]?.partyId ?? "";
  };
  return { api, caseId: theCase.id, ids: [p1.partyId, p2.partyId], join };
}

test("sessions.start: when somebody joined who was not invited yet, then the others mediate without them, and they do not come before they agreed", async () => {
  const { api, caseId, ids, join } = await aCaseThatSomebodyJoins(await aPractice(app));
  const prepared = await api.sessions.create.mutate({ id: newId(), caseId, meetingId: null });
  const third = await join();
  const end = (id: string) => api.sessions.move.mutate({ id, changeId: newId(), to: "ended" });
  const begun = await api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
  expect(begun.partyIds).toEqual(ids);
  await end(begun.id);
  const later = await api.sessions.create.mutate({ id: newId(), caseId, meetingId: null });
  const begin = (id: string) => api.sessions.move.mutate({ id, changeId: newId(), to: "in_progress" });
  expect(await begin(later.id)).toMatchObject({ partyIds: ids });
  await end(later.id);
  expect(await begin(prepared.id)).toMatchObject({ partyIds: ids });
  const come = api.sessions.setAttendance.mutate({
    id: prepared.id,
    changeId: newId(),
    partyId: third,
    state: "present",
  });
  expect((await refusal(come)).code).toBe("PRECONDITION_FAILED");
});

test("sessions.move: when its meeting names somebody who has not agreed, then it waits until they are taken out of the meeting", async () => {
  const practice = await aPractice(app);
  const { api, caseId, ids, join } = await aCaseThatSomebodyJoins(practice);
  const booked = { type: "mediation", caseId, partyIds: ids } as const;
  const meeting = await api.meetings.create.mutate(aMeetingInput(practice.ownerId, booked));
  const third = await join();
  await mongoose.connection
    .collection<{ _id: string }>("meetings")
    .updateOne({ _id: meeting.id }, { $set: { partyIds: [...ids, third] } });
  const { id } = await api.sessions.create.mutate({ id: newId(), caseId, meetingId: meeting.id });
  const start = () => api.sessions.move.mutate({ id, changeId: newId(), to: "in_progress" });
  expect((await refusal(start())).message).toContain("take them out of it first");
  const named = await api.meetings.get.query({ id: meeting.id });
  await api.meetings.update.mutate({ ...meetingDetailsOf(named), partyIds: ids });
  expect((await start()).partyIds).toEqual(ids);
});
