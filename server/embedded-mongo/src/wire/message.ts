// OP_MSG in both directions, and the OP_QUERY greeting that drivers still begin with.
import { decode, decodeFields } from "../bson/decode.ts";
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { located } from "../bson/fail.ts";
import { type Bytes, type Doc, MongoError, type Value } from "../values.ts";
import { documentsOf, elementsOf } from "../bson/raw-document.ts";

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const KNOWN_FLAGS = 0x10003;

export type Request = {
  requestId: number;
  isLegacy: boolean;
  expectsReply: boolean;
  command: Doc;
  /** Documents to insert, left as bytes. */
  documents: Buffer[];
};

export type CursorReply = {
  id: bigint;
  ns: string;
  batchName: "firstBatch" | "nextBatch";
  batch: Bytes[];
  postBatchResumeToken?: Doc | undefined;
};
export type Reply = { fields: Doc; cursor?: CursorReply };

const badMessage = (why: string): MongoError => located(17, why);

export function parseMessage(message: Buffer): Request {
  const requestId = message.readInt32LE(4);
  const opcode = message.readInt32LE(12);
  if (opcode === OP_MSG) return parseOpMsg(message, requestId);
  if (opcode === OP_QUERY) return parseOpQuery(message, requestId);
  throw badMessage(`opcode ${opcode} is not supported`);
}

function parseOpQuery(message: Buffer, requestId: number): Request {
  const nameEnd = message.indexOf(0, 20);
  const ns = message.toString("utf8", 20, nameEnd);
  const at = nameEnd + 9;
  const command = decode(message.subarray(at, at + message.readInt32LE(at)));
  if (!ns.endsWith(".$cmd")) throw badMessage("OP_QUERY is only supported for the greeting");
  command.set("$db", ns.slice(0, -5));
  return { requestId, isLegacy: true, expectsReply: true, command, documents: [] };
}

function parseOpMsg(message: Buffer, requestId: number): Request {
  const flags = message.readUInt32LE(16);
  if ((flags & 0xffff & ~KNOWN_FLAGS) !== 0) throw badMessage(`unknown flags ${flags}`);
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  const sequences = new Map<string, Buffer[]>();
  let body: Buffer | undefined;
  let at = 20;
  while (at < end) {
    const kind = message[at];
    const size = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + size);
    if (size < 5 || at + 1 + size > end) throw badMessage("a section is longer than its message");
    if (kind === 0) body = section;
    else if (kind === 1) parseSequence(section, sequences);
    else throw badMessage(`unknown section kind ${kind}`);
    at += 1 + size;
  }
  if (!body) throw badMessage("a message without a body");
  return { requestId, isLegacy: false, expectsReply: (flags & MORE_TO_COME) === 0, ...readBody(body, sequences) };
}

function parseSequence(section: Buffer, sequences: Map<string, Buffer[]>): void {
  const nameEnd = section.indexOf(0, 4);
  const documents: Buffer[] = [];
  let at = nameEnd + 1;
  while (at < section.length) {
    const size = section.readInt32LE(at);
    if (size < 5 || at + size > section.length) throw badMessage("a document is longer than its section");
    documents.push(section.subarray(at, at + size));
    at += size;
  }
  sequences.set(section.toString("utf8", 4, nameEnd), documents);
}

function readBody(body: Buffer, sequences: Map<string, Buffer[]>): { command: Doc; documents: Buffer[] } {
  // "insert" is at the very start of the body: 4 bytes length, 1 byte type, then the name.
  const isInsert = body.toString("latin1", 5, 12) === "insert\0";
  if (!isInsert) {
    const command = decode(body);
    for (const [name, documents] of sequences)
      command.set(
        name,
        documents.map((document): Value => decode(document)),
      );
    return { command, documents: [] };
  }
  const elements = elementsOf(body);
  const inline = elements.find((element) => element.name === "documents");
  const others = new Set(elements.map((element) => element.name));
  others.delete("documents");
  const documents = inline ? documentsOf(body.subarray(inline.value, inline.end)) : (sequences.get("documents") ?? []);
  return { command: decodeFields(body, others), documents };
}

const OPEN_ARRAY = 0x04;
const OPEN_DOCUMENT = 0x03;

const cstring = (text: string): Buffer => Buffer.from(`${text}\0`);
const inner = (doc: Doc): Buffer => {
  const bytes = encode(doc);
  return Buffer.from(bytes.buffer, bytes.byteOffset + 4, bytes.byteLength - 5);
};

function wrap(type: number, name: string, parts: Bytes[], length: number): Buffer[] {
  const head = Buffer.concat([Buffer.from([type]), cstring(name), Buffer.alloc(4)]);
  head.writeInt32LE(length + 5, head.length - 4);
  return [head, ...parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)), Buffer.from([0])];
}

const lengthOf = (parts: Bytes[]): number => parts.reduce((sum, part) => sum + part.byteLength, 0);

function cursorParts(cursor: CursorReply): Buffer[] {
  const items: Bytes[] = [];
  for (const [at, document] of cursor.batch.entries()) {
    items.push(Buffer.from(`\u0003${at}\0`), document);
  }
  const tail: Doc = docOf({ id: cursor.id, ns: cursor.ns });
  if (cursor.postBatchResumeToken) tail.set("postBatchResumeToken", cursor.postBatchResumeToken);
  const parts = [...wrap(OPEN_ARRAY, cursor.batchName, items, lengthOf(items)), inner(tail)];
  return wrap(OPEN_DOCUMENT, "cursor", parts, lengthOf(parts));
}

/** The whole reply message. */
export function encodeReply(request: Pick<Request, "requestId" | "isLegacy">, reply: Reply, trailer: Bytes): Buffer {
  const parts = [...(reply.cursor ? cursorParts(reply.cursor) : []), inner(reply.fields), trailer];
  const documentLength = lengthOf(parts) + 5;
  const head = Buffer.alloc(request.isLegacy ? 40 : 25);
  head.writeInt32LE(head.length - 4 + documentLength, 0);
  head.writeInt32LE(request.requestId, 8);
  head.writeInt32LE(request.isLegacy ? OP_REPLY : OP_MSG, 12);
  if (request.isLegacy) {
    head.writeInt32LE(8, 16);
    head.writeInt32LE(1, 32);
  }
  head.writeInt32LE(documentLength, head.length - 4);
  return Buffer.concat([head, ...parts, Buffer.from([0])]);
}

/** Field bytes, without the frame of a document, to put at the end of a reply. */
export const encodeFields = (doc: Doc): Bytes => inner(doc);
