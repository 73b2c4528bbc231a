import { z } from "zod";
import { templateSchema } from "./document-templates.ts";
import { documentSchema } from "./documents.ts";

/** What stands at an address of the editor. */
export const openTextSchema = z.discriminatedUnion("of", [
  z.object({ of: z.literal("template"), template: templateSchema }),
  z.object({ of: z.literal("document"), document: documentSchema }),
]);
export type OpenText = z.infer<typeof openTextSchema>;
