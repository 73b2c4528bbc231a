// How somebody who comes back from paying, or opens their link, is told how it stands: what the server knows, and nothing
// of what any page says of itself.
import type { InvoiceForPayment } from "@app/shared/invoices";
import { daysBetween } from "@app/shared/days";
import { REGIONS } from "@app/shared/regions";
import { isReceived } from "@app/shared/payment-states";
import type { Outcome, outcomeSchema, PaymentOutcome } from "@app/shared/payments";
import type { z } from "zod";
import { SECOND_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { tooManyRequests } from "../../core/errors.ts";
import { describePause, networkOf } from "../../core/rate-limit.ts";
import { type Bucket, takeToken } from "../../core/token-bucket.ts";
import { notFound } from "../../core/visitor-refusals.ts";
import { findInvoice } from "../invoices/invoices.service.ts";
import { practiceRegion, practiceToday } from "../practices/practices.service.ts";
import type { ForParty } from "../visibility/for-party.service.ts";
import { askedBy, findByToken, isTold, whyNotPayable } from "./checkout.ts";
import { bookingOf } from "./deposit-effects.service.ts";
import { payPathOf } from "./payment-links.ts";
import { forPayer, practiceNameFor } from "./payer-guard.ts";
import { type PaymentDoc, PaymentModel, tokenOf } from "./payments.model.ts";

const LOOKED: Bucket = { size: 240, everyMs: SECOND_MS / 2 };

/** Before anything is looked up. */
export async function countLook(ip: string): Promise<void> {
  const { isTaken, waitMs } = await takeToken(`payment-look:${keyedHash(`ip:${networkOf(ip)}`)}`, LOOKED);
  if (!isTaken)
    throw tooManyRequests(`This was looked at very often from here. Try again in ${describePause(waitMs)}.`);
}

/** Throws NOT_FOUND for whatever leads nowhere, always alike. */
export async function outcomeFor(
  { ip }: { ip: string },
  { r, session }: z.output<typeof outcomeSchema>,
): Promise<ForParty<PaymentOutcome>> {
  await countLook(ip);
  const doc = r === undefined ? await findBySession(session) : await findByToken(r);
  if (!doc) throw notFound("Payment");
  return outcomeOfPayment(doc, session);
}

export async function outcomeOfPayment(doc: PaymentDoc, session?: string): Promise<ForParty<PaymentOutcome>> {
  const invoice = await findInvoice(doc.ownerId, doc.invoiceId);
  const outcome = await outcomeOf(doc, invoice, session);
  const isPayable = outcome === "open" || outcome === "failed" || outcome === "waiting";
  const isSettled = isReceived(doc.status) || doc.isOnItsWay;
  const practiceName = await practiceNameFor(doc);
  const secret = (await mayHaveSecret(doc, session)) ? tokenOf(doc) : "";
  return forPayer(doc, {
    outcome,
    practiceName,
    amountMinor: isSettled ? doc.amountMinor : askedBy(doc, invoice) || doc.amountMinor,
    refundedMinor: doc.refundedMinor,
    currency: doc.currency,
    locale: REGIONS[await practiceRegion(doc.ownerId)].locale,
    reference: doc.invoiceNumber,
    receiptNumber: doc.receiptNumber,
    receiptPath: isReceived(doc.status) && practiceName !== "" && secret !== "" ? `/payment-receipts?r=${secret}` : "",
    payPath: isPayable && secret !== "" ? payPathOf(doc) : "",
    booking: doc.deposit ? await bookingOf(doc) : null,
  });
}

/** Who has only the address that they came back to, as it stays in a browser, learns the link itself for a day. */
async function mayHaveSecret({ ownerId, status, receivedOn, attempt }: PaymentDoc, session?: string): Promise<boolean> {
  if (session === undefined) return true;
  if (!isReceived(status)) return attempt?.sessionId === session;
  return daysBetween(receivedOn, await practiceToday(ownerId)) <= 1;
}

async function findBySession(session: string | undefined): Promise<PaymentDoc | null> {
  if (session === undefined) return null;
  const doc = await PaymentModel.findOne({ sessionIds: session }).setOptions({ anyOwner: true }).lean();
  return doc && isTold(doc) ? doc : null;
}

async function outcomeOf(
  doc: PaymentDoc,
  invoice: InvoiceForPayment | null,
  session: string | undefined,
): Promise<Outcome> {
  const why = await whyNotPayable(doc, invoice);
  if (why !== null) return why;
  if (doc.status === "failed") return "failed";
  // Whoever comes back with the page they were on has paid, or says so: the provider has not.
  return session !== undefined && doc.attempt?.sessionId === session ? "waiting" : "open";
}
