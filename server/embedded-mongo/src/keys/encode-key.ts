// Index keys: bytes whose plain order is BSON order. Each value is a type tag and then a body that ends itself.
import { Binary, BSONRegExp, Code, type Doc, Double, ObjectId, Timestamp, type Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { align, compareNumbers, type Exact, isNumber, type NumberValue, toExact, toNumber } from "../bson/numbers.ts";
import { codeScope, typeTag } from "../bson/types.ts";
import type { Collation } from "./collation.ts";

let scratch = Buffer.allocUnsafe(4096);
let at = 0;
const MOST_BYTES = 64 * 1024 * 1024;

/** The key of one index entry: its values in the order of the index's fields. A missing field is passed as null. */
export function encodeKey(values: Value[], descending: boolean[], collation?: Collation): Buffer {
  at = 0;
  for (let index = 0; index < values.length; index++) {
    const start = at;
    write(values[index], collation);
    if (descending[index]) invert(start);
  }
  return Buffer.from(scratch.subarray(0, at));
}

/** The bytes of one ascending value, as they stand inside a key. */
export function encodeValue(value: Value, collation?: Collation): Buffer {
  at = 0;
  write(value, collation);
  return Buffer.from(scratch.subarray(0, at));
}

/** A string that two values share exactly when they are equal, for use as the key of a Map or Set. */
export function groupKey(value: Value, collation?: Collation): string {
  if (typeof value === "string") return `s${collation ? collation.fold(value) : value}`;
  if (isNumber(value)) {
    const number = toNumber(value);
    if (typeof value === "number" || compareNumbers(value, number) === 0) return `n${number === 0 ? 0 : number}`;
  }
  return `e${encodeValue(value, collation).toString("latin1")}`;
}

function reserve(size: number): void {
  if (at + size <= scratch.length) return;
  if (at + size > MOST_BYTES) throw located(10334, `a key exceeds ${MOST_BYTES} bytes`);
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, at + size));
  scratch.copy(larger, 0, 0, at);
  scratch = larger;
}

function invert(start: number): void {
  for (let index = start; index < at; index++) scratch[index] = (scratch[index] ?? 0) ^ 0xff;
}

function writeByte(byte: number): void {
  reserve(1);
  scratch[at++] = byte;
}

function writeBytes(bytes: Uint8Array): void {
  reserve(bytes.length);
  scratch.set(bytes, at);
  at += bytes.length;
}

function writeText(text: string): void {
  reserve(text.length * 3 + 2);
  if (text.includes("\0")) {
    for (const byte of Buffer.from(text)) {
      writeByte(byte);
      if (byte === 0) writeByte(0xff);
    }
  } else at += scratch.write(text, at, "utf8");
  reserve(2);
  scratch[at++] = 0;
  scratch[at++] = 0;
}

const NAN = Buffer.alloc(8);

/** A double whose bytes sort like its amount: negative ones are inverted, the others get the sign bit. NaN is lowest. */
function writeDouble(value: number): void {
  reserve(8);
  const start = at;
  if (Number.isNaN(value)) return writeBytes(NAN);
  at = scratch.writeDoubleBE(value === 0 ? 0 : value, at);
  if (value < 0) invert(start);
  else scratch[start] = (scratch[start] ?? 0) | 0x80;
}

const EXACT = 0x80;

/** The nearest double, then what it differs by: nothing (one byte) for every double and all but the largest integers. */
function writeNumber(value: NumberValue): void {
  const nearest = toNumber(value);
  const isExact =
    typeof value === "number" ||
    value instanceof Double ||
    (typeof value === "bigint" && BigInt.asIntN(53, value) === value);
  const exact = isExact ? undefined : toExact(value);
  if (!exact) {
    writeDouble(nearest);
    return writeByte(EXACT);
  }
  const base = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, nearest));
  writeDouble(base);
  const baseExact = toExact(base);
  if (baseExact) writeRemainder(exact, baseExact);
}

function writeRemainder(value: Exact, base: Exact): void {
  const { a, b, exponent } = align(value, base);
  const rest = a - b;
  if (rest === 0n) return writeByte(EXACT);
  const isNegative = rest < 0n;
  writeByte(isNegative ? EXACT - 1 : EXACT + 1);
  const start = at;
  const digits = (isNegative ? -rest : rest).toString();
  reserve(digits.length + 3);
  at = scratch.writeUInt16BE(digits.length + exponent + 0x8000, at);
  at += scratch.write(digits.replace(/0+$/, ""), at, "latin1");
  scratch[at++] = 0;
  if (isNegative) invert(start);
}

function writeDoc(doc: Doc, collation?: Collation): void {
  for (const [name, value] of doc) {
    writeByte(typeTag(value));
    writeText(name);
    writeBody(value, collation);
  }
  writeByte(0);
}

function write(value: Value, collation?: Collation): void {
  writeByte(typeTag(value));
  writeBody(value, collation);
}

function writeBody(value: Value, collation?: Collation): void {
  if (typeof value === "string") writeText(collation ? collation.fold(value) : value);
  else if (isNumber(value)) writeNumber(value);
  else if (typeof value === "boolean") writeByte(value ? 1 : 0);
  else if (value instanceof ObjectId) writeBytes(value.id);
  else if (value instanceof Date) writeDouble(value.getTime());
  else if (value instanceof Map) writeDoc(value, collation);
  else if (Array.isArray(value)) {
    for (const item of value) write(item, collation);
    writeByte(0);
  } else if (value instanceof Timestamp) {
    reserve(8);
    at = scratch.writeUInt32BE(value.t, at);
    at = scratch.writeUInt32BE(value.i, at);
  } else if (value instanceof Binary) {
    reserve(5);
    at = scratch.writeUInt32BE(value.position, at);
    scratch[at++] = value.sub_type;
    writeBytes(value.buffer.subarray(0, value.position));
  } else if (value instanceof BSONRegExp) {
    writeText(value.pattern);
    writeText(value.options);
  } else if (value instanceof Code) {
    writeText(value.code);
    const scope = codeScope(value);
    if (scope) writeDoc(scope, collation);
  }
}
