import { z } from "zod";
import { idSchema } from "./ids.ts";
import { richTextSchema } from "./rich-text.ts";
import { lineSchema } from "./text.ts";
import { instantSchema } from "./time.ts";

/** So many are shown at once, and no practice needs more. */
export const TEMPLATES_MAX = 100;

const templateFields = {
  name: lineSchema(80).min(1, "Give the template a name"),
  subject: lineSchema(200).min(1, "Write a subject"),
  body: richTextSchema,
};

export const createTemplateSchema = z.strictObject(templateFields);
export type CreateTemplate = z.infer<typeof createTemplateSchema>;
export const updateTemplateSchema = z.strictObject({
  ...templateFields,
  id: idSchema,
  version: z.number().int().min(0),
});

export const templateSchema = z.object({
  ...templateFields,
  id: idSchema,
  /** Which of those that every practice begins with; null for one of its own. */
  starterKey: z.string().nullable(),
  version: z.number().int(),
  updatedAt: instantSchema,
});
export type MailTemplate = z.infer<typeof templateSchema>;
/** As it stands in the list: its text is read when somebody opens it or begins a message with it. */
export const templateRowSchema = templateSchema.omit({ body: true });
export type TemplateRow = z.infer<typeof templateRowSchema>;
export const templateListSchema = z.object({ items: z.array(templateRowSchema) });
