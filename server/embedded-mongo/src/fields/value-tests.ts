// The operators that look at one value at a time.
import { Binary, BSONRegExp, MaxKey, MinKey, type Value } from "../values.ts";
import { badValue, failedToParse, located } from "../bson/fail.ts";
import { asNumber, isNaNValue, isNumber, toNumber } from "../bson/numbers.ts";
import { resolveTypes, typeName, typeNumber, typeTag } from "../bson/types.ts";
import type { Collation } from "../keys/collation.ts";
import { compareValues, equalValues } from "../keys/compare.ts";
import { type LeafTest, MISSING } from "./paths.ts";
import { checkRegexOptions, compileRegex } from "./regex.ts";

/** The parts of a DBRef are fields like any other. */
const DB_REF = new Set(["$ref", "$id", "$db"]);
export const isOperatorName = (name: string): boolean => name.startsWith("$") && !DB_REF.has(name);

/** A document whose first key is an operator is a set of conditions; any other is a value to be equal to. */
export function isOperatorDoc(value: Value): boolean {
  if (!(value instanceof Map)) return false;
  const [first] = value.keys();
  return first !== undefined && isOperatorName(first);
}

/** Equality with a value; null also equals a missing field. */
export function equality(operand: Value, collation?: Collation): LeafTest {
  if (operand === undefined) throw badValue("cannot compare to undefined");
  if (operand === null) return (found) => found === null || found === MISSING;
  if (typeof operand === "boolean" || (typeof operand === "string" && !collation)) return (found) => found === operand;
  return (found) => found !== MISSING && equalValues(found, operand, collation);
}

type Comparison = "$gt" | "$gte" | "$lt" | "$lte";

/** Order comparisons see only values of the operand's own type, except beside MinKey and MaxKey. */
const comparison =
  (name: Comparison) =>
  (operand: Value, collation?: Collation): LeafTest => {
    if (operand === undefined) throw badValue("cannot compare to undefined");
    if (operand instanceof BSONRegExp) throw badValue(`Can't have RegEx as arg to predicate over field with ${name}.`);
    const takesEqual = name === "$gte" || name === "$lte";
    const takesGreater = name === "$gt" || name === "$gte";
    if (operand === null) return (found) => takesEqual && (found === null || found === MISSING);
    if (isNaNValue(operand)) return (found) => takesEqual && found !== MISSING && isNaNValue(found);
    const tag = typeTag(operand);
    if (operand instanceof MinKey || operand instanceof MaxKey) {
      const takesOthers = takesGreater === operand instanceof MinKey;
      return (found) => (found !== MISSING && typeTag(found) === tag ? takesEqual : takesOthers);
    }
    return (found) => {
      if (found === MISSING || typeTag(found) !== tag || isNaNValue(found)) return false;
      const order = compareValues(found, operand, collation);
      return order === 0 ? takesEqual : order > 0 === takesGreater;
    };
  };

