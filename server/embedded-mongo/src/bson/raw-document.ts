// Looks into BSON bytes without decoding them, so that documents can be stored and sent as they came.
import { located, typeMismatch } from "./fail.ts";
import { type Bytes, MongoError, ObjectId } from "../values.ts";

export type Element = { type: number; name: string; start: number; value: number; end: number };

const invalid = (): MongoError => located(22, "not a valid BSON document");

function cstringEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(0, start);
  if (end === -1) throw invalid();
  return end;
}

/** How many bytes a value of this type has. */
const FIXED_SIZES = new Map([
  [0x01, 8],
  [0x06, 0],
  [0x07, 12],
  [0x08, 1],
  [0x09, 8],
  [0x0a, 0],
  [0x10, 4],
  [0x11, 8],
  [0x12, 8],
  [0x13, 16],
  [0x7f, 0],
  [0xff, 0],
]);
/** How many bytes there are besides those that the length at the start of the value counts. */
const UNCOUNTED_BYTES = new Map([
  [0x02, 4],
  [0x03, 0],
  [0x04, 0],
  [0x05, 5],
  [0x0c, 16],
  [0x0d, 4],
  [0x0e, 4],
  [0x0f, 0],
]);
const REGEX = 0x0b;

function valueEnd(bytes: Buffer, type: number, at: number): number {
  const size = FIXED_SIZES.get(type);
  if (size !== undefined) return at + size;
  const uncounted = UNCOUNTED_BYTES.get(type);
  if (uncounted !== undefined) return at + uncounted + bytes.readInt32LE(at);
  if (type === REGEX) return cstringEnd(bytes, cstringEnd(bytes, at) + 1) + 1;
  throw invalid();
}

const asBuffer = (bytes: Bytes): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The top-level fields of a document (or the items of an array) with their places. */
export function elementsOf(document: Bytes): Element[] {
  const bytes = asBuffer(document);
  if (bytes.length < 5 || bytes.readInt32LE(0) !== bytes.length || bytes[bytes.length - 1] !== 0) throw invalid();
  const found: Element[] = [];
  let at = 4;
  while (at < bytes.length - 1) {
    const nameEnd = cstringEnd(bytes, at + 1);
    const type = bytes[at] ?? 0;
    if (nameEnd + 1 >= bytes.length) throw invalid();
    const end = valueEnd(bytes, type, nameEnd + 1);
    if (end <= nameEnd || end > bytes.length - 1) throw invalid();
    found.push({ type, name: bytes.toString("utf8", at + 1, nameEnd), start: at, value: nameEnd + 1, end });
    at = end;
  }
  return found;
}

/** The documents of an array, as they came. */
export function documentsOf(array: Bytes): Buffer[] {
  const bytes = asBuffer(array);
  return elementsOf(bytes).map((element) => {
    if (element.type !== 0x03) throw typeMismatch("an array of documents holds something else");
    return bytes.subarray(element.value, element.end);
  });
}

const ID = Buffer.from("_id\0");

/** The same document with _id as its first field, made up when there is none. */
export function withIdFirst(document: Bytes): Buffer {
  const bytes = asBuffer(document);
  if (bytes.length > 9 && bytes.compare(ID, 0, 4, 5, 9) === 0) return bytes;
  const id = elementsOf(bytes).find((element) => element.name === "_id");
  const moved = id
    ? Buffer.concat([
        bytes.subarray(0, 4),
        bytes.subarray(id.start, id.end),
        bytes.subarray(4, id.start),
        bytes.subarray(id.end),
      ])
    : Buffer.concat([bytes.subarray(0, 4), Buffer.from([0x07]), ID, new ObjectId().id, bytes.subarray(4)]);
  moved.writeInt32LE(moved.length, 0);
  return moved;
}
