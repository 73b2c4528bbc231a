// A page on which something may still be paid is closed before anything else takes its place.
import mongoose from "mongoose";
import { DAY_MS, now } from "../../core/clock.ts";
import { fromStripe, isRefusedByStripe } from "../../core/stripe.ts";
import { defineMoneyOutside } from "../invoices/money-outside.service.ts";
import { findPaymentDoc } from "./payment-changes.ts";
import { type PaymentDoc, PaymentModel } from "./payments.model.ts";
import { syncPayment } from "./settle-payment.ts";

/**
 * Closes the page that is open for this payment, and gives it as it is then: where the payer was faster it is paid.
 * Throws where the provider does not answer, because then nobody knows.
 */
export async function stopPaying(doc: PaymentDoc): Promise<PaymentDoc> {
  const { ownerId, _id, attempt } = doc;
  if (!attempt) return doc;
  if (attempt.sessionId !== "") {
    const { sessionId, account } = attempt;
    try {
      await fromStripe(({ checkout }) => checkout.sessions.expire(sessionId), account);
    } catch (error) {
      // It is paid, or over: which of them is asked next.
      if (!isRefusedByStripe(error)) throw error;
    }
    await syncPayment({ ownerId, id: _id });
  }
  await PaymentModel.updateOne(
    { ownerId, _id, "attempt.n": attempt.n },
    { $set: { "attempt.expiresAt": new Date(0) } },
  );
  return findPaymentDoc(ownerId, _id);
}

/** An announcement that nobody came back to for so long holds nothing up any more. */
const ANNOUNCED_MS = 30 * DAY_MS;

defineMoneyOutside({
  dueFell: closePages,
  onItsWay: (ownerId) =>
    PaymentModel.distinct("invoiceId", {
      ownerId,
      status: "pending",
      isOnItsWay: true,
      $or: [
        { tokenHash: mongoose.trusted({ $type: "string" as const }) },
        { createdAt: mongoose.trusted({ $gte: new Date(now().getTime() - ANNOUNCED_MS) }) },
      ],
    }),
});

/** Wherever less is due than was. Where that fails the link itself looks at what is due before it opens. */
async function closePages(ownerId: string, invoiceId: string): Promise<void> {
  const open = await PaymentModel.find({ ownerId, invoiceId, status: "pending", isOnItsWay: false }).lean();
  for (const doc of open) await stopPaying(doc);
}
