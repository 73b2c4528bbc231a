// A mail that somebody writes to one client, and what the check says of it before it goes.
import { z } from "zod";
import { CASE_DOMAINS } from "./case-transitions.ts";
import { partySchema } from "./cases.ts";
import { idSchema } from "./ids.ts";
import { ATTACHMENTS_MAX } from "./mail-payload.ts";
import { PAGE_SIZE } from "./product.ts";
import { richTextSchema } from "./rich-text.ts";
import { emailSchema, lineSchema } from "./text.ts";
import { instantSchema } from "./time.ts";
import { visibilitySchema } from "./visibility.ts";

export const MAIL_RECIPIENTS_MAX = 10;
/** The seconds for which a mail that was sent can be taken back. */
export const UNDO_SECONDS = 10;
/** Of all attachments of one mail. */
export const MAIL_FILES_MAX_BYTES = 20 * 1024 * 1024;
export const SEND_LATER_DAYS_MAX = 365;

export const MESSAGE_ID_MAX_LENGTH = 502;
/** One Message-ID as it stands: what holds two of them, or signs around one, would be looked up as none. */
const messageIdSchema = z.string().regex(/^<[^<>\s\p{Cc}]{1,500}>$/u, "Give one Message-ID, such as <id@example.org>");
const recipientSchema = z.strictObject({ name: lineSchema(100), address: emailSchema });
export type MailRecipient = z.infer<typeof recipientSchema>;

export const mailPlaceSchema = z.strictObject({ clientId: idSchema, caseId: idSchema.nullable() });

export const mailDraftSchema = z.strictObject({
  ...mailPlaceSchema.shape,
  to: z.array(recipientSchema).max(MAIL_RECIPIENTS_MAX),
  cc: z.array(recipientSchema).max(MAIL_RECIPIENTS_MAX),
  subject: lineSchema(200),
  body: richTextSchema,
  fileIds: z.array(idSchema).max(ATTACHMENTS_MAX),
  /** A meeting whose calendar entry goes with it. */
  meetingId: idSchema.nullable(),
  inReplyTo: z.union([z.literal(""), messageIdSchema]),
  references: z.array(messageIdSchema).max(50),
  /** Whether it invites its party, and so is noted as an attempt to reach them. */
  isInvitation: z.boolean().optional(),
  /** Addresses outside the case to which its writer confirms that it says nothing of what was said in mediation. */
  saysNothingTo: z
    .array(emailSchema)
    .max(2 * MAIL_RECIPIENTS_MAX)
    .optional(),
});
export type MailDraft = z.infer<typeof mailDraftSchema>;

/** Which of the stored drafts it is, and what of it a window has seen. */
export const keptDraftSchema = z.strictObject({
  /** Chosen by the window that began it. */
  id: idSchema,
  /** What the window last read or saved; 0 where it has stored nothing yet. */
  version: z.int().min(0),
  /** Which window this is: it never stands in its own way, also where an answer to it got lost. */
  windowId: idSchema,
});
export type KeptDraft = z.infer<typeof keptDraftSchema>;
export const saveDraftSchema = z.strictObject({ ...mailDraftSchema.shape, kept: keptDraftSchema });
export const discardDraftSchema = z.strictObject({ ...mailPlaceSchema.shape, kept: keptDraftSchema });
/** Of one writer to one client, in one case or none. */
export const DRAFTS_MAX = 20;

export const sendLetterSchema = z.strictObject({
  ...mailDraftSchema.shape,
  /** The stored draft that this is, and that ends with it; no other does. */
  kept: keptDraftSchema.nullable().default(null),
  /** Null for at once. */
  sendAt: instantSchema.nullable(),
});

/** Which of these files may go to this client. */
export const sendableFilesSchema = z.strictObject({
  ...mailPlaceSchema.shape,
  fileIds: z.array(idSchema).max(PAGE_SIZE),
});
export const sendableSchema = z.object({ fileIds: z.array(idSchema) });

/** What may be chosen for one client: addresses, meetings, and what was begun before. */
export const mailStartSchema = z.object({
  clientName: z.string(),
  caseRef: z.string(),
  parties: z.array(
    partySchema.pick({ partyId: true, label: true, name: true }).extend({ domain: z.enum(CASE_DOMAINS) }),
  ),
  from: z.string(),
  fromDetail: z.string(),
  choices: z.array(
    z.object({ ...recipientSchema.shape, label: z.string(), role: z.string(), isOtherParty: z.boolean() }),
  ),
  meetings: z.array(z.object({ id: idSchema, title: z.string(), startsAt: instantSchema })),
  values: z.record(z.string(), z.string()),
  /** The last one that was saved, where there are several. */
  draft: z.object({ id: idSchema, version: z.int(), content: mailDraftSchema, savedAt: instantSchema }).nullable(),
});
export type MailStart = z.infer<typeof mailStartSchema>;

export const MAIL_PROBLEMS = [
  "other_party",
  "outsider",
  "words",
  "nobody",
  "not_by_mail",
  "unasked",
  "archived",
  "died",
  "perhaps_died",
  "quote",
  "file",
  "files_too_large",
  "missing_field",
  "subject",
  "text",
  "meeting",
  "no_way",
] as const;

const problemSchema = z.object({
  code: z.enum(MAIL_PROBLEMS),
  title: z.string(),
  detail: z.string(),
  /** What to take out to mend it. */
  address: z.string().nullable(),
  fileId: idSchema.nullable(),
});
export type MailProblem = z.infer<typeof problemSchema>;

export const mailCheckSchema = z.object({
  problems: z.array(problemSchema),
  /** What is in order, and what to know. */
  notes: z.array(z.object({ kind: z.enum(["fine", "neutral", "know"]), title: z.string(), detail: z.string() })),
  recipients: z.array(
    z.object({ ...recipientSchema.shape, label: z.string(), role: z.string(), mayReceive: z.boolean() }),
  ),
  files: z.array(
    z.object({
      id: idSchema,
      name: z.string(),
      sizeBytes: z.number(),
      visibility: visibilitySchema.nullable(),
      mayGo: z.boolean(),
    }),
  ),
  sees: z.array(z.object({ label: z.string(), text: z.string() })),
  /** Of those whom it reaches: whoever is neither a party of the case nor represents one, so that the words are confirmed. */
  outside: z.array(z.string()),
  /** Whether subject and sender are replaced by neutral ones. */
  isNeutral: z.boolean(),
  /** As it will leave. */
  subject: z.string(),
});
export type MailCheck = z.infer<typeof mailCheckSchema>;

export const sentMailSchema = z.object({ id: idSchema, dueAt: instantSchema });
export const savedDraftSchema = z.object({ version: z.int(), savedAt: instantSchema });
