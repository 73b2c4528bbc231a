// What the calendar says of a first meeting, against what is entered of it by hand.
import { newId } from "@app/server/core/ids";
import { HOUR_MS, MINUTE_MS } from "@app/server/core/clock";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { addDays, dayIn } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAuthorisedPractice, anUnscreenedMiam } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, ledBy } from "../support/server/people.ts";
import { standingAt } from "../support/server/signed.ts";
import { at } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

/** Those of one test are held in the hours of another's. */
const BY_TURNS = "Held by turns";
const startedAt = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const dayOf = (startsAt: string) => dayIn("Europe/London", new Date(startsAt));
/** Two of one day, whatever the hour is. */
const MORNING = `${addDays(dayOf(new Date().toISOString()), -4)}T09:00:00.000Z`;
const AFTERNOON = MORNING.replace("T09", "T15");

/** A first meeting of P1 that began then, and how to say what came of it. */
async function aFirstMeeting(startsAt = startedAt(72), domain: "family" | "workplace" = "family") {
  const { api, ownerId } = practice;
  const { theCase, p1 } = await aCase(practice, { ...ledBy(ownerId), domain }, { isScreened: false });
  const whose = { caseId: theCase.id, partyId: p1.partyId };
  await standingAt(practice, whose.caseId, ["intake_done"]);
  const type = domain === "family" ? ("miam" as const) : ("pre_meeting" as const);
  const book = async (when: string) => {
    const endsAt = new Date(Date.parse(when) + 30 * MINUTE_MS).toISOString();
    const input = { type, caseId: whose.caseId, partyIds: [p1.partyId], startsAt: when, endsAt, allowsOverlap: true };
    const { id, version } = await api.meetings.create.mutate(aMeetingInput(ownerId, input));
    const mark = (attendance: "present" | "no_show") =>
      api.meetings.setAttendance.mutate({ id, partyId: p1.partyId, attendance });
    const setStatus = (to: "completed" | "no_show") => api.meetings.setStatus.mutate({ id, version, to });
    const cancel = () =>
      api.meetings.cancel.mutate({
        id,
        version,
        changeId: newId(),
        reason: "Ill",
        isLate: false,
        isWholeSeries: false,
      });
    return { id, mark, setStatus, cancel };
  };
  const record = (attendedOn: string) =>
    api.assessments.record.mutate(
      anUnscreenedMiam({ ...whose, mediatorId: ownerId }, { attendedOn, hoursReason: BY_TURNS }),
    );
  const correct = async (to: string, { id, version }: { id: string; version: number }) => {
    const details = anUnscreenedMiam({ ...whose, mediatorId: ownerId }, { attendedOn: to, hoursReason: BY_TURNS });
    const { id: _id, caseId: _case, partyId: _party, ...fields } = details;
    return api.assessments.correct.mutate({ id, version, reason: "The wrong day", ...fields });
  };
  const step = async (on: string) => {
    const theirs = { ...at(await api.cases.get.query({ id: whose.caseId })), partyId: p1.partyId };
    return api.casework.moveParty.mutate({ ...theirs, to: "miam_attended", on, reason: "" });
  };
  const party = async () => (await api.cases.get.query({ id: whose.caseId })).parties[0];
  return { api, whose, startsAt, book, meeting: await book(startsAt), record, correct, step, party };
}

test("assessments.record: a MIAM of the day on which the calendar says that they did not come is refused, and marking them there records it", async () => {
  const { startsAt, meeting, record, party } = await aFirstMeeting();
  await meeting.setStatus("no_show");
  const { fields } = await refusal(record(dayOf(startsAt)));
  expect(fields).toEqual({
    attendedOn: expect.stringMatching(/did not come to their meeting on .+ mark them as “Present” there/),
  });
  expect(await party()).toMatchObject({ status: "miam_missed", miamOn: "" });
  await meeting.mark("present");
  expect(await party()).toMatchObject({ status: "miam_attended", miamOn: dayOf(startsAt) });
});

test("assessments.record: beside a cancelled meeting of that day it is refused until the calendar has the one that was held", async () => {
  const { startsAt, book, meeting, record, party } = await aFirstMeeting(MORNING);
  await meeting.cancel();
  expect((await refusal(record(dayOf(startsAt)))).fields).toEqual({
    attendedOn: expect.stringMatching(/was cancelled\. If they met on that day all the same, add the meeting/),
  });
  const held = await book(AFTERNOON);
  await held.setStatus("completed");
  expect(await party()).toMatchObject({ status: "miam_attended", miamOn: dayOf(startsAt) });
});

test("assessments.record: a MIAM of another day than the one that stands in the calendar is refused, and one of that day is taken", async () => {
  const { startsAt, record, correct, party } = await aFirstMeeting();
  const other = addDays(dayOf(startsAt), 1);
  expect((await refusal(record(other))).fields).toEqual({
    attendedOn: expect.stringMatching(/^Their meeting is booked for /),
  });
  const kept = await record(dayOf(startsAt));
  expect(await party()).toMatchObject({ miamOn: dayOf(startsAt) });
  expect((await refusal(correct(other, kept))).fields).toEqual({
    attendedOn: expect.stringMatching(/^Their meeting is booked for /),
  });
});

