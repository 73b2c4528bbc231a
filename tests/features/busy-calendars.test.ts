// Whatever somebody's other calendars hold, whoever looks for a free time finds it at once.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { migrate } from "@app/server/core/migrate";
import { merged } from "@app/shared/spans";
import { MIGRATIONS } from "@app/server/migrations";
import { BUSY_OF_PERSON, BUSY_OF_PRACTICE } from "@app/shared/meetings";
import fc from "fast-check";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { aMeetingInput, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MANY = 4990;

const app = forAllTests(startTestApp);

interface Event {
  from: number;
  to: number;
}
const stamp = (at: number) => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "");
const calendarOf = (events: readonly Event[]): string =>
  [
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x",
    ...events.map(
      ({ from, to }, at) => `BEGIN:VEVENT\r\nUID:${at}\r\nDTSTART:${stamp(from)}\r\nDTEND:${stamp(to)}\r\nEND:VEVENT`,
    ),
    "END:VCALENDAR\r\n",
  ].join("\r\n");

/** Midnight in so many days. */
const dayIn = (days: number): number => Math.floor(Date.now() / DAY_MS + days) * DAY_MS;
/** Each of a minute, with a minute between. */
const apart = (count: number, first = dayIn(2)): Event[] =>
  Array.from({ length: count }, (_, at) => ({
    from: first + 2 * at * MINUTE_MS,
    to: first + (2 * at + 1) * MINUTE_MS,
  }));
const alike = (count: number): Event[] =>
  Array.from({ length: count }, (_, at) => ({ from: dayIn(2) + (at % 60) * MINUTE_MS, to: dayIn(2) + HOUR_MS }));

const take = ({ api }: TestPerson, name: string, events: readonly Event[]) =>
  api.meetings.importBusy.mutate({ name, ics: calendarOf(events) });

const stored = (name: string) => mongoose.connection.collection<{ _id: string }>(name);

test("S74 meetings.importBusy: more calendars than one person may have, then it is refused in words, and one that is there may be replaced", async () => {
  const own = await aPractice(app);
  for (let at = 0; at < BUSY_OF_PERSON.calendars; at += 1) await take(own, `calendar ${at}`, apart(1));
  const { code, fields } = await refusal(take(own, "one more", apart(1)));
  expect([code, fields["name"]]).toEqual([
    "BAD_REQUEST",
    expect.stringMatching(/^You have 10 other calendars here already, which is the most\. Remove a calendar/),
  ]);
  expect((await take(own, "calendar 0", apart(2))).items).toHaveLength(BUSY_OF_PERSON.calendars);
  await own.api.meetings.removeBusy.mutate({ name: "calendar 1" });
  expect((await take(own, "one more", apart(1))).items).toHaveLength(BUSY_OF_PERSON.calendars);
});

test("S74 meetings.importBusy: calendars that together hold too much, also at once, then no more than one person may have is kept", async () => {
  const own = await aPractice(app);
  const taken = await Promise.allSettled(["a", "b", "c", "d"].map((name) => take(own, name, apart(MANY))));
  expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  const { fields } = await refusal(take(own, "e", apart(MANY)));
  expect(fields["ics"]).toMatch(/^Your calendars would hold 14970 busy times, and 10000 is the most\. Remove/);
  expect((await own.api.meetings.listBusy.query()).items.map(({ count }) => count)).toEqual([MANY, MANY]);
}, 30_000);

test("S74 meetings.importBusy: the practice's calendars together are at their limit, then a colleague's is refused", async () => {
  const own = await aPractice(app);
  const ofOthers = { ownerId: own.ownerId, name: "Home", importedAt: new Date() };
  await mongoose.connection
    .collection<{ _id: string; userId: string }>("busy_calendars")
    .insertMany(
      [1, 2, 3, 4, 5].map((at) => ({ ...ofOthers, _id: newId(), userId: `u${at}`, count: BUSY_OF_PRACTICE.times / 5 })),
    );
  const staff = await aStaffUser(app, own, { role: 2 });
  expect((await refusal(take(staff, "Home", apart(1)))).fields["ics"]).toMatch(
    /^The calendars of your practice would hold 50001/,
  );
});

test("S74 meetings.importBusy: events that say the same a great many times, then they are one busy time", async () => {
  const own = await aPractice(app);
  expect((await take(own, "Home", alike(MANY))).items).toMatchObject([{ count: 1 }]);
});

