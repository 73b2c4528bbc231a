// Brings a payment in line with the provider, by reading there how it stands: after an event, when somebody comes back,
// and when all is compared. Called as often as anybody likes, and in whatever order, it does each thing once.
import { isReceived } from "@app/shared/payment-states";
import { dayIn } from "@app/shared/days";
import mongoose from "mongoose";
import type Stripe from "stripe";
import { inTransaction } from "../../core/database.ts";
import { fromStripe, isRefusedByStripe } from "../../core/stripe.ts";
import { systemScope } from "../../core/system-scope.ts";
import { issueForBooking } from "../invoices/booking-invoices.service.ts";
import { findInvoice, lockInvoice } from "../invoices/invoices.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { settleDeposit } from "./deposit-effects.service.ts";
import { applyReceived, findPaymentDoc, move, needsLook, nextReceiptNumber, tellOfPayment } from "./payment-changes.ts";
import { type PaymentDoc, PaymentModel, type PaymentRef } from "./payments.model.ts";
import { noteRefunds } from "./provider-refunds.ts";
import { insertPayment } from "./new-payments.ts";

export interface Found {
  account: string;
  session: Stripe.Checkout.Session;
  intent: Stripe.PaymentIntent | null;
}

/** What was done, in words, for whoever compares; nothing where all was right. */
export async function syncPayment({ ownerId, id }: PaymentRef, besides: readonly string[] = []): Promise<string[]> {
  const doc = await findPaymentDoc(ownerId, id);
  const account = doc.attempt?.account ?? doc.account;
  const words: string[] = [];
  for (const sessionId of new Set([...besides, ...doc.sessionIds.slice(-SESSIONS_READ)])) {
    const found = await readThere(sessionId, account);
    if (!found || !isOf(doc, found.session)) continue;
    words.push(...(await settleSession(doc, found)));
  }
  words.push(...(await settleMoney({ ownerId, id })));
  const after = await findPaymentDoc(ownerId, id);
  if (after.deposit?.isSettled === false && isReceived(after.status)) await settleDeposit(after);
  return words;
}

/** What becomes of money that was received, whichever page it was paid on. */
async function settleMoney(ref: PaymentRef): Promise<string[]> {
  const { account, intentId } = await findPaymentDoc(ref.ownerId, ref.id);
  if (intentId === undefined) return [];
  const options = { expand: ["latest_charge"] };
  const intent = await fromStripe(({ paymentIntents }) => paymentIntents.retrieve(intentId, options), account);
  return noteRefunds(ref, { account, intent });
}

/** Only the last can be open; of the one before somebody may have been sent away while it was paid. */
const SESSIONS_READ = 3;

export async function readThere(sessionId: string, account: string): Promise<Found | null> {
  try {
    const session = await fromStripe(({ checkout }) => checkout.sessions.retrieve(sessionId), account);
    const { payment_intent: intent } = session;
    const intentId = typeof intent === "string" ? intent : intent?.id;
    if (intentId === undefined) return { account, session, intent: null };
    const options = { expand: ["latest_charge"] };
    const read = await fromStripe((provider) => provider.paymentIntents.retrieve(intentId, options), account);
    return { account, session, intent: read };
  } catch (error) {
    if (isRefusedByStripe(error)) return null;
    throw error;
  }
}

/** Nothing that another payment, or another practice, was paid by. */
const isOf = ({ _id, ownerId }: PaymentDoc, { metadata }: Stripe.Checkout.Session): boolean =>
  metadata?.["paymentId"] === _id && metadata["ownerId"] === ownerId;

async function settleSession({ ownerId, _id: id }: PaymentDoc, found: Found): Promise<string[]> {
  const { session, intent } = found;
  const ref = { ownerId, id };
  await PaymentModel.updateOne({ ownerId, _id: id }, { $addToSet: { sessionIds: session.id } });
  const words: string[] = [];
  if (!intent) return words;
  if (intent.status === "succeeded") await receive(ref, found, words);
  else if (intent.status === "processing") await nowOnItsWay(ref, words);
  else if (session.status === "complete") await nowFailed(ref, session.id, words);
  else if (intent.last_payment_error) await noteDecline(ref);
  return words;
}

/** The money is there. */
async function receive(ref: PaymentRef, { account, intent }: Found, words: string[]): Promise<void> {
  if (!intent) throw new Error("no payment was read");
  const { ownerId, id } = ref;
  await inTransaction(async () => {
    const known = await findPaymentDoc(ownerId, id);
    if (known.invoiceNumber !== "") await lockInvoice(ownerId, known.invoiceId);
    const doc = await findPaymentDoc(ownerId, id);
    if (isReceived(doc.status))
      return doc.intentId === intent.id ? undefined : receiveAgain(doc, { account, intent, words });
    // Money of another currency is no payment of this invoice; somebody has to say what it is.
    if (intent.currency.toUpperCase() !== doc.currency) return needsLookOnce(doc, intent.id);
    const received = await asReceived(doc, { account, intent });
    const anew = doc.deposit ? { "deposit.isSettled": false } : {};
    const set = { ...received, ...anew };
    const after = await move(systemScope(ownerId), id, { to: "succeeded", set, words: "Payment received" });
    words.push("received");
    if (doc.deposit) await invoiceDeposit(after);
    const { toCreditMinor } = await applyReceived(after);
    if (toCreditMinor > 0) await needsLook(after, "more_than_due");
    // What comes late for a booking may be in time for it yet.
    if (!doc.deposit && (doc.status === "cancelled" || doc.status === "expired")) await needsLook(after, "late");
    if (doc.attempt && doc.attempt.amountMinor !== intent.amount_received) await needsLook(after, "amount_differs");
  });
}

