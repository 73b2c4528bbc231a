// What was recorded wrong of a session: who came to one that is locked, and one that was started by mistake.
import { DAY_MS } from "@app/server/core/clock";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { newId } from "@app/server/core/ids";
import { addDays } from "@app/shared/days";
import { richTextOf } from "@app/shared/rich-text";
import type { Attendance, SessionOutcomeCode } from "@app/shared/session-states";
import { SHARED } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { aMeetingInput, aPractice } from "../support/server/people.ts";
import { orderOfCourt, signedBefore } from "../support/server/signed.ts";
import { OUTCOME } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };

/** A case in mediation with a session of all who are in it. */
async function begun() {
  const built = await aMediatedCase(practice, {
    mediators: [{ userId: practice.ownerId, isLead: true }],
    startedOn: addDays(TODAY, -30),
  });
  const { api } = practice;
  const caseId = built.theCase.id;
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
  const change = () => ({ id, changeId: newId() });
  const come = (partyId: string, state: Attendance) =>
    api.sessions.setAttendance.mutate({ ...change(), partyId, state });
  const find = async (code: SessionOutcomeCode) => {
    const { outcome: outcomeBefore } = await api.sessions.get.query({ id });
    return api.sessions.update.mutate({ ...change(), outcome: { code, text: "" }, outcomeBefore });
  };
  const move = (to: "ended" | "locked") =>
    api.sessions.move.mutate({ ...change(), to, unmetReason: "Asked before it began" });
  const callOff = (cancelReason = "The wrong case was open") =>
    api.sessions.move.mutate({ ...change(), to: "cancelled", cancelReason });
  const amend = (partyId: string, state: Attendance) =>
    api.sessions.amend.mutate({ ...change(), text: "I ticked the wrong one", attendance: [{ partyId, state }] });
  const terminate = async () => {
    const { version } = await api.cases.get.query({ id: caseId });
    return api.casework.move.mutate({
      id: caseId,
      version,
      to: "terminated",
      ending: "broken_down",
      reason: "They could not go on",
      outcome: { ...OUTCOME, code: "not_agreed", issues: [] },
    });
  };
  const asked = async () =>
    (await api.tasks.list.query({ caseId })).items.map(({ title }) => title).filter((title) => title.includes("again"));
  const facts = async () => ({
    ...(await api.casework.steps.query({ id: caseId })),
    mediation: await api.certificates.mediationChoices.query({ caseId, partyId: built.p2.partyId }),
  });
  return { ...built, api, caseId, id, change, come, find, move, callOff, amend, terminate, asked, facts };
}

/** It is over and locked: both are recorded as present. */
async function locked(code: SessionOutcomeCode = "not_agreed") {
  const all = await begun();
  const { api, p1, p2, change, come, find, move } = all;
  for (const { partyId } of [p1, p2]) {
    await come(partyId, "present");
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
  }
  await find(code);
  await move("ended");
  await move("locked");
  return all;
}

const hoursOf = (day: string) => ({ startedAt: `${day}T09:00:00.000Z`, endedAt: `${day}T10:30:00.000Z` });
const NO_CONSENT = { unmetReason: "They agreed by telephone, and signed on the next day" };

test("sessions.amend: when somebody was ticked wrong, then every fact goes by who came, and what was recorded before stays readable", async () => {
  const { api, id, caseId, p2, amend, facts } = await locked();
  expect(await facts()).toMatchObject({ hasSession: true, lastSession: { number: 1 }, mediation: { lastOn: TODAY } });
  await orderOfCourt(practice, caseId);
  const amended = await amend(p2.partyId, "no_show");
  expect(amended.status).toBe("locked");
  expect(amended.amendments).toMatchObject([
    {
      byName: "Ines Marchbank",
      text: "I ticked the wrong one",
      attendance: [{ partyId: p2.partyId, from: "present", to: "no_show" }],
    },
  ]);
  expect(await facts()).toMatchObject({ hasSession: false, lastSession: null, mediation: { lastOn: "" } });
  const { attendance } = await api.sessions.courtReport.query({ id });
  expect(attendance.map(({ state }) => state).toSorted()).toEqual(["no_show", "present"]);
  const { items } = await api.timeline.list.query({ clientId: p2.clientId });
  expect(items.map(({ text }) => text)).toContainEqual(
    "Session 1: amendment added; P2 from “Present” to “Did not come”",
  );
});

