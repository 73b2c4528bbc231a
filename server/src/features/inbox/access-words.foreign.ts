// Whether a piece of what is attached to a mail lets its reader in, or holds a link that is somebody's own.
import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";
import { lookThrough } from "../../core/personal-links.ts";
import { letsInPlainly } from "../mail/access-words.service.ts";
import { packedWords } from "./packed-words.ts";

interface Said {
  isTheirs: boolean;
  tokens: string[] | null;
}

const inputSchema = z.object({ bytes: z.instanceof(Uint8Array), isText: z.boolean() });

export const work = foreignWork(inputSchema, ({ bytes, isText }): Said => {
  let letsIn = false;
  const words = isText ? wordsOf(bytes) : packedWords(Buffer.from(bytes));
  const { isPersonal, candidates } = lookThrough(words, [], (layer) => (letsIn ||= letsInPlainly(layer)));
  return { isTheirs: letsIn || isPersonal, tokens: candidates };
});

/** In UTF-16 every other byte is none. */
const wordsOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString().replaceAll("\0", "");
