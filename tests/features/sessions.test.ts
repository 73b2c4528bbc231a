import { newId } from "@app/server/core/ids";
import { createMeeting } from "@app/server/features/meetings/booking.service";
import { getMeeting } from "@app/server/features/meetings/meetings.service";
import { unfinishedSessions } from "@app/server/features/sessions/sessions.service";
import type { CreateMeeting } from "@app/shared/meetings";
import { richTextOf } from "@app/shared/rich-text";
import {
  elapsedMs,
  PROPOSAL_STATUSES,
  PROPOSAL_TRANSITIONS,
  SESSION_STATUSES,
  SESSION_TRANSITIONS,
  type SessionStatus,
} from "@app/shared/session-states";
import type { AddProposal, Session } from "@app/shared/sessions";
import { caucusOf, MEDIATOR_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { aMediatedCase } from "../support/server/led.ts";
import {
  aMeetingInput,
  aPractice,
  aStaffUser,
  scopeOf,
  type SentChange,
  type TestPractice,
} from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { untilAnswered } from "../support/access/until-answered.ts";
import { orderOfCourt } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);

const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
const MINUTE_MS = 60_000;
type Api = TestPractice["api"];

async function aSession(practice: TestPractice) {
  const found = await aMediatedCase(practice);
  const { api } = practice;
  const session = await api.sessions.start.mutate({ id: newId(), caseId: found.theCase.id, meetingId: null });
  const change = () => ({ id: session.id, changeId: newId() });
  return { ...found, api, session, change };
}

const inState = (id: string, status: SessionStatus, more: object = {}) =>
  mongoose.connection.collection<{ _id: string }>("sessions").updateOne({ _id: id }, { $set: { status, ...more } });

const came = ({ partyId }: { partyId: string }) => ({ partyId, state: "present", at: new Date() });
const aProposal = (
  session: Session,
  byPartyId: string,
  overrides: Partial<SentChange<AddProposal>> = {},
): SentChange<AddProposal> => ({
  id: session.id,
  changeId: newId(),
  proposalId: newId(),
  issue: "Family home",
  text: "Sell in spring, split 60 / 40",
  byPartyId,
  visibility: SHARED,
  countersId: null,
  on: null,
  release: null,
  ...overrides,
});

async function finish(api: Api, session: Session, partyIds: string[]) {
  const change = () => ({ id: session.id, changeId: newId() });
  for (const partyId of partyIds) {
    await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
  }
  await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  await api.sessions.move.mutate({ ...change(), to: "ended" });
}

test("sessions.create: sessions of a case are numbered from 1, also when five are prepared at once", async () => {
  const practice = await aPractice(app);
  const { theCase } = await aMediatedCase(practice);
  const prepared = await Promise.all(
    Array.from({ length: 5 }, () =>
      practice.api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: null }),
    ),
  );
  expect(prepared.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
  const { items } = await practice.api.sessions.ofCase.query({ id: theCase.id });
  expect(items.map(({ number }) => number)).toEqual([5, 4, 3, 2, 1]);
});

const aMeeting = (caseId: string, mediatorId: string, partyIds: string[]): CreateMeeting => {
  const { id: _id, ...meeting } = aMeetingInput(mediatorId, { caseId, partyIds, startsAt: "2027-03-01T10:00:00.000Z" });
  return { ...meeting, endsAt: "2027-03-01T11:30:00.000Z" };
};

test("sessions.start: a meeting has one session, which takes its plan and gives it back who came", async () => {
  const practice = await aPractice(app);
  const { theCase, p1, p2 } = await aMediatedCase(practice);
  const scope = scopeOf(practice.ownerId);
  const meeting = await createMeeting(scope, aMeeting(theCase.id, practice.ownerId, [p1.partyId, p2.partyId]));
  const start = () => practice.api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: meeting.id });
  const started = await Promise.all([start(), start(), start()]);
  const [session] = started;
  expect(new Set(started.map(({ id }) => id)).size).toBe(1);
  expect(session).toMatchObject({ meetingId: meeting.id, plannedMinutes: 90, mediatorIds: [practice.ownerId] });
  const mark = { id: session?.id ?? "", changeId: newId(), partyId: p2.partyId, state: "no_show" as const };
  await practice.api.sessions.setAttendance.mutate(mark);
  expect((await getMeeting(scope, meeting.id)).attendance).toEqual([{ partyId: p2.partyId, attendance: "no_show" }]);
  const other = await aMediatedCase(practice);
  const foreign = practice.api.sessions.start.mutate({
    id: newId(),
    caseId: other.theCase.id,
    meetingId: meeting.id,
  });
  expect((await refusal(foreign)).code).toBe("CONFLICT");
});