/** What was paid before a booking stands on an invoice from now on. */
async function invoiceDeposit(doc: PaymentDoc): Promise<void> {
  const { ownerId, _id, invoiceId: id, caseId, payer, payerName, currency, deposit } = doc;
  if (!deposit) return;
  const { number } = await issueForBooking(ownerId, { id, caseId, payer, payerName, currency, line: deposit.line });
  await PaymentModel.updateOne({ ownerId, _id }, { $set: { invoiceNumber: number } });
}

/** What somebody looked at is not asked about again, however often it is read. */
async function needsLookOnce(doc: PaymentDoc, intentId: string): Promise<void> {
  const { modifiedCount } = await PaymentModel.updateOne(
    { ownerId: doc.ownerId, _id: doc._id, strayIntents: mongoose.trusted({ $ne: intentId }) },
    { $push: { strayIntents: intentId } },
  );
  if (modifiedCount > 0) await needsLook(doc, "amount_differs");
}

interface Paid {
  account: string;
  intent: Stripe.PaymentIntent;
}

async function asReceived({ ownerId, method, reference }: PaymentDoc, { account, intent }: Paid) {
  const on = dayIn(await practiceTimeZone(ownerId), new Date(chargedAt(intent)));
  return {
    amountMinor: intent.amount_received,
    method,
    reference,
    account,
    intentId: intent.id,
    isOnItsWay: false,
    receivedOn: on,
    receiptNumber: await nextReceiptNumber(ownerId),
  };
}

function chargedAt({ latest_charge: charge, created }: Stripe.PaymentIntent): number {
  const at = typeof charge === "object" && charge !== null ? charge.created : undefined;
  return (at ?? created) * 1000;
}

/** The same link was paid a second time: that money is a payment of its own, and somebody has to give it back. */
async function receiveAgain(doc: PaymentDoc, { account, intent, words }: Paid & { words: string[] }): Promise<void> {
  const { ownerId, invoiceId } = doc;
  if (await PaymentModel.exists({ ownerId, account, intentId: intent.id })) return;
  if (intent.currency.toUpperCase() !== doc.currency) return needsLookOnce(doc, intent.id);
  const invoice = await findInvoice(ownerId, invoiceId);
  if (!invoice) throw new Error("the invoice of a payment is missing");
  const scope = systemScope(ownerId);
  const fields = { status: "succeeded" as const, ...(await asReceived(doc, { account, intent })) };
  const second = await insertPayment(scope, invoice, fields);
  await applyReceived(second);
  await tellOfPayment(scope, second, "Paid a second time");
  await needsLook(second, "paid_twice");
  words.push("paid twice");
}

async function nowOnItsWay({ ownerId, id }: PaymentRef, words: string[]): Promise<void> {
  const doc = await findPaymentDoc(ownerId, id);
  if (doc.isOnItsWay || isReceived(doc.status) || doc.status === "cancelled") return;
  await inTransaction(async () => {
    if (doc.status !== "pending") await move(systemScope(ownerId), id, { to: "pending", words: "Page to pay opened" });
    const { modifiedCount } = await PaymentModel.updateOne(
      { ownerId, _id: id, status: "pending", isOnItsWay: false },
      { $set: { isOnItsWay: true, method: "bank_debit" }, $inc: { version: 1 } },
    );
    if (modifiedCount === 0) return;
    words.push("on its way");
    await tellOfPayment(systemScope(ownerId), doc, "Payment on its way");
  });
}

/** What had been on its way was refused by the bank. */
async function nowFailed({ ownerId, id }: PaymentRef, sessionId: string, words: string[]): Promise<void> {
  const doc = await findPaymentDoc(ownerId, id);
  // What failed before, and is tried again, says nothing of that.
  if (doc.status !== "pending" || doc.attempt?.sessionId !== sessionId) return;
  await inTransaction(() =>
    move(systemScope(ownerId), id, {
      to: "failed",
      set: { isOnItsWay: false, method: "card", "attempt.expiresAt": new Date(0) },
      words: "Payment failed at the bank",
    }),
  );
  words.push("failed");
}

/** A card that was declined ends nothing: the payer can take another. */
async function noteDecline({ ownerId, id }: PaymentRef): Promise<void> {
  await PaymentModel.updateOne({ ownerId, _id: id }, { $set: { wasDeclined: true } });
}
