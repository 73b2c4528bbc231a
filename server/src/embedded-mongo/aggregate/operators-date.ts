import { MongoError, ObjectId, Timestamp } from "../values.ts";
import type { Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import { MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";
import { addUnits, countUnits, readUnit, readWeekday, truncate } from "./date-units.ts";
import { dayOfYear, formatDate, isoWeek, isoWeekday, parseDate, parseIsoDate, sundayWeek } from "./date-text.ts";
import { isNullish, namedArguments } from "./expression-types.ts";
import type { Compile, ExpressionContext, Operator } from "./expression-types.ts";
import { nameOf } from "./operators-arithmetic.ts";
import { openZone, toLocal, toUtc } from "./time-zone.ts";

function readDate(value: Found, name: string): number {
  if (value instanceof Date) return value.getTime();
  if (value instanceof Timestamp) return value.t * 1000;
  if (value instanceof ObjectId) return value.getTimestamp().getTime();
  throw located(16006, `${name} can't convert from BSON type ${nameOf(value)} to Date`);
}

function readText(value: Found, what: string): string {
  if (typeof value === "string") return value;
  throw located(40517, `${what} must evaluate to a string, found ${nameOf(value)}`);
}

type Arguments = (root: Map<string, Value>) => Map<string, Found>;

/** Evaluates named arguments; an absent one has no entry. */
function compileNamed(
  argument: Value,
  context: ExpressionContext,
  compile: Compile,
  name: string,
  keys: [string[], string[]],
): Arguments {
  const spec = namedArguments(argument, name, keys[0], keys[1]);
  const parts = [...spec].map(([key, value]) => ({ key, expression: compile(value, context) }));
  return (root) => new Map(parts.map(({ key, expression }): [string, Found] => [key, expression(root)]));
}

const named =
  (required: string[], optional: string[], apply: (values: Map<string, Found>, name: string) => Found): Operator =>
  (argument, context, compile, name) => {
    const evaluate = compileNamed(argument, context, compile, name, [required, optional]);
    return (root) => apply(evaluate(root), name);
  };

const isAnyNull = (values: Map<string, Found>, keys: string[]): boolean =>
  keys.some((key) => values.has(key) && isNullish(values.get(key)));

const zoneOf = (values: Map<string, Found>) =>
  openZone(values.has("timezone") ? readText(values.get("timezone") ?? null, "timezone") : undefined);

/** A part of a date, given alone or as { date, timezone }. */
const part =
  (read: (local: number) => Value): Operator =>
  (argument, context, compile, name) => {
    const only: Value = Array.isArray(argument) && argument.length === 1 ? argument[0] : argument;
    const isNamed = only instanceof Map && only.has("date");
    const evaluate = compileNamed(isNamed ? only : new Map([["date", only]]), context, compile, name, [
      ["date"],
      ["timezone"],
    ]);
    return (root) => {
      const values = evaluate(root);
      if (isAnyNull(values, ["date", "timezone"])) return null;
      return read(toLocal(readDate(values.get("date") ?? null, name), zoneOf(values)));
    };
  };

const toParts = named(["date"], ["timezone", "iso8601"], (values, name) => {
  if (isAnyNull(values, ["date", "timezone", "iso8601"])) return null;
  const local = toLocal(readDate(values.get("date") ?? null, name), zoneOf(values));
  const date = new Date(local);
  const week = isoWeek(local);
  const day: [string, Value][] =
    values.get("iso8601") === true
      ? [
          ["isoWeekYear", week.year],
          ["isoWeek", week.week],
          ["isoDayOfWeek", isoWeekday(local)],
        ]
      : [
          ["year", date.getUTCFullYear()],
          ["month", date.getUTCMonth() + 1],
          ["day", date.getUTCDate()],
        ];
  return new Map([
    ...day,
    ["hour", date.getUTCHours()],
    ["minute", date.getUTCMinutes()],
    ["second", date.getUTCSeconds()],
    ["millisecond", date.getUTCMilliseconds()],
  ] satisfies [string, Value][]);
});

const DATE_PARTS = [
  "year",
  "month",
  "day",
  "isoWeekYear",
  "isoWeek",
  "isoDayOfWeek",
  "hour",
  "minute",
  "second",
  "millisecond",
];

const fromParts = named([], [...DATE_PARTS, "timezone"], (values, name) => {
  if (isAnyNull(values, [...values.keys()])) return null;
  const read = (key: string, fallback: number): number => {
    const value = values.get(key) ?? fallback;
    const number = value !== MISSING && isNumber(value) ? toNumber(value) : Number.NaN;
    if (!Number.isInteger(number)) throw located(40515, `'${key}' must evaluate to an integer, found ${nameOf(value)}`);
    return number;
  };
  const time =
    read("hour", 0) * 3_600_000 + read("minute", 0) * 60_000 + read("second", 0) * 1000 + read("millisecond", 0);
  let day: number;
  if (values.has("isoWeekYear")) {
    const fourth = Date.UTC(read("isoWeekYear", 1970), 0, 4);
    day = fourth + ((read("isoWeek", 1) - 1) * 7 + read("isoDayOfWeek", 1) - isoWeekday(fourth)) * 86_400_000;
  } else {
    if (!values.has("year")) throw located(40516, `${name} requires either 'year' or 'isoWeekYear' to be present`);
    // Date.UTC would take the years 0 to 99 for the twentieth century.
    day = new Date(0).setUTCFullYear(read("year", 1970), read("month", 1) - 1, read("day", 1));
  }
  const utc = toUtc(day + time, zoneOf(values));
  if (Number.isNaN(new Date(utc).getTime())) throw located(31034, `${name} could not make a date of these parts`);
  return new Date(utc);
});

const toText = named(["date"], ["format", "timezone", "onNull"], (values, name) => {
  const date = values.get("date") ?? null;
  if (isNullish(date)) return values.get("onNull") ?? null;
  if (isAnyNull(values, ["format", "timezone"])) return null;
  const zone = zoneOf(values);
  const standard = zone.name === "UTC" ? "%Y-%m-%dT%H:%M:%S.%LZ" : "%Y-%m-%dT%H:%M:%S.%L";
  return formatDate(
    readDate(date, name),
    values.has("format") ? readText(values.get("format") ?? null, "format") : standard,
    zone,
  );
});

const fromText = named(["dateString"], ["format", "timezone", "onNull", "onError"], (values) => {
  const text = values.get("dateString") ?? null;
  if (isNullish(text)) return values.get("onNull") ?? null;
  if (isAnyNull(values, ["format", "timezone"])) return null;
  const zone = values.has("timezone") ? readText(values.get("timezone") ?? null, "timezone") : undefined;
  try {
    if (typeof text !== "string")
      throw new MongoError(
        241,
        "ConversionFailure",
        `$dateFromString requires that 'dateString' be a string, found: ${nameOf(text)}`,
      );
    return values.has("format")
      ? parseDate(text, readText(values.get("format") ?? null, "format"), zone)
      : parseIsoDate(text, zone);
  } catch (error) {
    if (values.has("onError") && error instanceof MongoError && error.code === 241)
      return values.get("onError") ?? null;
    throw error;
  }
});

const shift = (sign: number): Operator =>
  named(["startDate", "unit", "amount"], ["timezone"], (values, name) => {
    if (isAnyNull(values, ["startDate", "unit", "amount", "timezone"])) return null;
    const amount = values.get("amount") ?? null;
    const number = amount !== MISSING && isNumber(amount) ? toNumber(amount) : Number.NaN;
    if (!Number.isInteger(number)) throw located(5166405, `${name} expects integer amount of time units`);
    const result = new Date(
      addUnits(
        readDate(values.get("startDate") ?? null, name),
        readUnit(values.get("unit"), name),
        sign * number,
        zoneOf(values),
      ),
    );
    if (Number.isNaN(result.getTime())) throw located(5166406, `${name} overflowed`);
    return result;
  });

const difference = named(["startDate", "endDate", "unit"], ["timezone", "startOfWeek"], (values, name) => {
  if (isAnyNull(values, ["startDate", "endDate", "unit", "timezone", "startOfWeek"])) return null;
  const zone = zoneOf(values);
  const [start, end] = ["startDate", "endDate"].map((key) => toLocal(readDate(values.get(key) ?? null, name), zone));
  return BigInt(
    countUnits(start ?? 0, end ?? 0, readUnit(values.get("unit"), name), readWeekday(values.get("startOfWeek"), name)),
  );
});

const truncated = named(["date", "unit"], ["binSize", "timezone", "startOfWeek"], (values, name) => {
  if (isAnyNull(values, ["date", "unit", "binSize", "timezone", "startOfWeek"])) return null;
  const size = values.get("binSize") ?? 1;
  const binSize = size !== MISSING && isNumber(size) ? toNumber(size) : 0;
  if (!Number.isInteger(binSize) || binSize < 1)
    throw located(5439018, `${name} requires 'binSize' to be a positive integer`);
  const unit = readUnit(values.get("unit"), name);
  const weekday = readWeekday(values.get("startOfWeek"), name);
  return new Date(
    truncate(readDate(values.get("date") ?? null, name), { unit, binSize, weekday, zone: zoneOf(values) }),
  );
});

export const DATE_OPERATORS: [string, Operator][] = [
  ["$year", part((local) => new Date(local).getUTCFullYear())],
  ["$month", part((local) => new Date(local).getUTCMonth() + 1)],
  ["$dayOfMonth", part((local) => new Date(local).getUTCDate())],
  ["$dayOfWeek", part((local) => new Date(local).getUTCDay() + 1)],
  ["$dayOfYear", part(dayOfYear)],
  ["$hour", part((local) => new Date(local).getUTCHours())],
  ["$minute", part((local) => new Date(local).getUTCMinutes())],
  ["$second", part((local) => new Date(local).getUTCSeconds())],
  ["$millisecond", part((local) => new Date(local).getUTCMilliseconds())],
  ["$week", part(sundayWeek)],
  ["$isoWeek", part((local) => isoWeek(local).week)],
  ["$isoWeekYear", part((local) => BigInt(isoWeek(local).year))],
  ["$isoDayOfWeek", part(isoWeekday)],
  ["$dateToParts", toParts],
  ["$dateFromParts", fromParts],
  ["$dateToString", toText],
  ["$dateFromString", fromText],
  ["$dateAdd", shift(1)],
  ["$dateSubtract", shift(-1)],
  ["$dateDiff", difference],
  ["$dateTrunc", truncated],
];
