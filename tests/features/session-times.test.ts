// S72: what a party is told of a session says nothing of what the others had apart.
import { newId } from "@app/server/core/ids";
import type { Session } from "@app/shared/sessions";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { aMediatedCase } from "../support/server/led.ts";
import { aMeetingInput, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

type Built = Awaited<ReturnType<typeof aMediatedCase>>;
let days = 0;
const nextDay = () => new Date(Date.UTC(2031, 0, (days += 1))).toISOString().slice(0, 10);

/** A meeting at 10:16 to which the first party comes an hour before. */
async function aMeeting({ theCase, p1 }: Built, partyIds: string[], day = nextDay()) {
  const input = {
    caseId: theCase.id,
    partyIds,
    startsAt: `${day}T10:16:00.000Z`,
    arrivals: [{ partyId: p1.partyId, minutesBefore: 60 }],
  };
  const meeting = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, input));
  return { day, meeting };
}

/** A session of this meeting as it is once it was held from 09:15 to 11:15, with a pause of ten minutes. */
async function held({ theCase }: Built, day: string, meetingId: string | null): Promise<Session> {
  const session = await practice.api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId });
  const times = { startedAt: new Date(`${day}T09:15:00.000Z`), endedAt: new Date(`${day}T11:15:00.000Z`) };
  await mongoose.connection
    .collection<{ _id: string }>("sessions")
    .updateOne({ _id: session.id }, { $set: { ...times, minutes: 110, pausedMs: 600_000, status: "ended" } });
  return session;
}

const summaryOf = async ({ id }: Session, { partyId }: { partyId: string }) => {
  const { number, startedAt, minutes } = await practice.api.sessions.partySummary.query({ id, partyId });
  return { number, startedAt, minutes };
};

test("S72: sessions.partySummary: when the other came an hour before, then the session starts and lasts as this party's own meeting says", async () => {
  const built = await aMediatedCase(practice);
  const { day, meeting } = await aMeeting(built, [built.p1.partyId, built.p2.partyId]);
  const session = await held(built, day, meeting.id);
  expect(await summaryOf(session, built.p1)).toEqual({
    number: 1,
    startedAt: `${day}T09:16:00.000Z`,
    minutes: 110,
  });
  expect(await summaryOf(session, built.p2)).toEqual({ number: 1, startedAt: `${day}T10:16:00.000Z`, minutes: 59 });
});

test("S72: sessions.partySummary: when the meeting was moved before it was held, then it is as the new time says", async () => {
  const built = await aMediatedCase(practice);
  const { meeting } = await aMeeting(built, [built.p1.partyId, built.p2.partyId]);
  const prepared = { id: newId(), caseId: built.theCase.id, meetingId: meeting.id };
  await practice.api.sessions.create.mutate(prepared);
  const day = nextDay();
  const to = { startsAt: `${day}T10:16:00.000Z`, endsAt: `${day}T11:16:00.000Z` };
  const why = { changeId: newId(), reason: "Ill", allowsOverlap: false };
  const { id, version } = meeting;
  await practice.api.meetings.reschedule.mutate({ id, version, ...to, ...why });
  const session = await held(built, day, meeting.id);
  expect(await summaryOf(session, built.p2)).toMatchObject({ startedAt: `${day}T10:16:00.000Z`, minutes: 59 });
});

test("S72: sessions.partySummary: when the others had a session apart, then this party's own are counted without it", async () => {
  const built = await aMediatedCase(practice);
  const { p1, p2 } = built;
  const apart = await aMeeting(built, [p1.partyId]);
  await held(built, apart.day, apart.meeting.id);
  const joint = await aMeeting(built, [p1.partyId, p2.partyId]);
  const session = await held(built, joint.day, joint.meeting.id);
  expect(session.number).toBe(2);
  expect((await summaryOf(session, p1)).number).toBe(2);
  expect((await summaryOf(session, p2)).number).toBe(1);
  const next = await held(built, nextDay(), null);
  expect((await summaryOf(next, p1)).number).toBe(3);
  expect((await summaryOf(next, p2)).number).toBe(2);
});

