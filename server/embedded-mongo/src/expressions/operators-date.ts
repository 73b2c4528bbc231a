import { MongoError, ObjectId, Timestamp, type Value } from "../values.ts";
import { docOf } from "../bson/doc-of.ts";
import { located } from "../bson/fail.ts";
import { asNumber } from "../bson/numbers.ts";
import { typeName } from "../bson/types.ts";
import type { Found } from "../fields/paths.ts";
import {
  addUnits,
  countUnits,
  DATE_PARTS,
  DAY,
  isoWeekday,
  openZone,
  readUnit,
  readWeekday,
  toLocal,
  toUtc,
  truncate,
  type Zone,
} from "./calendar.ts";
import { formatDate, parseDate, parseIsoDate } from "./date-text.ts";
import { isNullish, type Named, named, type Operator, requireText } from "./expression-types.ts";

function readDate(value: Found, name: string): number {
  if (value instanceof Date) return value.getTime();
  if (value instanceof Timestamp) return value.t * 1000;
  if (value instanceof ObjectId) return value.getTimestamp().getTime();
  throw located(16006, `${name} can't convert from BSON type ${typeName(value)} to Date`);
}

const textOrNone = (value: Found, what: string): string | undefined =>
  value === undefined ? undefined : requireText(value, what, 40517);

const zoneOf = ({ timezone }: Named): Zone => openZone(textOrNone(timezone, "timezone"));

function checked(time: number, name: string, code: number): Date {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) throw located(code, `${name} overflowed: there is no such date`);
  return date;
}

/** An operator over named arguments, null when one that was given is. */
const dated = (required: string[], optional: string[], apply: (values: Named, name: string) => Value): Operator =>
  named(required, optional, (values, name) => (Object.values(values).some(isNullish) ? null : apply(values, name)));

/** A part of a date, given alone or as { date, timezone }. */
function part(read: (local: Date) => Value): Operator {
  const byName = dated(["date"], ["timezone"], (values, name) =>
    read(new Date(toLocal(readDate(values["date"], name), zoneOf(values)))),
  );
  return (argument, context, compile, name) => {
    const only: Value = Array.isArray(argument) && argument.length === 1 ? argument[0] : argument;
    const isNamed = only instanceof Map && only.has("date");
    return byName(isNamed ? only : docOf({ date: only }), context, compile, name);
  };
}

const toParts = dated(["date"], ["timezone", "iso8601"], (values, name) => {
  const local = new Date(toLocal(readDate(values["date"], name), zoneOf(values)));
  const { year, month, dayOfMonth, isoWeekYear, isoWeek, isoDayOfWeek, hour, minute, second, millisecond } = DATE_PARTS;
  const day =
    values["iso8601"] === true
      ? { isoWeekYear: isoWeekYear(local), isoWeek: isoWeek(local), isoDayOfWeek: isoDayOfWeek(local) }
      : { year: year(local), month: month(local), day: dayOfMonth(local) };
  const time = { hour: hour(local), minute: minute(local), second: second(local), millisecond: millisecond(local) };
  return docOf({ ...day, ...time });
});

const DAY_PARTS = ["year", "month", "day", "isoWeekYear", "isoWeek", "isoDayOfWeek"];
const TIME_PARTS = ["hour", "minute", "second", "millisecond"];

const fromParts = dated([], [...DAY_PARTS, ...TIME_PARTS, "timezone"], (values, name) => {
  const read = (key: string, fallback: number): number => {
    const number = asNumber(values[key] ?? fallback);
    if (Number.isInteger(number)) return number;
    throw located(40515, `'${key}' must evaluate to an integer, found ${typeName(values[key])}`);
  };
  const time =
    read("hour", 0) * 3_600_000 + read("minute", 0) * 60_000 + read("second", 0) * 1000 + read("millisecond", 0);
  let day: number;
  if (values["isoWeekYear"] !== undefined) {
    const fourth = new Date(Date.UTC(read("isoWeekYear", 1970), 0, 4));
    const days = (read("isoWeek", 1) - 1) * 7 + read("isoDayOfWeek", 1) - isoWeekday(fourth);
    day = fourth.getTime() + days * DAY;
  } else if (values["year"] !== undefined) {
    // Date.UTC would take the years 0 to 99 for the twentieth century.
    day = new Date(0).setUTCFullYear(read("year", 1970), read("month", 1) - 1, read("day", 1));
  } else throw located(40516, `${name} requires either 'year' or 'isoWeekYear' to be present`);
  return checked(toUtc(day + time, zoneOf(values)), name, 31034);
});

