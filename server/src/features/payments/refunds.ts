// A refund that somebody of the practice decided. It is stored before the provider is asked, so that it is asked for once,
// whatever dies meanwhile.
import type { Payment, RefundPayment } from "@app/shared/payments";
import { REFUNDS_MAX } from "@app/shared/payments";
import mongoose from "mongoose";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueItems } from "../../core/due-items.ts";
import { badField, stale, wrongState } from "../../core/errors.ts";
import { type Keep } from "../../core/once.ts";
import { newId } from "../../core/ids.ts";
import { fromStripe, isRefusedByStripe } from "../../core/stripe.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { amountOf, findPaymentDoc } from "./payment-changes.ts";
import { type PaymentDoc, PaymentModel, type PaymentRef, type RefundDoc } from "./payments.model.ts";
import { findVisiblePayment, getPayment, refundableOf } from "./payments.service.ts";
import { setProviderId, setRefundState, stateOf } from "./refund-changes.ts";

export async function refundPayment(scope: Scope, input: RefundPayment, keep: Keep): Promise<Payment> {
  const { ownerId } = scope;
  const { _id: id } = await findVisiblePayment(scope, input.id);
  const refund: RefundDoc = {
    id: newId(),
    amountMinor: input.amountMinor,
    status: "asked",
    reason: input.reason,
    creditsInvoice: input.creditsInvoice,
    providerId: "",
    by: scope.userId,
    byName: scope.userName,
    at: now(),
  };
  const isByProvider = await inTransaction(async () => {
    await keep(id);
    const doc = await findPaymentDoc(ownerId, id);
    await assertRefundable(doc, refund);
    const { modifiedCount } = await PaymentModel.updateOne(
      { ownerId, _id: id, version: doc.version },
      { $push: { refunds: refund }, $inc: { version: 1 } },
    );
    if (modifiedCount === 0) throw stale("payment");
    // By hand: whoever records it has given it back.
    if (doc.intentId === undefined) await setRefundState({ ownerId, id }, refund.id, "succeeded", scope);
    return doc.intentId !== undefined;
  });
  if (isByProvider) await askForRefund({ ownerId, id }, refund.id, scope);
  return getPayment(scope, id);
}

async function assertRefundable(doc: PaymentDoc, { amountMinor }: RefundDoc): Promise<void> {
  const left = refundableOf(doc);
  if (left === 0) throw wrongState("Nothing of this payment can be returned any more.");
  if (amountMinor > left)
    throw badField("amountMinor", `At most ${await amountOf({ ...doc, amountMinor: left })} can be returned.`);
  if (doc.refunds.length >= REFUNDS_MAX)
    throw wrongState(`A payment has at most ${REFUNDS_MAX} refunds. Return the rest in another way.`);
}

const isWaiting = () => ({
  refunds: mongoose.trusted({
    $elemMatch: { status: "asked" as const, at: { $lte: new Date(now().getTime() - MINUTE_MS) } },
  }),
  intentId: mongoose.trusted({ $type: "string" as const }),
});

/** What was asked for while the provider was away, or a process died, is asked for again. */
export const askAgain = defineDueItems<PaymentDoc>({
  name: "ask for refunds again",
  everyMs: 5 * MINUTE_MS,
  owners: () => PaymentModel.distinct("ownerId", isWaiting()).setOptions({ anyOwner: true }),
  next: (ownerId, besides, max) =>
    PaymentModel.find({ ownerId, ...isWaiting(), _id: mongoose.trusted({ $nin: besides }) })
      .limit(max)
      .lean(),
  async work({ ownerId, _id: id, refunds }) {
    for (const refund of refunds) await askForRefund({ ownerId, id }, refund.id);
  },
  // The provider may only have been away: comparing with it at night asks again.
  tell: () => Promise.resolve(),
});

/** As often as anybody asks it is one refund: the key is its own. */
export async function askForRefund(
  { ownerId, id }: PaymentRef,
  refundId: string,
  scope: Scope = systemScope(ownerId),
): Promise<void> {
  const { intentId, account, refunds } = await findPaymentDoc(ownerId, id);
  const refund = refunds.find((one) => one.id === refundId);
  if (!refund || refund.status !== "asked" || intentId === undefined) return;
  const params = { payment_intent: intentId, amount: refund.amountMinor, metadata: { refundId } };
  try {
    const made = await fromStripe(
      (provider) => provider.refunds.create(params, { idempotencyKey: `refund_${refundId}` }),
      account,
    );
    await setProviderId({ ownerId, id }, refundId, made.id);
    await setRefundState({ ownerId, id }, refundId, stateOf(made), scope);
  } catch (error) {
    if (!isRefusedByStripe(error)) throw error;
    // For good: what was held back for it is free again, and the payment says so.
    await setRefundState({ ownerId, id }, refundId, "failed", scope);
  }
}