test("sessions.create: a prepared session takes an agenda and starts later", async () => {
  const practice = await aPractice(app);
  const { theCase } = await aMediatedCase(practice);
  const { id, status } = await practice.api.sessions.create.mutate({
    id: newId(),
    caseId: theCase.id,
    meetingId: null,
  });
  expect(status).toBe("scheduled");
  const topic = {
    id: "home",
    topic: "Family home",
    privilege: "without_prejudice" as const,
    minutes: 20,
    isDone: false,
  };
  await practice.api.sessions.saveTopic.mutate({ id, changeId: newId(), topic });
  const started = await practice.api.sessions.move.mutate({ id, changeId: newId(), to: "in_progress" });
  expect(started).toMatchObject({ id, status: "in_progress", agenda: [topic], startedAt: expect.any(String) });
});

const steps = SESSION_STATUSES.flatMap((from) => SESSION_STATUSES.map((to) => [from, to] as const));
test.each(steps)("sessions.move: from %s to %s is allowed exactly where the machine says so", async (from, to) => {
  const practice = await aPractice(app);
  const { session, api, change, p1, p2 } = await aSession(practice);
  for (const { partyId } of [p1, p2]) {
    await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "late" });
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
  }
  await api.sessions.update.mutate({ ...change(), outcome: { code: "not_agreed", text: "" } });
  await inState(session.id, from);
  const why = { unmetReason: "Asked before it began", cancelReason: "The wrong case" };
  const call = api.sessions.move.mutate({ ...change(), to, ...why });
  // What took place is never called off.
  if (to === "cancelled" && from !== "scheduled") return expect((await refusal(call)).code).toBe("PRECONDITION_FAILED");
  if (SESSION_TRANSITIONS[from].includes(to)) return expect((await call).status).toBe(to);
  const { code, message } = await refusal(call);
  expect(code).toBe("PRECONDITION_FAILED");
  for (const legal of SESSION_TRANSITIONS[from]) expect(message).toContain(legal.replace("_", " "));
});