test("sessions.amend: when it was locked with a wrong day, then certificates, ends, reports and summaries go by the one on which it was held", async () => {
  const { api, id, caseId, p1, change, facts, terminate, asked } = await locked();
  await terminate();
  // Whoever had signed by then had consented too, whatever newer day their consent has.
  await signedBefore(practice, caseId, addDays(TODAY, -3));
  const whose = { id: newId(), caseId, partyId: p1.partyId, replaceReason: "" };
  const wrong = await api.certificates.issueMediation.mutate(whose);
  expect(await facts()).toMatchObject({ mediation: { lastOn: TODAY } });
  const before = await api.sessions.get.query({ id });
  const held = addDays(TODAY, -3);
  const amend = () =>
    api.sessions.amend.mutate({ ...change(), text: "Three days earlier", times: hoursOf(held), ...NO_CONSENT });
  expect(await amend()).toMatchObject({
    ...hoursOf(held),
    status: "locked",
    minutes: 90,
    amendments: [
      { times: { from: { startedAt: before.startedAt, endedAt: before.endedAt }, to: hoursOf(held) }, outcome: null },
    ],
    unmet: [{}],
  });
  expect(await facts()).toMatchObject({ mediation: { lastOn: held } });
  expect(await asked()).toEqual([expect.stringContaining(`certificate ${wrong.number}`)]);
  await orderOfCourt(practice, caseId);
  const report = await api.sessions.courtReport.query({ id });
  expect(report).toMatchObject({ tookPlaceAt: hoursOf(held).startedAt, minutes: 90, amendedAt: expect.any(String) });
  expect(await api.sessions.partySummary.query({ id, partyId: p1.partyId })).toMatchObject({ minutes: 90 });
  expect((await amend()).amendments[1]).toMatchObject({ times: null });
});

test("sessions.amend: to a day after the one on which the case ended, it is refused, and nothing certifies it", async () => {
  const { api, caseId, change, facts, terminate } = await locked();
  await signedBefore(practice, caseId, addDays(TODAY, -20));
  await api.sessions.amend.mutate({ ...change(), text: "Earlier", times: hoursOf(addDays(TODAY, -9)), ...NO_CONSENT });
  await terminate();
  const ended = addDays(TODAY, -5);
  await CaseModel.updateOne({ ownerId: practice.ownerId, _id: caseId }, { $set: { concludedOn: ended } });
  const amend = (day: string) =>
    api.sessions.amend.mutate({ ...change(), text: "Another day", times: hoursOf(day), ...NO_CONSENT });
  const { fields } = await refusal(amend(addDays(TODAY, -4)));
  expect(fields["startedAt"]).toMatch(/^This case ended on .+ take the end back under “Correct” first/);
  expect(await facts()).toMatchObject({ mediation: { lastOn: addDays(TODAY, -9) } });
  await amend(ended);
  expect(await facts()).toMatchObject({ mediation: { lastOn: ended } });
});

test("sessions.amend: a corrected time has come, goes forwards, and says why it was held where something was missing then", async () => {
  const { api, id, change } = await locked();
  const amend = (times: { startedAt: string; endedAt: string }) =>
    api.sessions.amend.mutate({ ...change(), text: "The wrong day", times });
  const { startedAt, endedAt } = hoursOf(addDays(TODAY, -3));
  const before = await api.sessions.get.query({ id });
  const tries = {
    startedAt: [hoursOf(addDays(TODAY, 1)), hoursOf(addDays(TODAY, -31))],
    "times.endedAt": [{ startedAt: endedAt, endedAt: startedAt }],
    unmetReason: [{ startedAt, endedAt }],
  };
  for (const [field, wrong] of Object.entries(tries))
    for (const times of wrong) expect(Object.keys((await refusal(amend(times))).fields ?? {})).toContain(field);
  expect(await api.sessions.get.query({ id })).toEqual(before);
});

test("sessions.amend: to a time after the one at which it was locked, it is refused, because it had been written up by then", async () => {
  const { change, api, caseId, facts } = await locked();
  await signedBefore(practice, caseId, addDays(TODAY, -20));
  const { lockedAt } = (await SessionModel.findOne({ ownerId: practice.ownerId, _id: change().id }).lean()) ?? {};
  const weekAgo = new Date((lockedAt?.getTime() ?? 0) - 7 * DAY_MS);
  await SessionModel.updateOne({ ownerId: practice.ownerId, _id: change().id }, { $set: { lockedAt: weekAgo } });
  const amend = (day: string) =>
    api.sessions.amend.mutate({ ...change(), text: "The wrong month", times: hoursOf(day), ...NO_CONSENT });
  const { fields } = await refusal(amend(addDays(TODAY, -2)));
  expect(fields).toEqual({
    endedAt: expect.stringMatching(/^This session was recorded as over .+ had been held by then/),
  });
  await amend(addDays(TODAY, -9));
  expect(await facts()).toMatchObject({ mediation: { lastOn: addDays(TODAY, -9) } });
});

