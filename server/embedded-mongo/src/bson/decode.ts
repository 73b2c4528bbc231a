import { isUtf8 } from "node:buffer";
import {
  Binary,
  BSONRegExp,
  type Bytes,
  Code,
  Decimal128,
  type Doc,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Value,
} from "../values.ts";
import { located } from "./fail.ts";
import { checkDepth, double } from "./types.ts";

// The engine is synchronous and a decode never pauses, so one cursor for the module is enough and saves an object.
let buffer: Buffer = Buffer.alloc(0);
let view: DataView = new DataView(buffer.buffer);
let at = 0;

// Field names repeat from document to document; an interned string already carries its hash for the Map.
const NAME_SLOTS = 4096;
const internedNames: string[] = Array.from({ length: NAME_SLOTS }, () => "");

const invalid = (reason: string) => located(22, `Invalid BSON: ${reason}`);

function open(bytes: Bytes): number {
  buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  at = 0;
  return readEnd(bytes.byteLength);
}

/** Reads a document's length and gives where its closing zero stands. */
function readEnd(limit: number): number {
  if (at + 5 > limit) throw invalid("a document is shorter than its header");
  const length = view.getInt32(at, true);
  const end = at + length - 1;
  if (length < 5 || end >= limit) throw invalid(`document length ${length} does not fit`);
  if (buffer[end] !== 0) throw invalid("a document does not end with a zero byte");
  at += 4;
  return end;
}

/** Decodes one whole document. */
export function decode(bytes: Bytes): Doc {
  const end = open(bytes);
  if (end + 1 !== bytes.byteLength) throw invalid("bytes follow the document");
  return readDocument(end, 1);
}

/** Decodes only the named top-level fields and skips over the rest. */
export function decodeFields(bytes: Bytes, names: ReadonlySet<string>): Doc {
  const end = open(bytes);
  const doc: Doc = new Map();
  let left = names.size;
  while (left > 0 && at < end) {
    const type = buffer[at++] ?? 0;
    const name = readName(end);
    if (names.has(name)) {
      doc.set(name, readValue(type, end, 1));
      left -= 1;
    } else at += sizeOf(type, end);
    if (at > end) throw invalid("a value runs past its document");
  }
  return doc;
}

function readDocument(end: number, depth: number): Doc {
  checkDepth(depth);
  const doc: Doc = new Map();
  let count = 0;
  while (at < end) {
    const type = buffer[at++] ?? 0;
    const name = readName(end);
    doc.set(name, readValue(type, end, depth));
    count += 1;
    if (at > end) throw invalid("a value runs past its document");
  }
  at = end + 1;
  // A Map would silently lose one of two fields of the same name.
  if (count !== doc.size) throw invalid("a field name occurs twice");
  return doc;
}

function readArray(end: number, depth: number): Value[] {
  checkDepth(depth);
  const values: Value[] = [];
  while (at < end) {
    const type = buffer[at++] ?? 0;
    skipName(end);
    values.push(readValue(type, end, depth));
    if (at > end) throw invalid("a value runs past its array");
  }
  at = end + 1;
  return values;
}

function readName(end: number): string {
  const start = at;
  let hash = 0;
  let byte = buffer[at] ?? 0;
  while (byte !== 0) {
    hash = (hash * 31 + byte) | 0;
    byte = buffer[++at] ?? 0;
  }
  if (at >= end) throw invalid("a field name does not end");
  const length = at - start;
  at += 1;
  const slot = (hash ^ (hash >>> 12)) & (NAME_SLOTS - 1);
  const known = internedNames[slot] ?? "";
  if (known.length === length && sameBytes(known, start)) return known;
  const name = readText(start, start + length);
  if (name.length === length && length < 64) internedNames[slot] = name;
  return name;
}

function sameBytes(text: string, start: number): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) !== buffer[start + index]) return false;
  return true;
}

function skipName(end: number): void {
  while (at < end && buffer[at] !== 0) at += 1;
  if (at >= end) throw invalid("a field name does not end");
  at += 1;
}

function readText(start: number, end: number): string {
  if (end - start < 24) {
    let text = "";
    let index = start;
    for (; index < end; index++) {
      const byte = buffer[index] ?? 0;
      if (byte > 127) break;
      text += String.fromCharCode(byte);
    }
    if (index === end) return text;
  }
  const text = buffer.toString("utf8", start, end);
  if (text.includes("\ufffd") && !isUtf8(buffer.subarray(start, end))) throw invalid("a string is not UTF-8");
  return text;
}

function readCString(end: number): string {
  const start = at;
  skipName(end);
  return readText(start, at - 1);
}

