// How somebody who comes back from paying, or opens their link, is told how it stands: what the server knows, and nothing
// of what any page says of itself.
import type { InvoiceForPayment } from "@app/shared/invoices";
import { REGIONS } from "@app/shared/regions";
import { isReceived } from "@app/shared/payment-states";
import type { Outcome, outcomeSchema, PaymentOutcome } from "@app/shared/payments";
import type { z } from "zod";
import { SECOND_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { tooManyRequests } from "../../core/errors.ts";
import { describePause, networkOf } from "../../core/rate-limit.ts";
import { systemScope } from "../../core/system-scope.ts";
import { type Bucket, takeToken } from "../../core/token-bucket.ts";
import { notFound } from "../../core/visitor-refusals.ts";
import { getCase } from "../cases/cases.service.ts";
import { isNeutralFor } from "../clients/neutral-words.service.ts";
import { findInvoice } from "../invoices/invoices.service.ts";
import { practiceNameOf, practiceRegion } from "../practices/practices.service.ts";
import { type ForParty, sealFor, sealForNoParty } from "../visibility/for-party.service.ts";
import { findByToken, whyNotPayable } from "./checkout.ts";
import { payPathOf } from "./payment-links.ts";
import { type PaymentDoc, PaymentModel } from "./payments.model.ts";

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
  const invoice = await findInvoice(doc.ownerId, doc.invoiceId);
  const outcome = await outcomeOf(doc, invoice, session);
  const isPayable = outcome === "open" || outcome === "failed" || outcome === "waiting";
  const paid = isReceived(doc.status) || doc.isOnItsWay;
  return sealed(doc, invoice, {
    outcome,
    amountMinor: paid || !invoice || invoice.dueMinor === 0 ? doc.amountMinor : invoice.dueMinor,
    refundedMinor: doc.refundedMinor,
    currency: doc.currency,
    locale: REGIONS[await practiceRegion(doc.ownerId)].locale,
    reference: doc.invoiceNumber,
    receiptNumber: doc.receiptNumber,
    payPath: isPayable ? payPathOf(doc) : "",
  });
}

async function findBySession(session: string | undefined): Promise<PaymentDoc | null> {
  if (session === undefined) return null;
  return PaymentModel.findOne({ sessionIds: session }).setOptions({ anyOwner: true }).lean();
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

/** For this payer alone: what a party owes is nobody else's to read, and neither is who asks them for it. */
async function sealed(
  { ownerId, payer, caseId }: PaymentDoc,
  invoice: InvoiceForPayment | null,
  content: Omit<PaymentOutcome, "practiceName">,
): Promise<ForParty<PaymentOutcome>> {
  const practiceName = await practiceNameOf(ownerId);
  if (payer.kind !== "party" || !invoice) return sealForNoParty(null, { ...content, practiceName }, []);
  const to = { theCase: await getCase(systemScope(ownerId), caseId), partyId: payer.partyId };
  const isNeutral = await isNeutralFor(systemScope(ownerId), to);
  const part = { visibility: invoice.visibility, since: null, changedAt: null };
  return sealFor(to, { ...content, practiceName: isNeutral ? "" : practiceName }, [part]);
}
