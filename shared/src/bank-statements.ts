// A list of what came into the practice's bank account, from which payments are recorded.
import { z } from "zod";
import {
  BANK_COLUMNS,
  BANK_LINE_STATES,
  CERTAINTIES,
  CONFIRMED_AT_ONCE,
  MATCH_REASONS,
  STATEMENT_FORMATS,
} from "./bank-columns.ts";
import { byIdSchema, idSchema } from "./ids.ts";
import { DATE_ORDERS, IMPORT_COLUMNS_MAX } from "./imports.ts";
import { INVOICE_STATES } from "./invoice-states.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { lineSchema, visibleName } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

const columnsSchema = z.array(z.enum(["", ...BANK_COLUMNS])).max(IMPORT_COLUMNS_MAX);
const dateOrderSchema = z.enum(DATE_ORDERS);

export const uploadStatementSchema = z.strictObject({
  name: z.string().transform(visibleName).pipe(lineSchema(200).min(1, "Give the file a name")),
  /** What somebody said of its columns, once they were asked; a file that says by itself what it holds needs none. */
  columns: columnsSchema.nullable(),
  dateOrder: dateOrderSchema.nullable(),
});
export type UploadStatement = z.output<typeof uploadStatementSchema>;

/** A table of a bank as it was understood, of which nothing is stored. */
export const bankTableSchema = z.object({
  headings: z.array(z.string()),
  sample: z.array(z.array(z.string())),
  columns: columnsSchema,
  dateOrder: dateOrderSchema,
  /** Whether the days in it can be read in one way only. */
  isDateOrderSure: z.boolean(),
  rows: z.number().int(),
  readAs: z.string(),
});
export type BankTable = z.infer<typeof bankTableSchema>;

export const bankStatementSchema = z.object({
  id: idSchema,
  fileName: z.string(),
  format: z.enum(STATEMENT_FORMATS),
  /** What was left out of it and why, in words. */
  notes: z.array(z.string()),
  counts: z.object({ open: z.number().int(), recorded: z.number().int(), set_aside: z.number().int() }),
  importedAt: instantSchema,
  importedByName: z.string(),
});
export type BankStatement = z.infer<typeof bankStatementSchema>;
export const bankStatementPageSchema = pageOf(bankStatementSchema);

/** Either what its columns are is asked first, or it was taken in. */
export const uploadedStatementSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("asks_columns"), table: bankTableSchema }),
  z.object({ outcome: z.literal("taken_in"), statement: bankStatementSchema }),
]);
export type UploadedStatement = z.infer<typeof uploadedStatementSchema>;

export const matchedInvoiceSchema = z.object({
  invoiceId: idSchema,
  number: z.string(),
  state: z.enum(INVOICE_STATES),
  payerName: z.string(),
  dueMinor: z.number().int(),
  currency: z.string(),
  reasons: z.array(z.enum(MATCH_REASONS)),
  certainty: z.enum(CERTAINTIES),
});
export type MatchedInvoice = z.infer<typeof matchedInvoiceSchema>;

export const bankLineSchema = z.object({
  id: idSchema,
  statementId: idSchema,
  state: z.enum(BANK_LINE_STATES),
  on: daySchema,
  amountMinor: z.number().int(),
  currency: z.string(),
  /** Empty where the bank does not name them apart from the reference. */
  payerName: z.string(),
  text: z.string(),
  /** Of what is to be decided: the surest first. */
  matches: z.array(matchedInvoiceSchema),
  /** The one that fits, where only one does. */
  proposedId: idSchema.nullable(),
  /** What speaks against recording it, in words. */
  warnings: z.array(z.string()),
  /** As what it was recorded. */
  recorded: z.object({ invoiceNumber: z.string(), receiptNumber: z.string() }).nullable(),
});
export type BankLine = z.infer<typeof bankLineSchema>;

export const listStatementsSchema = z.strictObject(pageInputSchema.shape);
export const listBankLinesSchema = z.strictObject({
  ...pageInputSchema.shape,
  id: idSchema,
  state: z.enum(BANK_LINE_STATES).optional(),
});
export type ListBankLines = z.output<typeof listBankLinesSchema>;
export const bankLinePageSchema = pageOf(bankLineSchema);

export const sureLineSchema = z.object({
  lineId: idSchema,
  invoiceId: idSchema,
  invoiceNumber: z.string(),
  payerName: z.string(),
  on: daySchema,
  amountMinor: z.number().int(),
  currency: z.string(),
});
export type SureLine = z.infer<typeof sureLineSchema>;
export const sureLinesSchema = z.object({ items: z.array(sureLineSchema) });

export const confirmLineSchema = z.strictObject({
  ...byIdSchema.shape,
  invoiceId: idSchema,
  /** What is more than is due is kept for the payer; refused where that was not said. */
  keepsRest: z.boolean(),
});
export type ConfirmLine = z.output<typeof confirmLineSchema>;

/** Exactly those that somebody was shown; what is not sure any more is left as it is. */
export const confirmSureSchema = z.strictObject({
  id: idSchema,
  items: z
    .array(z.strictObject({ lineId: idSchema, invoiceId: idSchema }))
    .min(1)
    .max(CONFIRMED_AT_ONCE),
});
export const confirmedSchema = z.object({ recorded: z.number().int(), left: z.number().int() });

export const setAsideSchema = z.strictObject({ ...byIdSchema.shape, isSetAside: z.boolean() });
