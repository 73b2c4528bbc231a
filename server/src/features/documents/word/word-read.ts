// What was read of a Word document, as plain data that one process hands to another.
import { documentContentSchema } from "@app/shared/document-content";
import { z } from "zod";

const pictureSchema = z.object({
  /** What the text names it by. */
  id: z.string(),
  ending: z.enum(["png", "jpg"]),
  bytes: z.instanceof(Uint8Array),
});
export type ReadPicture = z.infer<typeof pictureSchema>;

export const readWordSchema = z.object({
  content: documentContentSchema,
  pictures: z.array(pictureSchema),
  /** What could not be taken over, in words. */
  left: z.array(z.string()),
});
export type ReadWord = z.infer<typeof readWordSchema>;
