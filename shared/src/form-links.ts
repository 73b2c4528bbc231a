// Links by which one client fills in a form.
import { z } from "zod";
import { FORM_KINDS } from "./form-kinds.ts";
import { byIdSchema, idSchema } from "./ids.ts";
import { NOTE_MAX_LENGTH } from "./text.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { LINK_DAYS, LINK_STATES } from "./submission-limits.ts";
import { instantSchema } from "./time.ts";

export const createFormLinkSchema = z.strictObject({
  formId: idSchema,
  clientId: idSchema,
  caseId: idSchema.nullable(),
  days: z.literal(LINK_DAYS),
});
export type CreateFormLink = z.infer<typeof createFormLinkSchema>;

export const sendFormLinkSchema = z.strictObject({
  ...byIdSchema.shape,
  /** What its writer says before the link; may be empty. */
  words: z.string().trim().max(NOTE_MAX_LENGTH, `Use at most ${NOTE_MAX_LENGTH} characters`),
});

export const formLinkSchema = z.object({
  id: idSchema,
  formId: idSchema,
  formName: z.string(),
  kind: z.enum(FORM_KINDS),
  clientId: idSchema,
  caseId: idSchema.nullable(),
  state: z.enum(LINK_STATES),
  createdAt: instantSchema,
  createdByName: z.string(),
  expiresAt: instantSchema,
  /** When its mail last left; null where none has. */
  sentAt: instantSchema.nullable(),
  remindedAt: instantSchema.nullable(),
  openedAt: instantSchema.nullable(),
  savedAt: instantSchema.nullable(),
  submittedAt: instantSchema.nullable(),
  /** What was asked of a colleague because no mail may be sent; empty where none was. */
  task: z.string(),
  /** What is filled in by it, once there is something. */
  submissionId: idSchema.nullable(),
});
export type FormLink = z.infer<typeof formLinkSchema>;

/** With the address itself, for whoever hands it on. */
export const openFormLinkSchema = formLinkSchema.extend({ address: z.string() });
export type OpenFormLink = z.infer<typeof openFormLinkSchema>;

export const listFormLinksSchema = z.strictObject({ ...pageInputSchema.shape, clientId: idSchema });
export const formLinkPageSchema = pageOf(formLinkSchema);
