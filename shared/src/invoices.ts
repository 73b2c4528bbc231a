import { z } from "zod";
import { hasWord } from "./has-word.ts";
import { idSchema } from "./ids.ts";
import { INVOICE_STATES } from "./invoice-states.ts";
import { invoiceTotals } from "./invoice-totals.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { PAYER_KINDS, payerSchema, sharesSchema } from "./payer-shares.ts";
import { AMOUNT_MAX_MINOR, amountSchema, PRICE_KINDS, vatRateSchema } from "./prices.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";
import { visibilitySchema } from "./visibility.ts";

export const LINES_MAX = 50;
export const QTY_MAX_MILLI = 1_000_000;
export const DESCRIPTION_MAX_LENGTH = 200;
export const NOTES_MAX_LENGTH = 1000;
export const CREDIT_REASON_MAX_LENGTH = 200;
export const DAYS_TO_PAY_MAX = 365;

const versionSchema = z.number().int().min(0);

export const invoiceLineSchema = z.strictObject({
  description: lineSchema(DESCRIPTION_MAX_LENGTH).refine(hasWord, "Say what this line is for"),
  kind: z.enum(PRICE_KINDS),
  /** Thousandths: 1.5 hours are 1500. */
  qtyMilli: z
    .number({ error: "Enter how many, such as 1 or 1.5" })
    .int()
    .min(1, "Enter more than 0")
    .max(QTY_MAX_MILLI, "Enter at most 1,000"),
  unitMinor: amountSchema,
  vatRateBp: vatRateSchema,
  sessionId: idSchema.nullable(),
});
export type InvoiceLine = z.infer<typeof invoiceLineSchema>;

export const invoiceLinesSchema = z
  .array(invoiceLineSchema)
  .min(1, "Add a line")
  .max(LINES_MAX, `An invoice has at most ${LINES_MAX} lines`)
  .refine((lines) => invoiceTotals(lines).grossMinor <= AMOUNT_MAX_MINOR, "An invoice comes to at most 10,000,000.00");

const notesSchema = z.string().trim().max(NOTES_MAX_LENGTH, `Use at most ${NOTES_MAX_LENGTH} characters`);

const draftFields = { lines: invoiceLinesSchema, notes: notesSchema };

export const createInvoiceSchema = z.strictObject({ caseId: idSchema, payer: payerSchema, ...draftFields });
export type CreateInvoice = z.infer<typeof createInvoiceSchema>;
export const updateInvoiceSchema = z.strictObject({
  id: idSchema,
  version: versionSchema,
  payer: payerSchema,
  ...draftFields,
});
/** Makes one draft for each payer. The voucher may pay first, as far as it goes: then they share what it leaves. */
export const splitInvoiceSchema = z.strictObject({
  caseId: idSchema,
  ...draftFields,
  shares: sharesSchema,
  isVoucherFirst: z.boolean().default(false),
});
export type SplitInvoice = z.infer<typeof splitInvoiceSchema>;

const onVersion = { id: idSchema, version: versionSchema };
export const removeInvoiceSchema = z.strictObject(onVersion);
export const issueInvoiceSchema = z.strictObject(onVersion);

const creditReasonSchema = lineSchema(CREDIT_REASON_MAX_LENGTH).refine(
  hasWord,
  "Say why, as it shall stand on the credit note",
);
export const voidInvoiceSchema = z.strictObject({ ...onVersion, reason: creditReasonSchema });
export const creditInvoiceSchema = z.strictObject({
  ...onVersion,
  /** With its VAT. */
  amountMinor: amountSchema.min(1, "Enter more than 0"),
  reason: creditReasonSchema,
});
/** By mail, to whoever pays it. */
export const sendInvoiceSchema = z.strictObject({ id: idSchema });
export const useCreditSchema = z.strictObject({
  ...onVersion,
  amountMinor: amountSchema.min(1, "Enter more than 0"),
});

const rateTotalsSchema = z.object({
  vatRateBp: z.number().int(),
  netMinor: z.number().int(),
  vatMinor: z.number().int(),
});

export const creditNoteSchema = z.object({
  id: idSchema,
  number: z.string(),
  issuedOn: daySchema,
  reason: z.string(),
  grossMinor: z.number().int(),
  byRate: z.array(rateTotalsSchema),
});
export type CreditNote = z.infer<typeof creditNoteSchema>;

const optionalDaySchema = z.union([z.literal(""), daySchema]);

const invoiceHeadSchema = z.object({
  id: idSchema,
  /** Empty in a draft. */
  number: z.string(),
  state: z.enum(INVOICE_STATES),
  isOverdue: z.boolean(),
  caseId: idSchema,
  caseRef: z.string(),
  payer: payerSchema,
  payerName: z.string(),
  currency: z.string(),
  netMinor: z.number().int(),
  vatMinor: z.number().int(),
  grossMinor: z.number().int(),
  creditedMinor: z.number().int(),
  paidMinor: z.number().int(),
  dueMinor: z.number().int(),
  issuedOn: optionalDaySchema,
  dueOn: optionalDaySchema,
  createdAt: instantSchema,
  version: z.number().int(),
});
export const invoiceRowSchema = invoiceHeadSchema;
export type InvoiceRow = z.infer<typeof invoiceRowSchema>;

