import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { tellOfSeries } from "@app/server/features/meetings/series-notices";
import { MEETING_STATUSES, MEETING_TRANSITIONS } from "@app/shared/meeting-states";
import type { CreateMeeting } from "@app/shared/meetings";
import { wallTimeOf } from "@app/shared/wall-time";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import ICAL from "ical.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aCase, aMeetingInput, aPractice, aStaffUser, clientFields } from "../support/server/people.ts";
import type { TestPractice } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const HOUR_MS = 3_600_000;
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

let day = 0;
/** A time that no other test of this file uses. */
const aTime = (hour = 9): string => new Date(Date.UTC(2032, 0, 5 + (day += 1), hour)).toISOString();
const book = (owner: TestPractice, overrides: Partial<CreateMeeting> = {}) =>
  owner.api.meetings.create.mutate(aMeetingInput(owner.ownerId, { startsAt: aTime(), ...overrides }));
const mailsOf = async (caseId: string) => {
  const docs = await OutboxModel.find({ caseId }).setOptions({ anyOwner: true }).sort({ createdAt: 1 }).lean();
  return docs.map((doc) => ({ ...contentOf(doc), partyId: doc.partyId, purpose: doc.purpose }));
};

describe("booking", () => {
  test("meetings.create: the same time twice is refused, with the next free times; the time after it is free", async () => {
    const startsAt = aTime();
    const first = await book(practice, { startsAt });
    const refused = await refusal(book(practice, { startsAt }));
    expect(refused).toMatchObject({ code: "CONFLICT" });
    expect(refused.message).toMatch(/The next free ones are: Tuesday 6 January 2032, \d\d:\d\d; /);
    expect(await book(practice, { startsAt: first.endsAt })).toMatchObject({ status: "booked" });
  });

  test("meetings.create: 40 at once for overlapping times, exactly one gets it", async () => {
    const startsAt = Date.parse(aTime());
    const codes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        book(practice, { startsAt: new Date(startsAt + (index % 4) * 600_000).toISOString() }).then(
          () => "OK",
          async (error: unknown) => (await refusal(Promise.reject(error))).code,
        ),
      ),
    );
    expect(codes.filter((code) => code === "OK")).toHaveLength(1);
    expect(codes.filter((code) => code === "CONFLICT")).toHaveLength(39);
  });

  test("meetings.create: an overlap that somebody allows is booked, and holds nobody else up", async () => {
    const startsAt = aTime();
    await book(practice, { startsAt });
    expect(await book(practice, { startsAt, allowsOverlap: true })).toMatchObject({ status: "booked" });
  });

  test("meetings.create: over eight hours, backwards, and two parties in one MIAM are refused at their fields", async () => {
    const { theCase } = await aCase(practice);
    const startsAt = aTime();
    const later = (hours: number) => new Date(Date.parse(startsAt) + hours * HOUR_MS).toISOString();
    expect((await refusal(book(practice, { startsAt, endsAt: later(9) }))).fields).toHaveProperty("endsAt");
    expect((await refusal(book(practice, { startsAt, endsAt: later(-1) }))).fields).toHaveProperty("endsAt");
    const partyIds = theCase.parties.map(({ partyId }) => partyId);
    const both = book(practice, { startsAt, type: "miam", caseId: theCase.id, partyIds });
    expect((await refusal(both)).fields).toHaveProperty("partyIds");
  });

  test("the calendar: whatever is booked, moved and cancelled in any order, nobody is in two places at once", async () => {
    const own = await aPractice(app);
    const base = Date.UTC(2033, 1, 7, 8);
    const at = (slot: number) => new Date(base + slot * 1_800_000).toISOString();
    const step = fc.record({
      kind: fc.constantFrom("book", "move", "cancel"),
      slot: fc.integer({ min: 0, max: 20 }),
      length: fc.integer({ min: 1, max: 4 }),
      which: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
        const held = new Map<string, { from: number; to: number; version: number }>();
        for (const { kind, slot, length, which } of steps) {
          const span = { from: slot, to: slot + length };
          const [id] = [...held.keys()].slice(which % Math.max(held.size, 1));
          const known = id === undefined ? undefined : held.get(id);
          const isFree = [...held].every(
            ([other, one]) => (kind === "move" && other === id) || one.from >= span.to || one.to <= span.from,
          );
          if (kind === "book") {
            const booked = own.api.meetings.create.mutate(
              aMeetingInput(own.ownerId, { startsAt: at(span.from), endsAt: at(span.to) }),
            );
            if (isFree) held.set((await booked).id, { ...span, version: 0 });
            else expect((await refusal(booked)).code).toBe("CONFLICT");
          } else if (known && id && kind === "move") {
            const moved = own.api.meetings.reschedule.mutate({
              changeId: newId(),
              id,
              version: known.version,
              startsAt: at(span.from),
              endsAt: at(span.to),
              reason: "",
              allowsOverlap: false,
            });
            if (isFree) {
              const { id: next } = await moved;
              held.delete(id);
              held.set(next, { ...span, version: 0 });
            } else expect((await refusal(moved)).code).toBe("CONFLICT");
          } else if (known && id) {
            await own.api.meetings.cancel.mutate({
              changeId: newId(),
              id,
              version: known.version,
              reason: "Ill",
              isLate: false,
              isWholeSeries: false,
            });
            held.delete(id);
          }
        }
        const { meetings } = await own.api.meetings.calendar.query({ from: at(-48), to: at(96) });
        const active = meetings.filter(({ status }) => status === "booked").map(({ id }) => id);
        expect(active.toSorted()).toEqual([...held.keys()].toSorted());
        for (const id of active)
          await own.api.meetings.cancel.mutate({
            changeId: newId(),
            id,
            version: 0,
            reason: "End",
            isLate: false,
            isWholeSeries: false,
          });
      }),
      { numRuns: 12 },
    );
  });
});

