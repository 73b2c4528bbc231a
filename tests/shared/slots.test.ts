import { addDays, dayIn } from "@app/shared/days";
import { bookableSpan, computeSlots, type SlotRules } from "@app/shared/slots";
import { merged } from "@app/shared/spans";
import { instantOf, wallTimeOf } from "@app/shared/wall-time";
import fc from "fast-check";
import { expect, test } from "vitest";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SEARCHED_DAYS = 3;

const nineToFive = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, from: "09:00", to: "17:00" }));
const rules = (changed: Partial<SlotRules> = {}): SlotRules => ({
  timeZone: "Europe/London",
  weekly: nineToFive,
  overrides: [],
  holidays: [],
  durationMinutes: 60,
  stepMinutes: 60,
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 0,
  busy: [],
  from: Date.parse("2026-11-09T00:00:00Z"),
  until: Date.parse("2026-11-10T00:00:00Z"),
  maxPerDay: null,
  perDay: new Map(),
  ...changed,
});
const times = (changed: Partial<SlotRules>): string[] => {
  const asked = rules(changed);
  return computeSlots(asked).map((at) => wallTimeOf(asked.timeZone, new Date(at)).time);
};
const at = (text: string) => Date.parse(text);

/** The plain way: every minute by itself, and each asked of the clock on the wall. */
function referenceSlots(asked: SlotRules): number[] {
  const minutes = asked.until - asked.from + 2 * DAY_MS;
  const works = (instant: number) => {
    const { day, time } = wallTimeOf(asked.timeZone, new Date(instant));
    return rangesOn(asked, day).some(({ from, to }) => from <= time && time < to);
  };
  const known = new Map<number, boolean>();
  for (let at = 0; at < minutes; at += MINUTE_MS) known.set(asked.from + at, works(asked.from + at));
  const isFree = (start: number) => {
    for (let at = start; at < start + asked.durationMinutes * MINUTE_MS; at += MINUTE_MS)
      if (!known.get(at)) return false;
    const first = start - asked.bufferBeforeMinutes * MINUTE_MS;
    const end = start + (asked.durationMinutes + asked.bufferAfterMinutes) * MINUTE_MS;
    return asked.busy.every(({ from, to }) => to <= first || end <= from);
  };
  const found: number[] = [];
  for (let start = asked.from; start < asked.until; start += MINUTE_MS) {
    const { day, time } = wallTimeOf(asked.timeZone, new Date(start));
    const isOnStep = rangesOn(asked, day).some(
      ({ from, to }) => from <= time && time < to && (minuteOf(time) - minuteOf(from)) % asked.stepMinutes === 0,
    );
    const isFull = asked.maxPerDay !== null && (asked.perDay.get(day) ?? 0) >= asked.maxPerDay;
    if (isOnStep && !isFull && isFree(start)) found.push(start);
  }
  return found;
}

function rangesOn({ weekly, overrides, holidays }: SlotRules, day: string) {
  const own = overrides.filter((one) => one.day === day);
  if (own.length > 0) return own.flatMap(({ ranges }) => ranges);
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return holidays.includes(day) ? [] : weekly.filter((range) => range.weekday === weekday);
}
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Every day of these years on which, or beside which, a zone puts its clock on or back. */
function changesOf(timeZone: string): string[] {
  const midday = (day: string) => instantOf(timeZone, { day, time: "12:00" }).getTime();
  const days: string[] = [];
  for (let day = "2025-01-01"; day < "2028-01-01"; day = addDays(day, 1))
    if (midday(addDays(day, 1)) - midday(day) !== DAY_MS) days.push(addDays(day, 1));
  return days;
}

const ZONES = [
  "Europe/London",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "America/Santiago",
  "America/Havana",
  "Asia/Beirut",
  "Africa/Casablanca",
  "America/St_Johns",
  "Pacific/Chatham",
  "UTC",
];

const pad = (value: number) => String(value).padStart(2, "0");
const rangeOf = fc
  .tuple(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 1, max: 96 }))
  .filter(([from, to]) => from < to)
  .map(([from, to]) => ({ from: quarter(from), to: quarter(to) }));
const quarter = (count: number) => `${pad(Math.floor(count / 4))}:${pad((count % 4) * 15)}`;

