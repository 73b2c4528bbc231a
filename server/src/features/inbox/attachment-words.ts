// Whether an attachment is kept from whoever is not its addressee: because it lets its reader in, or holds a secret by
// which what is somebody's own opens. What is drawn as a picture, or encrypted, nobody can read here.
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { ofPerson } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import { knownTokens } from "../../core/public-tokens.ts";
import type { Scope } from "../../core/trpc.ts";
import type { work } from "./access-words.foreign.ts";
import { LIMIT_MS } from "./shown-text.ts";

const HEAD_BYTES = 4096;
const SAYS_NO_WORDS = /^(?:image\/(?!svg)|audio\/|video\/|font\/)/;
/** By which an archive, a PDF, what gzip packed and a document of an old Office begin, whatever they are called. */
const PACKED = ["504b0304", "25504446", "1f8b", "d0cf11e0"];
// A link is not longer, wherever a piece ends; most packed parts are no longer.
const TEXT_OVERLAP = 4000;
const PACKED_OVERLAP = 256 * 1024;

const saidIn = defineForeign<typeof work>({
  file: new URL("./access-words.foreign.ts", import.meta.url),
  output: z.object({ isTheirs: z.boolean(), tokens: z.array(z.string()).nullable() }),
  limitMs: LIMIT_MS,
  refuse: tooMuch,
});

function tooMuch(): TRPCError {
  const message = "This attachment takes too much to look through. Open it in your mail program.";
  return new TRPCError({ code: "UNPROCESSABLE_CONTENT", message });
}

interface Attached {
  mime: string;
  head: Buffer;
  pieces: AsyncIterable<Buffer>;
}

export async function isKeptFrom(scope: Scope, { mime, head, pieces }: Attached): Promise<boolean> {
  const isPacked = PACKED.some((mark) => head.toString("hex", 0, 4).startsWith(mark));
  const isText = !isPacked && (isTextual(head) || !BINARY.test(mime));
  if (!isText && !isPacked && SAYS_NO_WORDS.test(mime)) return false;
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const { isTheirs, tokens } = await saidIn(ofPerson(scope), { bytes: new Uint8Array(bytes), isText });
    if (isTheirs) return true;
    const known = await knownTokens(tokens);
    if (known === "any") throw tooMuch();
    if (known.length > 0) return true;
    rest = bytes.subarray(isText ? -TEXT_OVERLAP : -PACKED_OVERLAP);
  }
  return false;
}

/** Anything else may be a mail within the mail, whatever its sender calls it. */
const BINARY =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip|msword|vnd\.(?:ms-|openxmlformats-|oasis\.)))/;

/** By its beginning, whatever it is called: no text has these signs. */
const isTextual = (content: Buffer): boolean =>
  !content.subarray(0, HEAD_BYTES).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b));
