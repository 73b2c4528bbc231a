// What somebody who fills in a form sees of it: what a published version freezes.
import { z } from "zod";
import { fieldSchema } from "./form-fields.ts";
import type { FormKind } from "./form-kinds.ts";
import {
  FORM_PAGES_MAX,
  HELP_MAX_LENGTH,
  JUMPS_MAX,
  LABEL_MAX_LENGTH,
  PAGE_FIELDS_MAX,
  SENSITIVITIES,
  type Sensitivity,
  STATEMENT_MAX_LENGTH,
} from "./form-limits.ts";
import { conditionSchema, formPartIdSchema } from "./form-logic.ts";
import { lineSchema } from "./text.ts";

/** Who reads the answer to a question. Where nobody said so, which no published form has, as few as possible. */
export const readersOf = (
  { readers }: Pick<FormContent, "readers">,
  { sensitivity }: { sensitivity: Sensitivity | null },
): Sensitivity => sensitivity ?? readers ?? "screening";

/** What tells of safety is not offered to be kept on a phone, unless the practice chose so. */
export const givesReceipt = ({ receipt }: Pick<FormContent, "receipt">, kind: FormKind): boolean =>
  receipt ?? kind !== "screening";

/** Where a jump leads that ends the questions. */
export const FORM_END = "end";

const linesSchema = (maxLength: number) => z.string().trim().max(maxLength, `Use at most ${maxLength} characters`);

export const formPageSchema = z.strictObject({
  id: formPartIdSchema.refine((id) => id !== FORM_END, "Choose another name"),
  title: lineSchema(LABEL_MAX_LENGTH),
  text: linesSchema(HELP_MAX_LENGTH),
  visibleIf: conditionSchema.nullable(),
  fields: z.array(fieldSchema).max(PAGE_FIELDS_MAX),
  /** After this page, the first that holds; `when` null: always. To a later page, or to the end. */
  jumps: z.array(z.strictObject({ when: conditionSchema.nullable(), to: formPartIdSchema })).max(JUMPS_MAX),
});
export type FormPage = z.infer<typeof formPageSchema>;

const contentSchema = z.strictObject({
  /** For whoever fills it in. */
  title: lineSchema(LABEL_MAX_LENGTH),
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** Who reads answers, unless a question says otherwise; null or left out until somebody chose. */
  readers: z.enum(SENSITIVITIES).nullable().optional(),
  /** Whether whoever sent it can have their answers at once, as a PDF; left out until somebody chose. */
  receipt: z.boolean().optional(),
  pages: z.array(formPageSchema).min(1).max(FORM_PAGES_MAX),
  /** What stands there once it was sent. */
  thanks: z.strictObject({ title: lineSchema(LABEL_MAX_LENGTH), text: linesSchema(STATEMENT_MAX_LENGTH) }),
});
// By its name: written out wherever it is used, it is longer than the compiler takes.
export interface FormContent extends z.infer<typeof contentSchema> {}
export const formContentSchema: z.ZodType<FormContent, FormContent> = contentSchema;