test("S74 meetings.nextFree: all that one person may keep is in the days that are asked for, then free times are right and there at once", async () => {
  const own = await aPractice(app);
  await take(own, "long", [{ from: dayIn(1), to: dayIn(16) }]);
  await take(own, "many", apart(MANY));
  await take(
    own,
    "more",
    apart(MANY).map(({ from, to }) => ({ from: from + MINUTE_MS, to: to + MINUTE_MS })),
  );
  await own.api.meetings.setAvailability.mutate({
    weekly: [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, from: "00:00", to: "23:45" })),
    daysOff: [],
    version: 0,
  });
  const asked = { mediatorId: own.ownerId, after: new Date(dayIn(1)).toISOString(), minutes: 60 };
  const begun = performance.now();
  const { items } = await own.api.meetings.nextFree.query(asked);
  expect(performance.now() - begun).toBeLessThan(1000);
  expect(items[0]?.startsAt).toBe(new Date(dayIn(16)).toISOString());
}, 30_000);

test("meetings.calendar: what another calendar holds, then it is shown by its times, and gone with its calendar", async () => {
  const own = await aPractice(app);
  const [first, second] = [
    { from: dayIn(30), to: dayIn(30) + HOUR_MS },
    { from: dayIn(60), to: dayIn(60) + HOUR_MS },
  ];
  await take(own, "Home", [second, first]);
  const span = { from: new Date(dayIn(29)).toISOString(), to: new Date(dayIn(61)).toISOString() };
  const { busy } = await own.api.meetings.calendar.query(span);
  expect(busy.map(({ startsAt }) => Date.parse(startsAt))).toEqual([first.from, second.from]);
  expect(new Set(busy.map(({ id }) => id)).size).toBe(2);
  await take(own, "Home", [second]);
  expect((await own.api.meetings.calendar.query(span)).busy).toHaveLength(1);
  const startsAt = new Date(second.from).toISOString();
  const book = () => own.api.meetings.create.mutate(aMeetingInput(own.ownerId, { startsAt }));
  expect((await refusal(book())).code).toBe("CONFLICT");
  await own.api.meetings.removeBusy.mutate({ name: "Home" });
  expect((await own.api.meetings.calendar.query(span)).busy).toEqual([]);
  expect(await book()).toMatchObject({ status: "booked" });
});

test("meetings.importBusy: what was over a week ago, then it is not kept", async () => {
  const own = await aPractice(app);
  const old = { from: dayIn(-9), to: dayIn(-8) };
  expect((await take(own, "Home", [old, { from: dayIn(-2), to: dayIn(-1) }])).items).toMatchObject([{ count: 1 }]);
});

test("busy times that were kept one by one: the product is updated, then they are as busy as before, in their calendars", async () => {
  const own = await aPractice(app);
  const day = dayIn(40);
  const block = (hour: number, calendar: string) => ({
    _id: newId(),
    ownerId: own.ownerId,
    userId: own.ownerId,
    calendar,
    importedAt: new Date(),
    startsAt: new Date(day + hour * HOUR_MS),
    endsAt: new Date(day + (hour + 1) * HOUR_MS),
  });
  await stored("busy_blocks").insertMany([block(9, "Home"), block(9, "Home"), block(11, "Home"), block(14, "Work")]);
  await stored("migrations").deleteMany({ _id: /other calendars/ });
  await migrate(MIGRATIONS, createLogger("silent"));
  const { items } = await own.api.meetings.listBusy.query();
  expect(items.map(({ name, count }) => [name, count])).toEqual([
    ["Home", 2],
    ["Work", 1],
  ]);
  const span = { from: new Date(day).toISOString(), to: new Date(day + DAY_MS).toISOString() };
  const { busy } = await own.api.meetings.calendar.query(span);
  expect(busy.map(({ startsAt }) => (Date.parse(startsAt) - day) / HOUR_MS)).toEqual([9, 11, 14]);
  expect(await stored("busy_blocks").countDocuments()).toBe(0);
});

test("merged: any times, then they are in order, apart, and say of each moment what was said before", () => {
  const span = fc
    .tuple(fc.nat(50), fc.integer({ min: 1, max: 9 }))
    .map(([from, length]) => ({ from, to: from + length }));
  fc.assert(
    fc.property(fc.array(span, { maxLength: 20 }), (spans) => {
      const found = merged(spans);
      found.slice(1).forEach(({ from }, at) => expect(from).toBeGreaterThanOrEqual(found[at]?.to ?? 0));
      for (let at = 0; at < 60; at += 1) {
        const isIn = ({ from, to }: Event) => from <= at && at < to;
        expect(found.filter(isIn).length).toBe(spans.some(isIn) ? 1 : 0);
      }
    }),
  );
});
