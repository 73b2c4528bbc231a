// What a mail holds from when it is written until it has left.
import { foldEmail } from "@app/shared/email-address";
import { idSchema } from "@app/shared/ids";
import { MESSAGE_ID_MAX_LENGTH } from "@app/shared/mail-check";
import { ATTACHMENTS_MAX } from "@app/shared/mail-payload";
import { lineSchema, RECIPIENTS_MAX } from "@app/shared/text";
import { instantSchema } from "@app/shared/time";
import { z } from "zod";
import { TOLD_NAMES_MAX_LENGTH } from "./told-names.service.ts";

export const MAIL_TEXT_MAX_LENGTH = 500_000;
const HTML_MAX_LENGTH = 500_000;
const NAME_MAX_LENGTH = 200;
const ATTACHMENT_MAX_LENGTH = 200_000;
/** Of what is no text, such as a PDF: three megabytes as base64. */
const BYTES_MAX_LENGTH = 4_000_000;

/** Mails of before may hold what is no address any more; the gate and the senders judge them, not whoever reads. */
const storedAddressSchema = z.string().transform(foldEmail);

export const contentSchema = z.strictObject({
  toName: lineSchema(100),
  to: storedAddressSchema,
  subject: lineSchema(200).min(1),
  text: z.string().max(MAIL_TEXT_MAX_LENGTH),
  attachments: z
    .array(
      z
        .strictObject({
          name: lineSchema(NAME_MAX_LENGTH).min(1),
          mime: lineSchema(NAME_MAX_LENGTH).min(1),
          content: z.string().max(BYTES_MAX_LENGTH),
          /** Its content is no text; absent in mails of before. */
          isBase64: z.literal(true).optional(),
        })
        .refine(({ content, isBase64 }) => isBase64 === true || content.length <= ATTACHMENT_MAX_LENGTH),
    )
    .max(ATTACHMENTS_MAX),
  /** Others who get the same mail; nobody of them is another party. */
  alsoTo: z.array(storedAddressSchema).max(RECIPIENTS_MAX).default([]),
  cc: z.array(storedAddressSchema).max(RECIPIENTS_MAX).default([]),
  html: z.string().max(HTML_MAX_LENGTH).nullable().default(null),
  /** Files of the practice, read when the mail leaves. */
  files: z
    .array(z.strictObject({ fileId: idSchema, name: z.string().max(200), mime: z.string().max(200) }))
    .max(ATTACHMENTS_MAX)
    .default([]),
  /** Who it says it comes from; the practice where it is empty. */
  fromName: lineSchema(100).default(""),
  /** Somebody wrote it, though nothing is told of it in a history: to a person who has none yet. */
  isWritten: z.boolean().default(false),
  /** Sent at once from elsewhere, and kept without what its attachments held: only who sent it can send it again. */
  isDirect: z.boolean().default(false),
  // To the letter: cleaned of what nobody sees, it would be another than the one that was looked up.
  inReplyTo: z.string().max(MESSAGE_ID_MAX_LENGTH).default(""),
  references: z.array(z.string().max(MESSAGE_ID_MAX_LENGTH)).max(50).default([]),
  /** Whose addresses these were when it was written. */
  expected: z.array(z.strictObject({ address: z.string(), people: z.array(z.string()) })).default([]),
  /** What it answers, as it was found when it was written. */
  answers: z
    .array(
      z.strictObject({ clientId: idSchema.nullable(), partyId: idSchema.nullable(), addresses: z.array(z.string()) }),
    )
    .default([]),
  /** To whom outside its case its writer confirmed that it says nothing of what was said in mediation. */
  saysNothingTo: z.array(storedAddressSchema).default([]),
  /** What its fields said when it was written: where that has changed, it does not leave. */
  said: z.record(z.string(), z.string()).default({}),
  /** The meeting that it tells of, or whose calendar entry goes with it, as it stood when it was written. */
  meeting: z
    .strictObject({
      id: idSchema,
      sequence: z.int(),
      /** As its party knows it; null in letters. */
      known: z
        .strictObject({ title: z.string(), startsAt: instantSchema, endsAt: instantSchema, location: z.string() })
        .nullable()
        .default(null),
    })
    .nullable()
    .default(null),
  /** The meeting that keeps a time which its party is asked to confirm. */
  keptBy: idSchema.nullable().default(null),
  /** What somebody who is no party booked from outside, by what finds it, and which version of it this tells of. */
  visit: z
    .strictObject({
      tokenHash: z.string(),
      sequence: z.int(),
      /** Its words where somebody may be reached only discreetly by then; not there in those of before. */
      discreet: z.string().optional(),
    })
    .nullable()
    .default(null),
  /**
   * What the history says when it has left: to whom, who had it sent, and who wrote it where that is somebody else; null
   * where something else tells of it.
   */
  told: z
    .strictObject({
      names: lineSchema(TOLD_NAMES_MAX_LENGTH),
      actorName: z.string(),
      writerName: z.string().default(""),
    })
    .nullable()
    .default(null),
});
export type MailContent = z.output<typeof contentSchema>;

export type NewMailContent = z.input<typeof contentSchema>;
