// Time zones, the parts of a date, and sums of dates. A local time is kept as the instant at which clocks on UTC show the
// same, so that the UTC methods of Date can do its arithmetic.
import { located } from "../bson/fail.ts";
import type { Found } from "../fields/paths.ts";
import { requireText } from "./expression-types.ts";

export const DAY = 86_400_000;

export type Zone = { name: string; offsetAt(utc: number): number };

const fixed = (name: string, offset: number): Zone => ({ name, offsetAt: () => offset });

const UTC = fixed("UTC", 0);
const zones = new Map<string, Zone>([
  ["UTC", UTC],
  ["GMT", UTC],
  ["Z", UTC],
]);

// Zones change their offset on quarter hours only, and at most once in a day.
const STEP = 15 * 60 * 1000;
const REMEMBERED = 20_000;
/** What lies further from 1970 is no date; whoever asks for the offset there will find out. */
const FURTHEST = 8.64e15 - DAY;

/** A zone by its name, or by its distance from UTC such as +05:30. */
export function openZone(name = "UTC"): Zone {
  const known = zones.get(name);
  if (known) return known;
  const offset = readOffset(name, /^([+-])(\d\d)(?::?(\d\d))?$/);
  const zone = offset === undefined ? namedZone(name) : fixed(name, offset);
  if (zones.size < 1000) zones.set(name, zone);
  return zone;
}

/** The milliseconds of a sign, hours, minutes and seconds. */
function readOffset(text: string, form: RegExp): number | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  const [, sign, hours, minutes = 0, seconds = 0] = match;
  const length = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return (sign === "-" ? -1000 : 1000) * length;
}

function namedZone(name: string): Zone {
  const format = openFormat(name);
  const offsets = new Map<number, number>();
  const offsetOf = (instant: number): number => {
    const known = offsets.get(instant);
    if (known !== undefined) return known;
    const text = format.formatToParts(instant).find((part) => part.type === "timeZoneName")?.value ?? "";
    const offset = readOffset(text, /([+-])(\d\d):(\d\d)(?::(\d\d))?/) ?? 0;
    if (offsets.size >= REMEMBERED) offsets.clear();
    offsets.set(instant, offset);
    return offset;
  };
  return {
    name,
    offsetAt(utc) {
      if (!(Math.abs(utc) < FURTHEST)) return 0;
      const day = Math.floor(utc / DAY) * DAY;
      const offset = offsetOf(day);
      return offset === offsetOf(day + DAY) ? offset : offsetOf(Math.floor(utc / STEP) * STEP);
    },
  };
}

function openFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch (cause) {
    const error = located(40485, `unrecognized time zone identifier: "${timeZone}"`);
    error.cause = cause;
    throw error;
  }
}

export const toLocal = (utc: number, zone: Zone): number => utc + zone.offsetAt(utc);

/** The instant of a wall time; one that the clock skips is moved on by the size of the gap. */
export function toUtc(local: number, zone: Zone): number {
  const guess = local - zone.offsetAt(local - zone.offsetAt(local));
  return toLocal(guess, zone) === local ? guess : local - zone.offsetAt(local - DAY);
}

export const isoWeekday = (local: Date): number => local.getUTCDay() || 7;

const dayOfYear = (local: Date): number =>
  Math.floor((local.getTime() - Date.UTC(local.getUTCFullYear(), 0, 1)) / DAY) + 1;

/** An ISO week belongs to the year of its Thursday. */
const thursdayOf = (local: Date): Date => new Date(local.getTime() + (4 - isoWeekday(local)) * DAY);

/** The parts of a local time, by the names of the operators that give them. */
export const DATE_PARTS = {
  year: (local) => local.getUTCFullYear(),
  month: (local) => local.getUTCMonth() + 1,
  dayOfMonth: (local) => local.getUTCDate(),
  hour: (local) => local.getUTCHours(),
  minute: (local) => local.getUTCMinutes(),
  second: (local) => local.getUTCSeconds(),
  millisecond: (local) => local.getUTCMilliseconds(),
  dayOfYear,
  dayOfWeek: (local) => local.getUTCDay() + 1,
  isoDayOfWeek: isoWeekday,
  // Weeks begin on Sunday; the days before the first one are week 0.
  week: (local) => Math.floor((dayOfYear(local) + 6 - local.getUTCDay()) / 7),
  isoWeek: (local) => Math.ceil(dayOfYear(thursdayOf(local)) / 7),
  isoWeekYear: (local) => thursdayOf(local).getUTCFullYear(),
} satisfies Record<string, (local: Date) => number>;
export type DatePart = keyof typeof DATE_PARTS;

