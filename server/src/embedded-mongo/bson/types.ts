import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  MaxKey,
  MinKey,
  MongoError,
  ObjectId,
  Timestamp,
} from "../values.ts";
import type { Doc, Value } from "../values.ts";

/** How deep documents and arrays may nest, as in MongoDB. */
export const MAX_DEPTH = 180;

export const isInt32 = (value: number): boolean => (value | 0) === value && !Object.is(value, -0);

/** A double that stays a double, also when it happens to be an integer. */
export const double = (value: number): number | Double => (isInt32(value) ? new Double(value) : value);

/** Code carries its scope as the Map it was decoded to, so that the scope's key order survives. */
export function codeScope(code: Code): Doc | undefined {
  const scope: unknown = code.scope;
  if (scope === null || scope === undefined) return undefined;
  return scope instanceof Map ? scope : new Map(Object.entries(code.scope ?? {}));
}

const TYPE_NAMES = new Map<number, string>([
  [1, "double"],
  [2, "string"],
  [3, "object"],
  [4, "array"],
  [5, "binData"],
  [6, "undefined"],
  [7, "objectId"],
  [8, "bool"],
  [9, "date"],
  [10, "null"],
  [11, "regex"],
  [12, "dbPointer"],
  [13, "javascript"],
  [14, "symbol"],
  [15, "javascriptWithScope"],
  [16, "int"],
  [17, "timestamp"],
  [18, "long"],
  [19, "decimal"],
  [-1, "minKey"],
  [127, "maxKey"],
]);
const TYPE_NUMBERS = new Map([...TYPE_NAMES].map(([number, name]) => [name, number]));

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
  throw new MongoError(8, "UnknownError", "a value of no BSON type");
}

export const typeName = (value: Value): string => TYPE_NAMES.get(typeNumber(value)) ?? "unknown";

/** The type numbers that a $type operand names: a number, an alias such as "number", or a list of them. */
export function resolveTypes(spec: Value): Set<number> {
  const wanted = new Set<number>();
  const list = Array.isArray(spec) ? spec : [spec];
  if (list.length === 0) throw new MongoError(9, "FailedToParse", "$type must match at least one type");
  for (const item of list) for (const type of resolveType(item)) wanted.add(type);
  return wanted;
}

function resolveType(item: Value): number[] {
  if (typeof item === "string") {
    if (item === "number") return [1, 16, 18, 19];
    const number = TYPE_NUMBERS.get(item);
    if (number === undefined) throw new MongoError(2, "BadValue", `Unknown type name alias: ${item}`);
    return [number];
  }
  const number = item instanceof Double ? item.value : typeof item === "bigint" ? Number(item) : item;
  if (typeof number !== "number")
    throw new MongoError(14, "TypeMismatch", "type must be represented as a number or a string");
  if (!TYPE_NAMES.has(number)) throw new MongoError(2, "BadValue", `Invalid numerical type code: ${number}`);
  return [number];
}
