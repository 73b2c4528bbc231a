// Dates to and from text.
import { MongoError } from "../values.ts";
import { located } from "../bson/fail.ts";
import { openZone, toLocal, toUtc } from "./time-zone.ts";
import type { Zone } from "./time-zone.ts";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
export const DAY = 86_400_000;

const pad = (value: number, width: number): string => String(value).padStart(width, "0");

const startOfYear = (local: number): number => Date.UTC(new Date(local).getUTCFullYear(), 0, 1);
export const dayOfYear = (local: number): number => Math.floor((local - startOfYear(local)) / DAY) + 1;
export const isoWeekday = (local: number): number => new Date(local).getUTCDay() || 7;

/** The year and number of the ISO week, which belongs to the year of its Thursday. */
export function isoWeek(local: number): { year: number; week: number } {
  const thursday = local + (4 - isoWeekday(local)) * DAY;
  return { year: new Date(thursday).getUTCFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) };
}

/** Weeks begin on Sunday; the days before the first one are week 0. */
export const sundayWeek = (local: number): number =>
  Math.floor((dayOfYear(local) + 6 - new Date(local).getUTCDay()) / 7);

function formatPart(letter: string, local: number, zone: Zone, utc: number): string {
  const date = new Date(local);
  const minutes = Math.round(zone.offsetAt(utc) / 60_000);
  switch (letter) {
    case "d":
      return pad(date.getUTCDate(), 2);
    case "G":
      return pad(isoWeek(local).year, 4);
    case "H":
      return pad(date.getUTCHours(), 2);
    case "j":
      return pad(dayOfYear(local), 3);
    case "L":
      return pad(date.getUTCMilliseconds(), 3);
    case "m":
      return pad(date.getUTCMonth() + 1, 2);
    case "M":
      return pad(date.getUTCMinutes(), 2);
    case "S":
      return pad(date.getUTCSeconds(), 2);
    case "w":
      return String(date.getUTCDay() + 1);
    case "u":
      return String(isoWeekday(local));
    case "U":
      return pad(sundayWeek(local), 2);
    case "V":
      return pad(isoWeek(local).week, 2);
    case "Y":
      return pad(date.getUTCFullYear(), 4);
    case "b":
      return (MONTHS[date.getUTCMonth()] ?? "").slice(0, 3);
    case "B":
      return MONTHS[date.getUTCMonth()] ?? "";
    case "z":
      return `${minutes < 0 ? "-" : "+"}${pad(Math.floor(Math.abs(minutes) / 60), 2)}${pad(Math.abs(minutes) % 60, 2)}`;
    case "Z":
      return String(minutes);
    case "%":
      return "%";
  }
  throw located(18536, `Invalid format character '%${letter}' in format string`);
}

export function formatDate(utc: number, format: string, zone: Zone): string {
  const local = toLocal(utc, zone);
  const year = new Date(local).getUTCFullYear();
  if (year < 0 || year > 9999)
    throw located(18537, `$dateToString is only defined on year 0-9999, tried to use year ${year}`);
  return format.replaceAll(/%(.?)/gs, (_match, letter: string) => formatPart(letter, local, zone, utc));
}

const failed = (text: string, reason: string): MongoError =>
  new MongoError(241, "ConversionFailure", `Error parsing date string '${text}'; ${reason}`);

const ISO =
  /^(\d{4})-(\d\d?)(?:-(\d\d?))?(?:(?:T|t| +)(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|z|GMT|UTC|[+-]\d\d(?::?\d\d)?)?$/;

type Parts = {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
};

function assemble(text: string, parts: Parts, zone: Zone): Date {
  const { year, month, day, hour, minute, second, millisecond } = parts;
  const local = Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  const isReal =
    new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1 && hour < 25 && minute < 60 && second < 61;
  if (!isReal) throw failed(text, "a part of the date is out of range");
  return new Date(toUtc(local, zone));
}

/** Reads an ISO 8601 date; a zone in the text excludes one given besides. */
export function parseIsoDate(text: string, zoneName: string | undefined): Date {
  const match = ISO.exec(text.trim());
  if (!match) throw failed(text, "it is not in ISO 8601 form");
  const [, year, month, day = "1", hour = "0", minute = "0", second = "0", fraction = "0", zone] = match;
  if (zone !== undefined && zoneName !== undefined)
    throw failed(text, "passing a time zone identifier as part of the string and as an argument is not allowed");
  const parts = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  };
  return assemble(
    text,
    { ...parts, millisecond: Math.floor(Number(`0.${fraction}`) * 1000) },
    openZone(zone?.toUpperCase() ?? zoneName),
  );
}

const READERS = new Map([
  ["Y", "(?<year>\\d{4})"],
  ["m", "(?<month>\\d{1,2})"],
  ["d", "(?<day>\\d{1,2})"],
  ["H", "(?<hour>\\d{1,2})"],
  ["M", "(?<minute>\\d{1,2})"],
  ["S", "(?<second>\\d{1,2})"],
  ["L", "(?<millisecond>\\d{1,3})"],
  ["z", "(?<zone>Z|[+-]\\d\\d:?\\d\\d)"],
  ["b", "(?<monthName>[A-Za-z]{3})"],
  ["B", "(?<monthName>[A-Za-z]+)"],
  ["%", "%"],
]);

export function parseDate(text: string, format: string, zoneName: string | undefined): Date {
  const pattern = format.replaceAll(/%(.?)|[\^$\\.*+?()[\]{}|/]/gs, (piece, letter: string | undefined) => {
    if (!piece.startsWith("%")) return `\\${piece}`;
    const reader = READERS.get(letter ?? "");
    if (reader === undefined)
      throw located(18536, `Format character '%${letter ?? ""}' is not supported by the embedded database`);
    return reader;
  });
  const found = new RegExp(`^${pattern}$`).exec(text)?.groups;
  if (!found) throw failed(text, `it does not match the format '${format}'`);
  const number = (name: string, fallback: number) => Number(found[name] ?? fallback);
  const byName = MONTHS.findIndex((month) => month.toLowerCase().startsWith((found["monthName"] ?? "?").toLowerCase()));
  return assemble(
    text,
    {
      year: number("year", 1970),
      month: found["monthName"] === undefined ? number("month", 1) : byName + 1,
      day: number("day", 1),
      hour: number("hour", 0),
      minute: number("minute", 0),
      second: number("second", 0),
      millisecond: Number((found["millisecond"] ?? "0").padEnd(3, "0")),
    },
    openZone(found["zone"] ?? zoneName),
  );
}
