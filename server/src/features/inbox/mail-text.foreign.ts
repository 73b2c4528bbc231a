// What one mail says, in the text and in the layout that it has.
import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";
import { forOthers, HOLDS_PERSONAL_LINK } from "../../core/personal-links.ts";
import { letsInPlainly } from "../mail/access-words.service.ts";
import { decodeText } from "./mail-content.ts";
import { type CleanMail, cleanHtml } from "./mail-html.ts";
import { plainText } from "./plain-text.ts";

const encodedSchema = z.object({
  bytes: z.instanceof(Uint8Array),
  charset: z.string(),
  encoding: z.string(),
});
const inputSchema = z.object({
  plain: encodedSchema.nullable(),
  html: encodedSchema.nullable(),
  showsRemote: z.boolean(),
  /** The pictures that came with the mail, as data URLs by content id. */
  inline: z.record(z.string(), z.string()),
  /** What must not be shown of it: of what was found before, what is known. */
  tokens: z.union([z.array(z.string()), z.literal("any")]),
});

export interface ReadMail extends CleanMail {
  text: string;
  letsSomebodyIn: boolean;
  /** What may be a secret in it, as `forOthers` says. */
  tokens: string[] | null;
}

export const work = foreignWork(inputSchema, ({ plain, html, tokens, ...options }): ReadMail => {
  let letsSomebodyIn = false;
  const alsoLook = (layer: string) => (letsSomebodyIn ||= letsInPlainly(layer));
  const layout = html ? decoded(html) : "";
  const masked = forOthers(layout, tokens, alsoLook);
  // Before its text is made of it: what is too deep is refused here.
  const clean = cleanHtml(
    masked.shown === HOLDS_PERSONAL_LINK ? `<p>${HOLDS_PERSONAL_LINK}</p>` : masked.shown,
    options,
  );
  const { shown: text, candidates } = forOthers(plain ? decoded(plain) : plainText(layout), tokens, alsoLook);
  return {
    ...clean,
    text,
    letsSomebodyIn,
    tokens: candidates && masked.candidates && [...candidates, ...masked.candidates],
  };
});

const decoded = ({ bytes, ...how }: z.output<typeof encodedSchema>): string => decodeText(Buffer.from(bytes), how);
