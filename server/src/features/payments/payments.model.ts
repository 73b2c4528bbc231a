import type { PaymentMethod } from "@app/shared/payment-methods";
import { type PaymentState, OPEN_PAYMENT_STATES } from "@app/shared/payment-states";
import { type Attention, type Correction, type Dispute, LINK_DAYS, type RefundState } from "@app/shared/payments";
import type { InvoicePayer } from "@app/shared/payer-shares";
import mongoose from "mongoose";
import { DAY_MS } from "../../core/clock.ts";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { defineDueTime } from "../../core/due-times.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { definePublicToken } from "../../core/public-tokens.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";
import type { BookingLine } from "../invoices/booking-invoices.service.ts";

export interface RefundDoc {
  id: string;
  amountMinor: number;
  status: RefundState;
  reason: string;
  creditsInvoice: boolean;
  /** How it is given back; left out where it goes by the way it came. */
  method?: PaymentMethod;
  /** The day on which it was given back by hand; left out where the provider returns it. */
  on?: string;
  /** How often it was found to have gone after it was taken for failed: each time it is entered anew. */
  round?: number;
  /** Somebody was asked to look, because the provider does not answer. */
  isWaitingTold?: boolean;
  /** As the provider calls it; empty while it has not answered, and of what is returned by hand. */
  providerId: string;
  by: string;
  byName: string;
  at: Date;
}

/** One way to the provider's page: asked for with the same words as often as it takes to get an answer. */
export interface AttemptDoc {
  n: number;
  account: string;
  amountMinor: number;
  expiresAt: Date;
  /** Empty until the provider answered. */
  sessionId: string;
}

/** What is paid before a booking stands: its invoice is written once it is. */
export interface DepositDoc {
  /** By what the booking is known, wherever it is moved. */
  visitHash: string;
  /** The enquiry that came with it; null of a client. */
  leadId: string | null;
  line: BookingLine;
  /** What follows for the booking was done. */
  isSettled: boolean;
  /** The time was held for it and let go, because it was not paid by then. */
  isLapsed: boolean;
}

export interface CorrectionDoc {
  why: Correction;
  on: string;
  reason: string;
  by: string;
  byName: string;
}

export interface PaymentDoc {
  _id: string;
  ownerId: string;
  invoiceId: string;
  /** Empty while the invoice is not written, because nothing was paid before a booking. */
  invoiceNumber: string;
  caseId: string | null;
  payer: InvoicePayer;
  payerName: string;
  method: PaymentMethod;
  status: PaymentState;
  isOnItsWay: boolean;
  amountMinor: number;
  currency: string;
  toInvoiceMinor: number;
  toCreditMinor: number;
  refundedMinor: number;
  refunds: RefundDoc[];
  receivedOn: string;
  reference: string;
  receiptNumber: string;
  /** It goes by mail by itself, and has not yet. */
  isReceiptDue: boolean;
  /** The last mails with it, by which it is known what they are once they leave. */
  receiptMailIds: string[];
  receiptSentAt: Date | null;
  wasDeclined: boolean;
  attentions: Attention[];
  dispute: Dispute;
  /** Of what was recorded by hand and taken back as what it was. */
  correction?: CorrectionDoc | null;
  /** Money of another currency that came by its link, and that somebody was asked to look at. */
  strayIntents?: string[];
  /** Of the link by which it is paid; of what is recorded by hand none is there. */
  tokenHash?: string;
  tokenEnc?: string;
  linkUntil: Date | null;
  attempt: AttemptDoc | null;
  /** Every page that it was to be paid on. */
  sessionIds: string[];
  intentId?: string;
  /** In which account of the provider it was paid. */
  account: string;
  deposit?: DepositDoc;
  createdBy: string;
  createdByName: string;
  createdAt: Date;
  version: number;
}

export const LINK_MAX_MS = Math.max(...LINK_DAYS) * DAY_MS;

const text = { type: String, default: "" };
const required = { type: String, required: true };
const amount = { type: Number, required: true };
const nothing = { type: Number, default: 0 };
const time = { type: Date, required: true };

const refundMongooseSchema = new mongoose.Schema<RefundDoc>(
  {
    id: required,
    amountMinor: amount,
    status: required,
    reason: text,
    creditsInvoice: { type: Boolean, required: true },
    method: String,
    on: String,
    round: Number,
    isWaitingTold: Boolean,
    providerId: text,
    by: text,
    byName: text,
    at: time,
  },
  { _id: false, id: false },
);

