// What became of refunds and disputes at the provider: each is taken in once, whoever asked for it, and taken back where
// it failed. What has happened there is entered here, whatever the book holds by then.
import { stateByRefunds } from "@app/shared/payment-states";
import type { RefundState } from "@app/shared/payments";
import mongoose from "mongoose";
import { inTransaction } from "../../core/database.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { lockInvoice } from "../invoices/invoices.service.ts";
import { holdBack, type Refund, takeBack, undoTakeBack } from "../invoices/money-back.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { findPaymentDoc, move, needsLook, tellOfPayment } from "./payment-changes.ts";
import { type PaymentDoc, PaymentModel, type PaymentRef, type RefundDoc } from "./payments.model.ts";

export async function setProviderId({ ownerId, id }: PaymentRef, refundId: string, providerId: string): Promise<void> {
  await PaymentModel.updateOne(
    { ownerId, _id: id, refunds: mongoose.trusted({ $elemMatch: { id: refundId, providerId: "" } }) },
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
    const seen = await findPaymentDoc(ownerId, id);
    // Whatever is only read again takes nobody's turn.
    if (!changing(seen, refundId, status)) return false;
    await lockInvoice(ownerId, seen.invoiceId);
    const doc = await findPaymentDoc(ownerId, id);
    const before = changing(doc, refundId, status);
    if (!before) return false;
    const isFoundAgain = before.status === "failed";
    const refund = isFoundAgain ? { ...before, round: (before.round ?? 0) + 1 } : before;
    const { modifiedCount } = await PaymentModel.updateOne(
      {
        ownerId,
        _id: id,
        version: doc.version,
        refunds: mongoose.trusted({ $elemMatch: { id: refundId, status: before.status } }),
      },
      {
        $set: { "refunds.$.status": status, ...(isFoundAgain && { "refunds.$.round": refund.round }) },
        $inc: { version: 1 },
      },
    );
    if (modifiedCount === 0) return false;
    if (status === "succeeded") await wentBack(scope, doc, refund);
    else if (status === "failed") await cameBack(scope, doc, refund);
    else if (isFoundAgain) await holdBackFor(doc, refund, true);
    return true;
  });
}

const changing = ({ refunds }: PaymentDoc, refundId: string, to: RefundState): RefundDoc | undefined =>
  refunds.find((one) => one.id === refundId && mayRefundBecome(one.status, to));

/** What the provider says goes before what we took it for, but what is done does not become undecided again. */
function mayRefundBecome(from: RefundState, to: RefundState): boolean {
  if (from === to || to === "asked") return false;
  return !(from === "succeeded" && to === "pending");
}

/** Nobody here has given it back by hand. */
export const goesByProvider = ({ intentId }: PaymentDoc, { on }: RefundDoc): boolean =>
  intentId !== undefined && on === undefined;

/** In the transaction in which it is asked for, or found. */
export async function holdBackFor(doc: PaymentDoc, refund: RefundDoc, isDone: boolean): Promise<void> {
  const { lackedMinor } = await holdBack(doc.ownerId, await bookingOf(doc, refund, isDone));
  if (lackedMinor > 0) await needsLook(doc, "credit_was_used");
}

async function bookingOf(doc: PaymentDoc, refund: RefundDoc, isDone: boolean): Promise<Refund> {
  const { ownerId, _id, invoiceId } = doc;
  const { id, amountMinor, method = doc.method, on, creditsInvoice, reason, by, round } = refund;
  return {
    invoiceId,
    paymentId: _id,
    refundId: round === undefined ? id : `${id}:${round}`,
    method,
    amountMinor,
    on: on ?? (await practiceToday(ownerId)),
    creditsInvoice,
    isDone,
    ...(reason === "" ? {} : { reason }),
    ...(by === "" ? {} : { by }),
  };
}

async function wentBack(scope: Scope, doc: PaymentDoc, refund: RefundDoc): Promise<void> {
  const { ownerId, _id, amountMinor } = doc;
  const { lackedMinor } = await takeBack(ownerId, await bookingOf(doc, refund, goesByProvider(doc, refund)));
  const refundedMinor = doc.refundedMinor + refund.amountMinor;
  const to = stateByRefunds(amountMinor, refundedMinor);
  const words = { words: "Payment refunded", amountMinor: refund.amountMinor, reason: refund.reason };
  const after = await move(scope, _id, { to, set: { refundedMinor }, ...words });
  if (lackedMinor > 0) await needsLook(after, "credit_was_used");
}

/** The money is here still, or again. */
async function cameBack(scope: Scope, doc: PaymentDoc, refund: RefundDoc): Promise<void> {
  const { ownerId, _id, amountMinor } = doc;
  await undoTakeBack(ownerId, await bookingOf(doc, refund, true));
  const before = doc.refunds.find((one) => one.id === refund.id);
  if (before?.status === "succeeded") {
    const refundedMinor = doc.refundedMinor - refund.amountMinor;
    const to = stateByRefunds(amountMinor, refundedMinor);
    await move(scope, _id, { to, set: { refundedMinor }, words: "Refund came back", amountMinor: refund.amountMinor });
  } else await tellOfPayment(scope, { ...doc, amountMinor: refund.amountMinor }, "Refund failed");
  await needsLook(doc, "refund_failed");
}
