// What one mail says, in the text and in the layout that it has.
import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";
import { letsSomebodyIn } from "../mail/access-words.service.ts";
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
});

export interface ReadMail extends CleanMail {
  text: string;
  letsSomebodyIn: boolean;
}

export const work = foreignWork(inputSchema, ({ plain, html, ...options }): ReadMail => {
  const layout = html ? decoded(html) : "";
  // Before its text is made of it: what is too deep is refused here.
  const clean = cleanHtml(layout, options);
  const text = plain ? decoded(plain) : plainText(layout);
  return { ...clean, text, letsSomebodyIn: letsSomebodyIn(text) || letsSomebodyIn(layout) };
});

const decoded = ({ bytes, ...how }: z.output<typeof encodedSchema>): string => decodeText(Buffer.from(bytes), how);
