// The text of a file whose encoding nobody knows.
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { IMPORT_ROW_MAX_CHARACTERS } from "@app/shared/imports";
import chardet from "chardet";
import { badField } from "./errors.ts";

const SAMPLE_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
// Old programs end their lines with it alone.
const CARRIAGE_RETURN = 0x0d;
/** As long as the longest row that is taken in can be in any encoding. */
const LINE_MAX_BYTES = 4 * IMPORT_ROW_MAX_CHARACTERS;

export interface SourceText {
  parts: AsyncIterable<string>;
  /** How the text was read; complete once all parts were taken. */
  readAs(): string;
}

export async function sampleOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

export function textOf(file: string, sample: Buffer): SourceText {
  const wide = wideEncodingOf(sample);
  if (wide) return { parts: wideParts(file, wide), readAs: () => wide.toUpperCase() };
  if (sample.includes(0)) throw badField("file", "This is no table. Choose a CSV file or an Excel workbook (.xlsx).");
  return narrowText(file);
}

function wideEncodingOf(sample: Buffer): "utf-16le" | "utf-16be" | null {
  if (sample[0] === 0xff && sample[1] === 0xfe) return "utf-16le";
  if (sample[0] === 0xfe && sample[1] === 0xff) return "utf-16be";
  if (!sample.includes(0)) return null;
  const guess = chardet.detect(sample);
  if (guess === "UTF-16LE") return "utf-16le";
  if (guess === "UTF-16BE") return "utf-16be";
  return wideByZeros(sample);
}

/** Without a mark at its start: in western text every second byte is zero. */
function wideByZeros(sample: Buffer): "utf-16le" | "utf-16be" | null {
  const pairs = Math.floor(sample.length / 2);
  let even = 0;
  let odd = 0;
  for (let index = 0; index < pairs * 2; index += 2) {
    if (sample[index] === 0) even += 1;
    if (sample[index + 1] === 0) odd += 1;
  }
  if (odd > pairs * 0.7 && even < pairs * 0.1) return "utf-16le";
  if (even > pairs * 0.7 && odd < pairs * 0.1) return "utf-16be";
  return null;
}

async function* wideParts(file: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunksOf(file)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(file)) if (Buffer.isBuffer(chunk)) yield chunk;
}

/**
 * Line by line, because a list that was put together from several programs changes its encoding on the way: a line
 * that is valid UTF-8 is UTF-8, any other is Windows-1252.
 */
function narrowText(file: string): SourceText {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const windows = new TextDecoder("windows-1252");
  const found = { utf8: false, windows: false };
  const lineText = (line: Buffer): string => {
    const text = tryDecode(utf8, line);
    if (text === null) {
      found.windows = true;
      return windows.decode(line);
    }
    if (text.length < line.length) found.utf8 = true;
    return text;
  };
  const decode = (lines: Buffer): string => {
    const whole = tryDecode(utf8, lines);
    if (whole === null) return linesOf(lines).map(lineText).join("");
    if (whole.length < lines.length) found.utf8 = true;
    return whole;
  };
  async function* parts() {
    let rest: Buffer[] = [];
    let length = 0;
    for await (const chunk of chunksOf(file)) {
      const end = Math.max(chunk.lastIndexOf(LINE_FEED), chunk.lastIndexOf(CARRIAGE_RETURN)) + 1;
      if (end > 0) {
        yield decode(Buffer.concat([...rest, chunk.subarray(0, end)]));
        rest = [];
        length = 0;
      }
      rest.push(chunk.subarray(end));
      length += chunk.length - end;
      if (length > LINE_MAX_BYTES) throw badField("file", "A row is too long. Shorten it, or leave it out.");
    }
    if (length > 0) yield decode(Buffer.concat(rest));
  }
  return { parts: parts(), readAs: () => nameOf(found) };
}

const nameOf = (found: { utf8: boolean; windows: boolean }): string => {
  if (found.windows) return found.utf8 ? "UTF-8 and Windows-1252, mixed" : "Windows-1252";
  return "UTF-8";
};

function tryDecode(decoder: { decode(bytes: Buffer): string }, bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const next = bytes.indexOf(LINE_FEED, start);
    const end = next < 0 ? bytes.length : next + 1;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}
