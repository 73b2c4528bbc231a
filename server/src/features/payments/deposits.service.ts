// What is paid before a booking stands: asked for with it, and over with it.
import { isReceived, mayPaymentBecome } from "@app/shared/payment-states";
import type { Attention } from "@app/shared/payments";
import { invoiceTotals } from "@app/shared/invoice-totals";
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { assertInTransaction, inTransaction } from "../../core/database.ts";
import { newId, newToken } from "../../core/ids.ts";
import { systemScope } from "../../core/system-scope.ts";
import { bringIntoCase, lineOf } from "../invoices/booking-invoices.service.ts";
import { defineLeadErasure } from "../leads/lead-erasures.service.ts";
import { defineLeadConversion } from "../leads/lead-conversions.service.ts";
import { stopPaying } from "./closing-pages.ts";
import { findPaymentDoc, move, needsLook, tellOfPayment } from "./payment-changes.ts";
import { payPathOf } from "./payment-links.ts";
import { type DepositDoc, type PaymentDoc, PaymentModel, type PaymentRef, sealToken } from "./payments.model.ts";

export { payPathOf } from "./payment-links.ts";
export type { PaymentDoc } from "./payments.model.ts";

interface Asked
  extends Pick<PaymentDoc, "caseId" | "payer" | "payerName" | "currency">, Omit<DepositDoc, "isSettled" | "isLapsed"> {
  /** Until when the time is held for it. */
  until: Date;
}

/** In the transaction of the booking. Gives where it is paid. */
export async function askForDeposit(ownerId: string, asked: Asked): Promise<string> {
  assertInTransaction();
  const { visitHash, leadId, line, until, ...of } = asked;
  const scope = systemScope(ownerId);
  const _id = newId();
  const token = newToken();
  const [doc] = await PaymentModel.create([
    {
      ...of,
      _id,
      ownerId,
      invoiceId: newId(),
      method: "card",
      status: "created",
      amountMinor: invoiceTotals([lineOf(line)]).grossMinor,
      tokenHash: hashToken(token),
      tokenEnc: sealToken(ownerId, _id, token),
      linkUntil: until,
      deposit: { visitHash, leadId, line, isSettled: false, isLapsed: false },
      createdBy: scope.userId,
      createdByName: scope.userName,
      createdAt: now(),
    },
  ]);
  if (!doc) throw new Error("the payment that was just stored is missing");
  const stored = doc.toObject();
  await tellOfPayment(scope, stored, "Payment asked for");
  return payPathOf(stored);
}

/** What was asked for a booking; null where nothing was. */
export const depositOfVisit = (ownerId: string, visitHash: string): Promise<PaymentDoc | null> =>
  PaymentModel.findOne({ ownerId, "deposit.visitHash": visitHash }).sort({ createdAt: -1 }).lean();

const isDue = () => ({
  "deposit.isSettled": false,
  $or: [
    { linkUntil: mongoose.trusted({ $lte: now() }) },
    { status: mongoose.trusted({ $nin: ["created", "pending", "failed"] as const }) },
  ],
});

/** Whose bookings wait for what follows. */
export const ownersOfDueDeposits = (): Promise<string[]> =>
  PaymentModel.distinct("ownerId", isDue()).setOptions({ anyOwner: true });

export const dueDeposits = (ownerId: string, besides: string[], max: number): Promise<PaymentDoc[]> =>
  PaymentModel.find({ ownerId, ...isDue(), _id: mongoose.trusted({ $nin: besides }) })
    .limit(max)
    .lean();

/** In the transaction of what follows for the booking: true for the one who does it. */
export async function claimDeposit({ ownerId, id }: PaymentRef, { isLapsed = false } = {}): Promise<boolean> {
  assertInTransaction();
  const { modifiedCount } = await PaymentModel.updateOne(
    { ownerId, _id: id, "deposit.isSettled": false },
    { $set: { "deposit.isSettled": true, ...(isLapsed ? { "deposit.isLapsed": true } : {}) }, $inc: { version: 1 } },
  );
  return modifiedCount === 1;
}

/** Somebody has to look at what was paid, in the transaction of what came of the booking. */
export const lookAtDeposit = async ({ ownerId, id }: PaymentRef, attention: Attention): Promise<void> =>
  needsLook(await findPaymentDoc(ownerId, id), attention);

/** Nobody pays any more for what is not waited for: in the transaction in which the booking is called off. */
export async function withdrawDeposit({ ownerId, id }: PaymentRef): Promise<void> {
  await PaymentModel.updateOne({ ownerId, _id: id, "deposit.isSettled": false }, { $set: { linkUntil: now() } });
}

/**
 * Closes the page of what was not paid in time, and gives it as it is then. Where the provider does not answer the time
 * is not held any longer for that: what was paid there is told later, and may be in time yet.
 */
export async function closeDeposit(doc: PaymentDoc, log: (error: unknown) => void): Promise<PaymentDoc> {
  const closed = await stopPaying(doc).catch((error: unknown) => {
    log(error);
    return findPaymentDoc(doc.ownerId, doc._id);
  });
  return isReceived(closed.status) ? closed : inTransaction(() => ended(closed));
}

async function ended({ ownerId, _id, status, version }: PaymentDoc): Promise<PaymentDoc> {
  if (!mayPaymentBecome(status, "expired")) return findPaymentDoc(ownerId, _id);
  return move(systemScope(ownerId), _id, { to: "expired", version, words: "Payment not made in time" });
}

// The books are kept, as they have to be; the enquiry is not known by them any more.
defineLeadErasure(async (ownerId, leadId) => {
  await PaymentModel.updateMany({ ownerId, "deposit.leadId": leadId }, { $set: { "deposit.leadId": null } });
});

// Whoever booked becomes a client: what they paid, or pay yet, is found in their case.
defineLeadConversion(async ({ ownerId }, { leadId, caseId }) => {
  const docs = await PaymentModel.find({ ownerId, "deposit.leadId": leadId, caseId: null }).lean();
  const ids = docs.map(({ invoiceId }) => invoiceId);
  await PaymentModel.updateMany(
    { ownerId, invoiceId: mongoose.trusted({ $in: ids }), caseId: null },
    { $set: { caseId } },
  );
  await bringIntoCase(ownerId, ids, caseId);
  return { isSummaryForPractice: true };
});
