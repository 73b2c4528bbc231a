// Reads every refund and dispute of a payment anew at the provider, and takes in what is not known here as it is there.
import type { RefundState } from "@app/shared/payments";
import mongoose from "mongoose";
import type Stripe from "stripe";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { newId } from "../../core/ids.ts";
import { everyPage, fromStripe } from "../../core/stripe.ts";
import { SYSTEM_NAME, systemScope } from "../../core/system-scope.ts";
import { lockInvoice } from "../invoices/invoices.service.ts";
import { findPaymentDoc, needsLook, tellOfPayment } from "./payment-changes.ts";
import { type PaymentDoc, PaymentModel, type PaymentRef, type RefundDoc } from "./payments.model.ts";
import { holdBackFor, setProviderId, setRefundState } from "./refund-changes.ts";

/** Of one payment. */
const READ_MAX = 1000;

export const refundsThere = (account: string, intentId: string): Promise<Stripe.Refund[]> =>
  fromStripe(
    ({ refunds }) => everyPage((page) => refunds.list({ payment_intent: intentId, ...page }), READ_MAX),
    account,
  );

export async function noteRefunds(
  ref: PaymentRef,
  { account, intent }: { account: string; intent: Stripe.PaymentIntent },
): Promise<string[]> {
  const words: string[] = [];
  // The oldest first, as they were asked for.
  for (const refund of (await refundsThere(account, intent.id)).toReversed())
    words.push(...(await noteRefund(ref, refund)));
  const charge = intent.latest_charge;
  if (typeof charge === "object" && charge?.disputed) words.push(...(await noteDisputes(ref, account, intent.id)));
  return words;
}

async function noteRefund(ref: PaymentRef, refund: Stripe.Refund): Promise<string[]> {
  const status = stateOf(refund);
  const known = await ourRefundOf(ref, refund);
  if (!known) return [];
  const isDone = await setRefundState(ref, known.id, status);
  return isDone ? [`refund ${status}`] : [];
}

export const stateOf = ({ status }: Stripe.Refund): RefundState => {
  if (status === "succeeded") return "succeeded";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
};

/** As we know it: one that was made with the provider, and not here, is added first, also where it names one of ours that is another. */
async function ourRefundOf(ref: PaymentRef, refund: Stripe.Refund): Promise<RefundDoc | undefined> {
  const { refunds } = await findPaymentDoc(ref.ownerId, ref.id);
  const named = refund.metadata?.["refundId"];
  const known =
    refunds.find((one) => one.providerId === refund.id) ??
    refunds.find((one) => one.id === named && one.providerId === "");
  if (known) {
    if (known.providerId === "") await setProviderId(ref, known.id, refund.id);
    return known;
  }
  if (stateOf(refund) === "failed") return undefined;
  const { id: providerId, amount: amountMinor } = refund;
  const reason = "Refunded with the card payment provider";
  return addTaken(ref, { providerId, amountMinor, reason, creditsInvoice: true }, "refunded_elsewhere");
}

type Taken = Pick<RefundDoc, "providerId" | "amountMinor" | "reason" | "creditsInvoice">;

/** What left without anybody here having asked for it, once. */
function addTaken(
  { ownerId, id }: PaymentRef,
  taken: Taken,
  attention: "refunded_elsewhere" | "dispute_lost",
): Promise<RefundDoc | undefined> {
  const added: RefundDoc = { ...taken, id: newId(), status: "pending", by: "", byName: SYSTEM_NAME, at: now() };
  return inTransaction(async () => {
    const { invoiceId } = await findPaymentDoc(ownerId, id);
    await lockInvoice(ownerId, invoiceId);
    const { modifiedCount } = await PaymentModel.updateOne(
      { ownerId, _id: id, "refunds.providerId": mongoose.trusted({ $ne: added.providerId }) },
      { $push: { refunds: added }, $inc: { version: 1 } },
    );
    const after = await findPaymentDoc(ownerId, id);
    if (modifiedCount > 0) {
      await holdBackFor(after, added, true);
      await needsLook(after, attention);
    }
    return after.refunds.find((one) => one.providerId === added.providerId);
  });
}

async function noteDisputes(ref: PaymentRef, account: string, intentId: string): Promise<string[]> {
  const found = await fromStripe(
    ({ disputes }) => everyPage((page) => disputes.list({ payment_intent: intentId, ...page }), READ_MAX),
    account,
  );
  const words: string[] = [];
  for (const dispute of found.toReversed()) words.push(...(await noteMoneyOf(ref, dispute)));
  return [...words, ...(await noteDispute(ref, found))];
}

/** The bank of the payer takes the money when a dispute is lost, which is no refund that anybody asked for. */
async function noteMoneyOf(ref: PaymentRef, { id: providerId, status, amount }: Stripe.Dispute): Promise<string[]> {
  const { refunds } = await findPaymentDoc(ref.ownerId, ref.id);
  const known = refunds.find((one) => one.providerId === providerId);
  if (status === "won") return known && (await setRefundState(ref, known.id, "failed")) ? ["disputed money came"] : [];
  if (status !== "lost") return [];
  const reason = "Dispute lost: the payer's bank took it back";
  const taken = { providerId, amountMinor: amount, reason, creditsInvoice: false };
  const refund = known ?? (await addTaken(ref, taken, "dispute_lost"));
  return refund && (await setRefundState(ref, refund.id, "succeeded")) ? ["disputed money went"] : [];
}

export function disputeOf(found: readonly Pick<Stripe.Dispute, "status">[]): PaymentDoc["dispute"] {
  const [newest] = found;
  if (!newest) return "none";
  if (found.some(({ status }) => !["won", "lost", "warning_closed", "prevented"].includes(status))) return "open";
  return found.some(({ status }) => status === "lost") ? "lost" : "won";
}

async function noteDispute({ ownerId, id }: PaymentRef, found: readonly Stripe.Dispute[]): Promise<string[]> {
  const dispute = disputeOf(found);
  if (dispute === "none") return [];
  return inTransaction(async () => {
    const { modifiedCount } = await PaymentModel.updateOne(
      { ownerId, _id: id, dispute: mongoose.trusted({ $ne: dispute }) },
      { $set: { dispute }, $inc: { version: 1 } },
    );
    if (modifiedCount === 0) return [];
    const doc = await findPaymentDoc(ownerId, id);
    await tellOfPayment(systemScope(ownerId), doc, `Dispute ${dispute === "open" ? "opened" : dispute}`);
    if (dispute === "open") await needsLook(doc, "disputed");
    return [`dispute ${dispute}`];
  });
}