test("assessments.correct: no MIAM is moved to the day of a meeting to which they did not come", async () => {
  const { startsAt, meeting, record, correct } = await aFirstMeeting();
  await meeting.setStatus("no_show");
  const kept = await record(addDays(dayOf(startsAt), 1));
  expect((await refusal(correct(dayOf(startsAt), kept))).fields).toEqual({
    attendedOn: expect.stringContaining("did not come"),
  });
});

test.each(["family", "workplace"] as const)(
  "casework.moveParty: in a %s case nobody attended on the day of a meeting that they missed or that was cancelled",
  async (domain) => {
    const missed = await aFirstMeeting(startedAt(72), domain);
    await missed.meeting.setStatus("no_show");
    await standingAt(practice, missed.whose.caseId, ["miam_booked"]);
    expect((await refusal(missed.step(dayOf(missed.startsAt)))).fields).toHaveProperty("on");
    const cancelled = await aFirstMeeting(startedAt(72), domain);
    await cancelled.meeting.cancel();
    await standingAt(practice, cancelled.whose.caseId, ["miam_booked"]);
    expect((await refusal(cancelled.step(dayOf(cancelled.startsAt)))).fields).toEqual({
      on: expect.stringContaining("was cancelled"),
    });
  },
);

test("meetings.setStatus: “No-show” is refused of the day of which it is recorded that they attended", async () => {
  const { startsAt, meeting, record, party } = await aFirstMeeting();
  await record(dayOf(startsAt));
  expect((await refusal(meeting.setStatus("no_show"))).message).toContain("strike the record of it");
  expect(await party()).toMatchObject({ miamOn: dayOf(startsAt) });
});

test("assessments.record: whoever missed the meeting of the morning and came in the afternoon attended on that day", async () => {
  const { startsAt, book, meeting, record } = await aFirstMeeting(MORNING);
  await meeting.setStatus("no_show");
  await book(AFTERNOON);
  expect(await record(dayOf(startsAt))).toMatchObject({ attendedOn: dayOf(startsAt) });
});

test("assessments.record: beside a meeting that is booked and still to come, a MIAM of an earlier day is taken as it was", async () => {
  const { record, correct } = await aFirstMeeting(startedAt(-72));
  const held = addDays(dayOf(startedAt(0)), -30);
  const made = await record(held);
  expect(made).toMatchObject({ attendedOn: held });
  expect(await correct(addDays(held, -1), made)).toMatchObject({ attendedOn: addDays(held, -1) });
});

test("assessments.correct: whoever the calendar does not say held the meeting is not named for it until it says so", async () => {
  const { startsAt, meeting, whose, api } = await aFirstMeeting();
  await meeting.setStatus("completed");
  const other = newId();
  const stored = (mediatorIds: string[]) =>
    MeetingModel.updateOne({ ownerId: practice.ownerId, _id: meeting.id }, { $set: { mediatorIds } });
  await stored([other]);
  const [kept] = (await api.assessments.list.query({ caseId: whose.caseId })).items;
  const fill = () => {
    const details = anUnscreenedMiam(
      { ...whose, mediatorId: practice.ownerId },
      { attendedOn: dayOf(startsAt), hoursReason: BY_TURNS },
    );
    const { id: _id, caseId: _case, partyId: _party, ...fields } = details;
    return api.assessments.correct.mutate({
      id: kept?.id ?? "",
      version: kept?.version ?? 0,
      reason: "Filled in",
      ...fields,
    });
  };
  expect((await refusal(fill())).fields).toEqual({
    mediatorId: expect.stringMatching(/^The calendar says that somebody else held their meeting on this day/),
  });
  await stored([other, practice.ownerId]);
  expect(await fill()).toMatchObject({ mediatorId: practice.ownerId });
});

test("assessments.correct: a record of the calendar that was moved to too early a day goes back to the day of its meeting, and to none after it", async () => {
  const { startsAt, meeting, correct, whose, api } = await aFirstMeeting();
  await meeting.setStatus("completed");
  const kept = async () => {
    const [record] = (await api.assessments.list.query({ caseId: whose.caseId })).items;
    if (!record) throw new Error("there is no record");
    return record;
  };
  const day = dayOf(startsAt);
  expect(await correct(addDays(day, -2), await kept())).toMatchObject({ attendedOn: addDays(day, -2) });
  expect((await refusal(correct(addDays(day, 1), await kept()))).fields).toEqual({
    attendedOn: expect.stringContaining("came from a meeting of the calendar"),
  });
  expect(await correct(day, await kept())).toMatchObject({ attendedOn: day });
});

test("assessments.correct: whoever the calendar does not say held the meeting that a record came from is not named for it on another day either", async () => {
  const { startsAt, meeting, correct, whose, api } = await aFirstMeeting();
  await meeting.setStatus("completed");
  const [kept] = (await api.assessments.list.query({ caseId: whose.caseId })).items;
  if (!kept) throw new Error("there is no record");
  await MeetingModel.updateOne({ ownerId: practice.ownerId, _id: meeting.id }, { $set: { mediatorIds: [newId()] } });
  const dayBefore = addDays(dayOf(startsAt), -1);
  expect((await refusal(correct(dayBefore, kept))).fields).toEqual({
    mediatorId: expect.stringMatching(/^The calendar says that somebody else held the meeting that this record came/),
  });
  await MeetingModel.updateOne(
    { ownerId: practice.ownerId, _id: meeting.id },
    { $set: { mediatorIds: [practice.ownerId] } },
  );
  expect(await correct(dayBefore, kept)).toMatchObject({ attendedOn: dayBefore, mediatorId: practice.ownerId });
});
