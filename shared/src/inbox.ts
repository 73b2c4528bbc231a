import { z } from "zod";
import { fileNameSchema } from "./files.ts";
import { idSchema } from "./ids.ts";
import { searchSchema } from "./search-text.ts";
import { instantSchema } from "./time.ts";
import { visibilitySchema } from "./visibility.ts";

/** How far back a person can page in one list. */
const MAIL_OFFSET_MAX = 5000;

export const mailAddressSchema = z.object({ name: z.string(), address: z.string() });
export type MailAddress = z.infer<typeof mailAddressSchema>;

export const mailAttachmentSchema = z.object({
  part: z.string(),
  name: z.string(),
  mime: z.string(),
  /** As it lies on the server, encoded; a little more than what is downloaded. */
  size: z.number().int(),
});

/** A mail as a list shows it. */
export const fetchedMailSchema = z.object({
  uid: z.number().int(),
  messageId: z.string(),
  inReplyTo: z.string(),
  references: z.array(z.string()),
  from: mailAddressSchema,
  to: z.array(mailAddressSchema),
  cc: z.array(mailAddressSchema),
  subject: z.string(),
  date: instantSchema,
  preview: z.string(),
  isSeen: z.boolean(),
  attachments: z.array(mailAttachmentSchema),
  threadId: z.string(),
});
export type FetchedMail = z.infer<typeof fetchedMailSchema>;

/** What the gateway call `imap-fetch` answers. */
export const fetchedMailsSchema = z.object({ emails: z.array(fetchedMailSchema) });

const placeFields = {
  folder: z.string().min(1).max(255),
  uidValidity: z.string().regex(/^\d{1,20}$/),
  uid: z.number().int().min(1),
};

/** Where a mail lies; one place never means another mail later. */
export const clientMailPlaceSchema = z.strictObject({ clientId: idSchema, ...placeFields });
export type ClientMailPlace = z.infer<typeof clientMailPlaceSchema>;

export const clientMailSchema = fetchedMailSchema.extend({
  ...placeFields,
  isFromUs: z.boolean(),
  /** The mailbox's own server did not confirm that its sender wrote it, though it says so of mail that it confirmed. */
  isSenderDoubted: z.boolean(),
});
export type ClientMail = z.infer<typeof clientMailSchema>;

export const listClientMailSchema = z.strictObject({
  clientId: idSchema,
  search: searchSchema,
  offset: z.number().int().min(0).max(MAIL_OFFSET_MAX).default(0),
});

export const CLIENT_MAIL_STATES = ["ready", "no_mailbox", "sends_only", "no_address", "failing"] as const;

/** The mail between a mailbox and one client, the newest first. */
export const clientMailPageSchema = z.object({
  state: z.enum(CLIENT_MAIL_STATES),
  /** Why it could not be read, and what to do. */
  problem: z.string(),
  /** Whose mailbox is read. */
  mailbox: z.string(),
  items: z.array(clientMailSchema),
  hasOlder: z.boolean(),
});
export type ClientMailPage = z.infer<typeof clientMailPageSchema>;

export const openMailSchema = z.object({
  mail: clientMailSchema,
  /** Plain text; of a mail without any, what its HTML says. */
  text: z.string(),
  /** Whether it has a layout of its own, which is shown in a frame. */
  isHtml: z.boolean(),
  /** Pictures that lie on other servers, which would learn that the mail is read. */
  hasRemoteImages: z.boolean(),
  /** Only the beginning of a very long mail is shown. */
  isCut: z.boolean(),
});
export type OpenMail = z.infer<typeof openMailSchema>;

export const mailPartSchema = z.strictObject({
  ...clientMailPlaceSchema.shape,
  part: z.string().regex(/^\d{1,3}(\.\d{1,3}){0,9}$/),
});
export type MailPart = z.infer<typeof mailPartSchema>;

export const fileMailPartSchema = z.strictObject({
  ...mailPartSchema.shape,
  name: fileNameSchema,
  caseId: idSchema.nullable(),
  visibility: visibilitySchema,
});
