// What a session was rests on its meeting: once it is over, its meeting is not made another one behind it.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { remindOfMeetings } from "@app/server/features/meetings/meeting-reminders";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMeetingInput, aPractice, aStaffUser, meetingDetailsOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

/** A session of this meeting of both sides, which was started and goes on as it is told. */
async function sessionOf(type: "call" | "mediation", startsAt = new Date().toISOString()) {
  const built = await aMediatedCase(practice, {
    mediators: [{ userId: practice.ownerId, isLead: true }],
    startedOn: addDays(TODAY, -30),
  });
  const { api, ownerId } = practice;
  const caseId = built.theCase.id;
  const partyIds = [built.p1.partyId, built.p2.partyId];
  const invited = { caseId, type, partyIds, isInvitationSent: true, allowsOverlap: true };
  const book = (at: string) => api.meetings.create.mutate(aMeetingInput(ownerId, { ...invited, startsAt: at }));
  const { id: meetingId } = await book(startsAt);
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId, meetingId });
  const change = () => ({ id, changeId: newId() });
  for (const partyId of partyIds) {
    await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    const safe = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...safe });
  }
  await api.sessions.update.mutate({ ...change(), outcome: { code: "not_agreed", text: "" }, outcomeBefore: null });
  const move = (to: "ended" | "locked") =>
    api.sessions.move.mutate({ ...change(), to, unmetReason: "Asked before it began" });
  const details = async () => meetingDetailsOf(await api.meetings.get.query({ id: meetingId }));
  const update = async (more: Partial<Awaited<ReturnType<typeof details>>>) =>
    api.meetings.update.mutate({ ...(await details()), ...more });
  const versioned = async () => ({ id: meetingId, changeId: newId(), version: (await details()).version });
  const certified = () => api.certificates.mediationChoices.query({ caseId, partyId: built.p1.partyId });
  return { ...built, api, book, meetingId, move, update, versioned, certified };
}

test("meetings.update: a telephone call of which the session is locked never becomes mediation, and the words say what to do", async () => {
  const { move, update, certified } = await sessionOf("call");
  await move("ended");
  await move("locked");
  const { message } = await refusal(update({ type: "mediation" }));
  expect(message).toBe(
    "Session 1 was held at this meeting, so its type cannot change any more. If session 1 is recorded wrong, add an amendment to it.",
  );
  expect(await certified()).toMatchObject({ lastOn: "" });
});

test("meetings.update, reschedule and cancel: a meeting whose session has ended keeps its type, its people and its place in the calendar", async () => {
  const { api, theCase, move, update, versioned, certified, p1 } = await sessionOf("mediation");
  await move("ended");
  const colleague = await aStaffUser(app, practice);
  const staff = (await api.staff.list.query()).items.find(({ email }) => email === colleague.email);
  const reason = "Somebody was ill";
  const times = { startsAt: "2031-03-04T09:00:00.000Z", endsAt: "2031-03-04T10:00:00.000Z", allowsOverlap: false };
  const tries = [
    async () => update({ type: "call" }),
    async () => update({ partyIds: [p1.partyId] }),
    async () => update({ mediatorIds: [staff?.id ?? ""] }),
    async () => api.meetings.reschedule.mutate({ ...(await versioned()), ...times, reason }),
    async () => api.meetings.cancel.mutate({ ...(await versioned()), reason, isLate: false, isWholeSeries: false }),
    async () => {
      const { id, version } = await versioned();
      return api.meetings.setStatus.mutate({ id, version, to: "no_show" });
    },
  ];
  const { items: rows } = await api.sessions.ofCase.query({ id: theCase.id });
  expect(rows).toMatchObject([{ meetingId: (await versioned()).id, status: "ended" }]);
  for (const attempt of tries) expect((await refusal(attempt())).message).toContain("lock it, then add an amendment");
  expect(await certified()).toMatchObject({ lastOn: TODAY });
});

test("a meeting of tomorrow: when its session is over already, then nobody is reminded of it, and of another one they are", async () => {
  const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const { book, move, theCase } = await sessionOf("mediation", ahead(20));
  await move("ended");
  await book(ahead(22));
  await remindOfMeetings(createLogger("silent"));
  const of = { ownerId: practice.ownerId, caseId: theCase.id, purpose: "reminder" as const };
  expect(await OutboxModel.countDocuments(of)).toBe(2);
});

test("meetings.update: a meeting of which the session is over keeps its words, and one whose session goes on changes freely", async () => {
  const { api, move, update, versioned, p1 } = await sessionOf("mediation");
  await update({ type: "shuttle" });
  await update({ partyIds: [p1.partyId] });
  await move("ended");
  expect(await update({ note: "The blue room was cold" })).toMatchObject({ type: "shuttle" });
  const { version, id } = await versioned();
  expect(await api.meetings.setStatus.mutate({ id, version, to: "completed" })).toMatchObject({ status: "completed" });
});

test("meetings.setAttendance: of a meeting whose session is over the calendar says of nobody what the session does not, and an amendment marks them", async () => {
  const { api, meetingId, move, p2 } = await sessionOf("mediation");
  const { partyId } = p2;
  const mark = (attendance: "present" | "no_show") =>
    api.meetings.setAttendance.mutate({ id: meetingId, partyId, attendance });
  const marked = async () =>
    (await api.meetings.get.query({ id: meetingId })).attendance.find((one) => one.partyId === partyId)?.attendance;
  await mark("no_show");
  await mark("present");
  for (const to of ["ended", "locked"] as const) {
    await move(to);
    expect((await refusal(mark("no_show"))).message).toContain("who came to it cannot be marked otherwise");
  }
  await mark("present");
  expect(await marked()).toBe("present");
  const { items } = await api.sessions.ofCase.query({
    id: (await api.meetings.get.query({ id: meetingId })).caseId ?? "",
  });
  const amended = { id: items[0]?.id ?? "", changeId: newId(), text: "They had left before it began", unmetReason: "" };
  await api.sessions.amend.mutate({ ...amended, attendance: [{ partyId, state: "no_show" }] });
  expect(await marked()).toBe("no_show");
});