test("sessions.move: locking says what is missing, and is refused until it is there", async () => {
  const practice = await aPractice(app);
  const { api, change, p1, p2, theCase } = await aSession(practice);
  await api.sessions.move.mutate({ ...change(), to: "ended" });
  const refused = await refusal(
    api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began" }),
  );
  expect(refused.message).toBe("Record who came, for each party. Record the outcome of the session.");
  expect(await unfinishedSessions(scopeOf(practice.ownerId), theCase.id)).toEqual([1]);
  await api.sessions.setAttendance.mutate({ ...change(), partyId: p1.partyId, state: "present" });
  await api.sessions.setAttendance.mutate({ ...change(), partyId: p2.partyId, state: "no_show" });
  await api.sessions.update.mutate({ ...change(), outcome: { code: "broken_off", text: "" } });
  expect(await unfinishedSessions(scopeOf(practice.ownerId), theCase.id)).toEqual([]);
  await api.sessions.reviewSafety.mutate({ ...change(), partyId: p1.partyId, ...STILL_SAFE });
  expect(
    (await api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began" })).lockedAt,
  ).toEqual(expect.any(String));
});

test("unfinishedSessions: a cancelled session lacks nothing, every other one needs attendance and outcome", async () => {
  const practice = await aPractice(app);
  const { theCase } = await aMediatedCase(practice);
  const wish = () => ({ id: newId(), caseId: theCase.id, meetingId: null });
  const prepared = await practice.api.sessions.create.mutate(wish());
  await practice.api.sessions.start.mutate(wish());
  const numbers = () => unfinishedSessions(scopeOf(practice.ownerId), theCase.id);
  expect(await numbers()).toEqual([2, 1]);
  await practice.api.sessions.move.mutate({ id: prepared.id, changeId: newId(), to: "cancelled" });
  expect(await numbers()).toEqual([2]);
});

test("sessions: after the lock every change of the minutes is refused and nothing changes, but amendments are added", async () => {
  const practice = await aPractice(app);
  const { session, api, change, p1, p2 } = await aSession(practice);
  const proposal = aProposal(session, p1.partyId, { visibility: caucusOf(p1.partyId) });
  await api.sessions.addProposal.mutate(proposal);
  await api.sessions.saveNextStep.mutate({
    ...change(),
    step: { id: "step", text: "Send figures", partyId: p1.partyId, dueOn: "2026-12-01" },
  });
  const note = { kind: "file_note" as const, visibility: SHARED, body: richTextOf("As it was") };
  const written = await api.sessions.addNote.mutate({ sessionId: session.id, note: { ...note, id: newId() } });
  await finish(api, session, [p1.partyId, p2.partyId]);
  const locked = await api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began" });

  const { sessions, notes } = api;
  const topic = { id: "t", topic: "Home", privilege: "none" as const, minutes: 0, isDone: true };
  const step = { id: "other", text: "Late", partyId: null, dueOn: null };
  const attempts = [
    sessions.update.mutate({ ...change(), minutes: 1 }),
    sessions.move.mutate({ ...change(), to: "ended" }),
    sessions.setPaused.mutate({ ...change(), isPaused: true }),
    sessions.setAttendance.mutate({ ...change(), partyId: p1.partyId, state: "no_show" }),
    sessions.saveTopic.mutate({ ...change(), topic }),
    sessions.removeTopic.mutate({ ...change(), topicId: "t" }),
    sessions.addNote.mutate({ sessionId: session.id, note: { ...note, id: newId() } }),
    sessions.addProposal.mutate(aProposal(session, p1.partyId)),
    sessions.saveNextStep.mutate({ ...change(), step }),
    sessions.removeNextStep.mutate({ ...change(), stepId: "step" }),
    notes.update.mutate({ id: written.id, version: 0, saveId: newId(), body: richTextOf("Changed") }),
    notes.remove.mutate({ id: written.id }),
    notes.restore.mutate({ id: written.id }),
    notes.restoreVersion.mutate({ id: written.id, version: 0, restored: 0, saveId: newId() }),
  ];
  const refusals = await Promise.all(attempts.map(refusal));
  expect(refusals.map(({ code }) => code)).toEqual(attempts.map(() => "PRECONDITION_FAILED"));
  expect(await sessions.get.query({ id: session.id })).toEqual(locked);

  const amendment = { ...change(), text: "Owen came at 14:10, not at 14:00." };
  await sessions.amend.mutate(amendment);
  const amended = await sessions.amend.mutate(amendment);
  expect(amended).toEqual({
    ...locked,
    version: locked.version + 1,
    amendments: [expect.objectContaining({ byName: "Ines Marchbank", text: amendment.text, attendance: [] })],
  });
});

test("sessions.addNote: while a session is being locked no note slips in", async () => {
  const practice = await aPractice(app);
  const { session, api, change, p1, p2 } = await aSession(practice);
  await finish(api, session, [p1.partyId, p2.partyId]);
  const notes = Array.from({ length: 8 }, () => ({
    id: newId(),
    kind: "file_note" as const,
    visibility: SHARED,
    body: richTextOf("late"),
  }));
  const adding = notes.map((note) => api.sessions.addNote.mutate({ sessionId: session.id, note }).catch(() => null));
  await api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began" });
  await Promise.all(adding);
  const open = await mongoose.connection.collection("notes").countDocuments({ sessionId: session.id, lockedAt: null });
  expect(open).toBe(0);
});

test("sessions: a change that is sent again is not made again", async () => {
  const practice = await aPractice(app);
  const { session, api, change, p1 } = await aSession(practice);
  const proposal = aProposal(session, p1.partyId);
  const pause = { ...change(), isPaused: true };
  const note = { id: newId(), kind: "file_note" as const, visibility: SHARED, body: richTextOf("once") };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await api.sessions.addProposal.mutate(proposal);
    await api.sessions.setPaused.mutate(pause);
    await api.sessions.addNote.mutate({ sessionId: session.id, note });
  }
  const end = { ...change(), to: "ended" as const };
  await api.sessions.move.mutate(end);
  await api.sessions.move.mutate(end);
  const stored = await api.sessions.get.query({ id: session.id });
  expect(stored.proposals).toHaveLength(1);
  expect(stored.status).toBe("ended");
  expect((await api.notes.list.query({ caseId: session.caseId, sessionId: session.id })).total).toBe(1);
});

