import type { LedgerAccount, LedgerKind, LedgerLine } from "@app/shared/ledger";
import mongoose from "mongoose";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

export interface LedgerEntryDoc {
  _id: string;
  ownerId: string;
  /** What it tells of, such as "payment:abc:succeeded": the same is never entered twice. */
  key: string;
  kind: LedgerKind;
  /** The day of the practice on which it happened. */
  day: string;
  currency: string;
  lines: LedgerLine[];
  payerKey: string;
  caseId: string | null;
  invoiceId: string | null;
  paymentId: string | null;
  at: Date;
}

/** What the lines of an account come to: the whole account, or what stands in it of one payer. */
export interface LedgerBalanceDoc {
  _id: string;
  ownerId: string;
  currency: string;
  account: LedgerAccount;
  /** Empty for the whole account. */
  payerKey: string;
  /** Debits above nothing, credits below. */
  balanceMinor: number;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };
const optional = { type: String, default: null };

const entryMongooseSchema = new mongoose.Schema<LedgerEntryDoc>(
  {
    _id: { type: String, default: newId },
    key: required,
    kind: required,
    day: required,
    currency: required,
    lines: [{ _id: false, account: required, side: required, amountMinor: { type: Number, required: true } }],
    payerKey: required,
    caseId: optional,
    invoiceId: optional,
    paymentId: optional,
    at: { type: Date, required: true },
  },
  { collection: "ledger_entries", versionKey: false },
);
entryMongooseSchema.plugin(owned);
entryMongooseSchema.pre(
  /^(update|replace|delete|findOneAnd)/,
  { query: true, document: true },
  function refuseChange(): void {
    throw new Error("an entry of the ledger is never changed: enter what puts it right");
  },
);
entryMongooseSchema.index({ ownerId: 1, key: 1 }, { unique: true });
entryMongooseSchema.index({ ownerId: 1, invoiceId: 1, at: 1 });
entryMongooseSchema.index({ ownerId: 1, day: 1, _id: 1 });

export const LedgerEntryModel = mongoose.model("LedgerEntry", entryMongooseSchema);

const balanceMongooseSchema = new mongoose.Schema<LedgerBalanceDoc>(
  {
    _id: required,
    currency: required,
    account: required,
    payerKey: text,
    balanceMinor: { type: Number, default: 0 },
  },
  { collection: "ledger_balances", versionKey: false },
);
balanceMongooseSchema.plugin(owned);
balanceMongooseSchema.index({ ownerId: 1, payerKey: 1, currency: 1 });

export const LedgerBalanceModel = mongoose.model("LedgerBalance", balanceMongooseSchema);