/** Membership in a list; regular expressions in the list are matched. */
function membership(operand: Value, collation?: Collation): LeafTest {
  if (!Array.isArray(operand)) throw badValue("$in needs an array");
  const regexes: LeafTest[] = [];
  const strings = new Set<string>();
  const others: Value[] = [];
  for (const item of operand) {
    if (item === undefined) throw badValue("cannot compare to undefined");
    if (isOperatorDoc(item)) throw badValue("cannot nest $ under $in");
    if (item instanceof BSONRegExp) regexes.push(regexTest(item));
    else if (typeof item === "string") strings.add(collation ? collation.fold(item) : item);
    else if (item !== null) others.push(item);
  }
  const takesMissing = operand.includes(null);
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

export function regexTest(source: BSONRegExp): LeafTest {
  const regex = compileRegex(source);
  return (value) => {
    if (typeof value === "string") return regex.test(value);
    return value instanceof BSONRegExp && value.pattern === source.pattern && value.options === source.options;
  };
}

export function readRegex(value: Value, options: Value): BSONRegExp {
  if (options !== undefined && typeof options !== "string") throw badValue("$options has to be a string");
  checkRegexOptions(options ?? "");
  if (value instanceof BSONRegExp) {
    if (options !== undefined && value.options !== "") throw located(51075, "options set in both $regex and $options");
    return new BSONRegExp(value.pattern, options ?? value.options);
  }
  if (typeof value !== "string") throw badValue("$regex has to be a string");
  if (value.includes("\0")) throw badValue("Regular expression cannot contain an embedded null byte");
  return new BSONRegExp(value, options ?? "");
}

function ofType(operand: Value): LeafTest {
  const types = resolveTypes(operand);
  return (found) => found !== MISSING && types.has(typeNumber(found));
}

/** The integer next to zero; undefined for what is no finite number. */
function wholePart(value: Value): bigint | undefined {
  if (typeof value === "bigint") return value;
  const number = Math.trunc(asNumber(value));
  return Number.isFinite(number) ? BigInt(number) : undefined;
}

function modulo(operand: Value): LeafTest {
  if (!Array.isArray(operand)) throw badValue("malformed mod, needs to be an array");
  if (operand.length < 2) throw badValue("malformed mod, not enough elements");
  if (operand.length > 2) throw badValue("malformed mod, too many elements");
  const [divisor, remainder] = operand.map(wholePart);
  if (divisor === undefined || remainder === undefined) throw badValue("malformed mod, an element is not a number");
  if (divisor === 0n) throw badValue("divisor cannot be 0");
  return (found) => {
    const whole = found === MISSING ? undefined : wholePart(found);
    return whole !== undefined && whole % divisor === remainder;
  };
}

/** Tests bits of integers (as 64-bit two's complement) and of binary data (bit 0 is the lowest of the first byte). */
const bits =
  (isAll: boolean, isWanted: boolean) =>
  (operand: Value): LeafTest => {
    const positions = bitPositions(operand);
    return (found) => {
      const isSet = found === MISSING ? undefined : bitReader(found);
      if (!isSet) return false;
      const test = (position: number) => isSet(position) === isWanted;
      return isAll ? positions.every(test) : positions.some(test);
    };
  };

function bitReader(value: Value): ((position: number) => boolean) | undefined {
  if (value instanceof Binary) {
    const bytes = value.value();
    return (position) => ((bytes[position >> 3] ?? 0) & (1 << (position & 7))) !== 0;
  }
  if (typeof value !== "bigint" && !Number.isInteger(asNumber(value))) return undefined;
  const whole = wholePart(value);
  if (whole === undefined || BigInt.asIntN(64, whole) !== whole) return undefined;
  return (position) => ((whole >> BigInt(position)) & 1n) === 1n;
}

function bitPositions(operand: Value): number[] {
  if (Array.isArray(operand)) {
    const positions = operand.map(asNumber);
    if (!positions.every((position) => Number.isInteger(position) && position >= 0))
      throw badValue("bit positions must be integers >= 0");
    return positions;
  }
  if (isNumber(operand) && !(Number.isInteger(toNumber(operand)) && toNumber(operand) >= 0))
    throw failedToParse(`Expected a non-negative integer: ${toNumber(operand)}`);
  const isSet = bitReader(operand);
  if (!isSet) throw badValue(`bit tests take an Array, a number, or a BinData but received: ${typeName(operand)}`);
  const length = operand instanceof Binary ? operand.position * 8 : 64;
  return Array.from({ length }, (_, position) => position).filter(isSet);
}

export const VALUE_TESTS = new Map<string, (operand: Value, collation?: Collation) => LeafTest>([
  ["$eq", equality],
  ["$gt", comparison("$gt")],
  ["$gte", comparison("$gte")],
  ["$lt", comparison("$lt")],
  ["$lte", comparison("$lte")],
  ["$in", membership],
  ["$type", ofType],
  ["$mod", modulo],
  ["$bitsAllSet", bits(true, true)],
  ["$bitsAnySet", bits(false, true)],
  ["$bitsAllClear", bits(true, false)],
  ["$bitsAnyClear", bits(false, false)],
]);