const paymentMongooseSchema = new mongoose.Schema<PaymentDoc>(
  {
    _id: { type: String, default: newId },
    invoiceId: required,
    invoiceNumber: text,
    caseId: { type: String, default: null },
    payer: { type: mongoose.Schema.Types.Mixed, required: true },
    payerName: text,
    method: required,
    status: required,
    isOnItsWay: { type: Boolean, default: false },
    amountMinor: amount,
    currency: required,
    toInvoiceMinor: nothing,
    toCreditMinor: nothing,
    refundedMinor: nothing,
    refunds: [refundMongooseSchema],
    receivedOn: text,
    reference: text,
    receiptNumber: text,
    isReceiptDue: { type: Boolean, default: false },
    receiptMailIds: [String],
    receiptSentAt: { type: Date, default: null },
    wasDeclined: { type: Boolean, default: false },
    attentions: [String],
    dispute: { type: String, default: "none" },
    correction: {
      type: new mongoose.Schema<CorrectionDoc>(
        { why: required, on: required, reason: required, by: required, byName: required },
        { _id: false },
      ),
      default: null,
    },
    strayIntents: { type: [String], default: undefined },
    tokenHash: String,
    tokenEnc: String,
    linkUntil: { type: Date, default: null },
    attempt: {
      type: new mongoose.Schema<AttemptDoc>(
        { n: amount, account: text, amountMinor: amount, expiresAt: time, sessionId: text },
        { _id: false },
      ),
      default: null,
    },
    sessionIds: [String],
    intentId: String,
    account: text,
    deposit: {
      type: new mongoose.Schema<DepositDoc>(
        {
          visitHash: required,
          leadId: { type: String, default: null },
          line: { description: required, kind: required, unitMinor: amount, vatRateBp: amount },
          isSettled: { type: Boolean, required: true },
          isLapsed: { type: Boolean, default: false },
        },
        { _id: false },
      ),
      default: undefined,
    },
    createdBy: required,
    createdByName: required,
    createdAt: time,
    version: nothing,
  },
  { collection: "payments", versionKey: false, minimize: false },
);
paymentMongooseSchema.plugin(owned);
paymentMongooseSchema.index({ ownerId: 1, createdAt: -1, _id: -1 });
paymentMongooseSchema.index({ ownerId: 1, caseId: 1, createdAt: -1, _id: -1 });
paymentMongooseSchema.index({ ownerId: 1, invoiceId: 1, createdAt: -1, _id: -1 });
paymentMongooseSchema.index({ ownerId: 1, status: 1, createdAt: -1, _id: -1 });
paymentMongooseSchema.index(
  { ownerId: 1, invoiceId: 1 },
  {
    name: "one_open",
    unique: true,
    partialFilterExpression: { status: { $in: [...OPEN_PAYMENT_STATES] } },
  },
);
paymentMongooseSchema.index({ ownerId: 1, receiptMailIds: 1 });
paymentMongooseSchema.index({ ownerId: 1, receivedOn: 1 });
paymentMongooseSchema.index({ isReceiptDue: 1 }, { partialFilterExpression: { isReceiptDue: true } });
paymentMongooseSchema.index({ tokenHash: 1 }, { unique: true, sparse: true });
paymentMongooseSchema.index({ sessionIds: 1 });
paymentMongooseSchema.index(
  { account: 1, intentId: 1 },
  { unique: true, partialFilterExpression: { intentId: { $type: "string" } } },
);
paymentMongooseSchema.index({ status: 1, linkUntil: 1 });
paymentMongooseSchema.index(
  { ownerId: 1, "deposit.visitHash": 1 },
  { partialFilterExpression: { "deposit.visitHash": { $exists: true } } },
);
paymentMongooseSchema.index(
  { "deposit.isSettled": 1, ownerId: 1 },
  { partialFilterExpression: { "deposit.isSettled": { $exists: true } } },
);
definePublicToken({ collection: "payments", path: "tokenHash" });

export const PaymentModel = mongoose.model("Payment", paymentMongooseSchema);

defineDueTime({
  of: "links to pay",
  times: ["Payment.linkUntil"],
  aheadMs: LINK_MAX_MS,
  bringBack: (latest) =>
    PaymentModel.updateMany(
      { linkUntil: mongoose.trusted({ $gt: latest }) },
      { $set: { linkUntil: latest } },
    ).setOptions({ anyOwner: true }),
});
defineDueTime({
  of: "pages to pay on",
  times: ["Payment.attempt.expiresAt"],
  aheadMs: DAY_MS,
  bringBack: (latest, at) =>
    PaymentModel.updateMany(
      { "attempt.expiresAt": mongoose.trusted({ $gt: latest }) },
      { $set: { "attempt.expiresAt": at } },
    ).setOptions({ anyOwner: true }),
});

const placeOf = (ownerId: string, id: string) => `payments:${ownerId}:${id}`;
defineSealedField({ collection: "payments", path: "tokenEnc", placeOf: (doc) => placeOf(doc.ownerId, doc._id) });

export const sealToken = (ownerId: string, id: string, token: string): string => encrypt(token, placeOf(ownerId, id));

/** The secret of its link; empty where it has none. */
export const tokenOf = ({ ownerId, _id, tokenEnc }: Pick<PaymentDoc, "ownerId" | "_id" | "tokenEnc">): string =>
  tokenEnc === undefined ? "" : decrypt(tokenEnc, placeOf(ownerId, _id));

const receiptNumberMongooseSchema = new mongoose.Schema<{ _id: string; last: number }>(
  { _id: required, last: nothing },
  { collection: "receipt_numbers", versionKey: false },
);

/** The last number that was given, by owner. */
export const ReceiptNumberModel = mongoose.model("ReceiptNumber", receiptNumberMongooseSchema);

/** Of all that somebody may look at: one payment of one practice. */
export interface PaymentRef {
  ownerId: string;
  id: string;
}
