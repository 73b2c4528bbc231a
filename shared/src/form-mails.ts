// Mails that whoever fills in a form asks for: the link that leads back, and that their answers arrived.
import { z } from "zod";
import { ofChange } from "./ids.ts";
import { openFormSchema } from "./submissions.ts";
import { emailSchema } from "./text.ts";

/** Where it goes; null for their own address, which a link of their own knows. */
const emailToSelfSchema = emailSchema.nullable();

export const mailLinkSchema = z.strictObject({ ...openFormSchema.shape, ...ofChange, email: emailToSelfSchema });
export type MailLink = z.infer<typeof mailLinkSchema>;

const RECEIPT_MAX_LENGTH = 400;
/** What opens the receipt of one sending, for a short while after it. */
export const receiptSchema = z
  .string()
  .max(RECEIPT_MAX_LENGTH)
  .regex(/^[\w.-]{40,}$/, "This is no receipt");

export const mailReceiptSchema = z.strictObject({ receipt: receiptSchema, ...ofChange, email: emailToSelfSchema });
export type MailReceipt = z.infer<typeof mailReceiptSchema>;
