// Money that comes by no card payment here: a person says that it came, or that it will.
import { daysBetween } from "@app/shared/days";
import type { AnnouncePayment, ConfirmPayment, Payment, RecordPayment } from "@app/shared/payments";
import { whyPaymentNotBecome } from "@app/shared/payment-states";
import { inTransaction } from "../../core/database.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { lockInvoice } from "../invoices/invoices.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { stopPaying } from "./closing-pages.ts";
import { insertPayment, requireInvoice } from "./new-payments.ts";
import { amountOf, applyReceived, move, nextReceiptNumber, tellOfPayment } from "./payment-changes.ts";
import type { PaymentDoc } from "./payments.model.ts";
import { findVisiblePayment, getPayment, toPayment } from "./payments.service.ts";

const RECEIVED_AGO_DAYS = 731;

/** Money that is there. */
export async function recordPayment(scope: Scope, input: RecordPayment): Promise<Payment> {
  const { invoiceId, method, amountMinor, receivedOn, reference, keepsRest } = input;
  const { ownerId } = scope;
  await requireInvoice(scope, invoiceId);
  await assertLikely(scope, receivedOn);
  return inTransaction(async () => {
    const invoice = await lockInvoice(ownerId, invoiceId);
    await assertRest(ownerId, { amountMinor, keepsRest, ...invoice });
    const receiptNumber = await nextReceiptNumber(ownerId);
    const fields = { method, status: "succeeded" as const, amountMinor, receivedOn, reference, receiptNumber };
    const doc = await insertPayment(scope, invoice, fields);
    await applyReceived(doc);
    await tellOfPayment(scope, doc, "Payment received");
    return getPayment(scope, doc._id);
  });
}

/** A slip of the year would move it into the accounts of another. */
async function assertLikely(scope: Scope, receivedOn: string): Promise<void> {
  await assertNotLater(scope, "receivedOn", receivedOn);
  const today = await practiceToday(scope.ownerId);
  if (daysBetween(receivedOn, today) > RECEIVED_AGO_DAYS)
    throw badField("receivedOn", "This is more than two years ago. Look at the year.");
}

interface Rest {
  amountMinor: number;
  dueMinor: number;
  currency: string;
  keepsRest: boolean;
}

/** A slip of the keyboard is no gift: what is more than is due is kept for the payer only where that was said. */
async function assertRest(ownerId: string, { amountMinor, dueMinor, currency, keepsRest }: Rest): Promise<void> {
  if (amountMinor <= dueMinor || keepsRest) return;
  const due = await amountOf({ ownerId, amountMinor: dueMinor, currency });
  throw badField(
    "amountMinor",
    `Only ${due} is due. Correct the amount, or choose that the rest is kept for the payer.`,
  );
}

/** Money of which somebody says that it is on its way. */
export async function announcePayment(scope: Scope, input: AnnouncePayment): Promise<Payment> {
  const { invoiceId, method, amountMinor, reference } = input;
  await requireInvoice(scope, invoiceId);
  return inTransaction(async () => {
    const invoice = await lockInvoice(scope.ownerId, invoiceId);
    if (invoice.dueMinor === 0) throw wrongState("Nothing is due for this invoice any more.");
    if (amountMinor > invoice.dueMinor)
      throw badField(
        "amountMinor",
        `Only ${await amountOf({ ...invoice, amountMinor: invoice.dueMinor })} is due. Enter what is paid for this invoice; if more comes, say so then.`,
      );
    const fields = { method, status: "pending" as const, isOnItsWay: true, amountMinor, reference };
    const doc = await insertPayment(scope, invoice, fields);
    await tellOfPayment(scope, doc, "Payment announced");
    return toPayment(doc);
  });
}

const TAKEN_BACK = "This payment was recorded before and taken back. Record what came as a payment of its own.";

/** It came, perhaps with another amount than was announced. */
export async function confirmPayment(scope: Scope, input: ConfirmPayment): Promise<Payment> {
  const { id, version, amountMinor, receivedOn, reference, keepsRest } = input;
  const { ownerId } = scope;
  const before = await findVisiblePayment(scope, id);
  if (isByLink(before))
    throw wrongState("What is paid by the link is confirmed by the card payment provider alone. Nothing was changed.");
  const refusal = before.correction ? TAKEN_BACK : whyPaymentNotBecome(before.status, "succeeded");
  if (refusal) throw wrongState(refusal);
  await assertLikely(scope, receivedOn);
  return inTransaction(async () => {
    const invoice = await lockInvoice(ownerId, before.invoiceId);
    await assertRest(ownerId, { amountMinor, keepsRest, ...invoice });
    const doc = await move(scope, id, {
      to: "succeeded",
      version,
      set: { amountMinor, receivedOn, reference, isOnItsWay: false, receiptNumber: await nextReceiptNumber(ownerId) },
      words: "Payment received",
    });
    await applyReceived(doc);
    return getPayment(scope, id);
  });
}

export const isByLink = ({ tokenHash }: Pick<PaymentDoc, "tokenHash">): boolean => tokenHash !== undefined;

/** What was announced and does not come, or a link that shall not be paid any more. */
export async function cancelPayment(scope: Scope, { id, version }: { id: string; version: number }): Promise<Payment> {
  const before = await findVisiblePayment(scope, id);
  // Only after its page was closed it is known whether the payer was faster.
  const newest = isByLink(before) ? await stopPaying(before) : before;
  if (isByLink(newest) && newest.isOnItsWay)
    throw wrongState(
      "The money is on its way from the payer's bank, so it cannot be cancelled. Refund it once it is there.",
    );
  return inTransaction(async () => {
    const seen = newest.version === before.version ? version : newest.version;
    await move(scope, id, {
      to: "cancelled",
      version: seen,
      set: { isOnItsWay: false },
      words: isByLink(before) ? "Link to pay withdrawn" : "Announced payment cancelled",
    });
    return getPayment(scope, id);
  });
}
