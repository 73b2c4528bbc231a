// What of a session is for whom.
import { newId } from "@app/server/core/ids";
import { expect, test } from "vitest";
import { aMediatedCase } from "../support/server/led.ts";
import { aMeetingInput, aPractice, aStaffUser } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);

test("S72: sessions.partySummary: of a meeting with the other party alone nothing is for this one", async () => {
  const practice = await aPractice(app);
  const { api } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice);
  const apart = { ...aMeetingInput(practice.ownerId), caseId: theCase.id, partyIds: [p1.partyId] };
  const meeting = await api.meetings.create.mutate(apart);
  const session = await api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: meeting.id });
  const asked = { id: session.id, partyId: p2.partyId };
  expect(await refusal(api.sessions.partySummary.query(asked))).toMatchObject({ code: "PRECONDITION_FAILED" });
  expect(await api.sessions.partySummary.query({ ...asked, partyId: p1.partyId })).toMatchObject({ number: 1 });
  await api.sessions.setAttendance.mutate({ id: session.id, changeId: newId(), partyId: p2.partyId, state: "present" });
  expect(await api.sessions.partySummary.query(asked)).toMatchObject({ number: 1, attendance: "present" });
});

test("S70: sessions.reviewSafety: a review of safety, when somebody may not read it, is not theirs to write over", async () => {
  const practice = await aPractice(app);
  const { api } = practice;
  const { theCase, p1 } = await aMediatedCase(practice);
  const session = await api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  const change = () => ({ id: session.id, changeId: newId() });
  const review = { partyId: p1.partyId, hasChanged: true, isSafe: true, doMeasuresFit: true, note: "He moved nearer" };
  await api.sessions.reviewSafety.mutate({ ...change(), ...review });
  const person = await aStaffUser(app, practice, {
    permissions: ["clients.read", "clients.write", "notes.private.read"],
  });
  const blind = { ...change(), ...review, note: "Nothing" };
  expect(await refusal(person.api.sessions.reviewSafety.mutate(blind))).toMatchObject({ code: "FORBIDDEN" });
  expect((await person.api.sessions.get.query({ id: session.id })).safetyReviews).toBeNull();
  expect((await api.sessions.get.query({ id: session.id })).safetyReviews).toMatchObject([review]);
});