describe("the state machine", () => {
  test.each(["completed", "no_show"] as const)(
    "meetings.setStatus: when a meeting has not begun, then it is not said to be “%s”",
    async (to) => {
      const { id, version } = await book(practice);
      expect(await refusal(practice.api.meetings.setStatus.mutate({ id, version, to }))).toMatchObject({
        code: "PRECONDITION_FAILED",
        message: "This meeting has not begun yet. Mark what came of it once it is over.",
      });
    },
  );

  test("meetings.setStatus: an illegal step is refused with the legal ones", async () => {
    const meeting = await book(practice, { startsAt: "2026-01-07T10:00:00.000Z", endsAt: "2026-01-07T11:00:00.000Z" });
    const step = { id: meeting.id, version: meeting.version };
    expect(await refusal(practice.api.meetings.setStatus.mutate({ ...step, to: "expired" }))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: 'A meeting that is "Booked" can only become: Confirmed, Completed, No-show, Cancelled, Rescheduled.',
    });
    const done = await practice.api.meetings.setStatus.mutate({ ...step, to: "completed" });
    expect(
      await refusal(practice.api.meetings.setStatus.mutate({ ...step, version: done.version, to: "booked" })),
    ).toMatchObject({ code: "PRECONDITION_FAILED" });
  });

  test("the table: every state but the first is reached", () => {
    const reached = new Set(Object.values(MEETING_TRANSITIONS).flat());
    expect(MEETING_STATUSES.filter((status) => status !== "proposed" && !reached.has(status))).toEqual([]);
  });

  test("meetings.cancel: a whole series goes from here on, what was before stays", async () => {
    const first = await book(practice, { repeat: { everyWeeks: 1, times: 4 } });
    const from = new Date(Date.parse(first.startsAt) - HOUR_MS).toISOString();
    const to = new Date(Date.parse(first.startsAt) + 40 * 24 * HOUR_MS).toISOString();
    const series = async () =>
      (await practice.api.meetings.calendar.query({ from, to })).meetings.filter(
        ({ seriesId }) => seriesId === first.seriesId,
      );
    const [, second] = await series();
    await practice.api.meetings.cancel.mutate({
      changeId: newId(),
      id: second?.id ?? "",
      version: 0,
      reason: "Over",
      isLate: false,
      isWholeSeries: true,
    });
    expect((await series()).map(({ status }) => status)).toEqual(["booked", "cancelled", "cancelled", "cancelled"]);
  });
});