test("sessions: thirty changes by two people at once are all kept", async () => {
  const practice = await aPractice(app);
  const staff = await aStaffUser(app, practice);
  const { session, p1 } = await aSession(practice);
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      untilAnswered((index % 2 ? practice : staff).api.sessions.addProposal.mutate, aProposal(session, p1.partyId)),
    ),
  );
  expect((await practice.api.sessions.get.query({ id: session.id })).proposals).toHaveLength(30);
});

test("sessions.setPaused: the clock stands still while it is paused, and the minutes say so", async () => {
  const practice = await aPractice(app);
  const { api, change } = await aSession(practice);
  moveTime(30 * MINUTE_MS);
  await api.sessions.setPaused.mutate({ ...change(), isPaused: true });
  moveTime(50 * MINUTE_MS);
  await api.sessions.setPaused.mutate({ ...change(), isPaused: false });
  moveTime(60 * MINUTE_MS);
  const ended = await api.sessions.move.mutate({ ...change(), to: "ended" });
  expect(ended.minutes).toBe(40);
  expect(Math.round(elapsedMs(ended, Date.now() + 90 * MINUTE_MS) / MINUTE_MS)).toBe(40);
});

test("sessions.addProposal: a counter-proposal follows its offer, which then reads countered, with all that happened", async () => {
  const practice = await aPractice(app);
  const { session, api, change, p1, p2 } = await aSession(practice);
  const offer = aProposal(session, p1.partyId);
  await api.sessions.addProposal.mutate(offer);
  const answer = aProposal(session, p2.partyId, { text: "Keep until July", countersId: offer.proposalId });
  await api.sessions.addProposal.mutate(answer);
  await inState(session.id, "in_progress", { attendance: [came(p1)] });
  const agreed = { ...change(), proposalId: answer.proposalId, to: "agreed_in_principle" as const };
  const { proposals } = await api.sessions.setProposalStatus.mutate(agreed);
  expect(proposals).toMatchObject([
    { id: offer.proposalId, status: "countered", history: [{ status: "offered" }, { status: "countered" }] },
    {
      id: answer.proposalId,
      countersId: offer.proposalId,
      status: "agreed_in_principle",
      history: [{ status: "offered" }, { status: "agreed_in_principle" }],
    },
  ]);
  const twice = aProposal(session, p1.partyId, { countersId: offer.proposalId });
  expect((await refusal(api.sessions.addProposal.mutate(twice))).code).toBe("PRECONDITION_FAILED");
});

const proposalSteps = PROPOSAL_STATUSES.flatMap((from) => PROPOSAL_STATUSES.map((to) => [from, to] as const));
test.each(proposalSteps)("sessions.setProposalStatus: from %s to %s follows the machine", async (from, to) => {
  const practice = await aPractice(app);
  const { session, api, change, p1, p2 } = await aSession(practice);
  const proposal = aProposal(session, p1.partyId);
  await api.sessions.addProposal.mutate(proposal);
  await inState(session.id, "in_progress", { "proposals.0.status": from, attendance: [came(p2)] });
  const call = api.sessions.setProposalStatus.mutate({ ...change(), proposalId: proposal.proposalId, to });
  const isLegal = to !== "countered" && PROPOSAL_TRANSITIONS[from].includes(to);
  if (isLegal) expect((await call).proposals[0]?.status).toBe(to);
  else expect(["PRECONDITION_FAILED", "BAD_REQUEST"]).toContain((await refusal(call)).code);
});

