// What goes into a Word document, as plain data that one process hands to another.
import { documentContentSchema } from "@app/shared/document-content";
import { z } from "zod";

export const wordPaperSchema = z.object({
  title: z.string(),
  content: documentContentSchema,
  isTemplate: z.boolean(),
  head: z.object({ name: z.string(), mark: z.string(), logo: z.instanceof(Uint8Array).nullable() }),
  /** What its mark means, under it on the first page; empty where it has none. */
  rule: z.string(),
  footer: z.string(),
  images: z.map(z.string(), z.instanceof(Uint8Array)),
});
export type WordPaper = z.input<typeof wordPaperSchema>;