describe("clock changes", () => {
  test.each(["Europe/London", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"])(
    "a weekly meeting at 09:00 in %s stays at 09:00, in the calendar, the invitation and the feed",
    async (timeZone) => {
      const own = await aPractice(app);
      const settings = await own.api.practices.get.query();
      const { currency: _currency, ...practiceFields } = settings;
      await own.api.practices.update.mutate({ ...practiceFields, timeZone });
      const { theCase, p1 } = await aCase(own);
      for (const start of ["2027-02-15", "2027-09-06"]) {
        const first = await own.api.meetings.create.mutate(
          aMeetingInput(own.ownerId, {
            startsAt: localNine(timeZone, start),
            type: "call",
            caseId: theCase.id,
            partyIds: [p1.partyId],
            isInvitationSent: true,
            repeat: { everyWeeks: 1, times: 11 },
          }),
        );
        const to = new Date(Date.parse(first.startsAt) + 61 * 24 * HOUR_MS).toISOString();
        const { meetings } = await own.api.meetings.calendar.query({ from: first.startsAt, to });
        expect(meetings.length).toBeGreaterThan(8);
        expect(new Set(meetings.map(({ startsAt }) => wallTimeOf(timeZone, new Date(startsAt)).time))).toEqual(
          new Set(["09:00"]),
        );
      }
      await tellOfSeries(createLogger("silent"));
      const starts = (ics: string) =>
        new ICAL.Component(ICAL.parse(ics))
          .getAllSubcomponents("vevent")
          .map((event) => wallTimeOf(timeZone, new ICAL.Event(event).startDate.toJSDate()).time);
      const invited = (await mailsOf(theCase.id)).flatMap(({ attachments }) =>
        attachments.flatMap(({ content }) => starts(content)),
      );
      expect(invited).toHaveLength(22);
      expect(new Set(invited)).toEqual(new Set(["09:00"]));
      const { address } = await own.api.meetings.makeFeed.mutate({ level: "full" });
      const feed = await (await fetch(`${app.url}${new URL(address).pathname}`)).text();
      expect(new Set(starts(feed))).toEqual(new Set(["09:00"]));
    },
  );
});

/** The instant of nine o'clock there on this day, found by trying. */
function localNine(timeZone: string, date: string): string {
  const noon = Date.parse(`${date}T00:00:00Z`);
  for (let quarter = -60; quarter < 100; quarter += 1) {
    const instant = new Date(noon + quarter * 900_000);
    const wall = wallTimeOf(timeZone, instant);
    if (wall.day === date && wall.time === "09:00") return instant.toISOString();
  }
  throw new Error("there is no nine o'clock on this day");
}

describe("invitations", () => {
  test("meetings.create: each party gets an invitation of their own, with nothing of the other in it", async () => {
    const { theCase, first, second, p1, p2 } = await aCase(practice);
    const meeting = await book(practice, {
      caseId: theCase.id,
      partyIds: [p1.partyId, p2.partyId],
      title: "Priya against Owen",
      note: "Owen is afraid",
      arrivals: [{ partyId: p2.partyId, minutesBefore: 15 }],
      isInvitationSent: true,
    });
    const mails = await mailsOf(theCase.id);
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [first.email, "Your appointment"],
      [second.email, "Your appointment"],
    ]);
    const [one, two] = mails.map((mail) => JSON.stringify(mail));
    for (const hidden of [second.lastName, second.email, "against", "afraid", p2.partyId])
      expect(one).not.toContain(hidden);
    for (const hidden of [first.lastName, first.email, "against", "afraid", p1.partyId])
      expect(two).not.toContain(hidden);
    const startOf = (index: number) => {
      const component = new ICAL.Component(ICAL.parse(mails[index]?.attachments[0]?.content ?? ""));
      const event = component.getFirstSubcomponent("vevent");
      expect(component.getFirstPropertyValue("method")).toBe("REQUEST");
      expect(event?.getAllProperties("attendee")).toHaveLength(1);
      return event ? new ICAL.Event(event).startDate.toJSDate().getTime() : 0;
    };
    expect([startOf(0), startOf(1)]).toEqual([
      Date.parse(meeting.startsAt),
      Date.parse(meeting.startsAt) - 15 * 60_000,
    ]);
  });

  test("meetings.reschedule and cancel: the same entry moves on with a higher sequence, then is cancelled", async () => {
    const { theCase, p1 } = await aCase(practice);
    const invite = { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true };
    const meeting = await book(practice, invite);
    const startsAt = aTime();
    const moved = await practice.api.meetings.reschedule.mutate({
      changeId: newId(),
      id: meeting.id,
      version: meeting.version,
      startsAt,
      endsAt: new Date(Date.parse(startsAt) + HOUR_MS).toISOString(),
      reason: "Train",
      allowsOverlap: false,
    });
    expect(await practice.api.meetings.get.query({ id: meeting.id })).toMatchObject({ status: "rescheduled" });
    await practice.api.meetings.cancel.mutate({
      changeId: newId(),
      id: moved.id,
      version: moved.version,
      reason: "Ill",
      isLate: true,
      isWholeSeries: false,
    });
    const entries = (await mailsOf(theCase.id)).map(({ attachments }) => {
      const component = new ICAL.Component(ICAL.parse(attachments[0]?.content ?? ""));
      const event = component.getFirstSubcomponent("vevent");
      return [
        component.getFirstPropertyValue("method"),
        event?.getFirstPropertyValue("uid"),
        event?.getFirstPropertyValue("sequence"),
      ];
    });
    expect(entries.map(([method, , sequence]) => [method, sequence])).toEqual([
      ["REQUEST", 0],
      ["REQUEST", 1],
      ["CANCEL", 2],
    ]);
    expect(new Set(entries.map(([, uid]) => uid)).size).toBe(1);
  });

  test("meetings.create: who may not be mailed is not, and somebody is asked to tell them", async () => {
    const own = await aPractice(app);
    const { theCase, p1, first } = await aCase(own);
    const { version } = await own.api.clients.get.query({ id: first.id });
    await own.api.clients.update.mutate({
      id: first.id,
      version,
      client: clientFields({
        email: first.email,
        safeContact: { ...DEFAULT_SAFE_CONTACT, mayEmail: false, codeWord: "heron" },
      }),
    });
    await own.api.meetings.create.mutate(
      aMeetingInput(own.ownerId, { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true }),
    );
    expect(await mailsOf(theCase.id)).toEqual([]);
    const { items } = await own.api.tasks.list.query({});
    expect(items.map(({ title }) => title)).toEqual([
      expect.stringMatching(/^Tell P1 of the appointment on Tuesday 4 March 2031 at 09:00: may not be emailed\. Use /),
    ]);
  });
});

