// What of a mail others than its addressee are shown: its words and its layout, read apart.
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { ofPerson } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import type { ImapClient } from "../../core/imap-client.ts";
import { knownTokens } from "../../core/public-tokens.ts";
import type { Scope } from "../../core/trpc.ts";
import type { TextPart } from "./mail-parts.ts";
import type { work } from "./mail-text.foreign.ts";

export const LIMIT_MS = 3000;
export const TEXT_MAX_BYTES = 1024 * 1024;

const WORDS = {
  unreadable: "The layout of this message cannot be read. Open it in your mail program.",
  "too-much": "The layout of this message takes too much to show. Open it in your mail program.",
};

const textsIn = defineForeign<typeof work>({
  file: new URL("./mail-text.foreign.ts", import.meta.url),
  output: z.object({
    text: z.string(),
    html: z.string(),
    hasRemoteImages: z.boolean(),
    inlineIds: z.array(z.string()),
    letsSomebodyIn: z.boolean(),
    tokens: z.array(z.string()).nullable(),
  }),
  limitMs: LIMIT_MS,
  refuse: (why) => new TRPCError({ code: "UNPROCESSABLE_CONTENT", message: WORDS[why] }),
});

/** What others than its addressee may read of it: read once more where it holds a secret that is known. */
export async function shownIn(scope: Scope, input: Omit<Parameters<typeof textsIn>[1], "tokens">) {
  const shown = await textsIn(ofPerson(scope), { ...input, tokens: [] });
  const tokens = await knownTokens(shown.tokens);
  return tokens.length === 0
    ? shown
    : textsIn(ofPerson(scope), { ...input, tokens: tokens === "any" ? tokens : [...tokens] });
}

/** The beginning of a text as it lies on the server. */
export async function readText(client: ImapClient, uid: number, text: TextPart | null) {
  if (!text) return null;
  const { part, charset, encoding } = text;
  const bytes = await readPiece(client, { uid, part, start: 0, maxLength: TEXT_MAX_BYTES });
  // A copy, because a part of a larger piece of memory would be sent to the worker with all of it.
  return { bytes: new Uint8Array(bytes), charset, encoding };
}

interface Piece {
  uid: number;
  part: string;
  start: number;
  maxLength: number;
}

export async function readPiece(client: ImapClient, { uid, part, start, maxLength }: Piece): Promise<Buffer> {
  const query = { uid: true, bodyParts: [{ key: part, start, maxLength }] };
  const message = await client.fetchOne(uid, query);
  return message?.bodyParts.get(part) ?? Buffer.alloc(0);
}
