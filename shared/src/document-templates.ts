// Templates: what documents begin with. They name nobody; fields stand where a document says who and when.
import { z } from "zod";
import { documentContentSchema } from "./document-content.ts";
import { DOCUMENT_KINDS } from "./document-kind-list.ts";
import { idSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { searchSchema } from "./search-text.ts";
import { lineSchema } from "./text.ts";
import { instantSchema } from "./time.ts";

export const TEMPLATE_NAME_MAX_LENGTH = 100;
export const TEMPLATES_MAX = 500;
/** How long one person writes on before the text as it stood is kept. */
export const VERSION_AFTER_MINUTES = 10;
/** Of one text; the oldest go. */
export const VERSIONS_MAX = 100;

const nameSchema = lineSchema(TEMPLATE_NAME_MAX_LENGTH).min(1, "Give the template a name");
const versionSchema = z.number().int().min(0);

export const createTemplateSchema = z.strictObject({ name: nameSchema, kind: z.enum(DOCUMENT_KINDS) });
export type CreateTemplate = z.infer<typeof createTemplateSchema>;

/** The template that is copied. */
export const copyTemplateSchema = z.strictObject({ templateId: idSchema });

export const saveTemplateSchema = z.strictObject({
  id: idSchema,
  /** The text that was on the screen; where there is a newer one, nothing is saved. */
  version: versionSchema,
  name: nameSchema,
  content: documentContentSchema,
  /** The text as it stands is kept as a version, however new it is: an earlier one takes its place. */
  isRestored: z.boolean().default(false),
});
export type SaveTemplate = z.output<typeof saveTemplateSchema>;

export const renameTemplateSchema = saveTemplateSchema.pick({ id: true, version: true, name: true });
export const setTemplateStatusSchema = z.strictObject({ id: idSchema, isArchived: z.boolean() });

export const templateSchema = z.object({
  id: idSchema,
  name: nameSchema,
  kind: z.enum(DOCUMENT_KINDS),
  content: documentContentSchema,
  version: versionSchema,
  isArchived: z.boolean(),
  updatedAt: instantSchema,
  updatedByName: z.string(),
});
export type Template = z.infer<typeof templateSchema>;

export const listTemplatesSchema = z.strictObject({
  ...pageInputSchema.shape,
  search: searchSchema,
  isArchived: z.boolean().default(false),
  kind: z.enum(DOCUMENT_KINDS).optional(),
  /** Only those of which people make documents. */
  isWritten: z.boolean().default(false),
});
export type ListTemplates = z.input<typeof listTemplatesSchema>;

export const templateRowSchema = templateSchema.omit({ content: true });
export type TemplateRow = z.infer<typeof templateRowSchema>;
export const templateListSchema = pageOf(templateRowSchema);

/** An earlier text, of a template or a document. */
export const textVersionSchema = z.object({ version: versionSchema, savedAt: instantSchema, savedByName: z.string() });
export type TextVersion = z.infer<typeof textVersionSchema>;
export const listTextVersionsSchema = z.strictObject({ ...pageInputSchema.shape, id: idSchema });
export const textVersionListSchema = pageOf(textVersionSchema);
export const getTextVersionSchema = z.strictObject({ id: idSchema, version: versionSchema });
export const wholeTextVersionSchema = textVersionSchema.extend({ content: documentContentSchema });

/** Whoever has a text open says so again and again, and is told who else has. */
export const attendTextSchema = z.strictObject({ id: idSchema, isWriting: z.boolean() });
export const attendantsSchema = z.object({
  others: z.array(z.object({ userId: idSchema, name: z.string(), isWriting: z.boolean() })),
});
export type Attendants = z.infer<typeof attendantsSchema>;
/** How often they say so, and how long that holds. */
export const ATTENDING_MS = { every: 8000, lasts: 25_000 };
