import { Binary, Decimal128, Double, MongoError, ObjectId, Timestamp, type Value } from "../values.ts";
import { decimalOf, roundAt } from "../bson/arithmetic.ts";
import { located, unsupported } from "../bson/fail.ts";
import { isNumber, type NumberValue, toExact, toNumber } from "../bson/numbers.ts";
import { double, isInt32, resolveTypes, typeName } from "../bson/types.ts";
import { isNullish, namedArguments, type Operator, operator } from "./expression-types.ts";

const failed = (message: string): MongoError => located(241, `${message} in $convert with no onError value`);
const impossible = (value: Value, to: string): MongoError =>
  failed(`Unsupported conversion from ${typeName(value)} to ${to}`);

export function toText(value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Decimal128) return value.toString();
  if (value instanceof Double || typeof value === "number") return String(toNumber(value));
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Binary && value.sub_type === 4) return value.toUUID().toHexString(true);
  throw impossible(value, "string");
}

/** What can be made a number of some type; only the reading of strings depends on the type. */
function toNumeric(value: Value, to: string, parse: (text: string) => NumberValue): NumberValue {
  if (typeof value === "string") return parse(value);
  if (typeof value === "boolean") return Number(value);
  if (value instanceof Date && to !== "int") return BigInt(value.getTime());
  if (isNumber(value)) return value;
  throw impossible(value, to);
}

function toInteger(value: Value, isLong: boolean): Value {
  const number = toNumeric(value, isLong ? "long" : "int", (text) => {
    if (!/^[+-]?\d+$/.test(text)) throw failed(`Failed to parse number '${text}': Bad digit`);
    return BigInt(text.replace("+", ""));
  });
  const exact = toExact(roundAt(number, 0, true));
  if (!exact) throw failed(`Attempt to convert ${toNumber(number)} to integer type`);
  // What a larger exponent makes is out of range anyway.
  const whole = exact.coefficient * 10n ** BigInt(Math.min(20, Math.max(0, exact.exponent)));
  if (BigInt.asIntN(isLong ? 64 : 32, whole) !== whole) throw failed(`Conversion would overflow target type: ${whole}`);
  return isLong ? whole : Number(whole);
}

function parseNumber(text: string): string {
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && !/^[+-]?(nan|inf(inity)?)$/i.test(text))
    throw failed(`Failed to parse number '${text}': Did not consume whole string.`);
  return text
    .replace(/^\+/, "")
    .replace(/^(-?)inf(inity)?$/i, "$1Infinity")
    .replace(/^-?nan$/i, "NaN");
}

const toDouble = (value: Value): Value =>
  double(toNumber(toNumeric(value, "double", (text) => Number(parseNumber(text)))));

const toDecimal = (value: Value): Value =>
  decimalOf(toNumeric(value, "decimal", (text) => Decimal128.fromStringWithRounding(parseNumber(text))));

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** A date in ISO 8601 form, which without a zone is that of UTC. */
function parseDate(text: string): Date {
  const [, time, , , zone] = DATE.exec(text) ?? [undefined, undefined];
  const date = new Date(time && !zone ? `${text}Z` : text);
  const isDay = Number(text.slice(8, 10)) === new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate();
  if (!DATE.test(text) || Number.isNaN(date.getTime()) || !isDay) throw failed(`Error parsing date string '${text}'`);
  return date;
}

function toDate(value: Value): Value {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  if (typeof value === "string") return parseDate(value);
  if (!isNumber(value) || (typeof value === "number" && isInt32(value))) throw impossible(value, "date");
  const date = new Date(Math.trunc(toNumber(value)));
  if (Number.isNaN(date.getTime())) throw failed("Conversion to date is out of range");
  return date;
}

function toObjectId(value: Value): Value {
  if (value instanceof ObjectId) return value;
  if (typeof value !== "string") throw impossible(value, "objectId");
  if (/^[0-9a-f]{24}$/i.test(value)) return new ObjectId(value);
  throw failed(`Failed to parse objectId '${value}': it takes 24 hexadecimal digits`);
}

function toUuid(value: Value): Value {
  if (value instanceof Binary) return value;
  if (typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value))
    return new Binary(Buffer.from(value.replaceAll("-", ""), "hex"), 4);
  throw failed("Failed to parse BinData: not a valid UUID");
}

const toBoolean = (value: Value): Value => (isNumber(value) ? toNumber(value) !== 0 : value !== false);

/** By the number of the type. */
const CONVERSIONS = new Map<number, (value: Value) => Value>([
  [1, toDouble],
  [2, toText],
  [5, toUuid],
  [7, toObjectId],
  [8, toBoolean],
  [9, toDate],
  [16, (value) => toInteger(value, false)],
  [18, (value) => toInteger(value, true)],
  [19, toDecimal],
]);

function convertTo(value: Value, type: number): Value {
  const convert = CONVERSIONS.get(type);
  if (!convert) throw located(241, unsupported(`$convert to type ${type}`).message);
  return convert(value);
}

const convert: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["input", "to"], ["onError", "onNull"]);
  const input = compile(spec.get("input"), context);
  const to = compile(spec.get("to"), context);
  const onNull = compile(spec.get("onNull") ?? null, context);
  const onError = spec.has("onError") ? compile(spec.get("onError"), context) : undefined;
  return (root) => {
    const value = input(root);
    const target = to(root);
    if (isNullish(value)) return onNull(root);
    if (isNullish(target)) return null;
    const [type = 0] = resolveTypes(target instanceof Map ? target.get("type") : target);
    try {
      return convertTo(value, type);
    } catch (error) {
      if (onError && error instanceof MongoError && error.code === 241) return onError(root);
      throw error;
    }
  };
};

/** An operator over one value, null when there is none. */
const over = (apply: (value: Value, name: string) => Value): Operator =>
  operator(1, 1, ([value], name) => (isNullish(value) ? null : apply(value, name)));

export const CONVERT_OPERATORS: [string, Operator][] = [
  ["$toDouble", over(toDouble)],
  ["$toString", over(toText)],
  ["$toUUID", over(toUuid)],
  ["$toObjectId", over(toObjectId)],
  ["$toBool", over(toBoolean)],
  ["$toDate", over(toDate)],
  ["$toInt", over((value) => toInteger(value, false))],
  ["$toLong", over((value) => toInteger(value, true))],
  ["$toDecimal", over(toDecimal)],
  ["$convert", convert],
  ["$type", operator(1, 1, ([value]) => typeName(value))],
  ["$isNumber", operator(1, 1, ([value]) => isNumber(value))],
];
