// What a meeting keeps of who came, and what a person is shown of a client's meetings, their own hours and their feed.
import { OFFICE_HOURS } from "@app/server/features/meetings/host-calendars.service";
import { versionsOfHours } from "@app/server/features/meetings/meetings.migration";
import type { CreateMeeting } from "@app/shared/meetings";
import { HOUR_MS } from "@app/server/core/clock";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { aCase, aMeetingInput, aPractice, aStaffUser } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const book = (overrides: Partial<CreateMeeting> = {}) =>
  practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, overrides));

/** They met before mediation had begun. */
const WHY = "As it was";

async function aMeetingOfTwo() {
  const built = await aCase(practice);
  const partyIds = [built.p1.partyId, built.p2.partyId];
  return {
    ...built,
    meeting: await book({ caseId: built.theCase.id, partyIds, startsAt: "2021-03-04T09:00:00.000Z" }),
  };
}

describe("meetings.setAttendance", () => {
  test("meetings.setAttendance: when a party is marked twice, then the later mark stands, and the other's own stays", async () => {
    const { meeting, p1, p2 } = await aMeetingOfTwo();
    expect(meeting.attendance).toEqual([]);
    const mark = (partyId: string, attendance: "present" | "late" | "no_show") =>
      practice.api.meetings.setAttendance.mutate({ id: meeting.id, partyId, attendance, unmetReason: WHY });
    await mark(p1.partyId, "no_show");
    await mark(p2.partyId, "present");
    const marked = await mark(p1.partyId, "late");
    expect(marked.attendance).toEqual([
      { partyId: p2.partyId, attendance: "present" },
      { partyId: p1.partyId, attendance: "late" },
    ]);
    expect(marked).toMatchObject({ status: "booked", version: meeting.version + 3 });
    expect(await practice.api.meetings.get.query({ id: meeting.id })).toEqual(marked);
  });

  test("meetings.setAttendance: when both parties are marked at once, then both marks are kept", async () => {
    const { meeting, p1, p2 } = await aMeetingOfTwo();
    const marks = [p1, p2].map(({ partyId }) => ({ partyId, attendance: "present" as const }));
    const why = { id: meeting.id, unmetReason: WHY };
    await Promise.all(marks.map((mark) => practice.api.meetings.setAttendance.mutate({ ...why, ...mark })));
    const { attendance } = await practice.api.meetings.get.query({ id: meeting.id });
    expect(new Set(attendance)).toEqual(new Set(marks));
  });

  test("meetings.setAttendance: when the party does not come to the meeting, or the meeting is another practice's, then nothing is marked", async () => {
    const { theCase, p1, p2 } = await aCase(practice);
    const meeting = await book({ caseId: theCase.id, partyIds: [p1.partyId], startsAt: "2021-03-04T09:00:00.000Z" });
    const marked = { id: meeting.id, attendance: "present" as const };
    const outside = practice.api.meetings.setAttendance.mutate({ ...marked, partyId: p2.partyId });
    expect(await refusal(outside)).toMatchObject({ code: "NOT_FOUND", message: expect.stringContaining("Party") });
    const other = await aPractice(app);
    const foreign = other.api.meetings.setAttendance.mutate({ ...marked, partyId: p1.partyId });
    expect(await refusal(foreign)).toMatchObject({ code: "NOT_FOUND" });
    expect(await practice.api.meetings.get.query({ id: meeting.id })).toEqual(meeting);
  });

  test("meetings.setAttendance: when somebody saves an older version of the meeting, then the mark is not lost", async () => {
    const { meeting, p1 } = await aMeetingOfTwo();
    const mark = { id: meeting.id, partyId: p1.partyId, attendance: "present" as const };
    await practice.api.meetings.setAttendance.mutate(mark);
    const late = practice.api.meetings.setStatus.mutate({ id: meeting.id, version: meeting.version, to: "confirmed" });
    expect(await refusal(late)).toMatchObject({ code: "CONFLICT", isStale: true });
    expect(await practice.api.meetings.get.query({ id: meeting.id })).toMatchObject({
      status: "booked",
      attendance: [{ partyId: p1.partyId, attendance: "present" }],
    });
  });
});

test.each(["0001-01-01T09:00:00.000Z", "1900-01-01T09:00:00.000Z", "9999-12-31T09:00:00.000Z"])(
  "meetings.create, meetings.month, meetings.nextFree: %s is refused in words",
  async (startsAt) => {
    const endsAt = startsAt.replace("09:", "10:");
    const { api, ownerId } = practice;
    for (const ask of [
      () => api.meetings.create.mutate(aMeetingInput(ownerId, { startsAt, endsAt })),
      () => api.meetings.month.query({ from: startsAt, to: endsAt }),
      () => api.meetings.nextFree.query({ mediatorId: ownerId, after: startsAt, minutes: 30 }),
    ]) {
      const refused = await refusal(ask());
      expect(refused.code).toBe("BAD_REQUEST");
      expect(Object.values(refused.fields)).toContain("Enter a day between 1950 and 2150");
    }
  },
);

