// What a file says that is no text: Office documents and archives (ZIP), PDF, and what is packed with gzip. Its beginnings
// are looked for, not its table of contents, so that any piece of a file can be read.
import { Gunzip, Inflate } from "fflate";

/** Of one packed part, and of all in a piece of a file. */
const PART_MAX_BYTES = 2 * 1024 * 1024;
const ALL_MAX_BYTES = 8 * 1024 * 1024;
const PARTS_MAX = 2000;
const DEPTH_MAX = 3;
const PUSHED_BYTES = 16 * 1024;
/** Of longer texts only long words are of interest, since a secret is one. */
const WHOLE_MAX_LENGTH = 64 * 1024;
const LONG_WORD = /(?<![^\s<>"'])[^\s<>"']{30,}/g;
const PRINTED = /(?<![\t\r\n\x20-\x7e])[\t\r\n\x20-\x7e]{20,}/g;
/** Between two pieces of one line, as a PDF sets its signs. */
const KERNING = /\)[\s\d.-]{0,20}\(/g;

/** All the words that can be read in a piece of such a file. */
export function packedWords(piece: Buffer): string {
  const budget = { bytes: ALL_MAX_BYTES, parts: PARTS_MAX };
  return wordsIn(piece, budget, 0).join("\n");
}

type Budget = { bytes: number; parts: number };

function wordsIn(bytes: Buffer, budget: Budget, depth: number): string[] {
  // In UTF-16 every other byte is none.
  const printed = bytes.toString("latin1").replaceAll("\0", "").match(PRINTED) ?? [];
  const words = [shortened(printed.join("\n"))];
  if (depth >= DEPTH_MAX) return words;
  for (const inner of partsIn(bytes, budget)) words.push(...wordsIn(inner, budget, depth + 1));
  return words;
}

function shortened(text: string): string {
  const joined = text.replace(KERNING, "");
  if (joined.length <= WHOLE_MAX_LENGTH) return joined === text ? text : `${text}\n${joined}`;
  const layers = [joined, joined.replace(/<[^<>]*>/g, "")];
  return layers.flatMap((layer) => layer.match(LONG_WORD) ?? []).join("\n");
}

function* partsIn(bytes: Buffer, budget: Budget): Generator<Buffer> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) yield unpacked(bytes, budget, (take) => new Gunzip(take));
  for (const start of [...zipped(bytes), ...streams(bytes)]) {
    budget.parts -= 1;
    if (budget.bytes <= 0 || budget.parts < 0) return;
    yield unpacked(bytes.subarray(start), budget, (take) => new Inflate(take));
  }
}

/** Where a part of a ZIP begins (APPNOTE 4.3.7) that is packed and not encrypted; what is only stored is read with the rest. */
function* zipped(bytes: Buffer): Generator<number> {
  const header = 30;
  for (let at = bytes.indexOf("PK\u0003\u0004"); at !== -1; at = bytes.indexOf("PK\u0003\u0004", at + 4)) {
    if (at + header > bytes.length) return;
    const isEncrypted = (bytes.readUInt16LE(at + 6) & 1) === 1;
    if (isEncrypted || bytes.readUInt16LE(at + 8) !== 8) continue;
    yield at + header + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  }
}

/** Where a stream of a PDF begins (ISO 32000-1 7.3.8) that is packed, behind the two bytes that zlib puts first. */
function* streams(bytes: Buffer): Generator<number> {
  for (let at = bytes.indexOf("stream"); at !== -1; at = bytes.indexOf("stream", at + 6)) {
    let start = at + 6;
    if (bytes[start] === 0x0d) start += 1;
    if (bytes[start] === 0x0a) start += 1;
    if (bytes[start] === 0x78) yield start + 2;
  }
}

type Unpacking = { push(chunk: Uint8Array, isLast?: boolean): void };

/** The beginning, as far as it can be unpacked. */
function unpacked(bytes: Buffer, budget: Budget, begin: (take: (chunk: Uint8Array) => void) => Unpacking): Buffer {
  const chunks: Uint8Array[] = [];
  let left = Math.min(PART_MAX_BYTES, budget.bytes);
  const unpacking = begin((chunk) => {
    chunks.push(chunk.subarray(0, Math.max(0, left)));
    left -= chunk.length;
  });
  try {
    for (let at = 0; at < bytes.length && left > 0; at += PUSHED_BYTES)
      unpacking.push(bytes.subarray(at, at + PUSHED_BYTES));
  } catch {
    // What follows it is something else.
  }
  const all = Buffer.concat(chunks);
  budget.bytes -= all.length;
  return all;
}
