// Forms as the practice keeps them: a draft that is edited, and versions that never change once they were published.
import { z } from "zod";
import { formContentSchema } from "./form-content.ts";
import { FORM_KINDS } from "./form-kinds.ts";
import { formSharingSchema } from "./form-sharing.ts";
import { idSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { searchSchema } from "./search-text.ts";
import { lineSchema } from "./text.ts";
import { instantSchema } from "./time.ts";

export const FORM_NAME_MAX_LENGTH = 100;
export const FORMS_MAX = 500;

/** What it is called within the practice; who fills it in reads its title. */
const formNameSchema = lineSchema(FORM_NAME_MAX_LENGTH).min(1, "Give the form a name");

export const FORM_STATUSES = ["draft", "published", "archived"] as const;
export type FormStatus = (typeof FORM_STATUSES)[number];

export const createFormSchema = z.strictObject({
  name: formNameSchema,
  kind: z.enum(FORM_KINDS),
  content: formContentSchema,
});
export type CreateForm = z.infer<typeof createFormSchema>;

export const saveFormSchema = z.strictObject({
  id: idSchema,
  /** The draft that was on the screen; where there is a newer one, nothing is saved. */
  version: z.number().int().min(0),
  name: formNameSchema,
  content: formContentSchema,
});
export type SaveForm = z.infer<typeof saveFormSchema>;

export const publishFormSchema = z.strictObject({ id: idSchema, version: z.number().int().min(0) });
export const setFormStatusSchema = z.strictObject({ id: idSchema, isArchived: z.boolean() });
/** The form that is copied. */
export const copyFormSchema = z.strictObject({ formId: idSchema });

export const formSchema = z.object({
  id: idSchema,
  name: formNameSchema,
  kind: z.enum(FORM_KINDS),
  status: z.enum(FORM_STATUSES),
  content: formContentSchema,
  /** Of the draft: rises with every save. */
  version: z.number().int(),
  /** The number of the version that people fill in; null where none was published yet. */
  publishedNumber: z.number().int().nullable(),
  publishedAt: instantSchema.nullable(),
  /** What that version holds, for what changed since. */
  publishedContent: formContentSchema.nullable(),
  /** Whether the draft says something else than the version that people fill in. */
  isChanged: z.boolean(),
  /** What stands in the address of its links. */
  publicId: z.string(),
  sharing: formSharingSchema,
  updatedAt: instantSchema,
  updatedByName: z.string(),
});
export type Form = z.infer<typeof formSchema>;

export const listFormsSchema = z.strictObject({
  ...pageInputSchema.shape,
  search: searchSchema,
  isArchived: z.boolean().default(false),
  kind: z.enum(FORM_KINDS).optional(),
});
export type ListForms = z.input<typeof listFormsSchema>;

export const formRowSchema = formSchema
  .omit({ content: true, publishedContent: true, version: true, sharing: true })
  .extend({ questions: z.number().int() });
export type FormRow = z.infer<typeof formRowSchema>;
export const formListSchema = pageOf(formRowSchema);
