// What became of refunds at the provider: each is taken in once, whoever asked for it, and taken back where it failed.
import { stateByRefunds } from "@app/shared/payment-states";
import type { RefundState } from "@app/shared/payments";
import mongoose from "mongoose";
import type Stripe from "stripe";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { newId } from "../../core/ids.ts";
import { fromStripe } from "../../core/stripe.ts";
import { SYSTEM_NAME, systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeBack, undoTakeBack } from "../invoices/invoices.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { findPaymentDoc, move, needsLook, tellOfPayment } from "./payment-changes.ts";
import { type PaymentDoc, PaymentModel, type PaymentRef, type RefundDoc } from "./payments.model.ts";

const REFUNDS_READ = 100;

/** Reads every refund and dispute of this money anew. */
export async function noteRefunds(
  ref: PaymentRef,
  { account, intent }: { account: string; intent: Stripe.PaymentIntent },
): Promise<string[]> {
  const words: string[] = [];
  const { data } = await fromStripe(
    ({ refunds }) => refunds.list({ payment_intent: intent.id, limit: REFUNDS_READ }),
    account,
  );
  // The oldest first, as they were asked for.
  for (const refund of data.toReversed()) words.push(...(await noteRefund(ref, refund)));
  const charge = intent.latest_charge;
  if (typeof charge === "object" && charge?.disputed) words.push(...(await noteDispute(ref, { account, intent })));
  return words;
}

async function noteRefund({ ownerId, id }: PaymentRef, refund: Stripe.Refund): Promise<string[]> {
  const known = await ourRefundOf({ ownerId, id }, refund);
  const status = stateOf(refund);
  if (!known || known.status === status) return [];
  const isDone = await setRefundState({ ownerId, id }, known.id, status);
  return isDone ? [`refund ${status}`] : [];
}

export const stateOf = ({ status }: Stripe.Refund): RefundState => {
  if (status === "succeeded") return "succeeded";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
};

/** As we know it: one that was made with the provider, and not here, is added first. */
async function ourRefundOf({ ownerId, id }: PaymentRef, refund: Stripe.Refund): Promise<RefundDoc | undefined> {
  const { refunds } = await findPaymentDoc(ownerId, id);
  const named = refund.metadata?.["refundId"];
  const known = refunds.find((one) => one.providerId === refund.id) ?? refunds.find((one) => one.id === named);
  if (known) {
    if (known.providerId === "") await setProviderId({ ownerId, id }, known.id, refund.id);
    return known;
  }
  const added: RefundDoc = {
    id: newId(),
    amountMinor: refund.amount,
    status: "asked",
    reason: "Refunded with the card payment provider",
    creditsInvoice: true,
    providerId: refund.id,
    by: "",
    byName: SYSTEM_NAME,
    at: now(),
  };
  return inTransaction(async () => {
    const { modifiedCount } = await PaymentModel.updateOne(
      { ownerId, _id: id, "refunds.providerId": mongoose.trusted({ $ne: refund.id }) },
      { $push: { refunds: added }, $inc: { version: 1 } },
    );
    const after = await findPaymentDoc(ownerId, id);
    if (modifiedCount > 0) await needsLook(after, "refunded_elsewhere");
    return after.refunds.find((one) => one.providerId === refund.id);
  });
}

export async function setProviderId({ ownerId, id }: PaymentRef, refundId: string, providerId: string): Promise<void> {
  await PaymentModel.updateOne(
    { ownerId, _id: id, "refunds.id": refundId },
    { $set: { "refunds.$.providerId": providerId } },
  );
}

/** What it means for the invoice, the book and the payment, in one transaction; false where somebody was faster. */
export function setRefundState(
  { ownerId, id }: PaymentRef,
  refundId: string,
  status: RefundState,
  scope: Scope = systemScope(ownerId),
): Promise<boolean> {
  return inTransaction(async () => {
    const doc = await findPaymentDoc(ownerId, id);
    const before = doc.refunds.find((one) => one.id === refundId);
    if (!before || before.status === status || before.status === "failed") return false;
    const { modifiedCount } = await PaymentModel.updateOne(
      {
        ownerId,
        _id: id,
        version: doc.version,
        refunds: mongoose.trusted({ $elemMatch: { id: refundId, status: before.status } }),
      },
      { $set: { "refunds.$.status": status }, $inc: { version: 1 } },
    );
    if (modifiedCount === 0) return false;
    if (status === "succeeded") await wentBack(scope, doc, before);
    if (status === "failed") await cameBack(scope, doc, before);
    return true;
  });
}

async function wentBack(scope: Scope, doc: PaymentDoc, refund: RefundDoc): Promise<void> {
  const { ownerId, _id, invoiceId, method, amountMinor } = doc;
  await takeBack(ownerId, {
    invoiceId,
    paymentId: _id,
    refundId: refund.id,
    method,
    amountMinor: refund.amountMinor,
    on: await practiceToday(ownerId),
    creditsInvoice: refund.creditsInvoice,
    ...(refund.by === "" ? {} : { by: refund.by }),
  });
  const refundedMinor = doc.refundedMinor + refund.amountMinor;
  const to = stateByRefunds(amountMinor, refundedMinor);
  await move(scope, _id, { to, set: { refundedMinor }, words: "Payment refunded", amountMinor: refund.amountMinor });
}

/** The bank sent it back: where it had been counted, the payer holds it again. */
async function cameBack(scope: Scope, doc: PaymentDoc, refund: RefundDoc): Promise<void> {
  const { ownerId, _id, invoiceId, method, amountMinor } = doc;
  if (refund.status === "succeeded") {
    const on = await practiceToday(ownerId);
    const money = { invoiceId, paymentId: _id, refundId: refund.id, method, amountMinor: refund.amountMinor, on };
    await undoTakeBack(ownerId, money);
    const refundedMinor = doc.refundedMinor - refund.amountMinor;
    const to = stateByRefunds(amountMinor, refundedMinor);
    await move(scope, _id, { to, set: { refundedMinor }, words: "Refund came back", amountMinor: refund.amountMinor });
  } else await tellOfPayment(scope, { ...doc, amountMinor: refund.amountMinor }, "Refund failed");
  await needsLook(doc, "refund_failed");
}

async function noteDispute(
  { ownerId, id }: PaymentRef,
  { account, intent }: { account: string; intent: Stripe.PaymentIntent },
): Promise<string[]> {
  const { data } = await fromStripe(({ disputes }) => disputes.list({ payment_intent: intent.id, limit: 1 }), account);
  const [newest] = data;
  if (!newest) return [];
  const dispute = newest.status === "won" ? "won" : newest.status === "lost" ? "lost" : "open";
  return inTransaction(async () => {
    const { modifiedCount } = await PaymentModel.updateOne(
      { ownerId, _id: id, dispute: mongoose.trusted({ $ne: dispute }) },
      { $set: { dispute }, $inc: { version: 1 } },
    );
    if (modifiedCount === 0) return [];
    const doc = await findPaymentDoc(ownerId, id);
    await tellOfPayment(systemScope(ownerId), doc, `Dispute ${dispute === "open" ? "opened" : dispute}`);
    if (dispute !== "won") await needsLook(doc, "disputed");
    return [`dispute ${dispute}`];
  });
}