describe("the feed", () => {
  test("GET /ical: by default kind and initials; a new address ends the old one, and revoking the last", async () => {
    const own = await aPractice(app);
    const { theCase, p1, p2, first } = await aCase(own);
    await own.api.meetings.create.mutate(
      aMeetingInput(own.ownerId, {
        startsAt: new Date(Date.now() + 48 * HOUR_MS).toISOString(),
        caseId: theCase.id,
        partyIds: [p1.partyId, p2.partyId],
        title: "Secret title",
        note: "Secret note",
      }),
    );
    const read = async (address: string) => {
      const response = await fetch(`${app.url}${new URL(address).pathname}`);
      return { status: response.status, text: await response.text(), etag: response.headers.get("etag") ?? "" };
    };
    const initials = await own.api.meetings.makeFeed.mutate({ level: "initials" });
    const shown = await read(initials.address);
    expect(shown.text).toContain("SUMMARY:Mediation PN OC");
    for (const hidden of [first.lastName, first.email, "Secret", "Room 1", theCase.caseRef])
      expect(shown.text).not.toContain(hidden);
    const again = await fetch(`${app.url}${new URL(initials.address).pathname}`, {
      headers: { "if-none-match": shown.etag },
    });
    expect(again.status).toBe(304);
    const busy = await own.api.meetings.makeFeed.mutate({ level: "busy" });
    expect((await read(initials.address)).status).toBe(404);
    expect((await read(busy.address)).text).toContain("SUMMARY:Busy");
    await own.api.meetings.revokeFeed.mutate();
    const gone = await read(busy.address);
    expect(gone).toEqual({ ...(await read(busy.address.replace(/\w{4}\.ics/, "aaaa.ics"))) });
    expect(gone.status).toBe(404);
  });
});

