// Looks into BSON bytes without decoding them, so that documents can be stored and sent as they came.
import { typeMismatch } from "../bson/fail.ts";
import { type Bytes, MongoError } from "../values.ts";

export type Element = { type: number; name: string; start: number; value: number; end: number };

const invalid = (): MongoError => new MongoError(22, "InvalidBSON", "not a valid BSON document");

function cstringEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(0, start);
  if (end === -1) throw invalid();
  return end;
}

function valueEnd(bytes: Buffer, type: number, at: number): number {
  switch (type) {
    case 0x01:
    case 0x09:
    case 0x11:
    case 0x12:
      return at + 8;
    case 0x02:
    case 0x0d:
    case 0x0e:
      return at + 4 + bytes.readInt32LE(at);
    case 0x03:
    case 0x04:
    case 0x0f:
      return at + bytes.readInt32LE(at);
    case 0x05:
      return at + 5 + bytes.readInt32LE(at);
    case 0x06:
    case 0x0a:
    case 0x7f:
    case 0xff:
      return at;
    case 0x07:
      return at + 12;
    case 0x08:
      return at + 1;
    case 0x0b:
      return cstringEnd(bytes, cstringEnd(bytes, at) + 1) + 1;
    case 0x0c:
      return at + 16 + bytes.readInt32LE(at);
    case 0x10:
      return at + 4;
    case 0x13:
      return at + 16;
    default:
      throw invalid();
  }
}

export const asBuffer = (bytes: Bytes): Buffer =>
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

/** The same document with _id as its first field; `id` is made up when there is none. */
export function withIdFirst(document: Bytes, makeId: () => Buffer): Buffer {
  const bytes = asBuffer(document);
  if (bytes.length > 9 && bytes.compare(ID, 0, 4, 5, 9) === 0) return bytes;
  const id = elementsOf(bytes).find((element) => element.name === "_id");
  const first = id ? bytes.subarray(id.start, id.end) : Buffer.concat([Buffer.from([0x07]), ID, makeId()]);
  const parts = id
    ? [bytes.subarray(0, 4), first, bytes.subarray(4, id.start), bytes.subarray(id.end)]
    : [bytes.subarray(0, 4), first, bytes.subarray(4)];
  const moved = Buffer.concat(parts);
  moved.writeInt32LE(moved.length, 0);
  return moved;
}
