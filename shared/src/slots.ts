// At which times somebody can be booked: their hours as wall times in their own zone, less what takes their time. Pure, so
// that the same times are free for whoever looks, from whatever zone, and a booking is checked by what was shown.
import { addDays, dayIn, daysBetween } from "./days.ts";
import { joined, type Span } from "./spans.ts";
import { instantOf, instantsOf, plainDayOffset } from "./wall-time.ts";

const MINUTE_MS = 60_000;

/** Wall times, HH:MM; "24:00" is the next midnight. */
export interface TimeRange {
  from: string;
  to: string;
}

export interface Hours {
  /** 0 is Sunday. */
  weekly: readonly (TimeRange & { weekday: number })[];
  /** Other hours on single days, in place of the weekly ones; without a range the day is free. */
  overrides: readonly { day: string; ranges: readonly TimeRange[] }[];
  /** The practice is closed, save where somebody has hours of their own on that day. */
  holidays: readonly string[];
}

export interface SlotRules extends Hours {
  timeZone: string;
  durationMinutes: number;
  stepMinutes: number;
  bufferBeforeMinutes: number;
  bufferAfterMinutes: number;
  /** In order, and none overlaps another. */
  busy: readonly Span[];
  /** Slots begin at this instant or later, and before the other. */
  from: number;
  until: number;
  /** Null for any number of meetings in a day. */
  maxPerDay: number | null;
  /** How many meetings each day of that zone has already. */
  perDay: ReadonlyMap<string, number>;
}

interface Booking {
  timeZone: string;
  now: number;
  minNoticeMinutes: number;
  /** Until the end of this day in that zone, counted from today. */
  horizonDays: number;
}

/** From when and until when somebody can be booked. */
export function bookableSpan({ timeZone, now, minNoticeMinutes, horizonDays }: Booking): Span {
  const lastDay = addDays(dayIn(timeZone, new Date(now)), horizonDays);
  const end = instantOf(timeZone, { day: addDays(lastDay, 1), time: "00:00" });
  return { from: now + minNoticeMinutes * MINUTE_MS, to: end.getTime() };
}

/** The instants at which a meeting may begin, in their order. */
export const computeSlots = (rules: SlotRules): number[] => [...slotsOneByOne(rules)];

/** The same day by day, because the first few are often enough. */
export function* slotsOneByOne(rules: SlotRules): Generator<number> {
  const { timeZone, from, until } = rules;
  if (from >= until) return;
  const first = dayIn(timeZone, new Date(from));
  const days = daysBetween(first, dayIn(timeZone, new Date(until))) + 1;
  let today = workingDay(rules, first);
  for (let count = 0; count < days; count += 1) {
    const day = addDays(first, count);
    // A meeting may go on past midnight where the hours do.
    const tomorrow = workingDay(rules, addDays(day, 1));
    if (!isFull(rules, day)) {
      const working = joined([...today.spans, ...tomorrow.spans]);
      for (const start of today.starts) if (isFree(rules, working, start)) yield start;
    }
    today = tomorrow;
  }
}

const isFull = ({ maxPerDay, perDay }: SlotRules, day: string): boolean =>
  maxPerDay !== null && (perDay.get(day) ?? 0) >= maxPerDay;

function isFree(rules: SlotRules, working: readonly Span[], start: number): boolean {
  const { from, until, durationMinutes, bufferBeforeMinutes, bufferAfterMinutes, busy } = rules;
  if (start < from || start >= until) return false;
  const end = start + durationMinutes * MINUTE_MS;
  if (!working.some((span) => span.from <= start && end <= span.to)) return false;
  const taken = firstEndingAfter(busy, start - bufferBeforeMinutes * MINUTE_MS);
  return !taken || taken.from >= end + bufferAfterMinutes * MINUTE_MS;
}

/** By halves, because an imported calendar holds thousands. */
function firstEndingAfter(spans: readonly Span[], at: number): Span | undefined {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return spans[low];
}

interface WorkingDay {
  spans: Span[];
  /** When something may begin, by steps from the start of each range. */
  starts: number[];
}

function workingDay(rules: SlotRules, day: string): WorkingDay {
  const ranges = rangesOf(rules, day).map(({ from, to }) => ({ from: minutesOf(from), to: minutesOf(to) }));
  if (ranges.length === 0) return { spans: [], starts: [] };
  const instants = instantsIn(rules.timeZone, day);
  const starts = new Set<number>();
  for (const { from, to } of ranges)
    for (let minute = from; minute < to; minute += rules.stepMinutes)
      for (const instant of instants.at(minute)) starts.add(instant);
  return { spans: ranges.flatMap(instants.spans), starts: [...starts].toSorted((one, other) => one - other) };
}

function rangesOf({ weekly, overrides, holidays }: Hours, day: string): readonly TimeRange[] {
  const own = overrides.filter((one) => one.day === day);
  if (own.length > 0) return own.flatMap(({ ranges }) => ranges);
  if (holidays.includes(day)) return [];
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekly.filter((one) => one.weekday === weekday);
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

interface DayInstants {
  at: (minute: number) => number[];
  spans: (range: { from: number; to: number }) => Span[];
}

/** The instants of a day by its wall time: what the clock leaves out has none, what it shows twice has two. */
function instantsIn(timeZone: string, day: string): DayInstants {
  const offset = plainDayOffset(timeZone, day);
  if (offset === null) {
    const at = (minute: number) =>
      instantsOf(timeZone, { day, time: timeOf(minute) }).map((instant) => instant.getTime());
    return { at, spans: ({ from, to }) => joined(minutesBetween(from, to).flatMap(at).map(aMinute)) };
  }
  const midnight = Date.parse(`${day}T00:00:00Z`) - offset;
  const at = (minute: number) => midnight + minute * MINUTE_MS;
  return { at: (minute) => [at(minute)], spans: ({ from, to }) => [{ from: at(from), to: at(to) }] };
}

const minutesBetween = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(to - from, 0) }, (_, index) => from + index);
const aMinute = (from: number): Span => ({ from, to: from + MINUTE_MS });
