import { BSONRegExp, MaxKey, MinKey } from "../values.ts";
import type { Value } from "../values.ts";
import { badValue } from "../bson/fail.ts";
import { isNaNValue } from "../bson/numbers.ts";
import type { Collation } from "../keys/collation.ts";
import { compareValues, equalValues, typeTag } from "../keys/compare.ts";
import { MISSING } from "./paths.ts";
import type { Found, LeafTest } from "./paths.ts";

/** Equality with a value; null also equals a missing field. */
export function compileEquality(operand: Value, collation?: Collation): LeafTest {
  if (operand === undefined) throw badValue("cannot compare to undefined");
  if (operand === null) return (found) => found === null || found === MISSING;
  if (typeof operand === "string" && !collation) return (found) => found === operand;
  if (typeof operand === "boolean") return (found) => found === operand;
  return (found) => found !== MISSING && equalValues(found, operand, collation);
}

export type Comparison = "$gt" | "$gte" | "$lt" | "$lte";

/** Order comparisons see only values of the operand's own type, except beside MinKey and MaxKey. */
export function compileComparison(name: Comparison, operand: Value, collation?: Collation): LeafTest {
  if (operand === undefined) throw badValue("cannot compare to undefined");
  if (operand instanceof BSONRegExp) throw badValue(`Can't have RegEx as arg to predicate over field with ${name}.`);
  const takesEqual = name === "$gte" || name === "$lte";
  if (operand === null) return takesEqual ? (found) => found === null || found === MISSING : () => false;
  if (isNaNValue(operand)) return (found) => takesEqual && found !== MISSING && isNaNValue(found);
  if (operand instanceof MinKey || operand instanceof MaxKey) return compareWithEnd(name, operand);
  const tag = typeTag(operand);
  const isWanted = (order: number) => (order === 0 ? takesEqual : order > 0 === (name === "$gt" || name === "$gte"));
  return (found: Found) =>
    found !== MISSING &&
    typeTag(found) === tag &&
    !isNaNValue(found) &&
    isWanted(compareValues(found, operand, collation));
}

function compareWithEnd(name: Comparison, operand: MinKey | MaxKey): LeafTest {
  const takesEqual = name === "$gte" || name === "$lte";
  const takesOthers = operand instanceof MinKey ? name === "$gt" || name === "$gte" : name === "$lt" || name === "$lte";
  const tag = typeTag(operand);
  return (found) => (found !== MISSING && typeTag(found) === tag ? takesEqual : takesOthers);
}

/** Membership in a list; regular expressions in the list are matched. */
export function compileIn(
  name: string,
  operand: Value,
  collation: Collation | undefined,
  regexTest: (source: BSONRegExp) => LeafTest,
): LeafTest {
  if (!Array.isArray(operand)) throw badValue(`${name} needs an array`);
  const regexes: LeafTest[] = [];
  const strings = new Set<string>();
  const others: Value[] = [];
  let takesMissing = false;
  for (const item of operand) {
    if (item instanceof BSONRegExp) regexes.push(regexTest(item));
    else if (item instanceof Map && [...item.keys()][0]?.startsWith("$") && !item.has("$ref") && !item.has("$id")) {
      throw badValue(`cannot nest $ under ${name}`);
    } else if (item === undefined) throw badValue(`cannot compare to undefined`);
    else if (item === null) takesMissing = true;
    else if (typeof item === "string") strings.add(collation ? collation.fold(item) : item);
    else others.push(item);
  }
  others.sort((left, right) => compareValues(left, right, collation));
  return (found) => {
    if (found === MISSING || found === null) return takesMissing;
    if (typeof found === "string" && strings.size > 0 && strings.has(collation ? collation.fold(found) : found))
      return true;
    return (others.length > 0 && includesSorted(others, found, collation)) || regexes.some((test) => test(found));
  };
}

function includesSorted(sorted: Value[], value: Value, collation?: Collation): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compareValues(sorted[middle], value, collation);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
