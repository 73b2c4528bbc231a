// Bytes of a part as they lie on the server, made into text or into the file that was attached. imapflow decodes only what
// it downloads over one connection, which is then taken until the last byte is; here others have it between two pieces.
import { TextDecoder } from "node:util";
import type { TextPart } from "./mail-parts.ts";

/** Of a mail (RFC 5322 section 2.1.1). */
const LINE_MAX_LENGTH = 998;

/** The text of a part in the character set that it names; in another where there is none of that name. */
export function decodeText(bytes: Buffer, { charset, encoding }: Pick<TextPart, "charset" | "encoding">): string {
  return decoderOf(charset).decode(undone(bytes, encoding)).replace(/\r\n/g, "\n");
}

function undone(bytes: Buffer, encoding: string): Buffer {
  if (encoding === "base64") return Buffer.from(bytes.toString("latin1"), "base64");
  return encoding === "quoted-printable" ? unquoted(bytes.toString("latin1")) : bytes;
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset === "us-ascii" ? "utf-8" : charset);
  } catch {
    // Nobody knows this name; most of what is written today is UTF-8.
    return new TextDecoder();
  }
}

/** Undoes the encoding of an attachment, piece by piece. */
export async function* decoded(pieces: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  if (encoding === "base64") yield* fromBase64(pieces);
  else if (encoding === "quoted-printable") yield* fromQuotedPrintable(pieces);
  else yield* pieces;
}

async function* fromBase64(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = "";
  for await (const piece of pieces) {
    const text = rest + piece.toString("latin1").replace(/[^A-Za-z0-9+/=]/g, "");
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    yield Buffer.from(text.slice(0, whole), "base64");
  }
  if (rest) yield Buffer.from(rest, "base64");
}

async function* fromQuotedPrintable(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = "";
  for await (const piece of pieces) {
    const text = rest + piece.toString("latin1");
    const whole = borderIn(text);
    rest = text.slice(whole);
    yield unquoted(text.slice(0, whole));
  }
  if (rest) yield unquoted(rest);
}

/** Where the text may be cut: behind a line, or in one that is longer than a line can be where nothing is left open. */
function borderIn(text: string): number {
  const line = text.lastIndexOf("\n") + 1;
  return text.length - line <= LINE_MAX_LENGTH ? line : openFrom(text);
}

const isBlank = (sign: string | undefined): boolean => sign === " " || sign === "\t";

/**
 * From where the end of the text means one thing or another by what follows: half an escape, or blanks, which a line
 * does not end with. More of them than a line is long are handed on, so that nobody keeps us gathering them.
 */
function openFrom(text: string): number {
  if (/[0-9A-Fa-f]/.test(text.at(-1) ?? "") && text.at(-2) === "=") return text.length - 2;
  let end = text.endsWith("\r") ? text.length - 1 : text.length;
  while (end > text.length - LINE_MAX_LENGTH && isBlank(text[end - 1])) end -= 1;
  return text[end - 1] === "=" ? end - 1 : end;
}

const unquoted = (text: string): Buffer =>
  Buffer.from(
    text
      // Only from where blanks begin, or a long row of them would be gone through from each one.
      .replace(/(?<![ \t])[ \t]+(?=\r?\n)/g, "")
      .replace(/=\r?\n/g, "")
      .replace(/=([0-9A-Fa-f]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