const askedOf = (day: string, timeZone: string) =>
  fc
    .record({
      weekly: fc.array(
        fc.tuple(fc.integer({ min: 0, max: 6 }), rangeOf).map(([weekday, range]) => ({ weekday, ...range })),
        { minLength: 3, maxLength: 12 },
      ),
      overrides: fc.array(
        fc.record({
          day: fc.integer({ min: -1, max: 2 }).map((by) => addDays(day, by)),
          ranges: fc.array(rangeOf, { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
      holidays: fc.subarray([addDays(day, -1), addDays(day, 1)]),
      durationMinutes: fc.constantFrom(15, 30, 50, 90, 240),
      stepMinutes: fc.constantFrom(10, 15, 30, 60),
      bufferBeforeMinutes: fc.constantFrom(0, 0, 10, 30),
      bufferAfterMinutes: fc.constantFrom(0, 0, 15, 60),
      busyAt: fc.array(fc.tuple(fc.integer({ min: 0, max: 72 * 60 }), fc.integer({ min: 5, max: 300 })), {
        maxLength: 5,
      }),
      startMinute: fc.integer({ min: 0, max: 24 * 60 }),
      maxPerDay: fc.constantFrom(null, null, 1, 2),
      taken: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }),
    })
    .map(({ busyAt, startMinute, taken, ...rest }) => {
      const from = instantOf(timeZone, { day: addDays(day, -1), time: "00:00" }).getTime();
      return {
        ...rest,
        timeZone,
        from: from + startMinute * MINUTE_MS,
        until: from + SEARCHED_DAYS * DAY_MS,
        busy: merged(
          busyAt.map(([at, length]) => ({ from: from + at * MINUTE_MS, to: from + (at + length) * MINUTE_MS })),
        ),
        perDay: new Map(taken.map((count, index) => [addDays(day, index - 1), count])),
      };
    });

test.each(ZONES)(
  "computeSlots: in %s, on any day and around every change of its clock, as minute by minute",
  (timeZone) => {
    const changes = changesOf(timeZone);
    const anyDay = fc.integer({ min: 0, max: 3 * 365 }).map((by) => addDays("2025-01-01", by));
    const days =
      changes.length > 0 ? fc.oneof(fc.constantFrom(...changes), fc.constantFrom(...changes), anyDay) : anyDay;
    fc.assert(
      fc.property(
        days.chain((day) => askedOf(day, timeZone)),
        (asked) => {
          expect(computeSlots(asked)).toEqual(referenceSlots(asked));
        },
      ),
      { numRuns: Number(process.env["SLOT_CASES"] ?? 12) },
    );
  },
);

test("computeSlots: 24:00, when the hours go on after it, is no end", () => {
  const weekly = [
    { weekday: 1, from: "22:00", to: "24:00" },
    { weekday: 2, from: "00:00", to: "02:00" },
  ];
  const until = at("2026-11-10T12:00:00Z");
  expect(times({ weekly, until, durationMinutes: 120 })).toEqual(["22:00", "23:00", "00:00"]);
});

test("computeSlots: own hours of a day, when the practice is closed on it, count and the weekly ones do not", () => {
  const day = "2026-11-09";
  expect(times({ holidays: [day] })).toEqual([]);
  expect(times({ holidays: [day], overrides: [{ day, ranges: [{ from: "10:00", to: "11:00" }] }] })).toEqual(["10:00"]);
  expect(times({ overrides: [{ day, ranges: [] }] })).toEqual([]);
});

test("computeSlots: between meetings, when there are buffers, as much time is left before and after", () => {
  const busy = [{ from: at("2026-11-09T11:00:00Z"), to: at("2026-11-09T12:00:00Z") }];
  expect(times({ busy })).toEqual(["09:00", "10:00", "12:00", "13:00", "14:00", "15:00", "16:00"]);
  const buffered = { busy, bufferBeforeMinutes: 15, bufferAfterMinutes: 5 };
  expect(times(buffered)).toEqual(["09:00", "13:00", "14:00", "15:00", "16:00"]);
});

test("bookableSpan: notice and horizon, when the clock is put on in between, are kept in the host's own days", () => {
  const now = at("2026-03-20T10:00:00Z");
  const span = bookableSpan({ timeZone: "Europe/London", now, minNoticeMinutes: 120, horizonDays: 10 });
  expect(span).toEqual({ from: at("2026-03-20T12:00:00Z"), to: at("2026-03-30T23:00:00Z") });
  expect(dayIn("Europe/London", new Date(span.to - 1))).toBe("2026-03-30");
});