describe("meetings.listOf", () => {
  test("meetings.listOf: when a client has meetings, then what comes stands next first, what was latest first, and nobody else's", async () => {
    const { theCase, first, p1, p2 } = await aCase(practice);
    for (const day of ["2031-03-06", "2021-03-04", "2031-03-04", "2021-03-05"])
      await book({ caseId: theCase.id, partyIds: [p1.partyId], startsAt: `${day}T09:00:00.000Z` });
    await book({ caseId: theCase.id, partyIds: [p2.partyId], startsAt: "2031-03-07T09:00:00.000Z" });
    const daysOf = async (when: "upcoming" | "past") => {
      const { items, total } = await practice.api.meetings.listOf.query({ clientId: first.id, when });
      expect(total).toBe(items.length);
      expect(items.map(({ clientIds }) => clientIds)).toEqual(items.map(() => [first.id]));
      return items.map(({ startsAt }) => startsAt.slice(0, 10));
    };
    expect(await daysOf("upcoming")).toEqual(["2031-03-04", "2031-03-06"]);
    expect(await daysOf("past")).toEqual(["2021-03-05", "2021-03-04"]);
  });

  test("meetings.listOf: when the client is not there for whoever asks, then it is missing", async () => {
    const { first } = await aMeetingOfTwo();
    const other = await aPractice(app);
    const staff = await aStaffUser(app, practice, { permissions: ["clients.read", "assigned_only"] });
    for (const { api } of [other, staff])
      expect(await refusal(api.meetings.listOf.query({ clientId: first.id }))).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("one's own calendar", () => {
  test("meetings.availability: when nobody set hours, then office hours count; when one does, then theirs and nobody else's", async () => {
    const staff = await aStaffUser(app, practice, { permissions: ["clients.read", "calendar.manage"] });
    const usual = { ...OFFICE_HOURS, version: 0, timeZone: "Europe/London" };
    expect(await practice.api.meetings.availability.query()).toEqual(usual);
    const own = { weekly: [{ weekday: 3, from: "09:00", to: "11:00" }], daysOff: ["2031-03-12"] };
    await practice.api.meetings.setAvailability.mutate({ weekly: [], daysOff: ["2030-01-01"], version: 0 });
    await practice.api.meetings.setAvailability.mutate({ ...own, version: 1 });
    expect(await practice.api.meetings.availability.query()).toEqual({ ...usual, ...own, version: 2 });
    expect(await staff.api.meetings.availability.query()).toEqual(usual);
  });

  test("meetings.setAvailability: when a day ends before it begins, then it is refused and the hours stay", async () => {
    const before = await practice.api.meetings.availability.query();
    const backwards = { weekly: [{ weekday: 1, from: "12:00", to: "09:00" }], daysOff: [], version: 0 };
    expect(await refusal(practice.api.meetings.setAvailability.mutate(backwards))).toMatchObject({
      code: "BAD_REQUEST",
    });
    expect(await practice.api.meetings.availability.query()).toEqual(before);
  });

  test.each([0, 1])(
    "meetings.setAvailability: when two windows save over version %i at once, then one is told so and the other refused",
    async (version) => {
      const { setAvailability, availability } = practice.api.meetings;
      if (version === 1) await setAvailability.mutate({ weekly: [], daysOff: [], version: 0 });
      const days = ["2031-01-01", "2031-01-02", "2031-01-03"];
      const saved = await Promise.allSettled(
        days.map((day) => setAvailability.mutate({ weekly: [], daysOff: [day], version })),
      );
      const [told] = saved.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      expect(saved.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await availability.query()).toEqual(told);
      expect(told?.version).toBe(version + 1);
      for (const older of [0, version + 7])
        expect(await refusal(setAvailability.mutate({ weekly: [], daysOff: [], version: older }))).toMatchObject({
          code: "CONFLICT",
          message: expect.stringContaining("changed elsewhere"),
        });
    },
  );

  test("meetings.setAvailability: hours of before there were versions, when saved over, are changed", async () => {
    const stored = mongoose.connection.collection<{ _id: string; ownerId: string }>("availability");
    const hours = { weekly: [], daysOff: ["2030-01-01"] };
    await stored.insertOne({ _id: practice.ownerId, ownerId: practice.ownerId, ...hours });
    await versionsOfHours();
    const { version } = await practice.api.meetings.availability.query();
    const saved = await practice.api.meetings.setAvailability.mutate({ ...hours, daysOff: [], version });
    expect(saved).toMatchObject({ daysOff: [], version: version + 1 });
  });

  test("meetings.feed: when an address is made, then its level and time stand there without it, until it is revoked", async () => {
    const staff = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    expect(await practice.api.meetings.feed.query()).toBeNull();
    const from = Date.now() - HOUR_MS;
    await practice.api.meetings.makeFeed.mutate({ level: "initials" });
    const { address } = await practice.api.meetings.makeFeed.mutate({ level: "busy" });
    const shown = await practice.api.meetings.feed.query();
    expect(shown).toEqual({ level: "busy", createdAt: expect.any(String) });
    expect(Date.parse(shown?.createdAt ?? "")).toBeGreaterThan(from);
    expect(JSON.stringify(shown)).not.toContain(/ical\/([^.]+)/.exec(address)?.[1]);
    expect(await staff.api.meetings.feed.query()).toBeNull();
    await practice.api.meetings.revokeFeed.mutate();
    expect(await practice.api.meetings.feed.query()).toBeNull();
  });
});
