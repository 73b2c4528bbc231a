import { z } from "zod";
import { listClientsSchema } from "./clients.ts";
import { idSchema } from "./ids.ts";
import { ITEM_STATES, MAILING_STATES } from "./mailing-states.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { richTextSchema } from "./rich-text.ts";
import { searchSchema } from "./search-text.ts";
import { emailSchema, lineSchema } from "./text.ts";
import { instantSchema } from "./time.ts";

export const MAILING_SUBJECT_MAX_LENGTH = 150;
export const MAILING_RECIPIENTS_MAX = 20_000;
export const MAILING_CSV_MAX_LENGTH = 900_000;
export const MAILS_PER_MINUTE_MAX = 6000;

const clientFilterSchema = listClientsSchema.omit({ page: true, sort: true, isDescending: true });

/** Who gets it: clients that were selected, all that a filter shows, or a list of addresses and names. */
export const mailingSourceSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("clients"), clientIds: z.array(idSchema).min(1).max(500) }),
  z.strictObject({ kind: z.literal("filter"), filter: clientFilterSchema }),
  z.strictObject({
    kind: z.literal("csv"),
    csv: z.string().min(1, "Choose a list").max(MAILING_CSV_MAX_LENGTH, "This list is too long: send it in parts"),
  }),
]);
export type MailingSource = z.input<typeof mailingSourceSchema>;

export const createMailingSchema = z.strictObject({
  subject: lineSchema(MAILING_SUBJECT_MAX_LENGTH).min(1, "Enter a subject"),
  body: richTextSchema,
  /** Mails a minute; 0 for as fast as the mail server takes them. */
  perMinute: z.number().int().min(0).max(MAILS_PER_MINUTE_MAX),
  source: mailingSourceSchema,
});
export type CreateMailing = z.input<typeof createMailingSchema>;

const countsSchema = z.object({
  waiting: z.number().int(),
  sent: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  uncertain: z.number().int(),
  total: z.number().int(),
  /** Those whose mail was on its way when a process died, and was sent again; none in what was counted before. */
  perhapsTwice: z.number().int().default(0),
});
export type MailingCounts = z.infer<typeof countsSchema>;

export const mailingSchema = z.object({
  id: idSchema,
  subject: z.string(),
  body: richTextSchema,
  perMinute: z.number().int(),
  state: z.enum(MAILING_STATES),
  /** Why it stands still, in words for a person; empty where nothing is wrong. */
  reason: z.string(),
  counts: countsSchema,
  createdByName: z.string(),
  createdAt: instantSchema,
  endedAt: instantSchema.nullable(),
});
export type Mailing = z.infer<typeof mailingSchema>;

/** As it stands in the list, without its text. */
export const mailingRowSchema = mailingSchema.omit({ body: true });
export type MailingRow = z.infer<typeof mailingRowSchema>;
export const mailingPageSchema = pageOf(mailingRowSchema);
export const listMailingsSchema = pageInputSchema;

/** The connected mailbox by which a mailing of this person leaves; null where there is none, and so no mailing. */
export const mailingSenderSchema = z.object({ address: z.string().nullable() });

export const mailingItemSchema = z.object({
  id: idSchema,
  address: z.string(),
  name: z.string(),
  clientId: idSchema.nullable(),
  state: z.enum(ITEM_STATES),
  reason: z.string(),
  sentAt: instantSchema.nullable(),
  /** Why it came back, says a report that nothing proves; empty for none. */
  saidToBounce: z.string(),
});

/** Whether a mail came back of which nothing proves it. */
export const settleItemBounceSchema = z.strictObject({ mailingId: idSchema, id: idSchema, hasBounced: z.boolean() });
export type MailingItem = z.infer<typeof mailingItemSchema>;

export const listItemsSchema = z.strictObject({
  ...pageInputSchema.shape,
  mailingId: idSchema,
  state: z.enum(ITEM_STATES).optional(),
});
export const itemPageSchema = pageOf(mailingItemSchema);

/** What a bulk send answers with, as the specification's section 7 has it. */
export interface MailingResult {
  successful: number;
  failed: number;
  total: number;
}

export const resultOf = ({ sent, total, waiting }: MailingCounts): MailingResult => ({
  successful: sent,
  failed: total - sent - waiting,
  total,
});

export const SUPPRESSION_REASONS = ["unsubscribed", "bounced", "manual"] as const;

/** An address that gets no more mailings. */
export const suppressionSchema = z.object({
  id: idSchema,
  address: z.string(),
  reason: z.enum(SUPPRESSION_REASONS),
  /** What the mail server said, where a mail came back; empty otherwise. */
  detail: z.string(),
  createdAt: instantSchema,
});
export type Suppression = z.infer<typeof suppressionSchema>;
export const suppressionPageSchema = pageOf(suppressionSchema);
export const listSuppressionsSchema = z.strictObject({
  ...pageInputSchema.shape,
  search: searchSchema,
});
export const addSuppressionSchema = z.strictObject({ address: emailSchema });
