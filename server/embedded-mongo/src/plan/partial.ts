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
import { conjunctionOf, type Predicate, type PredicateKind } from "./predicates.ts";

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

/** On which side a range ends: 1 from below, -1 from above. */
const DIRECTIONS = new Map<PredicateKind, number>([
  ["gt", 1],
  ["gte", 1],
  ["lt", -1],
  ["lte", -1],
]);
const isOpen = (kind: PredicateKind): boolean => kind === "gt" || kind === "lt";

function implies(given: Predicate, wanted: Predicate): boolean {
  const { kind, operator, value } = given;
  const isAlike = kind === wanted.kind && operator === wanted.operator && kind !== "regex";
  if (isAlike && isSame(value, wanted.value)) return true;
  if (wanted.kind === "exists") return wanted.value === true && impliesExistence(given);
  if (kind === "eq") return fulfils(value, wanted);
  if (kind === "in" && Array.isArray(value)) return value.length > 0 && value.every((each) => fulfils(each, wanted));
  const direction = DIRECTIONS.get(kind);
  if (direction === undefined) return false;
  if (wanted.operator === "$type") return !isNumber(value) && resolveTypes(wanted.value).has(typeNumber(value));
  const areComparable = isNumber(value) ? isNumber(wanted.value) : typeNumber(value) === typeNumber(wanted.value);
  if (!areComparable || DIRECTIONS.get(wanted.kind) !== direction) return false;
  const order = compareValues(value, wanted.value) * direction;
  return order > 0 || (order === 0 && (isOpen(kind) || !isOpen(wanted.kind)));
}

const NEGATIONS = new Set(["$ne", "$nin", "$not"]);

function fulfils(value: Value, wanted: Predicate): boolean {
  // Null also stands for a missing field, and arrays and documents can match in more than one way.
  const isScalar = value !== null && value !== undefined && !isDoc(value) && !Array.isArray(value);
  if (!isScalar || value instanceof BSONRegExp || wanted.kind === "regex" || NEGATIONS.has(wanted.operator))
    return false;
  return compileFilter(docOf({ v: new Map([[wanted.operator, wanted.value]]) })).matches(docOf({ v: value }));
}