test("sessions.addProposal: an answer in confidence must not show in the offer that both can read", async () => {
  const practice = await aPractice(app);
  const { session, api, p1, p2 } = await aSession(practice);
  const offer = aProposal(session, p1.partyId);
  await api.sessions.addProposal.mutate(offer);
  const secret = aProposal(session, p2.partyId, {
    countersId: offer.proposalId,
    visibility: caucusOf(p2.partyId),
  });
  expect((await refusal(api.sessions.addProposal.mutate(secret))).fields).toHaveProperty("visibility");
  expect((await api.sessions.get.query({ id: session.id })).proposals).toMatchObject([{ status: "offered" }]);
});

test("sessions.get: proposals that this person may not read are left out, and look missing by name", async () => {
  const practice = await aPractice(app);
  const caseworker = await aStaffUser(app, practice, { role: 3 });
  const { session, api, change, p1 } = await aSession(practice);
  const secret = aProposal(session, p1.partyId, { visibility: caucusOf(p1.partyId), text: "Would go to 70" });
  await api.sessions.addProposal.mutate(secret);
  await api.sessions.addProposal.mutate(aProposal(session, p1.partyId, { visibility: MEDIATOR_ONLY }));
  expect((await caseworker.api.sessions.get.query({ id: session.id })).proposals).toEqual([]);
  const withdraw = { ...change(), proposalId: secret.proposalId, to: "withdrawn" as const };
  expect((await refusal(caseworker.api.sessions.setProposalStatus.mutate(withdraw))).code).toBe("NOT_FOUND");
});

test("sessions.releaseProposal: with consent it makes a shared proposal that points back, and leaves the first", async () => {
  const practice = await aPractice(app);
  const { session, api, change, p1, p2 } = await aSession(practice);
  const secret = aProposal(session, p1.partyId, { visibility: caucusOf(p1.partyId) });
  await api.sessions.addProposal.mutate(secret);
  const before = await api.sessions.get.query({ id: session.id });
  const { proposalId } = secret;
  const consentOf = (grantedByPartyId: string) => ({
    grantedByPartyId,
    at: new Date().toISOString(),
    how: "In the room",
  });
  const release = (grantedByPartyId: string) =>
    api.sessions.releaseProposal.mutate({
      ...change(),
      proposalId,
      newProposalId: newId(),
      consent: consentOf(grantedByPartyId),
    });
  expect((await refusal(release(p2.partyId))).code).toBe("BAD_REQUEST");
  const { proposals } = await release(p1.partyId);
  expect(proposals).toMatchObject([
    before.proposals[0] ?? {},
    { visibility: SHARED, releasedFromId: proposalId, consent: { grantedByPartyId: p1.partyId } },
  ]);
});

test("sessions.addProposal: what comes out of a caucus note needs that party's consent", async () => {
  const practice = await aPractice(app);
  const { session, api, p1, p2 } = await aSession(practice);
  const note = await api.sessions.addNote.mutate({
    sessionId: session.id,
    note: {
      id: newId(),
      kind: "caucus" as const,
      visibility: caucusOf(p2.partyId),
      body: richTextOf("Could raise £18,000"),
    },
  });
  const promote = (grantedByPartyId: string, visibility: Visibility = SHARED) =>
    api.sessions.addProposal.mutate(
      aProposal(session, p2.partyId, {
        visibility,
        release: { noteId: note.id, consent: { grantedByPartyId, at: new Date().toISOString(), how: "In the room" } },
      }),
    );
  expect((await refusal(promote(p1.partyId))).code).toBe("BAD_REQUEST");
  const { proposals } = await promote(p2.partyId);
  expect(proposals).toMatchObject([{ releasedFromId: note.id, consent: { grantedByPartyId: p2.partyId } }]);
});

