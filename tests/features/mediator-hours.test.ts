// One mediator holds one thing at a time: of a first meeting it is asked as of a session, whichever is recorded last.
import { newId } from "@app/server/core/ids";
import { HOUR_MS } from "@app/server/core/clock";
import { addDays, dayIn } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAuthorisedPractice, anUnscreenedMiam, only } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { aCase, aMeetingInput, ledBy } from "../support/server/people.ts";
import { metBefore, standingAt } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const MEANWHILE = "of another case at that time.";

/** A first meeting of the calendar that took place then, of which the details are not filled in. */
async function aFirstMeeting(startsAt: string) {
  const { api, ownerId } = practice;
  const { theCase, p1 } = await aCase(practice, ledBy(ownerId), { isScreened: false });
  const whose = { caseId: theCase.id, partyId: p1.partyId };
  await standingAt(practice, whose.caseId, ["intake_done"]);
  const endsAt = new Date(Date.parse(startsAt) + HOUR_MS).toISOString();
  const input = { type: "miam" as const, caseId: whose.caseId, partyIds: [p1.partyId], startsAt, endsAt };
  const { id, version } = await api.meetings.create.mutate(aMeetingInput(ownerId, { ...input, allowsOverlap: true }));
  await api.meetings.setStatus.mutate({ id, version, to: "completed" });
  return async (hoursReason = "") => {
    const record = only((await api.assessments.list.query({ caseId: whose.caseId })).items);
    const attendedOn = dayIn("Europe/London", new Date(startsAt));
    const details = anUnscreenedMiam({ ...whose, mediatorId: ownerId }, { attendedOn, hoursReason });
    const { id: _id, caseId: _case, partyId: _party, ...fields } = details;
    return api.assessments.correct.mutate({ id: record.id, version: record.version, reason: "", ...fields });
  };
}

/** A session of a case in mediation, which asks nothing else to be locked. */
async function aSession([from, to]: [string, string]) {
  const { api, ownerId } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice, { ...ledBy(ownerId), startedOn: addDays(TODAY, -30) });
  await metBefore(practice, theCase.id, addDays(TODAY, -20));
  const hours = { startedAt: from, endedAt: to, unmetReason: "Screened late" };
  const { id } = await api.sessions.record.mutate({ id: newId(), caseId: theCase.id, meetingId: null, ...hours });
  const change = () => ({ id, changeId: newId() });
  const safe = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
  for (const { partyId } of [p1, p2]) {
    await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...safe });
  }
  await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  return (unmetReason: string) => api.sessions.move.mutate({ ...change(), to: "locked", unmetReason });
}

test("assessments.correct: of two first meetings of one mediator in the same hour, the one that is recorded last says why, and the reason is kept", async () => {
  const day = addDays(TODAY, -4);
  const [first, second, later] = [
    await aFirstMeeting(`${day}T10:00:00.000Z`),
    await aFirstMeeting(`${day}T10:30:00.000Z`),
    await aFirstMeeting(`${day}T11:30:00.000Z`),
  ];
  expect(await first()).toMatchObject({ isComplete: true, hoursReason: "" });
  expect((await refusal(second())).fields).toEqual({
    hoursReason: expect.stringContaining(`Ines Marchbank held a first meeting ${MEANWHILE}`),
  });
  expect((await refusal(second(" - "))).fields).toHaveProperty("hoursReason");
  expect(await second("A colleague sat in for the second half")).toMatchObject({
    isComplete: true,
    hoursReason: "A colleague sat in for the second half",
  });
  expect(await later()).toMatchObject({ isComplete: true, hoursReason: "" });
});

test("assessments.correct: beside a session of another case that is locked it is asked, and a session that is locked beside a first meeting is asked too", async () => {
  const day = addDays(TODAY, -6);
  const lock = await aSession([`${day}T10:00:00.000Z`, `${day}T11:00:00.000Z`]);
  const beside = await aFirstMeeting(`${day}T10:30:00.000Z`);
  expect(JSON.stringify((await lock("Written late")).unmet)).not.toContain(MEANWHILE);
  expect((await refusal(beside())).fields).toEqual({
    hoursReason: expect.stringContaining(`Ines Marchbank held a session ${MEANWHILE}`),
  });
  await (
    await aFirstMeeting(`${day}T14:00:00.000Z`)
  )();
  const lockLater = await aSession([`${day}T14:30:00.000Z`, `${day}T15:30:00.000Z`]);
  const told = `No hours of its own: Ines Marchbank held a first meeting ${MEANWHILE}`;
  expect((await refusal(lockLater(""))).fields).toEqual({ unmetReason: expect.stringContaining(told) });
  expect(JSON.stringify((await lockLater("Two rooms, by turns")).unmet)).toContain(told);
});
