import { dueMinorOf, type InvoiceState } from "@app/shared/invoice-states";
import type { RateTotals } from "@app/shared/invoice-totals";
import type { InvoiceForPayment, InvoiceLine } from "@app/shared/invoices";
import type { Payer } from "@app/shared/payer-shares";
import type { Visibility } from "@app/shared/visibility";
import { VOUCHER_CAP_MINOR } from "@app/shared/vouchers";
import mongoose from "mongoose";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

/** Who asks for the money: as it was on the day of issue. */
export interface Issuer {
  name: string;
  address: string;
  /** Empty where it was not registered for VAT. */
  vatNumber: string;
  bankDetails: string;
  footer: string;
}

export interface InvoiceDoc {
  _id: string;
  ownerId: string;
  /** Empty in a draft. */
  number: string;
  state: InvoiceState;
  caseId: string;
  payer: Payer;
  payerKey: string;
  /** As they were on the day of issue; in a draft as they were when it was written. */
  payerName: string;
  payerAddress: string[];
  /** What the name is found by. */
  searchTerms: string[];
  currency: string;
  lines: (InvoiceLine & { netMinor: number; vatMinor: number })[];
  netMinor: number;
  vatMinor: number;
  grossMinor: number;
  creditedMinor: number;
  paidMinor: number;
  /** Kept for lists: gross less what was credited and paid. */
  dueMinor: number;
  /** Of what was paid for it, what lies in the payer's credit and did not go back yet by this invoice. */
  heldMinor: number;
  issuedOn: string;
  dueOn: string;
  notes: string;
  /** Null in a draft. */
  issuer: Issuer | null;
  visibility: Visibility;
  /** What the invoices of one splitting have in common; null where it is of none. Nothing of it reaches a payer. */
  splitId: string | null;
  /** How many reminders that it is overdue were dealt with. */
  remindedCount: number;
  sentAt: Date | null;
  /** The last mails with it, by which it is known what they are once they leave. */
  mails: { id: string; isReminder: boolean }[];
  createdBy: string;
  createdByName: string;
  createdAt: Date;
  version: number;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };
const amount = { type: Number, required: true };
const nothing = { type: Number, default: 0 };

const invoiceMongooseSchema = new mongoose.Schema<InvoiceDoc>(
  {
    _id: { type: String, default: newId },
    number: text,
    state: required,
    caseId: required,
    payer: { type: mongoose.Schema.Types.Mixed, required: true },
    payerKey: required,
    payerName: text,
    payerAddress: [String],
    searchTerms: { type: [String], select: false },
    currency: required,
    lines: [
      {
        _id: false,
        description: required,
        kind: required,
        qtyMilli: amount,
        unitMinor: amount,
        vatRateBp: amount,
        sessionId: { type: String, default: null },
        netMinor: amount,
        vatMinor: amount,
      },
    ],
    netMinor: amount,
    vatMinor: amount,
    grossMinor: amount,
    creditedMinor: nothing,
    paidMinor: nothing,
    dueMinor: amount,
    heldMinor: nothing,
    issuedOn: text,
    dueOn: text,
    notes: text,
    issuer: {
      type: new mongoose.Schema<Issuer>(
        { name: text, address: text, vatNumber: text, bankDetails: text, footer: text },
        { _id: false },
      ),
      default: null,
    },
    visibility: { scope: required, partyIds: [String], aboutPartyIds: [String] },
    splitId: { type: String, default: null },
    remindedCount: nothing,
    sentAt: { type: Date, default: null },
    mails: [{ _id: false, id: required, isReminder: { type: Boolean, required: true } }],
    createdBy: required,
    createdByName: required,
    createdAt: { type: Date, required: true },
    version: nothing,
  },
  { collection: "invoices", versionKey: false, minimize: false },
);
invoiceMongooseSchema.plugin(owned);
invoiceMongooseSchema.index(
  { ownerId: 1, number: 1 },
  { name: "numbers", unique: true, partialFilterExpression: { number: { $gt: "" } } },
);
invoiceMongooseSchema.index({ ownerId: 1, createdAt: -1, _id: -1 });
invoiceMongooseSchema.index({ ownerId: 1, state: 1, createdAt: -1, _id: -1 });
invoiceMongooseSchema.index({ ownerId: 1, caseId: 1, createdAt: -1, _id: -1 });
invoiceMongooseSchema.index({ ownerId: 1, searchTerms: 1 });
invoiceMongooseSchema.index({ ownerId: 1, splitId: 1 });
invoiceMongooseSchema.index({ ownerId: 1, payerKey: 1 });
invoiceMongooseSchema.index({ ownerId: 1, "mails.id": 1 });
invoiceMongooseSchema.index({ ownerId: 1, state: 1, dueOn: 1 });

