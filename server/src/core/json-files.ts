// Files in JSON are long texts. They stay where they lie in what came, and are read piece by piece: as texts they would
// lie there twice, and keep everybody waiting.
import { misshapen } from "./visitor-refusals.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { TRPCError } from "@trpc/server";
import { newId } from "./ids.ts";
import { isEscaped, REST_MAX_BYTES, type Span } from "./json-bounds.ts";

const PIECE_BYTES = 512 * 1024;
const BACKSLASH = 0x5c;
const U = 0x75;
/** Of `\u0000`. */
const ESCAPE_BYTES = 6;

/** As it stands in JSON, with its escapes. */
export type LongText = Buffer;
export type Revive = (key: string, value: unknown) => unknown;

export const tooLarge = () =>
  new TRPCError({ code: "PAYLOAD_TOO_LARGE", message: "This is too large to send at once." });
export const notJson = () => misshapen("The request is not JSON. Send JSON in UTF-8.");

/** The same JSON with a mark in the place of each long text, which fields of other names get back while it is parsed. */
export function withoutFiles(json: Buffer, texts: readonly Span[]) {
  const marks = new Map(texts.map(({ from, to }) => [newId(), json.subarray(from, to)]));
  const fileOf = (mark: string): LongText | null => marks.get(mark) ?? null;
  const between = texts.map(({ from }, at) => json.subarray(texts[at - 1]?.to ?? 0, from));
  const parts = [...marks.keys()].flatMap((mark, at) => [between[at] ?? json, Buffer.from(mark)]);
  const valueOf: Revive = (key, value) => {
    const text = key === "content" || typeof value !== "string" ? undefined : marks.get(value);
    if (text && text.length > REST_MAX_BYTES) throw tooLarge();
    return text ? textOf(text) : value;
  };
  return { rest: Buffer.concat([...parts, json.subarray(texts.at(-1)?.to ?? 0)]), valueOf, fileOf };
}

/** What it says, in pieces; others are heard in between. Throws BAD_REQUEST where it is no text of JSON. */
export async function* piecesOf(long: LongText): AsyncGenerator<string> {
  for (let from = 0; from < long.length;) {
    const to = cutBefore(long, from + PIECE_BYTES);
    yield textOf(long.subarray(from, to));
    from = to;
    await nextTurn();
  }
}

function textOf(part: Buffer): string {
  const text = part.toString("utf8");
  if (!part.includes(BACKSLASH)) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch (error) {
    throw error instanceof SyntaxError ? notJson() : error;
  }
}

/** There, or at the escape that stands across it. */
function cutBefore(long: Buffer, at: number): number {
  if (at >= long.length) return long.length;
  for (let start = at - 1; start > at - ESCAPE_BYTES; start -= 1)
    if (long[start] === BACKSLASH && !isEscaped(long, start))
      return start + (long[start + 1] === U ? ESCAPE_BYTES : 2) > at ? start : at;
  return at;
}