test("sessions.partySummary: holds what this party may see and no word of anything else", async () => {
  const practice = await aPractice(app);
  const { session, api, change, p1, p2, theCase } = await aSession(practice);
  const write = (text: string, visibility: Visibility) =>
    api.sessions.addNote.mutate({
      sessionId: session.id,
      note: { id: newId(), kind: "file_note", visibility, body: richTextOf(text) },
    });
  await write("shared words", SHARED);
  await write("canary one", caucusOf(p2.partyId));
  await write("canary two", caucusOf(p1.partyId));
  await write("canary three", MEDIATOR_ONLY);
  await api.sessions.addProposal.mutate(aProposal(session, p2.partyId, { text: "shared offer" }));
  const secret = { visibility: caucusOf(p2.partyId), text: "canary four", issue: "canary five" };
  await api.sessions.addProposal.mutate(aProposal(session, p2.partyId, secret));
  await api.sessions.setAttendance.mutate({ ...change(), partyId: p2.partyId, state: "no_show" });
  const step = (id: string, partyId: string | null, text: string) =>
    api.sessions.saveNextStep.mutate({ ...change(), step: { id, partyId, text, dueOn: null } });
  await step("a", p1.partyId, "own step");
  await step("b", p2.partyId, "canary six");
  await step("c", null, "canary seven");
  const review = { hasChanged: true, isSafe: true, doMeasuresFit: true, note: "canary eight" };
  await api.sessions.reviewSafety.mutate({ ...change(), ...review, partyId: p1.partyId });
  await api.sessions.update.mutate({
    ...change(),
    outcome: { code: "continues", text: "canary" },
  });
  const summary = await api.sessions.partySummary.query({ id: session.id, partyId: p1.partyId });
  expect(JSON.stringify(summary)).not.toContain("canary");
  expect(summary).toMatchObject({
    attendance: null,
    notes: [{ text: "shared words" }],
    proposals: [{ text: "shared offer" }],
    nextSteps: [{ text: "own step" }],
  });
  await orderOfCourt(practice, theCase.id);
  const report = await api.sessions.courtReport.query({ id: session.id });
  expect(JSON.stringify(report)).not.toMatch(/canary|shared|step/);
  expect(Object.keys(report).toSorted()).toEqual([
    "amendedAt",
    "attendance",
    "minutes",
    "number",
    "outcome",
    "tookPlaceAt",
  ]);
});

test("sessions.move: next steps become tasks when the session ends, once, and later ones at once", async () => {
  const practice = await aPractice(app);
  const { session, api, change, p1, theCase } = await aSession(practice);
  const step = { id: "a", text: "Pension valuations", partyId: p1.partyId, dueOn: "2026-12-01" };
  await api.sessions.saveNextStep.mutate({ ...change(), step });
  expect((await api.tasks.list.query({ caseId: theCase.id })).total).toBe(0);
  await api.sessions.move.mutate({ ...change(), to: "ended" });
  const later = { id: "b", text: "Send valuation to both", partyId: null, dueOn: null };
  const { nextSteps } = await api.sessions.saveNextStep.mutate({ ...change(), step: later });
  const tasks = await api.tasks.list.query({ caseId: theCase.id });
  expect(tasks.items.map(({ title, dueOn, clientId }) => [title, dueOn, clientId])).toEqual([
    ["P1: Pension valuations", "2026-12-01", p1.clientId],
    ["Send valuation to both", null, null],
  ]);
  expect(nextSteps.map(({ taskId }) => taskId)).toEqual(tasks.items.map(({ id }) => id));
  const remove = api.sessions.removeNextStep.mutate({ id: session.id, changeId: newId(), stepId: "a" });
  expect((await refusal(remove)).message).toContain("task");
});

test.each<[string, Partial<AddProposal>]>([
  ["a proposal without words", { text: " " }],
  ["a proposal of 4,001 characters", { text: "x".repeat(4001) }],
  ["a proposal without an issue", { issue: "" }],
  ["readers who are not of the case", { visibility: caucusOf("somebody") }],
])("sessions.addProposal: %s is refused", async (_what, overrides) => {
  const practice = await aPractice(app);
  const { session, api, p1 } = await aSession(practice);
  const call = api.sessions.addProposal.mutate(aProposal(session, p1.partyId, overrides));
  expect((await refusal(call)).code).toBe("BAD_REQUEST");
});

test("sessions.get: staff who see only their own cases do not find it, and measures need the right to read screenings", async () => {
  const practice = await aPractice(app);
  const { session } = await aSession(practice);
  const assigned = await aStaffUser(app, practice, { permissions: ["clients.read", "assigned_only"] });
  expect((await refusal(assigned.api.sessions.get.query({ id: session.id }))).code).toBe("NOT_FOUND");
  const finance = await aStaffUser(app, practice, { role: 4 });
  expect((await finance.api.sessions.get.query({ id: session.id })).measures).toBeNull();
  expect((await practice.api.sessions.get.query({ id: session.id })).measures).toEqual([]);
});