test("S72: sessions.partySummary: when there is no meeting, then all who were asked are told its start and length alike", async () => {
  const built = await aMediatedCase(practice);
  const day = nextDay();
  const session = await held(built, day, null);
  for (const party of [built.p1, built.p2])
    expect(await summaryOf(session, party)).toEqual({ number: 1, startedAt: `${day}T09:15:00.000Z`, minutes: 110 });
});

test("S72: sessions.partySummary: when somebody came who was not asked to the meeting, then its start is not told to them", async () => {
  const built = await aMediatedCase(practice);
  const { day, meeting } = await aMeeting(built, [built.p1.partyId]);
  const { id } = await practice.api.sessions.start.mutate({
    id: newId(),
    caseId: built.theCase.id,
    meetingId: meeting.id,
  });
  const mark = { id, changeId: newId(), partyId: built.p2.partyId, state: "late" as const };
  await practice.api.sessions.setAttendance.mutate(mark);
  const session = await held(built, day, meeting.id);
  expect(await summaryOf(session, built.p2)).toEqual({ number: 1, startedAt: null, minutes: 0 });
});

test("S72: what a party gets of a case, when sessions were held, then no line of it counts them", async () => {
  const built = await aMediatedCase(practice);
  const session = await held(built, nextDay(), null);
  const { items } = await practice.api.timeline.list.query({ caseId: built.theCase.id, page: 1, kind: "session" });
  expect(items.map(({ text }) => text)).toContain(`Session ${session.number} started`);
  const preview = await practice.api.partyView.preview.query({ caseId: built.theCase.id, partyId: built.p2.partyId });
  expect(JSON.stringify(preview)).not.toContain("Session");
});

test("sessions.partySummary: when a meeting that is still to come is held now, then whoever came is told of now, and nobody else of then", async () => {
  const built = await aMediatedCase(practice);
  const { meeting } = await aMeeting(built, [built.p1.partyId, built.p2.partyId]);
  const { api } = practice;
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId: built.theCase.id, meetingId: meeting.id });
  await api.sessions.setAttendance.mutate({ id, changeId: newId(), partyId: built.p1.partyId, state: "present" });
  await api.sessions.setAttendance.mutate({ id, changeId: newId(), partyId: built.p2.partyId, state: "no_show" });
  const session = await api.sessions.move.mutate({ id, changeId: newId(), to: "ended" });
  const { startedAt } = await summaryOf(session, built.p1);
  expect(Date.parse(startedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(session.startedAt ?? ""));
  expect(Date.parse(startedAt ?? "")).toBeLessThanOrEqual(Date.parse(session.endedAt ?? ""));
  expect(await summaryOf(session, built.p2)).toMatchObject({ startedAt: null, minutes: 0 });
});

test("sessions.partySummary: when all were to come at once and it began before, then whoever came is told its own times, and nobody else", async () => {
  const built = await aMediatedCase(practice);
  const day = nextDay();
  const partyIds = [built.p1.partyId, built.p2.partyId];
  const input = { caseId: built.theCase.id, partyIds, startsAt: `${day}T10:16:00.000Z` };
  const { api, ownerId } = practice;
  const meeting = await api.meetings.create.mutate(aMeetingInput(ownerId, input));
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId: built.theCase.id, meetingId: meeting.id });
  await api.sessions.setAttendance.mutate({ id, changeId: newId(), partyId: built.p1.partyId, state: "present" });
  const session = await held(built, day, meeting.id);
  expect(session.id).toBe(id);
  expect(await summaryOf(session, built.p1)).toEqual({ number: 1, startedAt: `${day}T09:15:00.000Z`, minutes: 110 });
  expect(await summaryOf(session, built.p2)).toEqual({ number: 1, startedAt: `${day}T10:16:00.000Z`, minutes: 59 });
});