/** A unit is so many months, or else so many milliseconds. */
type Unit = { name: string; months: number; length: number };

const UNITS: Unit[] = [
  { name: "year", months: 12, length: 0 },
  { name: "quarter", months: 3, length: 0 },
  { name: "month", months: 1, length: 0 },
  { name: "week", months: 0, length: 7 * DAY },
  { name: "day", months: 0, length: DAY },
  { name: "hour", months: 0, length: 3_600_000 },
  { name: "minute", months: 0, length: 60_000 },
  { name: "second", months: 0, length: 1000 },
  { name: "millisecond", months: 0, length: 1 },
];
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

export function readUnit(value: Found, name: string): Unit {
  const text = requireText(value, `'unit' of ${name}`, 5439013);
  const unit = UNITS.find((known) => known.name === text);
  if (unit) return unit;
  throw located(5439013, `${name} parameter 'unit' value cannot be recognized as a time unit: ${text}`);
}

/** 0 for Sunday, with which weeks begin unless told otherwise. */
export function readWeekday(value: Found, name: string): number {
  const text = requireText(value ?? "sunday", `'startOfWeek' of ${name}`, 5439015).toLowerCase();
  const day = WEEKDAYS.findIndex((weekday) => weekday === text || weekday.slice(0, 3) === text);
  if (day >= 0) return day;
  throw located(5439015, `${name} parameter 'startOfWeek' value cannot be recognized as a day of a week: ${text}`);
}

const monthNumber = (local: number): number => new Date(local).getUTCFullYear() * 12 + new Date(local).getUTCMonth();
const monthStart = (month: number): number =>
  new Date(0).setUTCFullYear(Math.floor(month / 12), ((month % 12) + 12) % 12, 1);

export function addUnits(utc: number, unit: Unit, amount: number, zone: Zone): number {
  const local = toLocal(utc, zone);
  if (unit.months === 0) {
    const isByClock = unit.length >= DAY;
    return isByClock ? toUtc(local + amount * unit.length, zone) : utc + amount * unit.length;
  }
  const month = monthNumber(local) + amount * unit.months;
  const lastDay = Math.round((monthStart(month + 1) - monthStart(month)) / DAY);
  const day = Math.min(new Date(local).getUTCDate(), lastDay);
  return toUtc(monthStart(month) + (day - 1) * DAY + (((local % DAY) + DAY) % DAY), zone);
}

const START = Date.UTC(2000, 0, 1);

/** Units are counted from the start of 2000, weeks from the first given weekday after it. */
const originOf = (unit: Unit, weekday: number): number =>
  unit.name === "week" ? START + ((weekday - new Date(START).getUTCDay() + 7) % 7) * DAY : START;

function unitNumber(local: number, unit: Unit, weekday: number): number {
  if (unit.months > 0) return Math.floor((monthNumber(local) - monthNumber(START)) / unit.months);
  return Math.floor((local - originOf(unit, weekday)) / unit.length);
}

/** How many boundaries of the unit lie between two local times. */
export const countUnits = (start: number, end: number, unit: Unit, weekday: number): number =>
  unitNumber(end, unit, weekday) - unitNumber(start, unit, weekday);

type Truncation = { unit: Unit; binSize: number; weekday: number; zone: Zone };

/** The start of the bin that the date falls into. */
export function truncate(utc: number, { unit, binSize, weekday, zone }: Truncation): number {
  const local = toLocal(utc, zone);
  const first = Math.floor(unitNumber(local, unit, weekday) / binSize) * binSize;
  if (unit.months > 0) return toUtc(monthStart(monthNumber(START) + first * unit.months), zone);
  const start = originOf(unit, weekday) + first * unit.length;
  // Below a day the bin's start is so near that the clock's own jumps must not be counted.
  return unit.length < DAY ? utc - (local - start) : toUtc(start, zone);
}
