// Contents that stand in a text as an address (RFC 2397): a picture in the layout of a mail, or a file in a field.
import { isUtf8 } from "node:buffer";
import { Parser } from "htmlparser2";
import { z } from "zod";
import type { Asker } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import { conflict } from "../../core/errors.ts";
import type { work } from "./embedded-contents.foreign.ts";

const LIMIT_MS = 3000;
/** Most letters are shorter; what is longer is read where it holds up nobody. */
const HERE_MAX_LENGTH = 5000;

const longContents = defineForeign<typeof work>({
  file: new URL("./embedded-contents.foreign.ts", import.meta.url),
  output: z.array(z.instanceof(Uint8Array)),
  limitMs: LIMIT_MS,
  refuse: () => conflict("Nobody can tell which files stand in the text of this mail. Attach them instead."),
});

/** What stands in the text of a mail, in whatever element. Throws CONFLICT where that takes too long to find. */
export async function contentsInText(asker: Asker, text: string): Promise<Buffer[]> {
  if (text.length <= HERE_MAX_LENGTH) return embeddedContents(text);
  return (await longContents(asker, text)).map((content) => Buffer.from(content));
}

/** The same, found at once: as the programs read it that show a mail, also in a text that stands there so itself. */
export function embeddedContents(html: string): Buffer[] {
  const contents = contentsInLayout(html);
  return [...contents, ...contents.filter(mayHoldAddress).flatMap((content) => contentsInLayout(textOf(content)))];
}

/** Such as a picture that is drawn in words. */
const mayHoldAddress = (content: Buffer): boolean =>
  !content.includes(0) && (content.includes(":") || content.includes("&"));

const textOf = (content: Buffer): string => content.toString(isUtf8(content) ? "utf8" : "latin1");

/** What stands in its elements, entities and all. */
function contentsInLayout(html: string): Buffer[] {
  const values: string[] = [];
  const keep = (text: string) => values.push(text);
  const parser = new Parser({ onattribute: (_name, value) => keep(value), ontext: keep, oncomment: keep });
  parser.end(html);
  return values
    .flatMap(readings)
    .flatMap((value) => value.split(/(?=data:)/i))
    .flatMap(heldBy)
    .flatMap(withoutEnds)
    .flatMap(decoded);
}

/** What an address holds, as base64 and as text: nobody knows as which it is read. Nothing, where it is none. */
export const contentsOfAddress = (text: string): Buffer[] => readings(text).flatMap(heldBy).flatMap(decoded);

/** As it stands there, and as a browser reads an address, to which tabs and ends of lines are nothing. */
const readings = (text: string): string[] => [...new Set([text, text.replace(/[\t\n\r]/g, "")])];

/** What stands before the content, where a comma in quotes ends it and where it does not. */
const BEFORE = [/^[\s\p{Cc}]*data:[^,]*,/iu, /^[\s\p{Cc}]*data:[^,"]*(?:"[^"\\]*(?:\\.[^"\\]*)*"[^,"]*)*,/isu];

function heldBy(text: string): string[] {
  const starts = BEFORE.flatMap((before) => before.exec(text)?.[0].length ?? []);
  return [...new Set(starts)].map((start) => text.slice(start));
}

/** What may stand behind an address in a style, and in a list of pictures. */
const ENDS = [/["')\\]/, /\s/];

function withoutEnds(text: string): string[] {
  const cut = ENDS.map((end) => text.search(end)).filter((at) => at > 0);
  return [text, ...cut.map((at) => text.slice(0, at))];
}

function decoded(text: string): Buffer[] {
  const content = unescaped(text);
  return [content, Buffer.from(content.toString("latin1"), "base64")];
}

/** Whose signs stand there as `%41`. */
function unescaped(text: string): Buffer {
  const bytes = Buffer.from(text).toString("latin1");
  const read = bytes.replace(/%([\da-f]{2})/gi, (_sign, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return Buffer.from(read, "latin1");
}
