import { Binary, BSONRegExp, Code, type Doc, ObjectId, Timestamp, type Value } from "../values.ts";
import { compareNumbers, isNumber } from "../bson/numbers.ts";
import { codeScope, typeTag } from "../bson/types.ts";
import type { Collation } from "./collation.ts";

/** Compares by code point, which is the order of the UTF-8 bytes; JS compares UTF-16 units. */
export function compareStrings(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    const aIsSurrogate = a >= 0xd800 && a <= 0xdfff;
    const bIsSurrogate = b >= 0xd800 && b <= 0xdfff;
    if (aIsSurrogate !== bIsSurrogate && a >= 0xd800 && b >= 0xd800) return aIsSurrogate ? 1 : -1;
    return a < b ? -1 : 1;
  }
  return left.length - right.length;
}

/** BSON order. Numbers compare by amount across their types; nested documents by type, name, then value. */
export function compareValues(left: Value, right: Value, collation?: Collation): number {
  if (typeof left === "string" && typeof right === "string") {
    return collation ? collation.compare(left, right) : compareStrings(left, right);
  }
  if (typeof left === "number" && typeof right === "number") {
    return left < right ? -1 : left > right ? 1 : compareNumbers(left, right);
  }
  const difference = typeTag(left) - typeTag(right);
  return difference === 0 ? compareSameType(left, right, collation) : difference;
}

export const equalValues = (left: Value, right: Value, collation?: Collation): boolean =>
  compareValues(left, right, collation) === 0;

function compareSameType(left: Value, right: Value, collation?: Collation): number {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  if (left instanceof Map && right instanceof Map) return compareDocs(left, right, collation);
  if (Array.isArray(left) && Array.isArray(right)) return compareArrays(left, right, collation);
  if (left instanceof ObjectId && right instanceof ObjectId) return Buffer.compare(left.id, right.id);
  if (left instanceof Date && right instanceof Date) return left.getTime() - right.getTime();
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  if (left instanceof Timestamp && right instanceof Timestamp) return left.t - right.t || left.i - right.i;
  if (left instanceof Binary && right instanceof Binary) {
    return (
      left.position - right.position || left.sub_type - right.sub_type || Buffer.compare(left.value(), right.value())
    );
  }
  if (left instanceof BSONRegExp && right instanceof BSONRegExp) {
    return compareStrings(left.pattern, right.pattern) || compareStrings(left.options, right.options);
  }
  if (left instanceof Code && right instanceof Code) {
    return (
      compareStrings(left.code, right.code) ||
      compareDocs(codeScope(left) ?? new Map(), codeScope(right) ?? new Map(), collation)
    );
  }
  return 0;
}

function compareArrays(left: Value[], right: Value[], collation?: Collation): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const order = compareValues(left[index], right[index], collation);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareDocs(left: Doc, right: Doc, collation?: Collation): number {
  const others = right.entries();
  for (const [name, value] of left) {
    const next = others.next();
    if (next.done) return 1;
    const [otherName, other] = next.value;
    const order =
      typeTag(value) - typeTag(other) || compareStrings(name, otherName) || compareValues(value, other, collation);
    if (order !== 0) return order;
  }
  return left.size - right.size;
}