export const invoiceSchema = invoiceHeadSchema.extend({
  payerAddress: z.array(z.string()),
  lines: z.array(
    z.object({
      description: z.string(),
      kind: z.enum(PRICE_KINDS),
      qtyMilli: z.number().int(),
      unitMinor: z.number().int(),
      vatRateBp: z.number().int(),
      sessionId: idSchema.nullable(),
      netMinor: z.number().int(),
      vatMinor: z.number().int(),
    }),
  ),
  notes: z.string(),
  creditNotes: z.array(creditNoteSchema),
  /** What the practice holds for this payer, in this currency. */
  creditMinor: z.number().int(),
  visibility: visibilitySchema,
  sentAt: instantSchema.nullable(),
  createdByName: z.string(),
});
export type Invoice = z.infer<typeof invoiceSchema>;

/** What a payment needs to know of the invoice that it is for. */
export interface InvoiceForPayment extends Pick<
  Invoice,
  | "id"
  | "number"
  | "state"
  | "currency"
  | "grossMinor"
  | "creditedMinor"
  | "paidMinor"
  | "dueMinor"
  | "dueOn"
  | "payer"
  | "payerName"
  | "caseId"
  | "visibility"
  | "version"
> {
  ownerId: string;
  payerKey: string;
}

export const listInvoicesSchema = z.strictObject({
  ...pageInputSchema.shape,
  caseId: idSchema.optional(),
  clientId: idSchema.optional(),
  state: z.enum(INVOICE_STATES).optional(),
  payerKind: z.enum(PAYER_KINDS).optional(),
  isOverdue: z.boolean().default(false),
  /** The beginning of a number, or words of the payer's name. */
  search: lineSchema(100).default(""),
});
export type ListInvoices = z.output<typeof listInvoicesSchema>;
export const invoicePageSchema = pageOf(invoiceRowSchema);

export const NUMBER_MAX = 99_999_999;
const numberSchema = z.number().int().min(1).max(NUMBER_MAX, "Use a number of at most 8 digits");

const TAKEN_PREFIXES: readonly string[] = ["CN", "R"];

const settingsFields = {
  /** What the voucher scheme pays at most for a family, with VAT; 0 where the practice does not use it. */
  voucherCapMinor: amountSchema,
  /** What the numbers begin with. */
  prefix: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{0,4}$/, "Use up to 4 letters")
    .refine(
      (prefix) => !TAKEN_PREFIXES.includes(prefix),
      "Credit notes begin with CN, and receipts with R. Choose other letters",
    ),
  /** Only ever up: no number is given twice. */
  nextNumber: numberSchema,
  isVatRegistered: z.boolean(),
  vatNumber: lineSchema(20).regex(/^[A-Za-z0-9 ]*$/, "Use letters and digits"),
  daysToPay: z.number().int().min(0).max(DAYS_TO_PAY_MAX, `Allow at most ${DAYS_TO_PAY_MAX} days`),
  /** Where the practice is reached by post; stands on every invoice. */
  address: z.string().trim().max(300, "Use at most 300 characters"),
  bankDetails: z.string().trim().max(300, "Use at most 300 characters"),
  footer: lineSchema(200),
  /** Whether payers are reminded of what is overdue, and after how many days; each reminder once. */
  reminderDays: z
    .array(z.number().int().min(1).max(365))
    .max(5, "Remind at most 5 times")
    .refine(
      (days) => days.every((day, at) => at === 0 || day > (days[at - 1] ?? 0)),
      "Put the days in order, each once",
    ),
};

/** What the voucher scheme still pays for the family of a case; null where it pays for none like it. */
export const voucherLeftSchema = z.object({
  leftMinor: z.number().int().nullable(),
  capMinor: z.number().int().nullable(),
});
export type VoucherLeft = z.infer<typeof voucherLeftSchema>;

export const invoiceSettingsSchema = z.object({
  ...settingsFields,
  currency: z.string(),
  nextCreditNumber: numberSchema,
  version: z.number().int(),
});
export type InvoiceSettings = z.infer<typeof invoiceSettingsSchema>;
export const setInvoiceSettingsSchema = z
  .strictObject({ ...settingsFields, version: versionSchema })
  .refine(({ isVatRegistered, vatNumber }) => !isVatRegistered || vatNumber !== "", {
    path: ["vatNumber"],
    message: "Enter the VAT number of the practice, which has to stand on each invoice",
  })
  // VAT Regulations 1995, regulation 14: name, address and registration number of the supplier.
  .refine(({ isVatRegistered, address }) => !isVatRegistered || address !== "", {
    path: ["address"],
    message: "Enter the address of the practice, which has to stand on each invoice with VAT",
  });
export type SetInvoiceSettings = z.infer<typeof setInvoiceSettingsSchema>;

export const invoiceNumber = (prefix: string, number: number): string =>
  `${prefix}${prefix === "" ? "" : "-"}${String(number).padStart(4, "0")}`;
export const creditNoteNumber = (number: number): string => `CN-${String(number).padStart(4, "0")}`;
