// The book of the practice: groups of lines that balance, never changed and never taken out.
import { z } from "zod";

/** Credit is what payers hold with the practice; the agency's and the scheme's debts stand apart from those of people. */
export const LEDGER_ACCOUNTS = [
  "receivable",
  "legal_aid",
  "voucher",
  "credit",
  "refund_due",
  "revenue",
  "vat",
  "bank",
  "cash",
  "card",
] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

export const LEDGER_ACCOUNT_NAMES = {
  receivable: "Owed by payers",
  legal_aid: "Owed by legal aid",
  voucher: "Owed by the voucher scheme",
  credit: "Held for payers",
  refund_due: "Refunds on their way",
  revenue: "Fees",
  vat: "VAT",
  bank: "Bank",
  cash: "Cash",
  card: "Card",
} as const satisfies Record<LedgerAccount, string>;

/** Those of which is known for each payer how much stands there. */
export const PAYER_ACCOUNTS: readonly LedgerAccount[] = ["receivable", "legal_aid", "voucher", "credit"];

export const LEDGER_KINDS = [
  "invoice_issued",
  "credit_note",
  "payment",
  "credit_used",
  "credit_taken_back",
  "refund_asked",
  "refund",
  "refund_failed",
  "payment_corrected",
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

export const LEDGER_KIND_NAMES = {
  invoice_issued: "Invoice issued",
  credit_note: "Credit note",
  payment: "Payment",
  credit_used: "Credit used",
  credit_taken_back: "Credit taken back",
  refund_asked: "Refund asked for",
  refund: "Refund",
  refund_failed: "Refund that came back",
  payment_corrected: "Payment corrected",
} as const satisfies Record<LedgerKind, string>;

/** Where the practice has its money. */
export const MONEY_IN_HAND: readonly LedgerAccount[] = ["bank", "cash", "card"];

export const ledgerLineSchema = z.object({
  account: z.enum(LEDGER_ACCOUNTS),
  side: z.enum(["debit", "credit"]),
  /** Above nothing: what changes nothing has no line. */
  amountMinor: z.number().int().min(1),
});
export type LedgerLine = z.infer<typeof ledgerLineSchema>;

/** The lines without those of no amount. */
export const debit = (account: LedgerAccount, amountMinor: number): LedgerLine[] => line("debit", account, amountMinor);
export const credit = (account: LedgerAccount, amountMinor: number): LedgerLine[] =>
  line("credit", account, amountMinor);

const line = (side: LedgerLine["side"], account: LedgerAccount, amountMinor: number): LedgerLine[] =>
  amountMinor === 0 ? [] : [{ account, side, amountMinor }];

/** What a line adds to its account: debits above nothing, credits below. */
export const signedMinor = ({ side, amountMinor }: LedgerLine): number =>
  side === "debit" ? amountMinor : -amountMinor;

export const isBalanced = (lines: readonly LedgerLine[]): boolean =>
  lines.length > 0 && lines.reduce((sum, each) => sum + signedMinor(each), 0) === 0;

export const ledgerBalanceInputSchema = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, "Name a currency by its three letters, such as GBP"),
});
/** Debits above nothing, credits below; an account in which nothing was entered yet is left out. */
export const ledgerBalanceSchema = z.object({
  items: z.array(z.object({ account: z.enum(LEDGER_ACCOUNTS), balanceMinor: z.number().int() })),
});