/** Undefined stands for an argument that was not given. */
const isNullAmong = (...values: Found[]): boolean => values.some((value) => value !== undefined && isNullish(value));

const toText = named(["date"], ["format", "timezone", "onNull"], (values, name) => {
  const { date, onNull = null, format, timezone } = values;
  if (isNullish(date)) return onNull;
  if (isNullAmong(format, timezone)) return null;
  const zone = zoneOf(values);
  const standard = zone.name === "UTC" ? "%Y-%m-%dT%H:%M:%S.%LZ" : "%Y-%m-%dT%H:%M:%S.%L";
  return formatDate(readDate(date, name), textOrNone(format, "format") ?? standard, zone);
});

const fromText = named(["dateString"], ["format", "timezone", "onNull", "onError"], (values, name) => {
  const { dateString, onNull = null, onError } = values;
  if (isNullish(dateString)) return onNull;
  if (isNullAmong(values["format"], values["timezone"])) return null;
  const format = textOrNone(values["format"], "format");
  const zone = textOrNone(values["timezone"], "timezone");
  try {
    const text = requireText(dateString, name, 241);
    return format === undefined ? parseIsoDate(text, zone) : parseDate(text, format, zone);
  } catch (error) {
    if (onError !== undefined && error instanceof MongoError && error.code === 241) return onError;
    throw error;
  }
});

const shift = (sign: number): Operator =>
  dated(["startDate", "unit", "amount"], ["timezone"], (values, name) => {
    const amount = asNumber(values["amount"]);
    if (!Number.isInteger(amount)) throw located(5166405, `${name} expects integer amount of time units`);
    const start = readDate(values["startDate"], name);
    return checked(addUnits(start, readUnit(values["unit"], name), sign * amount, zoneOf(values)), name, 5166406);
  });

const difference = dated(["startDate", "endDate", "unit"], ["timezone", "startOfWeek"], (values, name) => {
  const zone = zoneOf(values);
  const start = toLocal(readDate(values["startDate"], name), zone);
  const end = toLocal(readDate(values["endDate"], name), zone);
  const count = countUnits(start, end, readUnit(values["unit"], name), readWeekday(values["startOfWeek"], name));
  return BigInt(count);
});

const truncated = dated(["date", "unit"], ["binSize", "timezone", "startOfWeek"], (values, name) => {
  const binSize = asNumber(values["binSize"] ?? 1);
  if (!Number.isInteger(binSize) || binSize < 1)
    throw located(5439018, `${name} requires 'binSize' to be a positive integer`);
  const unit = readUnit(values["unit"], name);
  const weekday = readWeekday(values["startOfWeek"], name);
  const start = truncate(readDate(values["date"], name), { unit, binSize, weekday, zone: zoneOf(values) });
  return checked(start, name, 5439018);
});

export const DATE_OPERATORS: [string, Operator][] = [
  ...Object.entries(DATE_PARTS).map(([name, read]): [string, Operator] => [`$${name}`, part(read)]),
  ["$isoWeekYear", part((local) => BigInt(DATE_PARTS.isoWeekYear(local)))],
  ["$dateToParts", toParts],
  ["$dateFromParts", fromParts],
  ["$dateToString", toText],
  ["$dateFromString", fromText],
  ["$dateAdd", shift(1)],
  ["$dateSubtract", shift(-1)],
  ["$dateDiff", difference],
  ["$dateTrunc", truncated],
];