test("sessions.amend: when somebody is found to have come, it asks why for what was missing of them, and not again for what was said at the lock", async () => {
  const { api, p1, p2, change, come, find, move, amend } = await begun();
  for (const { partyId } of [p1, p2]) await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
  await come(p1.partyId, "present");
  await come(p2.partyId, "no_show");
  await find("not_agreed");
  await move("ended");
  await move("locked");
  const { fields } = await refusal(amend(p2.partyId, "present"));
  expect(fields).toEqual({ unmetReason: expect.stringContaining("The safety review of P2 was written after") });
  expect(fields["unmetReason"]).not.toContain("P1");
  const attendance = [{ partyId: p2.partyId, state: "present" as const }];
  const why = { text: "She came after all", unmetReason: "She came unasked, and stayed apart" };
  const { unmet } = await api.sessions.amend.mutate({ ...change(), attendance, ...why });
  expect(unmet.at(-1)?.reason).toBe(why.unmetReason);
});

test("sessions.amend: minutes that were written by hand stay where the time is corrected", async () => {
  const { api, p1, p2, change, come, find, move } = await begun();
  for (const { partyId } of [p1, p2]) {
    await come(partyId, "present");
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
  }
  await find("continues");
  await move("ended");
  const billing = { minutes: 75, isBillable: true, countsForLegalAid: false };
  await api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began", billing });
  const times = hoursOf(addDays(TODAY, -3));
  const amended = await api.sessions.amend.mutate({ ...change(), text: "Earlier", times, ...NO_CONSENT });
  expect(amended).toMatchObject({ ...times, minutes: 75 });
});

test("sessions.amend: when the outcome was chosen wrong, then the report to a court and the end of the case go by what came of it", async () => {
  const { api, id, caseId, p2, change, terminate } = await locked("agreed_all");
  await orderOfCourt(practice, caseId);
  expect(await api.sessions.courtReport.query({ id })).toMatchObject({ outcome: "agreed_all", amendedAt: null });
  const was = { code: "agreed_all", text: "" };
  const outcome = { code: "not_agreed" as const, text: "Each keeps what they said" };
  const amended = await api.sessions.amend.mutate({ ...change(), text: "Nothing was agreed", outcome });
  expect(amended).toMatchObject({ outcome, amendments: [{ outcome: { from: was, to: outcome }, times: null }] });
  expect(await api.sessions.courtReport.query({ id })).toMatchObject({
    outcome: "not_agreed",
    amendedAt: amended.amendments[0]?.at,
  });
  expect(await api.casework.steps.query({ id: caseId })).toMatchObject({ lastSession: { code: "not_agreed" } });
  const { items } = await api.timeline.list.query({ clientId: p2.clientId });
  expect(items.map(({ text }) => text)).toContainEqual(
    "Session 1: amendment added; outcome from “Proposals reached on all issues” to “No proposals reached”",
  );
  await terminate();
});

test("sessions.amend: the words alone are reported to a court as an amendment, and not told to it", async () => {
  const { api, id, caseId, change } = await locked();
  await orderOfCourt(practice, caseId);
  const { amendments } = await api.sessions.amend.mutate({ ...change(), text: "It was said in anger" });
  const report = await api.sessions.courtReport.query({ id });
  expect(report.amendedAt).toBe(amendments[0]?.at);
  expect(JSON.stringify(report)).not.toContain("anger");
});

test("sessions: nobody agrees alone, whether it is recorded while it runs, at the lock or by an amendment", async () => {
  const running = await begun();
  await running.come(running.p1.partyId, "present");
  await running.find("agreed_all");
  expect((await refusal(running.come(running.p2.partyId, "no_show"))).fields).toHaveProperty("outcome");
  await running.find("continues");
  await running.come(running.p2.partyId, "no_show");
  expect((await refusal(running.find("agreed_some"))).fields).toHaveProperty("outcome");
  const over = await locked("agreed_some");
  expect((await refusal(over.amend(over.p2.partyId, "no_show"))).fields).toHaveProperty("outcome");
  const { partyId } = over.p2;
  const both = {
    attendance: [{ partyId, state: "no_show" as const }],
    outcome: { code: "broken_off" as const, text: "" },
  };
  expect(await over.api.sessions.amend.mutate({ ...over.change(), text: "She did not come", ...both })).toMatchObject({
    outcome: both.outcome,
  });
  const agreed = await locked();
  const outcome = { code: "agreed_all" as const, text: "" };
  expect(await agreed.api.sessions.amend.mutate({ ...agreed.change(), text: "All of it", outcome })).toMatchObject({
    outcome,
  });
});