/** A length that stands before so many bytes; where it counts its own four as well, `isInclusive`. */
function readLength(end: number, isInclusive = false): number {
  if (at + 4 > end) throw invalid("a value is cut off");
  const length = view.getInt32(at, true);
  if (length < 0 || at + (isInclusive ? 0 : 4) + length > end) throw invalid(`length ${length} does not fit`);
  return length;
}

function readString(end: number): string {
  const length = readLength(end);
  const start = at + 4;
  at = start + length;
  if (length < 1 || buffer[at - 1] !== 0) throw invalid("a string does not end with a zero byte");
  return readText(start, at - 1);
}

/** A copy of the next bytes: the source may be a buffer that is used again. */
function take(length: number, end: number): Buffer {
  if (at + length > end) throw invalid("a value is cut off");
  const bytes = Buffer.from(buffer.subarray(at, at + length));
  at += length;
  return bytes;
}

function readBinary(end: number): Binary {
  const length = readLength(end);
  const subtype = buffer[at + 4] ?? 0;
  at += 5;
  if (subtype !== 2) return new Binary(take(length, end), subtype);
  const inner = readLength(end);
  if (inner !== length - 4) throw invalid("the lengths of an old binary disagree");
  at += 4;
  return new Binary(take(inner, end), subtype);
}

function checkOptions(options: string): string {
  if (/^[imxlsu]*$/.test(options)) return options;
  throw invalid(`unknown regular expression options "${options}"`);
}

function readDate(): Date {
  const date = new Date(Number(view.getBigInt64(at, true)));
  if (Number.isNaN(date.getTime())) throw invalid("a date lies outside the years that can be represented");
  at += 8;
  return date;
}

function readCodeWithScope(end: number, depth: number): Code {
  const length = readLength(end, true);
  const close = at + length;
  at += 4;
  const code = readString(close);
  const scope: Doc = readDocument(readEnd(close), depth + 1);
  return new Code(code, scope);
}

function readValue(type: number, end: number, depth: number): Value {
  if (at + (SIZES[type] ?? 0) > end) throw invalid("a value is cut off");
  switch (type) {
    case 0x01:
      at += 8;
      return double(view.getFloat64(at - 8, true));
    case 0x02:
    case 0x0e:
      return readString(end);
    case 0x03:
      return readDocument(readEnd(end), depth + 1);
    case 0x04:
      return readArray(readEnd(end), depth + 1);
    case 0x05:
      return readBinary(end);
    case 0x06:
      return undefined;
    case 0x07:
      return new ObjectId(take(12, end));
    case 0x08:
      if ((buffer[at] ?? 0) > 1) throw invalid("a boolean is neither 0 nor 1");
      return buffer[at++] === 1;
    case 0x09:
      return readDate();
    case 0x0a:
      return null;
    case 0x0b:
      return new BSONRegExp(readCString(end), checkOptions(readCString(end)));
    case 0x0c:
      return new Map<string, Value>([
        ["$ref", readString(end)],
        ["$id", new ObjectId(take(12, end))],
      ]);
    case 0x0d:
      return new Code(readString(end));
    case 0x0f:
      return readCodeWithScope(end, depth);
    case 0x10:
      at += 4;
      return view.getInt32(at - 4, true);
    case 0x11:
      at += 8;
      return new Timestamp(view.getBigUint64(at - 8, true));
    case 0x12:
      at += 8;
      return view.getBigInt64(at - 8, true);
    case 0x13:
      return new Decimal128(take(16, end));
    case 0xff:
      return new MinKey();
    case 0x7f:
      return new MaxKey();
  }
  throw invalid(`unknown type ${type}`);
}

// How many bytes the value of each type takes; where that varies, how many follow the length that it begins with, which
// in documents counts itself.
const FIXED = { 1: 8, 6: 0, 7: 12, 8: 1, 9: 8, 10: 0, 16: 4, 17: 8, 18: 8, 19: 16, 127: 0, 255: 0 };
const BESIDES_LENGTH: Record<number, number> = { 2: 4, 3: 0, 4: 0, 5: 5, 12: 16, 13: 4, 14: 4, 15: 0 };
const SIZES = new Int8Array(256).fill(-1);
for (const [type, size] of Object.entries(FIXED)) SIZES[Number(type)] = size;

function sizeOf(type: number, end: number): number {
  const fixed = SIZES[type] ?? 0;
  if (fixed >= 0) return fixed;
  const besides = BESIDES_LENGTH[type];
  if (besides !== undefined) return readLength(end, besides === 0) + besides;
  if (type !== 0x0b) throw invalid(`unknown type ${type}`);
  const start = at;
  skipName(end);
  skipName(end);
  const size = at - start;
  at = start;
  return size;
}
