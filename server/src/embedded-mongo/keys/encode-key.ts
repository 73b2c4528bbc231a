// Index keys: bytes whose plain order is BSON order. Each value is a type tag and then a body that ends itself.
import { Binary, BSONRegExp, Code, Double, MongoError, ObjectId, Timestamp } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { isNumber, subtractExact, toExact, toNumber } from "../bson/numbers.ts";
import type { NumberValue } from "../bson/numbers.ts";
import { codeScope } from "../bson/types.ts";
import type { Collation } from "./collation.ts";
import { typeTag } from "./compare.ts";

export { typeTag } from "./compare.ts";

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

function reserve(size: number): void {
  if (at + size <= scratch.length) return;
  if (at + size > MOST_BYTES) throw new MongoError(10334, "BSONObjectTooLarge", `a key exceeds ${MOST_BYTES} bytes`);
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

/** A double whose bytes sort like its amount: negative ones are inverted, the others get the sign bit. NaN is lowest. */
function writeDouble(value: number): void {
  reserve(8);
  const start = at;
  if (Number.isNaN(value)) {
    scratch.fill(0, at, at + 8);
    at += 8;
    return;
  }
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
    writeByte(EXACT);
    return;
  }
  const base = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, nearest));
  writeDouble(base);
  const baseExact = toExact(base);
  if (baseExact) writeRemainder(subtractExact(exact, baseExact));
}

function writeRemainder(rest: { coefficient: bigint; exponent: number }): void {
  if (rest.coefficient === 0n) {
    writeByte(EXACT);
    return;
  }
  const isNegative = rest.coefficient < 0n;
  writeByte(isNegative ? EXACT - 1 : EXACT + 1);
  const start = at;
  const digits = (isNegative ? -rest.coefficient : rest.coefficient).toString();
  reserve(digits.length + 3);
  at = scratch.writeUInt16BE(digits.length + rest.exponent + 0x8000, at);
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