test("sessions: in shuttle mediation each side may agree in a session of their own", async () => {
  const { api, caseId, p1, find, move } = await begun();
  await move("ended");
  const meeting = await api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId,
      type: "shuttle",
      partyIds: [p1.partyId],
      startsAt: "2031-03-05T09:00:00.000Z",
    }),
  );
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId, meetingId: meeting.id });
  await api.sessions.setAttendance.mutate({ id, changeId: newId(), partyId: p1.partyId, state: "present" });
  const outcome = { code: "agreed_some" as const, text: "" };
  expect(await api.sessions.update.mutate({ id, changeId: newId(), outcome, outcomeBefore: null })).toMatchObject({
    outcome,
  });
  await find("continues");
});

test("sessions.amend: before the lock there is nothing to amend", async () => {
  const { p1, amend } = await begun();
  const refused = await refusal(amend(p1.partyId, "present"));
  expect(refused).toMatchObject({ code: "PRECONDITION_FAILED", message: expect.stringContaining("locked") });
});

test("sessions.amend: a certificate that rests on who came, and the end of the case, are to be looked at again", async () => {
  const { api, caseId, p1, p2, amend, terminate, asked } = await locked();
  await terminate();
  const whose = { caseId, partyId: p1.partyId };
  const mediation = await api.certificates.issueMediation.mutate({ id: newId(), ...whose, replaceReason: "" });
  await amend(p1.partyId, "late");
  expect(await asked()).toEqual([]);
  await amend(p2.partyId, "no_show");
  expect(await asked()).toEqual([
    expect.stringContaining(`certificate ${mediation.number}: what it says is not recorded any more`),
  ]);
});

test("sessions.amend: nobody of another case comes to it, and what is so already is no correction", async () => {
  const { amend, p1 } = await locked();
  expect(await refusal(amend(newId(), "present"))).toMatchObject({ code: "NOT_FOUND" });
  expect((await amend(p1.partyId, "present")).amendments).toMatchObject([{ attendance: [] }]);
});

test("a session that is written up after the case ended: when it says otherwise, then whoever wrote it looks again at the end", async () => {
  const { p1, p2, come, find, move, terminate, asked } = await begun();
  for (const { partyId } of [p1, p2]) await come(partyId, "present");
  await move("ended");
  await find("continues");
  await terminate();
  await find("not_agreed");
  expect(await asked()).toEqual([]);
  await find("agreed_all");
  expect(await asked()).toEqual([expect.stringContaining("since session 1 was changed")]);
});

test("sessions.move: when it was started by mistake and is empty, then it is called off with a reason, and counts for nothing", async () => {
  const { api, id, caseId, p2, callOff, come, move } = await begun();
  expect((await refusal(callOff(" - "))).fields).toEqual({ cancelReason: "Say why it was not held." });
  await come(p2.partyId, "no_show");
  await move("ended");
  expect(await callOff()).toMatchObject({
    status: "cancelled",
    cancelReason: "The wrong case was open",
    startedAt: null,
    attendance: [],
  });
  await orderOfCourt(practice, caseId);
  for (const told of [
    api.sessions.courtReport.query({ id }),
    api.sessions.partySummary.query({ id, partyId: p2.partyId }),
  ])
    expect(await refusal(told)).toMatchObject({ code: "PRECONDITION_FAILED" });
  const next = await api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
  expect((await api.sessions.courtReport.query({ id: next.id })).number).toBe(1);
  const told = await api.sessions.partySummary.query({ id: next.id, partyId: p2.partyId });
  expect(told).toMatchObject({ number: 1 });
});

test("sessions.move: what somebody came to, or in which something was written, took place and is not called off", async () => {
  const gone = await begun();
  await gone.come(gone.p1.partyId, "late");
  const found = await begun();
  const outcome = { code: "continues" as const, text: "They go on in May" };
  await found.api.sessions.update.mutate({ ...found.change(), outcome });
  const stepped = await begun();
  const step = { id: "step", text: "Send figures", partyId: null, dueOn: addDays(TODAY, 3) };
  await stepped.api.sessions.saveNextStep.mutate({ ...stepped.change(), step });
  const noted = await begun();
  const note = { id: newId(), kind: "file_note" as const, visibility: SHARED, body: richTextOf("As it was") };
  await noted.api.sessions.addNote.mutate({ sessionId: noted.id, note });
  for (const { callOff } of [gone, found, stepped, noted])
    expect(await refusal(callOff())).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("so it took place"),
    });
});

