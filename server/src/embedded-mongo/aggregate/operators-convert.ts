import { Binary, Decimal128, Double, MongoError, ObjectId, Timestamp } from "../values.ts";
import type { Value } from "../values.ts";
import { decimalOf, roundAt } from "../bson/arithmetic.ts";
import { located } from "../bson/fail.ts";
import { isNumber, toExact, toNumber } from "../bson/numbers.ts";
import { double, isInt32, resolveTypes, typeName } from "../bson/types.ts";
import { MISSING } from "../query/paths.ts";
import { isNullish, namedArguments, operator, orNull } from "./expression-types.ts";
import type { Operator } from "./expression-types.ts";
import { parseIsoDate } from "./date-text.ts";

const failed = (message: string): MongoError => new MongoError(241, "ConversionFailure", message);
const impossible = (value: Value, to: string): MongoError =>
  failed(`Unsupported conversion from ${typeName(value)} to ${to} in $convert with no onError value`);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

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

function toInteger(value: Value, isLong: boolean): Value {
  const name = isLong ? "long" : "int";
  if (typeof value === "boolean") return isLong ? BigInt(value) : Number(value);
  if (value instanceof Date && isLong) return BigInt(value.getTime());
  let whole: bigint | undefined;
  if (typeof value === "string") {
    if (!/^[+-]?\d+$/.test(value))
      throw failed(`Failed to parse number '${value}' in $convert with no onError value: Bad digit`);
    whole = BigInt(value.replace("+", ""));
  } else if (isNumber(value)) {
    const exact = toExact(roundAt(value, 0, true));
    if (!exact)
      throw failed(
        `Attempt to convert ${typeof value === "number" || value instanceof Double ? toNumber(value) : "a"} value to integer type in $convert with no onError value`,
      );
    whole = exact.exponent > 20 ? 2n ** 64n : exact.coefficient * 10n ** BigInt(Math.max(0, exact.exponent));
  }
  if (whole === undefined) throw impossible(value, name);
  const bits = isLong ? 64 : 32;
  if (BigInt.asIntN(bits, whole) !== whole)
    throw failed(`Conversion would overflow target type in $convert with no onError value: ${whole}`);
  return isLong ? whole : Number(whole);
}

function parseNumber(text: string): string {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && !/^[+-]?(nan|inf(inity)?)$/i.test(text)) {
    throw failed(`Failed to parse number '${text}' in $convert with no onError value: Did not consume whole string.`);
  }
  return text
    .replace(/^\+/, "")
    .replace(/^(-?)inf(inity)?$/i, "$1Infinity")
    .replace(/^-?nan$/i, "NaN");
}

function toDouble(value: Value): Value {
  if (typeof value === "boolean") return double(Number(value));
  if (value instanceof Date) return double(value.getTime());
  if (typeof value === "string") return double(Number(parseNumber(value)));
  if (isNumber(value)) return double(toNumber(value));
  throw impossible(value, "double");
}

function toDecimal(value: Value): Value {
  if (typeof value === "boolean") return decimalOf(Number(value));
  if (value instanceof Date) return decimalOf(BigInt(value.getTime()));
  if (typeof value === "string") return Decimal128.fromStringWithRounding(parseNumber(value));
  if (isNumber(value)) return decimalOf(value);
  throw impossible(value, "decimal");
}

function toDate(value: Value): Value {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  if (typeof value === "string") return parseIsoDate(value, undefined);
  if (isNumber(value) && !(typeof value === "number" && isInt32(value))) {
    const date = new Date(Math.trunc(toNumber(value)));
    if (Number.isNaN(date.getTime())) throw failed("Conversion to date is out of range");
    return date;
  }
  throw impossible(value, "date");
}

function toObjectId(value: Value): Value {
  if (value instanceof ObjectId) return value;
  if (typeof value !== "string") throw impossible(value, "objectId");
  if (!/^[0-9a-f]{24}$/i.test(value))
    throw failed(
      `Failed to parse objectId '${value}' in $convert with no onError value: Invalid string length for parsing to OID, expected 24 but found ${value.length}`,
    );
  return new ObjectId(value);
}

function toUuid(value: Value): Value {
  if (value instanceof Binary) return value;
  if (typeof value !== "string" || !UUID.test(value))
    throw failed("Failed to parse BinData in $convert with no onError value: not a valid UUID");
  return new Binary(Buffer.from(value.replaceAll("-", ""), "hex"), 4);
}

const CONVERSIONS = new Map<number, (value: Value) => Value>([
  [1, toDouble],
  [2, toText],
  [5, toUuid],
  [7, toObjectId],
  [8, (value) => (isNumber(value) ? toNumber(value) !== 0 : value !== false)],
  [9, toDate],
  [16, (value) => toInteger(value, false)],
  [18, (value) => toInteger(value, true)],
  [19, toDecimal],
]);

function convertTo(value: Value, type: number): Value {
  const convert = CONVERSIONS.get(type);
  if (!convert) throw failed(`$convert to type ${type} is not supported by the embedded database`);
  return convert(value);
}

const single = (type: number): Operator =>
  operator(1, 1, ([value]) => (isNullish(value) ? null : convertTo(value, type)));

const convert: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["input", "to"], ["onError", "onNull"]);
  const [input, to, onError, onNull] = ["input", "to", "onError", "onNull"].map((key) =>
    spec.has(key) ? compile(spec.get(key), context) : undefined,
  );
  return (root) => {
    const value = input?.(root);
    const target = orNull(to?.(root));
    if (isNullish(value)) return onNull ? onNull(root) : null;
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

export const CONVERT_OPERATORS: [string, Operator][] = [
  ["$toDouble", single(1)],
  ["$toString", single(2)],
  ["$toUUID", single(5)],
  ["$toObjectId", single(7)],
  ["$toBool", single(8)],
  ["$toDate", single(9)],
  ["$toInt", single(16)],
  ["$toLong", single(18)],
  ["$toDecimal", single(19)],
  ["$convert", convert],
  ["$type", operator(1, 1, ([value]) => (value === MISSING ? "missing" : typeName(value)))],
  ["$isNumber", operator(1, 1, ([value]) => value !== MISSING && isNumber(value))],
  ["$tsSecond", operator(1, 1, ([value]) => readTimestamp(value, (stamp) => BigInt(stamp.t)))],
  ["$tsIncrement", operator(1, 1, ([value]) => readTimestamp(value, (stamp) => BigInt(stamp.i)))],
];

function readTimestamp(value: Value | typeof MISSING, read: (stamp: Timestamp) => Value): Value {
  if (isNullish(value)) return null;
  if (value instanceof Timestamp) return read(value);
  throw located(5687301, `the argument must be a timestamp, but is ${typeName(value)}`);
}
