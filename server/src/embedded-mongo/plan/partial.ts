// Whether a query only asks for documents that a sparse or partial index holds.
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { isNumber } from "../bson/numbers.ts";
import { resolveTypes, typeNumber } from "../bson/types.ts";
import type { Collation } from "../keys/collation.ts";
import { compareValues } from "../keys/compare.ts";
import { compileFilter } from "../query/matcher.ts";
import type { IndexField } from "../store/index-spec.ts";
import { BSONRegExp, type Doc, isDoc, type Value } from "../values.ts";
import { conjunctionOf, type Predicate } from "./predicates.ts";

/** True when some condition can only hold for a document that has one of the index's fields. */
export const needsNoNull = (predicates: Predicate[], fields: IndexField[]): boolean =>
  predicates.some((predicate) => fields.some((field) => field.path === predicate.path) && impliesExistence(predicate));

function impliesExistence({ kind, value }: Predicate): boolean {
  switch (kind) {
    case "eq":
      return value !== null && value !== undefined;
    case "in":
      return Array.isArray(value) && value.every((item) => item !== null && item !== undefined);
    case "regex":
      return value instanceof BSONRegExp;
    case "exists":
      return value === true || (isNumber(value) && compareValues(value, 0) !== 0);
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return isNumber(value) || typeof value === "string" || value instanceof Date;
    case "other":
      return false;
  }
}

export function isImplied(
  partial: Doc,
  predicates: Predicate[],
  own: Collation | undefined,
  asked: Collation | undefined,
): boolean {
  if (own || asked) return false;
  const wanted = conjunctionOf(partial);
  if (!wanted.isComplete) return false;
  return wanted.predicates.every((condition) =>
    predicates.some((given) => given.path === condition.path && implies(given, condition)),
  );
}

const isSame = (a: Value, b: Value): boolean =>
  Buffer.compare(encode(docOf({ "": a })), encode(docOf({ "": b }))) === 0;

function implies(given: Predicate, wanted: Predicate): boolean {
  if (
    given.operator === wanted.operator &&
    given.kind === wanted.kind &&
    given.kind !== "regex" &&
    isSame(given.value, wanted.value)
  )
    return true;
  if (wanted.kind === "exists") return wanted.value === true && impliesExistence(given);
  const values =
    given.kind === "eq" ? [given.value] : given.kind === "in" && Array.isArray(given.value) ? given.value : undefined;
  if (values) return values.length > 0 && values.every((value) => fulfils(value, wanted));
  const isLower = (predicate: Predicate) => predicate.kind === "gt" || predicate.kind === "gte";
  const isUpper = (predicate: Predicate) => predicate.kind === "lt" || predicate.kind === "lte";
  const isRange = isLower(given) || isUpper(given);
  if (isRange && wanted.operator === "$type")
    return !isNumber(given.value) && resolveTypes(wanted.value).has(typeNumber(given.value));
  const areComparable = isNumber(given.value)
    ? isNumber(wanted.value)
    : typeNumber(given.value) === typeNumber(wanted.value);
  if (!areComparable || !isRange) return false;
  const order = compareValues(given.value, wanted.value);
  if (isLower(given) && isLower(wanted))
    return order > 0 || (order === 0 && (given.kind === "gt" || wanted.kind === "gte"));
  return (
    isUpper(given) && isUpper(wanted) && (order < 0 || (order === 0 && (given.kind === "lt" || wanted.kind === "lte")))
  );
}

function fulfils(value: Value, wanted: Predicate): boolean {
  // Null also stands for a missing field, and arrays and documents can match in more than one way.
  const isScalar =
    value !== null && value !== undefined && !isDoc(value) && !Array.isArray(value) && !(value instanceof BSONRegExp);
  if (
    !isScalar ||
    wanted.kind === "regex" ||
    wanted.operator === "$ne" ||
    wanted.operator === "$nin" ||
    wanted.operator === "$not"
  )
    return false;
  return compileFilter(docOf({ v: new Map([[wanted.operator, wanted.value]]) })).matches(docOf({ v: value }));
}
