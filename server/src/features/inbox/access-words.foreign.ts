// Whether a piece of what is attached to a mail lets its reader in.
import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";
import { letsSomebodyIn } from "../mail/access-words.service.ts";

export const work = foreignWork(z.instanceof(Uint8Array), (bytes): boolean => letsSomebodyIn(wordsOf(bytes)));

/** In UTF-16 every other byte is none. */
const wordsOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString().replaceAll("\0", "");
