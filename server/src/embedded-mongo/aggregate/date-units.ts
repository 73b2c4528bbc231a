// Calendar arithmetic in units, on local times.
import { located } from "../bson/fail.ts";
import type { Found } from "../query/paths.ts";
import { DAY } from "./date-text.ts";
import { toLocal, toUtc } from "./time-zone.ts";
import type { Zone } from "./time-zone.ts";

const MONTHS_IN = { year: 12, quarter: 3, month: 1 } as const;
const LENGTH_OF = { week: 7 * DAY, day: DAY, hour: 3_600_000, minute: 60_000, second: 1000, millisecond: 1 } as const;
type MonthUnit = keyof typeof MONTHS_IN;
type FixedUnit = keyof typeof LENGTH_OF;
export type Unit = MonthUnit | FixedUnit;

const isMonthUnit = (unit: string): unit is MonthUnit => Object.hasOwn(MONTHS_IN, unit);
const isFixedUnit = (unit: string): unit is FixedUnit => Object.hasOwn(LENGTH_OF, unit);

export function readUnit(value: Found | undefined, name: string): Unit {
  if (typeof value === "string" && (isMonthUnit(value) || isFixedUnit(value))) return value;
  throw located(
    5439013,
    `${name} parameter 'unit' value cannot be recognized as a time unit: ${typeof value === "string" ? value : typeof value}`,
  );
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** 0 for Sunday, with which weeks begin unless told otherwise. */
export function readWeekday(value: Found | undefined, name: string): number {
  if (value === undefined) return 0;
  const text = typeof value === "string" ? value.toLowerCase() : "?";
  const day = WEEKDAYS.findIndex((weekday) => weekday === text || weekday.slice(0, 3) === text);
  if (day < 0)
    throw located(
      5439015,
      `${name} parameter 'startOfWeek' value cannot be recognized as a day of a week: ${typeof value === "string" ? value : typeof value}`,
    );
  return day;
}

const monthNumber = (local: number): number => new Date(local).getUTCFullYear() * 12 + new Date(local).getUTCMonth();
const monthStart = (month: number): number =>
  new Date(0).setUTCFullYear(Math.floor(month / 12), ((month % 12) + 12) % 12, 1);

/** The day count of the first given weekday from the start of 2000, to which whole weeks are aligned. */
const firstWeekday = (weekday: number): number => {
  const start = Date.UTC(2000, 0, 1);
  return start + ((weekday - new Date(start).getUTCDay() + 7) % 7) * DAY;
};

export function addUnits(utc: number, unit: Unit, amount: number, zone: Zone): number {
  if (isFixedUnit(unit)) {
    if (LENGTH_OF[unit] < DAY) return utc + amount * LENGTH_OF[unit];
    return toUtc(toLocal(utc, zone) + amount * LENGTH_OF[unit], zone);
  }
  const local = toLocal(utc, zone);
  const month = monthNumber(local) + amount * MONTHS_IN[unit];
  const lastDay = Math.round((monthStart(month + 1) - monthStart(month)) / DAY);
  const day = Math.min(new Date(local).getUTCDate(), lastDay);
  return toUtc(monthStart(month) + (day - 1) * DAY + (((local % DAY) + DAY) % DAY), zone);
}

/** How many boundaries of the unit lie between two local times. */
export function countUnits(start: number, end: number, unit: Unit, weekday: number): number {
  if (isMonthUnit(unit)) {
    const index = (local: number) => Math.floor(monthNumber(local) / MONTHS_IN[unit]);
    return index(end) - index(start);
  }
  const origin = unit === "week" ? firstWeekday(weekday) : 0;
  const index = (local: number) => Math.floor((local - origin) / LENGTH_OF[unit]);
  return index(end) - index(start);
}

export type Truncation = { unit: Unit; binSize: number; weekday: number; zone: Zone };

/** The start of the bin that the date falls into; bins are counted from the start of 2000. */
export function truncate(utc: number, { unit, binSize, weekday, zone }: Truncation): number {
  const local = toLocal(utc, zone);
  if (isMonthUnit(unit)) {
    const size = MONTHS_IN[unit] * binSize;
    const since = monthNumber(local) - 2000 * 12;
    return toUtc(monthStart(2000 * 12 + Math.floor(since / size) * size), zone);
  }
  const size = LENGTH_OF[unit] * binSize;
  const origin = unit === "week" ? firstWeekday(weekday) : Date.UTC(2000, 0, 1);
  const start = origin + Math.floor((local - origin) / size) * size;
  // Below a day the bin's start is so near that the clock's own jumps must not be counted.
  return LENGTH_OF[unit] < DAY ? utc - (local - start) : toUtc(start, zone);
}
