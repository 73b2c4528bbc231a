// By what way money comes and goes. Free of zod.
import type { LedgerAccount } from "./ledger.ts";

export const PAYMENT_METHODS = [
  "card",
  "card_terminal",
  "bank_debit",
  "bank_transfer",
  "cash",
  "cheque",
  "legal_aid",
  "voucher",
] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const PAYMENT_METHOD_NAMES = {
  card: "Card",
  card_terminal: "Card terminal",
  bank_debit: "Bank debit",
  bank_transfer: "Bank transfer",
  cash: "Cash",
  cheque: "Cheque",
  legal_aid: "Legal aid",
  voucher: "Voucher",
} as const satisfies Record<PaymentMethod, string>;

/** In which account of the practice the money then is. */
export const MONEY_ACCOUNTS = {
  card: "card",
  card_terminal: "card",
  bank_debit: "card",
  bank_transfer: "bank",
  cash: "cash",
  cheque: "bank",
  legal_aid: "bank",
  voucher: "bank",
} as const satisfies Record<PaymentMethod, LedgerAccount>;
