// What is owed in one case, by each of those who pay in it.
import { z } from "zod";
import { idSchema } from "./ids.ts";
import { invoiceRowSchema } from "./invoices.ts";
import { invoicePayerSchema } from "./payer-shares.ts";

/** So many invoices of a case are listed at once; what is owed counts all of them. */
export const CASE_INVOICES_MAX = 200;

export const invoicesOfCaseSchema = z.strictObject({ caseId: idSchema });

export const owingPayerSchema = z.object({
  payerKey: z.string(),
  payer: invoicePayerSchema,
  payerName: z.string(),
  currency: z.string(),
  dueMinor: z.number().int(),
  overdueMinor: z.number().int(),
  /** What the practice holds for them, in this currency. */
  creditMinor: z.number().int(),
});
export type OwingPayer = z.infer<typeof owingPayerSchema>;

export const caseInvoicesSchema = z.object({
  /** The newest first. */
  items: z.array(invoiceRowSchema),
  /** False where there are more than are listed. */
  isComplete: z.boolean(),
  /** Of whom anything stands there: who is late first, then who owes most. */
  payers: z.array(owingPayerSchema),
});
export type CaseInvoices = z.infer<typeof caseInvoicesSchema>;
