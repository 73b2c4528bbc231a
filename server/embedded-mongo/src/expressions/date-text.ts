// Dates to and from text.
import type { MongoError } from "../values.ts";
import { located, unsupported } from "../bson/fail.ts";
import { DATE_PARTS, type DatePart, openZone, toLocal, toUtc, type Zone } from "./calendar.ts";

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2000, month)).toLocaleString("en", { month: "long", timeZone: "UTC" }),
);

/** The letters of a format that print a number, padded to a width. */
const PRINTED = new Map<string, [DatePart, number]>([
  ["Y", ["year", 4]],
  ["m", ["month", 2]],
  ["d", ["dayOfMonth", 2]],
  ["H", ["hour", 2]],
  ["M", ["minute", 2]],
  ["S", ["second", 2]],
  ["L", ["millisecond", 3]],
  ["j", ["dayOfYear", 3]],
  ["w", ["dayOfWeek", 1]],
  ["u", ["isoDayOfWeek", 1]],
  ["U", ["week", 2]],
  ["V", ["isoWeek", 2]],
  ["G", ["isoWeekYear", 4]],
]);

const pad = (value: number, width: number): string => String(value).padStart(width, "0");

function printPart(letter: string, local: Date, offset: number): string {
  const [part, width] = PRINTED.get(letter) ?? [];
  if (part && width) return pad(DATE_PARTS[part](local), width);
  const minutes = Math.round(Math.abs(offset) / 60_000);
  switch (letter) {
    case "b":
      return (MONTHS[local.getUTCMonth()] ?? "").slice(0, 3);
    case "B":
      return MONTHS[local.getUTCMonth()] ?? "";
    case "z":
      return `${offset < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60), 2)}${pad(minutes % 60, 2)}`;
    case "Z":
      return String(Math.round(offset / 60_000));
    case "%":
      return "%";
  }
  throw located(18536, `Invalid format character '%${letter}' in format string`);
}

export function formatDate(utc: number, format: string, zone: Zone): string {
  const local = new Date(toLocal(utc, zone));
  const year = local.getUTCFullYear();
  if (year < 0 || year > 9999)
    throw located(18537, `$dateToString is only defined on year 0-9999, tried to use year ${year}`);
  const offset = zone.offsetAt(utc);
  return format.replaceAll(/%(.?)/gs, (_match, letter: string) => printPart(letter, local, offset));
}

const failed = (text: string, reason: string): MongoError =>
  located(241, `Error parsing date string '${text}'; ${reason}`);

const ISO = new RegExp(
  [
    String.raw`^(?<year>\d{4})-(?<month>\d\d?)(-(?<day>\d\d?))?`,
    String.raw`((T|t| +)(?<hour>\d\d?):(?<minute>\d\d)(:(?<second>\d\d)([.,](?<millisecond>\d{1,9}))?)?)?`,
    String.raw`\s*(?<zone>Z|z|GMT|UTC|[+-]\d\d(:?\d\d)?)?$`,
  ].join(""),
);

/** What the letters of a format read. */
const READ = new Map([
  ["Y", String.raw`(?<year>\d{4})`],
  ["m", String.raw`(?<month>\d{1,2})`],
  ["d", String.raw`(?<day>\d{1,2})`],
  ["H", String.raw`(?<hour>\d{1,2})`],
  ["M", String.raw`(?<minute>\d{1,2})`],
  ["S", String.raw`(?<second>\d{1,2})`],
  ["L", String.raw`(?<millisecond>\d{1,3})`],
  ["z", String.raw`(?<zone>Z|[+-]\d\d:?\d\d)`],
  ["b", "(?<monthName>[A-Za-z]{3})"],
  ["B", "(?<monthName>[A-Za-z]+)"],
  ["%", "%"],
]);

/** Reads a date in ISO 8601 form; a zone in the text excludes one given besides. */
export const parseIsoDate = (text: string, zone: string | undefined): Date =>
  assemble(text, ISO.exec(text.trim()), zone);

export function parseDate(text: string, format: string, zone: string | undefined): Date {
  const pattern = format.replaceAll(/%(.?)|[\^$\\.*+?()[\]{}|/]/gs, (piece, letter: string | undefined) => {
    if (letter === undefined) return `\\${piece}`;
    const reader = READ.get(letter);
    if (reader === undefined) throw located(18536, unsupported(`the format character '%${letter}'`).message);
    return reader;
  });
  return assemble(text, new RegExp(`^${pattern}$`).exec(text), zone);
}

function assemble(text: string, match: RegExpExecArray | null, zoneName: string | undefined): Date {
  const found = match?.groups;
  if (!found) throw failed(text, "it does not have the form that was expected");
  if (found["zone"] !== undefined && zoneName !== undefined)
    throw failed(text, "a time zone in the string and another one as an argument are not allowed together");
  const { monthName } = found;
  const byName = MONTHS.findIndex((month) => month.toLowerCase().startsWith((monthName ?? "?").toLowerCase()));
  const number = (name: string, fallback: number): number => Number(found[name] ?? fallback);
  const year = number("year", 1970);
  const month = monthName === undefined ? number("month", 1) - 1 : byName;
  const day = number("day", 1);
  const [hour, minute, second] = [number("hour", 0), number("minute", 0), number("second", 0)];
  const isDay = new Date(Date.UTC(year, month, day)).getUTCMonth() === month;
  if (!isDay || hour > 24 || minute > 59 || second > 60) throw failed(text, "a part of the date is out of range");
  const millisecond = Number((found["millisecond"] ?? "").slice(0, 3).padEnd(3, "0"));
  const local = Date.UTC(year, month, day, hour, minute, second, millisecond);
  return new Date(toUtc(local, openZone(found["zone"]?.toUpperCase() ?? zoneName)));
}