export const InvoiceModel = mongoose.model("Invoice", invoiceMongooseSchema);

export interface CreditNoteDoc {
  _id: string;
  ownerId: string;
  invoiceId: string;
  caseId: string;
  number: string;
  issuedOn: string;
  reason: string;
  grossMinor: number;
  byRate: RateTotals[];
  createdBy: string;
  createdAt: Date;
}

const creditNoteMongooseSchema = new mongoose.Schema<CreditNoteDoc>(
  {
    _id: { type: String, default: newId },
    invoiceId: required,
    caseId: required,
    number: required,
    issuedOn: required,
    reason: required,
    grossMinor: amount,
    byRate: [{ _id: false, vatRateBp: amount, netMinor: amount, vatMinor: amount }],
    createdBy: required,
    createdAt: { type: Date, required: true },
  },
  { collection: "credit_notes", versionKey: false },
);
creditNoteMongooseSchema.plugin(owned);
creditNoteMongooseSchema.index({ ownerId: 1, number: 1 }, { unique: true });
creditNoteMongooseSchema.index({ ownerId: 1, invoiceId: 1, createdAt: 1 });

export const CreditNoteModel = mongoose.model("CreditNote", creditNoteMongooseSchema);

/** What the practice's invoices say, and the numbers that come next. A practice of before the first has no row. */
export interface InvoiceSettingsDoc {
  /** The practice. */
  _id: string;
  ownerId: string;
  prefix: string;
  isVatRegistered: boolean;
  vatNumber: string;
  daysToPay: number;
  address: string;
  bankDetails: string;
  footer: string;
  reminderDays: number[];
  voucherCapMinor: number;
  version: number;
  nextNumber: number;
  nextCreditNumber: number;
}

const one = { type: Number, default: 1 };

const invoiceSettingsMongooseSchema = new mongoose.Schema<InvoiceSettingsDoc>(
  {
    _id: required,
    prefix: text,
    isVatRegistered: { type: Boolean, default: false },
    vatNumber: text,
    daysToPay: { type: Number, default: 14 },
    address: text,
    bankDetails: text,
    footer: text,
    reminderDays: [Number],
    voucherCapMinor: { type: Number, default: VOUCHER_CAP_MINOR },
    version: nothing,
    nextNumber: one,
    nextCreditNumber: one,
  },
  { collection: "invoice_settings", versionKey: false },
);
invoiceSettingsMongooseSchema.plugin(owned);

export const InvoiceSettingsModel = mongoose.model("InvoiceSettings", invoiceSettingsMongooseSchema);

/** What is owed of it once these changed. */
export const dueOf = (doc: Pick<InvoiceDoc, "grossMinor" | "creditedMinor" | "paidMinor">): number => dueMinorOf(doc);

export const toInvoiceForPayment = (doc: InvoiceDoc): InvoiceForPayment => ({
  id: doc._id,
  ownerId: doc.ownerId,
  number: doc.number,
  state: doc.state,
  currency: doc.currency,
  grossMinor: doc.grossMinor,
  creditedMinor: doc.creditedMinor,
  paidMinor: doc.paidMinor,
  dueMinor: doc.dueMinor,
  dueOn: doc.dueOn,
  payer: doc.payer,
  payerName: doc.payerName,
  payerKey: doc.payerKey,
  caseId: doc.caseId,
  visibility: doc.visibility,
  version: doc.version,
});
