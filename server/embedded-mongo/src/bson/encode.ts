import {
  Binary,
  BSONRegExp,
  type Bytes,
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
import { badValue, located } from "./fail.ts";
import { checkDepth, codeScope, isInt32 } from "./types.ts";

// One scratch buffer for the module: encoding never pauses, and the result is copied out once at the end.
let scratch = Buffer.allocUnsafe(64 * 1024);
let at = 0;
const SCRATCH_KEPT = 32 * 1024 * 1024;
// An expression can build a value that names one array many times over and is small only until it is written out.
const MOST_BYTES = 64 * 1024 * 1024;

/** Encodes a document to BSON bytes of its own. */
export function encode(doc: Doc): Bytes {
  at = 0;
  writeDocument(doc, 1);
  const bytes = Buffer.from(scratch.subarray(0, at));
  if (scratch.length > SCRATCH_KEPT) scratch = Buffer.allocUnsafe(64 * 1024);
  return bytes;
}

function reserve(size: number): void {
  if (at + size <= scratch.length) return;
  if (at + size > MOST_BYTES) throw located(10334, `BSON exceeds ${MOST_BYTES} bytes`);
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, at + size));
  scratch.copy(larger, 0, 0, at);
  scratch = larger;
}

function writeDocument(doc: Doc, depth: number): void {
  const start = openDocument(depth);
  for (const [name, value] of doc) writeElement(name, value, depth);
  closeDocument(start);
}

function writeArray(values: Value[], depth: number): void {
  const start = openDocument(depth);
  for (let index = 0; index < values.length; index++) writeElement(String(index), values[index], depth);
  closeDocument(start);
}

function openDocument(depth: number): number {
  checkDepth(depth);
  reserve(5);
  at += 4;
  return at - 4;
}

function closeDocument(start: number): void {
  reserve(1);
  scratch[at++] = 0;
  scratch.writeInt32LE(at - start, start);
}

function writeText(text: string): void {
  reserve(text.length * 3 + 1);
  if (text.length < 24) {
    let index = 0;
    for (; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 127) break;
      scratch[at + index] = unit;
    }
    if (index === text.length) {
      at += index;
      return;
    }
  }
  at += scratch.write(text, at, "utf8");
}

function writeCString(text: string): void {
  if (text.includes("\0")) throw badValue("a field name or pattern must not contain a null byte");
  writeText(text);
  scratch[at++] = 0;
}

function writeString(text: string): void {
  reserve(5);
  const start = at;
  at += 4;
  writeText(text);
  reserve(1);
  scratch[at++] = 0;
  scratch.writeInt32LE(at - start - 4, start);
}

function writeElement(name: string, value: Value, depth: number): void {
  reserve(1);
  const typeAt = at++;
  writeCString(name);
  reserve(16);
  // In two steps: writing the value may replace the buffer that the type byte belongs into.
  const type = writeValue(value, depth);
  scratch[typeAt] = type;
}

function writeDouble(value: number): number {
  at = scratch.writeDoubleLE(value, at);
  return 0x01;
}

/** Writes the value after its name and gives its type byte. Sixteen bytes are already reserved. */
function writeValue(value: Value, depth: number): number {
  switch (typeof value) {
    case "string":
      writeString(value);
      return 0x02;
    case "number":
      if (!isInt32(value)) return writeDouble(value);
      at = scratch.writeInt32LE(value, at);
      return 0x10;
    case "boolean":
      scratch[at++] = value ? 1 : 0;
      return 0x08;
    case "undefined":
      return 0x06;
    case "bigint":
      if (BigInt.asIntN(64, value) !== value) throw badValue("an integer is outside 64 bits");
      at = scratch.writeBigInt64LE(value, at);
      return 0x12;
  }
  if (value === null) return 0x0a;
  if (value instanceof Map) {
    writeDocument(value, depth + 1);
    return 0x03;
  }
  if (Array.isArray(value)) {
    writeArray(value, depth + 1);
    return 0x04;
  }
  return writeObject(value, depth);
}

function writeObject(value: Value, depth: number): number {
  if (value instanceof ObjectId) {
    scratch.set(value.id, at);
    at += 12;
    return 0x07;
  }
  if (value instanceof Date) {
    const time = value.getTime();
    if (Number.isNaN(time)) throw badValue("an invalid date cannot be stored");
    at = scratch.writeBigInt64LE(BigInt(time), at);
    return 0x09;
  }
  if (value instanceof Double) return writeDouble(value.value);
  if (value instanceof Decimal128) {
    scratch.set(value.bytes, at);
    at += 16;
    return 0x13;
  }
  if (value instanceof Binary) return writeBinary(value);
  if (value instanceof BSONRegExp) {
    writeCString(value.pattern);
    writeCString(value.options);
    return 0x0b;
  }
  if (value instanceof Timestamp) {
    at = scratch.writeUInt32LE(value.i, at);
    at = scratch.writeUInt32LE(value.t, at);
    return 0x11;
  }
  if (value instanceof Code) return writeCode(value, depth);
  if (value instanceof MinKey) return 0xff;
  if (value instanceof MaxKey) return 0x7f;
  throw badValue("a value of no BSON type");
}

function writeBinary(value: Binary): number {
  const length = value.position;
  reserve(length + 9);
  const isOld = value.sub_type === 2;
  at = scratch.writeInt32LE(isOld ? length + 4 : length, at);
  scratch[at++] = value.sub_type;
  if (isOld) at = scratch.writeInt32LE(length, at);
  scratch.set(value.buffer.subarray(0, length), at);
  at += length;
  return 0x05;
}

function writeCode(value: Code, depth: number): number {
  const scope = codeScope(value);
  if (!scope) {
    writeString(value.code);
    return 0x0d;
  }
  const start = at;
  at += 4;
  writeString(value.code);
  writeDocument(scope, depth + 1);
  scratch.writeInt32LE(at - start, start);
  return 0x0f;
}