test("sessions.move: a meeting whose session was started by mistake is held with another one", async () => {
  const { api, caseId, theCase, move } = await begun();
  await move("ended");
  const meeting = await api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, { caseId, partyIds: theCase.parties.map(({ partyId }) => partyId) }),
  );
  const start = () => api.sessions.start.mutate({ id: newId(), caseId, meetingId: meeting.id });
  const first = await start();
  const off = { id: first.id, changeId: newId(), to: "cancelled" as const, cancelReason: "Too early" };
  await api.sessions.move.mutate(off);
  expect(await start()).toMatchObject({ status: "in_progress", meetingId: meeting.id });
});

test("sessions.move: what is to be charged is stored with the lock, and not where the lock is refused", async () => {
  const { api, id, change, p1, p2, come, find, move } = await begun();
  for (const { partyId } of [p1, p2]) await come(partyId, "present");
  await find("continues");
  const { minutes: counted } = await move("ended");
  const billing = { minutes: 90, isBillable: false, countsForLegalAid: false };
  const lock = () =>
    api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began", billing });
  expect(await refusal(lock())).toMatchObject({ code: "PRECONDITION_FAILED" });
  expect((await api.sessions.get.query({ id })).minutes).toBe(counted);
  for (const { partyId } of [p1, p2]) await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
  expect(await lock()).toMatchObject({ status: "locked", ...billing });
});

test("sessions.setTimes: of a session that ended here, to a time after that, it is refused, before the lock as well", async () => {
  const { api, id, change, come, p1, p2, move } = await begun();
  for (const { partyId } of [p1, p2]) await come(partyId, "present");
  await move("ended");
  const ended = new Date(Date.now() - 9 * DAY_MS);
  const startedAt = new Date(ended.getTime() - DAY_MS / 24);
  await SessionModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: { startedAt, endedAt: ended } });
  const set = (day: string) =>
    api.sessions.setTimes.mutate({ ...change(), ...hoursOf(day), reason: "The wrong day", ...NO_CONSENT });
  expect((await refusal(set(addDays(TODAY, -2)))).fields).toEqual({
    endedAt: expect.stringMatching(/^This session was recorded as over/),
  });
  expect(await set(addDays(TODAY, -10))).toMatchObject({ status: "ended" });
});

test("sessions.setTimes: when “End” was pressed too soon, then it went on until later that day, and no session begins after that", async () => {
  const { id, change, come, p1, p2, move } = await begun();
  for (const { partyId } of [p1, p2]) await come(partyId, "present");
  await move("ended");
  const at = (time: string) => `${addDays(TODAY, -2)}T${time}:00.000Z`;
  const stored = { startedAt: new Date(at("12:00")), endedAt: new Date(at("12:20")) };
  await SessionModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: stored });
  const set = (from: string, to: string) =>
    practice.api.sessions.setTimes.mutate({
      ...change(),
      startedAt: at(from),
      endedAt: at(to),
      reason: "Pressed too soon",
      ...NO_CONSENT,
    });
  expect((await refusal(set("12:30", "13:30"))).fields).toHaveProperty("endedAt");
  expect(await set("12:00", "13:30")).toMatchObject({ status: "ended", minutes: 90 });
});

test("sessions.start: of a meeting whose time was over days ago, it is refused, and says to record when it took place", async () => {
  const { theCase, p1, p2 } = await aMediatedCase(practice);
  const startsAt = `${addDays(TODAY, -20)}T10:00:00.000Z`;
  const input = { caseId: theCase.id, type: "call" as const, partyIds: [p1.partyId, p2.partyId], startsAt };
  const { id: meetingId } = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, input));
  const started = refusal(practice.api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId }));
  expect(await started).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("record when it took place"),
  });
});

test("sessions.record: of a meeting, on a day after it, is refused, and says how what was held later is recorded", async () => {
  const { theCase, p1, p2 } = await aMediatedCase(practice, { startedOn: addDays(TODAY, -60) });
  const startsAt = `${addDays(TODAY, -30)}T10:00:00.000Z`;
  const input = { caseId: theCase.id, type: "call" as const, partyIds: [p1.partyId, p2.partyId], startsAt };
  const { id: meetingId } = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, input));
  const record = (day: string) =>
    practice.api.sessions.record.mutate({
      id: newId(),
      caseId: theCase.id,
      meetingId,
      unmetReason: "As it was agreed",
      ...hoursOf(day),
    });
  expect((await refusal(record(addDays(TODAY, -3)))).fields).toEqual({
    startedAt: expect.stringMatching(/^Its meeting was on .+ without this meeting/),
  });
  expect(await record(addDays(TODAY, -30))).toMatchObject({ status: "ended" });
});
