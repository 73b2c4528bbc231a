import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  type Doc,
  Double,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Value,
} from "../values.ts";
import { badValue, failedToParse, located, typeMismatch } from "./fail.ts";
import { asNumber } from "./numbers.ts";

const MAX_DEPTH = 180;

/** Documents and arrays nest no deeper than in MongoDB. */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw located(15, `BSON exceeds the nesting limit of ${MAX_DEPTH}`);
}

export const isInt32 = (value: number): boolean => (value | 0) === value && !Object.is(value, -0);

/** A double that stays a double, also when it happens to be an integer. */
export const double = (value: number): number | Double => (isInt32(value) ? new Double(value) : value);

/** Code carries its scope as the Map it was decoded to, so that the scope's key order survives. */
export function codeScope(code: Code): Doc | undefined {
  const scope: unknown = code.scope;
  if (scope === null || scope === undefined) return undefined;
  return scope instanceof Map ? scope : new Map(Object.entries(code.scope ?? {}));
}

/** Each type's number, name, and tag: its place in the order of types, and the first byte of an index key. */
const TYPES: [number, string, number][] = [
  [1, "double", 12],
  [2, "string", 17],
  [3, "object", 22],
  [4, "array", 27],
  [5, "binData", 32],
  [6, "undefined", 2],
  [7, "objectId", 37],
  [8, "bool", 42],
  [9, "date", 47],
  [10, "null", 7],
  [11, "regex", 52],
  [12, "dbPointer", 57],
  [13, "javascript", 62],
  [14, "symbol", 17],
  [15, "javascriptWithScope", 67],
  [16, "int", 12],
  [17, "timestamp", 49],
  [18, "long", 12],
  [19, "decimal", 12],
  [-1, "minKey", 1],
  [127, "maxKey", 0xfe],
];
const NAMES = new Map(TYPES.map(([number, name]) => [number, name]));
const NUMBERS = new Map(TYPES.map(([number, name]) => [name, number]));
const TAGS = new Uint8Array(256);
for (const [number, , tag] of TYPES) TAGS[number & 0xff] = tag;

/** The BSON type number of a value, as $type and error messages use it. */
export function typeNumber(value: Value): number {
  switch (typeof value) {
    case "string":
      return 2;
    case "number":
      return isInt32(value) ? 16 : 1;
    case "boolean":
      return 8;
    case "bigint":
      return 18;
    case "undefined":
      return 6;
  }
  if (value === null) return 10;
  if (value instanceof Map) return 3;
  if (Array.isArray(value)) return 4;
  if (value instanceof Date) return 9;
  if (value instanceof ObjectId) return 7;
  if (value instanceof Double) return 1;
  if (value instanceof Decimal128) return 19;
  if (value instanceof Binary) return 5;
  if (value instanceof BSONRegExp) return 11;
  if (value instanceof Timestamp) return 17;
  if (value instanceof Code) return codeScope(value) ? 15 : 13;
  if (value instanceof MinKey) return -1;
  if (value instanceof MaxKey) return 127;
  throw located(8, "a value of no BSON type");
}

/** A symbol stands for a missing value. */
export const typeName = (value: Value | symbol): string =>
  typeof value === "symbol" ? "missing" : (NAMES.get(typeNumber(value)) ?? "unknown");

export const typeTag = (value: Value): number => TAGS[typeNumber(value) & 0xff] ?? 0;

/** The type numbers that a $type operand names: a number, an alias such as "number", or a list of them. */
export function resolveTypes(spec: Value): Set<number> {
  const list = Array.isArray(spec) ? spec : [spec];
  if (list.length === 0) throw failedToParse("$type must match at least one type");
  return new Set(list.flatMap(resolveType));
}

function resolveType(item: Value): number | number[] {
  if (item === "number") return [1, 16, 18, 19];
  if (typeof item === "string" && !NUMBERS.has(item)) throw badValue(`Unknown type name alias: ${item}`);
  const number = typeof item === "string" ? (NUMBERS.get(item) ?? 0) : asNumber(item);
  if (Number.isNaN(number)) throw typeMismatch("type must be represented as a number or a string");
  if (!NAMES.has(number)) throw badValue(`Invalid numerical type code: ${number}`);
  return number;
}