describe("working hours and other calendars", () => {
  const ics = (...lines: string[]) =>
    ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", ...lines, "END:VCALENDAR", ""].join("\r\n");

  test("meetings.importBusy: what another calendar holds is taken, also where it repeats, and is free again without it", async () => {
    const own = await aPractice(app);
    const monday = new Date(Date.now() + 14 * 24 * HOUR_MS);
    monday.setUTCHours(9, 0, 0, 0);
    const stamp = monday.toISOString().replace(/[-:]|\.000/g, "");
    const file = ics(
      "BEGIN:VEVENT",
      "UID:dentist",
      `DTSTART:${stamp}`,
      "DURATION:PT1H",
      "RRULE:FREQ=WEEKLY;COUNT=3",
      "SUMMARY:Dentist",
      "END:VEVENT",
    );
    const { items } = await own.api.meetings.importBusy.mutate({ name: "Home", ics: file });
    expect(items).toMatchObject([{ name: "Home", count: 3 }]);
    const third = new Date(monday.getTime() + 14 * 24 * HOUR_MS).toISOString();
    const attempt = () => own.api.meetings.create.mutate(aMeetingInput(own.ownerId, { startsAt: third }));
    expect((await refusal(attempt())).code).toBe("CONFLICT");
    await own.api.meetings.removeBusy.mutate({ name: "Home" });
    expect(await attempt()).toMatchObject({ status: "booked" });
  });

  test("meetings.importBusy: what is no calendar is refused at its field", async () => {
    for (const text of ["", "hello", "BEGIN:VCARD\r\nEND:VCARD\r\n"])
      expect(await refusal(practice.api.meetings.importBusy.mutate({ name: "x", ics: text }))).toMatchObject({
        code: "BAD_REQUEST",
      });
  });

  test("meetings.nextFree: only in the working hours, never on a day off or where something is booked", async () => {
    const own = await aPractice(app);
    await own.api.meetings.setAvailability.mutate({
      weekly: [{ weekday: 3, from: "09:00", to: "11:00" }],
      daysOff: ["2031-03-12"],
      version: 0,
    });
    await own.api.meetings.create.mutate(aMeetingInput(own.ownerId, { startsAt: "2031-03-05T09:00:00.000Z" }));
    const { items } = await own.api.meetings.nextFree.query({
      mediatorId: own.ownerId,
      after: "2031-03-04T00:00:00.000Z",
      minutes: 60,
    });
    expect(items.map(({ startsAt }) => startsAt)).toEqual([
      "2031-03-05T10:00:00.000Z",
      "2031-03-19T09:00:00.000Z",
      "2031-03-19T09:15:00.000Z",
    ]);
  });
});

test("assigned only: a meeting of somebody else's case shows that the time is taken, and nothing else", async () => {
  const own = await aPractice(app);
  const staff = await aStaffUser(app, own, { permissions: ["clients.read", "calendar.manage", "assigned_only"] });
  const { theCase, p1, first } = await aCase(own);
  const meeting = await own.api.meetings.create.mutate(
    aMeetingInput(own.ownerId, { caseId: theCase.id, partyIds: [p1.partyId], title: "Secret title" }),
  );
  const { meetings } = await staff.api.meetings.calendar.query({
    from: "2031-03-01T00:00:00.000Z",
    to: "2031-04-01T00:00:00.000Z",
  });
  expect(meetings).toMatchObject([{ isBusyOnly: true, people: [], title: "" }]);
  const month = await staff.api.meetings.month.query({
    from: "2031-03-01T00:00:00.000Z",
    to: "2031-04-01T00:00:00.000Z",
  });
  expect(month.meetings).toEqual(meetings);
  expect(JSON.stringify(meetings)).not.toContain(first.lastName);
  expect(await refusal(staff.api.meetings.get.query({ id: meeting.id }))).toMatchObject({ code: "NOT_FOUND" });
});

test("a month: when days have more meetings than it shows, then each day in the practice's zone has its first ones and the count of the others", async () => {
  const own = await aPractice(app);
  const { theCase, p1 } = await aCase(own);
  // Half past midnight on the wall of a London summer is the day before in UTC.
  const starts = [
    "2031-06-09T23:30:00.000Z",
    ...[8, 9, 10, 11, 12, 13].map((hour) => `2031-06-10T${String(hour).padStart(2, "0")}:00:00.000Z`),
    "2031-06-11T09:00:00.000Z",
  ];
  for (const startsAt of starts) {
    const endsAt = new Date(Date.parse(startsAt) + 1_800_000).toISOString();
    const input = aMeetingInput(own.ownerId, { caseId: theCase.id, partyIds: [p1.partyId], startsAt, endsAt });
    await own.api.meetings.create.mutate({ ...input, id: newId() });
  }
  const asked = { from: "2031-05-31T23:00:00.000Z", to: "2031-06-30T23:00:00.000Z" };
  const month = await own.api.meetings.month.query(asked);
  expect(month.meetings.map(({ startsAt }) => startsAt)).toEqual([...starts.slice(0, 4), starts.at(-1)]);
  expect(month.more).toEqual([{ day: "2031-06-10", count: 3 }]);
  const { meetings } = await own.api.meetings.calendar.query(asked);
  expect(month.meetings).toEqual(meetings.filter(({ id }) => month.meetings.some((one) => one.id === id)));
});
