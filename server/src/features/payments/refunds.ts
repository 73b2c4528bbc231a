// A refund that somebody of the practice decided. It is stored, and its money held back, before the provider is asked: so
// it is asked for once, whatever dies meanwhile, and what the provider returns is there to be entered.
import type { Payment, RefundPayment } from "@app/shared/payments";
import { REFUNDS_MAX } from "@app/shared/payments";
import mongoose from "mongoose";
import type Stripe from "stripe";
import { DAY_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueItems } from "../../core/due-items.ts";
import { badField, busy, stale, wrongState } from "../../core/errors.ts";
import { type Keep } from "../../core/once.ts";
import { newId } from "../../core/ids.ts";
import { fromStripe, isRefusedByStripe } from "../../core/stripe.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { lockInvoice } from "../invoices/invoices.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { amountOf, findPaymentDoc, needsLook, tellOfPayment } from "./payment-changes.ts";
import { type PaymentDoc, PaymentModel, type PaymentRef, type RefundDoc } from "./payments.model.ts";
import { findVisiblePayment, getPayment, refundableOf } from "./payments.service.ts";
import { refundsThere, stateOf } from "./provider-refunds.ts";
import { goesByProvider, holdBackFor, setProviderId, setRefundState } from "./refund-changes.ts";

export async function refundPayment(scope: Scope, input: RefundPayment, keep: Keep): Promise<Payment> {
  const { ownerId } = scope;
  const { _id: id, invoiceId } = await findVisiblePayment(scope, input.id);
  const refund: RefundDoc = {
    id: newId(),
    amountMinor: input.amountMinor,
    status: "asked",
    reason: input.reason,
    creditsInvoice: input.creditsInvoice,
    providerId: "",
    ...input.byHand,
    by: scope.userId,
    byName: scope.userName,
    at: now(),
  };
  const isByProvider = await inTransaction(async () => {
    await keep(id);
    await lockInvoice(ownerId, invoiceId);
    const doc = await findPaymentDoc(ownerId, id);
    await assertRefundable(doc, refund);
    await assertWay(scope, doc, refund);
    const { modifiedCount } = await PaymentModel.updateOne(
      { ownerId, _id: id, version: doc.version },
      { $push: { refunds: refund }, $inc: { version: 1 } },
    );
    if (modifiedCount === 0) throw stale("payment");
    // By hand: whoever records it has given it back.
    if (!goesByProvider(doc, refund)) await setRefundState({ ownerId, id }, refund.id, "succeeded", scope);
    else await askedFor(scope, doc, refund);
    return goesByProvider(doc, refund);
  });
  if (isByProvider) await askForRefund({ ownerId, id }, refund.id, { scope, isFirst: true });
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

/** What came by the provider goes back by it, unless it could not; by hand it went on a day on which the money was here. */
async function assertWay(
  scope: Scope,
  { intentId, receivedOn, refunds }: PaymentDoc,
  { on }: RefundDoc,
): Promise<void> {
  if (on === undefined) return;
  if (intentId !== undefined && !refunds.some(({ status }) => status === "failed"))
    throw wrongState("The card payment provider returns this by the way it came. Record another way if that failed.");
  await assertNotLater(scope, "byHand.on", on);
  if (on < receivedOn)
    throw badField("byHand.on", "This is before the money came. Enter the day on which it went back.");
}

async function askedFor(scope: Scope, doc: PaymentDoc, refund: RefundDoc): Promise<void> {
  await holdBackFor(doc, refund, false);
  await tellOfPayment(scope, { ...doc, amountMinor: refund.amountMinor }, "Refund asked for", refund.reason);
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
    for (const refund of refunds)
      await askOnceMore({ ownerId, id }, refund).catch(() => {
        // It may only be away: put back for some minutes, and not set aside for good.
        throw busy("The card payment provider does not answer.");
      });
  },
  tell: () => Promise.resolve(),
});

export async function askOnceMore(ref: PaymentRef, refund: RefundDoc): Promise<void> {
  try {
    await askForRefund(ref, refund.id);
  } catch (error) {
    await tellOfWaiting(ref, refund);
    throw error;
  }
}

/** Whose answer does not come for a day is no matter of waiting any more: somebody is asked to look, once. */
async function tellOfWaiting({ ownerId, id }: PaymentRef, refund: RefundDoc): Promise<void> {
  if (refund.at.getTime() > now().getTime() - DAY_MS) return;
  const isUntold = { id: refund.id, status: "asked" as const, isWaitingTold: { $ne: true } };
  await inTransaction(async () => {
    const { modifiedCount } = await PaymentModel.updateOne(
      { ownerId, _id: id, refunds: mongoose.trusted({ $elemMatch: isUntold }) },
      { $set: { "refunds.$.isWaitingTold": true } },
    );
    if (modifiedCount > 0) await needsLook(await findPaymentDoc(ownerId, id), "refund_waits");
  });
}

interface Asking {
  scope?: Scope;
  /** Nobody asked before, so that there is nothing to be found. */
  isFirst?: boolean;
}

/** As often as anybody asks it is one refund: the provider keeps the key for a day, and the refund says whose it is. */
async function askForRefund(
  { ownerId, id }: PaymentRef,
  refundId: string,
  { scope = systemScope(ownerId), isFirst = false }: Asking = {},
): Promise<void> {
  const ref = { ownerId, id };
  const { intentId, account, refunds } = await findPaymentDoc(ownerId, id);
  const refund = refunds.find((one) => one.id === refundId);
  if (!refund || refund.status !== "asked" || intentId === undefined) return;
  const paid = { account, intentId };
  const made = (isFirst ? undefined : await findThere(paid, refund)) ?? (await createThere(paid, refund));
  if (made) {
    await setProviderId(ref, refundId, made.id);
    await setRefundState(ref, refundId, stateOf(made), scope);
  }
  // For good: what was held back for it is free again, and the payment says so.
  else await setRefundState(ref, refundId, "failed", scope);
}

interface Paid {
  account: string;
  intentId: string;
}

/** Where its answer was lost it is there, however long ago that was. */
async function findThere({ account, intentId }: Paid, refund: RefundDoc): Promise<Stripe.Refund | undefined> {
  const there = await refundsThere(account, intentId);
  return there.find(({ id, metadata }) =>
    refund.providerId === "" ? metadata?.["refundId"] === refund.id : id === refund.providerId,
  );
}

/** Null where the provider refused it. */
async function createThere({ account, intentId }: Paid, { id, amountMinor }: RefundDoc): Promise<Stripe.Refund | null> {
  const params = { payment_intent: intentId, amount: amountMinor, metadata: { refundId: id } };
  try {
    return await fromStripe((provider) => provider.refunds.create(params, { idempotencyKey: `refund_${id}` }), account);
  } catch (error) {
    if (isRefusedByStripe(error)) return null;
    throw error;
  }
}
