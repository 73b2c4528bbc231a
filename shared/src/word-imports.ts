// Word documents that are taken over into a template or a draft.
import { z } from "zod";
import { documentContentSchema } from "./document-content.ts";
import { fileNameSchema } from "./files.ts";
import { idSchema } from "./ids.ts";

export const WORD_IMPORTS_ADDRESS = "/word-imports";
export const WORD_MAX_BYTES = 20 * 1024 * 1024;

/** What is said of a Word document that comes as the body: the same `id` once more brings the same pictures. */
export const wordUploadSchema = z.strictObject({ id: idSchema, textId: idSchema, name: fileNameSchema });
export type WordUpload = z.output<typeof wordUploadSchema>;

export const wordImportSchema = z.object({
  /** Nothing is stored of it until it is saved as the text. */
  content: documentContentSchema,
  /** What could not be taken over, in words. */
  left: z.array(z.string()),
});
export type WordImport = z.infer<typeof wordImportSchema>;
