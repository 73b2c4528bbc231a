import { z } from "zod";
import { idSchema } from "./ids.ts";
import { SEND_METHODS } from "./mail-payload.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { RICH_TEXT_MAX_LENGTH } from "./rich-text.ts";
import { instantSchema } from "./time.ts";

export const SYSTEM_MAIL_STATES = ["queued", "sending", "sent", "failed", "unsent"] as const;

/** A mail of the product itself that did not leave: no mail server is set up, or it refused. */
export const unsentMailSchema = z.object({
  id: idSchema,
  to: z.string(),
  subject: z.string(),
  /** Without a link that lets somebody else in. Null once the links in it have expired. */
  text: z.string().nullable(),
  /** Whether a link is left out of the text: it is for its addressee alone. */
  isLinkLeftOut: z.boolean(),
  state: z.enum(SYSTEM_MAIL_STATES),
  reason: z.string(),
  createdAt: instantSchema,
});
export type UnsentMail = z.infer<typeof unsentMailSchema>;

export const unsentMailPageSchema = pageOf(unsentMailSchema);

export const CASE_MAIL_STATES = [
  "queued",
  "sending",
  "sent",
  "uncertain",
  "failed",
  "cancelled",
  "superseded",
  "bounced",
] as const;
export const CASE_MAIL_PURPOSES = ["invitation", "cancellation", "reminder", "letter"] as const;

export const listCaseMailSchema = z.strictObject({ ...pageInputSchema.shape, clientId: idSchema });

/** A mail of a case to one person, as the outbox shows it. */
export const caseMailSchema = z.object({
  id: idSchema,
  toName: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  /** Others who get the same mail: nobody of them is another party. */
  cc: z.array(z.string()),
  attachmentNames: z.array(z.string()),
  purpose: z.enum(CASE_MAIL_PURPOSES),
  state: z.enum(CASE_MAIL_STATES),
  /** Why it waits or did not leave; empty where nothing is wrong. */
  reason: z.string(),
  /** Who carried it; null while nobody has. */
  method: z.enum(SEND_METHODS).nullable(),
  /** Whether the mailbox failed and the fallback carried it. */
  isFallbackUsed: z.boolean(),
  warnings: z.array(z.string()),
  /** Why it came back, says a report that nothing proves; empty for none. */
  saidToBounce: z.string(),
  partyId: idSchema.nullable(),
  createdAt: instantSchema,
  /** When it is to leave, where it waits for that; null otherwise. */
  sendAt: instantSchema.nullable(),
  sentAt: instantSchema.nullable(),
});
/** Whether a mail came back of which nothing proves it. */
export const settleBounceSchema = z.strictObject({ id: idSchema, hasBounced: z.boolean() });
export type CaseMail = z.infer<typeof caseMailSchema>;

/** So much of the text of each mail stands in a list, in signs: all of what is written here. */
export const LISTED_TEXT_MAX_LENGTH = RICH_TEXT_MAX_LENGTH;
export const caseMailRowSchema = caseMailSchema.extend({
  /** Whether the text goes on. */
  isCut: z.boolean(),
});
export type CaseMailRow = z.infer<typeof caseMailRowSchema>;
export const caseMailPageSchema = pageOf(caseMailRowSchema);
