import { z } from "zod";
import { hasWord } from "./has-word.ts";
import { byIdSchema, idSchema, tokenSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { PAYMENT_METHODS } from "./payment-methods.ts";
import { PAYMENT_STATES } from "./payment-states.ts";
import { amountSchema } from "./prices.ts";
import { searchSchema } from "./search-text.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

export const REFERENCE_MAX_LENGTH = 60;
export const REFUND_REASON_MAX_LENGTH = 200;
export const REFUNDS_MAX = 50;
export const LINK_DAYS = [7, 14, 30, 60, 90] as const;
export const LINK_DAYS_DEFAULT = 30;

/** What a person records; what is paid by card comes from the provider alone. */
export const MANUAL_METHODS = ["bank_transfer", "cash", "cheque", "card_terminal", "legal_aid", "voucher"] as const;
/** What can be on its way for days before it is there. */
export const ANNOUNCED_METHODS = ["bank_transfer", "cheque", "legal_aid", "voucher"] as const;

/** By what a person gives money back. */
export const RETURN_METHODS = ["bank_transfer", "cash", "cheque", "card_terminal"] as const;

export type ReturnMethod = (typeof RETURN_METHODS)[number];

/** Why what was recorded by hand is taken back: it never came, or the bank did not honour it. */
export const CORRECTIONS = ["mistake", "bounced"] as const;
export type Correction = (typeof CORRECTIONS)[number];
export const CORRECTION_NAMES = {
  mistake: "Recorded by mistake",
  bounced: "Not honoured by the bank",
} as const satisfies Record<Correction, string>;

/** Why somebody has to look at a payment. */
export const ATTENTIONS = [
  "late",
  "paid_twice",
  "amount_differs",
  "more_than_due",
  "refunded_elsewhere",
  "refund_failed",
  "refund_waits",
  "credit_was_used",
  "disputed",
  "not_booked",
  "booking_cancelled",
  "dispute_lost",
] as const;
export type Attention = (typeof ATTENTIONS)[number];
export const ATTENTION_WORDS = {
  late: "It was paid after it was cancelled, or its link was over. Refund it, or keep it as it is.",
  paid_twice: "The same link was paid a second time. What is more than is due is kept for the payer; refund it.",
  amount_differs:
    "Another amount, or another currency, came than was asked for. Look at it with the card payment provider.",
  more_than_due:
    "More came than was due by then, because it was paid or credited in another way meanwhile. The rest is kept for the payer: refund it, or use it for another invoice.",
  refunded_elsewhere: "It was refunded with the card payment provider, not here. The invoice was credited for it.",
  refund_failed: "A refund did not arrive, so the money is still here. Return it in another way.",
  not_booked:
    "It was paid for a booking that does not take place: its time was over or taken by then. Find another time with whoever paid, or refund it.",
  booking_cancelled:
    "The booking that it was paid for was cancelled. Decide whether it is refunded, and tell whoever paid.",
  refund_waits:
    "A refund was asked for a day ago, and the card payment provider has not taken it. Look whether the account is still connected. It is asked for again until there is an answer.",
  credit_was_used:
    "Money went back that had been used as credit for another invoice. What that paid is due again: look at the invoices of this payer.",
  disputed: "The payer disputes it at their bank. Answer the card payment provider in time.",
  dispute_lost:
    "The payer's bank took the money back. What it had paid is due again: ask for it in another way, or credit the invoice.",
} as const satisfies Record<Attention, string>;

export const DISPUTES = ["none", "open", "won", "lost"] as const;
export type Dispute = (typeof DISPUTES)[number];

export const REFUND_STATES = ["asked", "pending", "succeeded", "failed"] as const;
export type RefundState = (typeof REFUND_STATES)[number];

const positiveAmount = amountSchema.min(1, "Enter more than 0");
const referenceSchema = lineSchema(REFERENCE_MAX_LENGTH);

export const recordPaymentSchema = z.strictObject({
  invoiceId: idSchema,
  method: z.enum(MANUAL_METHODS),
  amountMinor: positiveAmount,
  receivedOn: daySchema,
  reference: referenceSchema,
  /** What is more than is due is kept for the payer; refused where that was not said. */
  keepsRest: z.boolean(),
});
export type RecordPayment = z.output<typeof recordPaymentSchema>;

export const announcePaymentSchema = z.strictObject({
  invoiceId: idSchema,
  method: z.enum(ANNOUNCED_METHODS),
  amountMinor: positiveAmount,
  reference: referenceSchema,
});
export type AnnouncePayment = z.output<typeof announcePaymentSchema>;

const onVersion = { ...byIdSchema.shape, version: z.number().int().min(0) };

export const confirmPaymentSchema = z.strictObject({
  ...onVersion,
  amountMinor: positiveAmount,
  receivedOn: daySchema,
  reference: referenceSchema,
  keepsRest: z.boolean(),
});
export type ConfirmPayment = z.output<typeof confirmPaymentSchema>;

export const cancelPaymentSchema = z.strictObject(onVersion);

export const correctPaymentSchema = z.strictObject({
  ...onVersion,
  why: z.enum(CORRECTIONS),
  /** The day on which the bank took it back, or on which the mistake is put right. */
  on: daySchema,
  reason: lineSchema(REFUND_REASON_MAX_LENGTH).refine(hasWord, "Say in words what was wrong"),
});
export type CorrectPayment = z.output<typeof correctPaymentSchema>;

export const refundPaymentSchema = z.strictObject({
  ...byIdSchema.shape,
  amountMinor: positiveAmount,
  reason: lineSchema(REFUND_REASON_MAX_LENGTH).min(1, "Say why it is returned"),
  /** Whether the payer owes it no more; otherwise it is due again. Nobody chooses for them. */
  creditsInvoice: z.boolean(),
  /** Of what did not come by the provider: when and how it was given back. Left out it is today, by the way it came. */
  byHand: z.strictObject({ on: daySchema, method: z.enum(RETURN_METHODS) }).optional(),
});
export type RefundPayment = z.output<typeof refundPaymentSchema>;

export const checkoutLinkSchema = z.strictObject({ invoiceId: idSchema, days: z.literal(LINK_DAYS) });

export const paymentRefundSchema = z.object({
  id: idSchema,
  amountMinor: z.number().int(),
  status: z.enum(REFUND_STATES),
  reason: z.string(),
  creditsInvoice: z.boolean(),
  method: z.enum(PAYMENT_METHODS),
  /** The day on which it was given back by hand; empty where the provider returns it. */
  on: z.union([z.literal(""), daySchema]),
  byName: z.string(),
  at: instantSchema,
});

/** What was recorded by hand, and taken back as what it was. */
export const paymentCorrectionSchema = z.object({
  why: z.enum(CORRECTIONS),
  on: daySchema,
  reason: z.string(),
  byName: z.string(),
});

export const paymentSchema = z.object({
  id: idSchema,
  /** There once it is paid, where it is asked before something is booked. */
  invoiceId: idSchema,
  invoiceNumber: z.string(),
  caseId: idSchema.nullable(),
  payerName: z.string(),
  method: z.enum(PAYMENT_METHODS),
  status: z.enum(PAYMENT_STATES),
  /** Announced, or by a way that takes days: neither there nor failed. */
  isOnItsWay: z.boolean(),
  amountMinor: z.number().int(),
  currency: z.string(),
  toInvoiceMinor: z.number().int(),
  /** What was more than was due, and is kept for the payer. */
  toCreditMinor: z.number().int(),
  refundedMinor: z.number().int(),
  /** What can still be returned. */
  refundableMinor: z.number().int(),
  refunds: z.array(paymentRefundSchema),
  receivedOn: z.union([z.literal(""), daySchema]),
  reference: z.string(),
  receiptNumber: z.string(),
  /** When it last left by mail; null where it did not. */
  receiptSentAt: instantSchema.nullable(),
  /** A card was declined before: whoever pays by link can take another. */
  wasDeclined: z.boolean(),
  attentions: z.array(z.enum(ATTENTIONS)),
  dispute: z.enum(DISPUTES),
  correction: paymentCorrectionSchema.nullable(),
  linkUntil: instantSchema.nullable(),
  createdAt: instantSchema,
  createdByName: z.string(),
  version: z.number().int(),
});
export type Payment = z.infer<typeof paymentSchema>;

/** Whether the receipt of what is paid by card or bank debit goes by mail by itself. */
export const receiptSettingsSchema = z.strictObject({ isSentByItself: z.boolean() });
export type ReceiptSettings = z.infer<typeof receiptSettingsSchema>;

export const listPaymentsSchema = z.strictObject({
  ...pageInputSchema.shape,
  invoiceId: idSchema.optional(),
  caseId: idSchema.optional(),
  clientId: idSchema.optional(),
  /** In the payer's name, the reference, and the numbers of invoice and receipt. */
  search: searchSchema,
  status: z.enum(PAYMENT_STATES).optional(),
  method: z.enum(PAYMENT_METHODS).optional(),
  needsAttention: z.boolean().default(false),
});
export type ListPayments = z.output<typeof listPaymentsSchema>;
export const paymentPageSchema = pageOf(paymentSchema);

/** So many payments of a case are listed at once, beside its invoices. */
export const CASE_PAYMENTS_MAX = 200;
export const paymentsOfCaseSchema = z.strictObject({ caseId: idSchema });
export const casePaymentsSchema = z.object({
  /** The newest first. */
  items: z.array(paymentSchema),
  /** False where there are more than are listed. */
  isComplete: z.boolean(),
});

export const paymentLinkSchema = z.object({ url: z.string(), payment: paymentSchema });
export type PaymentLink = z.infer<typeof paymentLinkSchema>;

/** What the provider and the practice's records were found to differ in, and what was done about it. */
export const reconciliationSchema = z.object({
  at: instantSchema,
  checked: z.number().int(),
  repaired: z.array(z.object({ paymentId: idSchema, words: z.string() })),
  /** Of which the provider did not answer: looked at again the next time. */
  unread: z.number().int(),
});
export type Reconciliation = z.infer<typeof reconciliationSchema>;

const sessionIdSchema = z.string().regex(/^cs_[\w-]{1,200}$/, "This link is not complete");
/** How somebody comes back from paying: with the secret of their link, or with what the provider calls their visit. */
export const outcomeSchema = z.strictObject({ r: tokenSchema.optional(), session: sessionIdSchema.optional() });

/**
 * `in_question` money came that does not fit, and the practice looks at it; `open` nothing was paid yet; `waiting` the provider has not told yet; `on_its_way` it comes in days; `nothing_due` the
 * invoice is settled otherwise; `closed` no cards are taken at the moment.
 */
export const OUTCOMES = [
  "open",
  "waiting",
  "on_its_way",
  "in_question",
  "paid",
  "refunded",
  "failed",
  "withdrawn",
  "over",
  "nothing_due",
  "closed",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** `held` until it is paid; `asked` the practice confirms it first; `gone` nothing is held for it any more. */
export const PAID_BOOKINGS = ["held", "asked", "booked", "gone"] as const;
export type PaidBooking = (typeof PAID_BOOKINGS)[number];

export const paymentOutcomeSchema = z.object({
  outcome: z.enum(OUTCOMES),
  /** Empty where whoever looks over the payer's shoulder must not learn of the practice. */
  practiceName: z.string(),
  amountMinor: z.number().int(),
  refundedMinor: z.number().int(),
  currency: z.string(),
  locale: z.string(),
  /** By which the practice finds it: of the invoice, which a booking has once it is paid. */
  reference: z.string(),
  receiptNumber: z.string(),
  /** Where its receipt is; empty where there is none, or it would say too much on this machine. */
  receiptPath: z.string(),
  /** Where to pay, or to try again; empty where nothing can be paid. */
  payPath: z.string(),
  /** What became of the booking that it is for; null where it is for none. */
  booking: z.object({ state: z.enum(PAID_BOOKINGS), path: z.string() }).nullable(),
});
export type PaymentOutcome = z.infer<typeof paymentOutcomeSchema>;
