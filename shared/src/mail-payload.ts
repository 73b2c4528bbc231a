// What the mail service takes and gives, and the three calls of a mail gateway, in the field names of the specification.
import { z } from "zod";
import { idSchema } from "./ids.ts";
import { lineSchema, visibleName } from "./text.ts";

const SUBJECT_MAX_LENGTH = 200;
const BODY_MAX_LENGTH = 500_000;
const ADDRESSES_MAX_LENGTH = 10_000;
/** Base64 of 25 MB. */
export const CONTENT_MAX_LENGTH = 35_000_000;
export const ATTACHMENTS_MAX = 20;
const FETCH_LIMIT_MAX = 200;

const attachedSchema = z.strictObject({
  filename: z.string().transform(visibleName).pipe(lineSchema(200).min(1)),
  content: z.string().max(CONTENT_MAX_LENGTH),
});

/** A mail to send: addresses separated by commas; content is base64 or a data URL. */
export const emailPayloadSchema = z.strictObject({
  to_email: z.string().max(ADDRESSES_MAX_LENGTH),
  cc: z.string().max(ADDRESSES_MAX_LENGTH).nullish(),
  subject: lineSchema(SUBJECT_MAX_LENGTH),
  message: z.string().max(BODY_MAX_LENGTH),
  to_name: lineSchema(100).default(""),
  isHtml: z.boolean().default(false),
  filename: z.string().transform(visibleName).pipe(lineSchema(200)).optional(),
  content: z.string().max(CONTENT_MAX_LENGTH).optional(),
  additionalAttachments: z.array(attachedSchema).max(ATTACHMENTS_MAX).default([]),
});
export type EmailPayload = z.infer<typeof emailPayloadSchema>;

export const SEND_METHODS = ["EmailJS", "IMAP", "Aurinko", "fallback"] as const;
export type SendMethod = (typeof SEND_METHODS)[number];

/** What became of a mail, as the specification's section 4 has it. */
export interface SendResult {
  success: boolean;
  /** Who carried it; "fallback" for the installation's own mail server, or where every way failed. */
  method: SendMethod;
  error?: string;
  details?: SendDetails;
  fallbackUsed: boolean;
}

export interface SendDetails {
  messageId?: string;
  /** Addresses that were refused while others were accepted. */
  rejected?: string[];
  /** What a person should know: a missing copy in Sent, attachments or a cc left out. */
  warnings?: string[];
  /** Nobody can tell whether it was accepted: it must not be sent again by itself. */
  isUncertain?: boolean;
  /** Trying later may help (greylisting, no network); otherwise a try is wasted. */
  isTemporary?: boolean;
  /** Its server did not answer: the next mail by the same way would fare no better for now. */
  isUnanswered?: boolean;
}

const addressSchema = z.strictObject({ name: z.string().max(100).default(""), address: z.string().max(254) });
const gatewayAttachmentSchema = z.strictObject({
  mimeType: z.string().max(200),
  name: z.string().max(200).transform(visibleName),
  content: z.string().max(CONTENT_MAX_LENGTH),
  contentEncoding: z.literal("base64").default("base64"),
});
/** What the specification leaves open: nobody in copy may be missing, null, or addresses between commas. */
const copiesOf = (cc: unknown): unknown =>
  typeof cc === "string"
    ? cc
        .split(",")
        .map((address) => ({ address: address.trim() }))
        .filter(({ address }) => address !== "")
    : (cc ?? []);

const messageIdsSchema = z
  .string()
  .max(ADDRESSES_MAX_LENGTH)
  .regex(
    /^<[^<>\s]+>( <[^<>\s]+>){0,99}$/,
    "Write up to 100 Message-IDs in angle brackets, with a space between them.",
  );

/** Beyond the specification, so that an answer stays one, and a mailing can be stopped by one click (RFC 8058). */
export const gatewayHeadersSchema = z
  .object({
    "In-Reply-To": messageIdsSchema,
    References: messageIdsSchema,
    "List-Unsubscribe": z
      .string()
      .max(500)
      .regex(/^<https?:\/\/[^<>\s]+>$/, "Write one web address in angle brackets."),
    "List-Unsubscribe-Post": z.literal("List-Unsubscribe=One-Click"),
  })
  .partial();

const gatewayMessageSchema = z.strictObject({
  from: addressSchema,
  to: z.array(addressSchema).min(1).max(100),
  cc: z.preprocess(copiesOf, z.array(addressSchema).max(100)),
  subject: z.string().max(SUBJECT_MAX_LENGTH),
  body: z.string().max(BODY_MAX_LENGTH),
  attachments: z.array(gatewayAttachmentSchema).max(ATTACHMENTS_MAX).default([]),
  headers: gatewayHeadersSchema.strict().optional(),
});

export const imapSendSchema = z.strictObject({ userId: idSchema, message: gatewayMessageSchema });
export type ImapSend = z.infer<typeof imapSendSchema>;

export const providerSendSchema = z.strictObject({
  userId: idSchema,
  message: gatewayMessageSchema.extend({ name: z.string().max(100).default("") }),
});
export type ProviderSend = z.infer<typeof providerSendSchema>;

/** Null says what a missing field says. */
const orDefault = <Value>(schema: z.ZodType<Value>, byDefault: Value) =>
  schema.nullish().transform((value) => value ?? byDefault);

export const imapFetchSchema = z.strictObject({
  userId: idSchema,
  folder: orDefault(z.string().min(1).max(255), "INBOX"),
  limit: orDefault(z.number().int().min(1).max(FETCH_LIMIT_MAX), 50),
  offset: orDefault(z.number().int().min(0).max(1_000_000), 0),
  searchQuery: z.string().max(200).nullable().default(null),
});
export type ImapFetch = z.output<typeof imapFetchSchema>;
