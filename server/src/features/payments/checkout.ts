// From our link to the provider's page: one page at a time, the same for whoever opens the link twice, and closed before
// another takes its place. Amount and currency are what the invoice has due then.
import type { InvoiceForPayment } from "@app/shared/invoices";
import { isOpenPayment, isReceived } from "@app/shared/payment-states";
import type { Outcome } from "@app/shared/payments";
import type Stripe from "stripe";
import { DAY_MS, HOUR_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { TOLERANCE_MS } from "../../core/due-times.ts";
import { publicUrl } from "../../core/settings.ts";
import { fromStripe, isAnsweredByStripe, isRefusedByStripe } from "../../core/stripe.ts";
import { systemScope } from "../../core/system-scope.ts";
import { findInvoice } from "../invoices/invoices.service.ts";
import { cardAccountOf } from "../payment-accounts/payment-accounts.service.ts";
import { takesFromOutside } from "../subscriptions/subscriptions.service.ts";
import { cardMinimum } from "./card-minimums.ts";
import { stopPaying } from "./closing-pages.ts";
import { findPaymentDoc, move } from "./payment-changes.ts";
import { type AttemptDoc, LINK_MAX_MS, type PaymentDoc, PaymentModel, tokenOf } from "./payments.model.ts";
import { syncPayment } from "./settle-payment.ts";

/** The provider keeps a page for a day at most. */
const PAGE_MS = 12 * HOUR_MS;
/** It takes none that is over sooner than in half an hour. */
const SHORTEST_MS = 35 * MINUTE_MS;
/** Of a time that is held: it is closed as soon as that ends. */
const HELD_PAGE_MS = 45 * MINUTE_MS;
const ROUNDS_MAX = 4;
/** So long after its end a link still says what became of it, and gives the receipt. */
const TOLD_MS = 90 * DAY_MS;

export async function findByToken(token: string): Promise<PaymentDoc | null> {
  const doc = await PaymentModel.findOne({ tokenHash: hashToken(token) })
    .setOptions({ anyOwner: true })
    .lean();
  return doc && isTold(doc) ? doc : null;
}

export const isTold = ({ linkUntil }: PaymentDoc): boolean =>
  linkUntil !== null && linkUntil.getTime() + TOLD_MS > now().getTime();

/** Whether the link of this payment leads anywhere still, and was not made by a wrong clock. */
const isLinkOpen = ({ linkUntil }: PaymentDoc): boolean =>
  linkUntil !== null && linkUntil > now() && linkUntil.getTime() <= now().getTime() + LINK_MAX_MS + TOLERANCE_MS;

/** Why nothing can be paid by this link now; null where it can. */
export async function whyNotPayable(
  doc: PaymentDoc,
  invoice: InvoiceForPayment | null,
): Promise<Exclude<Outcome, "open" | "waiting" | "failed"> | null> {
  if (isReceived(doc.status)) return doc.status === "succeeded" ? "paid" : "refunded";
  if (doc.isOnItsWay) return "on_its_way";
  // Money of another currency came: until somebody looked at it, nobody is asked to pay again.
  if (doc.attentions.includes("amount_differs")) return "in_question";
  if (doc.status === "cancelled") return "withdrawn";
  const dueMinor = askedBy(doc, invoice);
  // Whoever owes nothing needs no new link either.
  if (dueMinor === null) return doc.deposit ? "over" : "withdrawn";
  if (dueMinor === 0) return "nothing_due";
  if (!isLinkOpen(doc)) return "over";
  if (dueMinor < cardMinimum(doc.currency) || !(await takesFromOutside(doc.ownerId))) return "closed";
  return (await cardAccountOf(doc.ownerId)) ? null : "closed";
}

/** What is to be paid by this link now; null where it asks for nothing any more. */
export function askedBy({ deposit, amountMinor }: PaymentDoc, invoice: InvoiceForPayment | null): number | null {
  if (deposit) return deposit.isSettled ? null : amountMinor;
  if (!invoice || invoice.state === "draft") return null;
  return invoice.state === "void" ? 0 : invoice.dueMinor;
}

/** The address of the provider's page; null where the payer has to be told how it stands instead. */
export async function openPage(first: PaymentDoc): Promise<string | null> {
  let doc = first;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const invoice = await findInvoice(doc.ownerId, doc.invoiceId);
    const card = await cardAccountOf(doc.ownerId);
    const amountMinor = askedBy(doc, invoice);
    if (!card || amountMinor === null || (await whyNotPayable(doc, invoice)) !== null) return null;
    const wanted = { ...card, amountMinor };
    const step = isStillRight(doc.attempt, wanted) ? await pageOf(doc) : await beginAttempt(doc, wanted);
    if (typeof step === "string" || step === null) return step;
    doc = step;
  }
  return null;
}

type Wanted = Pick<AttemptDoc, "account" | "amountMinor">;

/** A page that is over soon is of no use any more, unless it is there already. */
function isStillRight(attempt: AttemptDoc | null, wanted: Wanted): attempt is AttemptDoc {
  if (!attempt || attempt.amountMinor !== wanted.amountMinor || attempt.account !== wanted.account) return false;
  const leftMs = attempt.expiresAt.getTime() - now().getTime();
  return leftMs > (attempt.sessionId === "" ? SHORTEST_MS : 0) && leftMs <= PAGE_MS + TOLERANCE_MS;
}

/** Whoever is first begins it; whoever comes at the same time goes on with the same one. */
async function beginAttempt(doc: PaymentDoc, { account, amountMinor }: Wanted): Promise<PaymentDoc | null> {
  const closed = await stopPaying(doc);
  if (closed.isOnItsWay || isReceived(closed.status)) return null;
  const n = (closed.attempt?.n ?? 0) + 1;
  const expiresAt = inWholeSeconds(doc.deposit ? HELD_PAGE_MS : PAGE_MS);
  const attempt: AttemptDoc = { n, account, amountMinor, expiresAt, sessionId: "" };
  const { ownerId, _id } = closed;
  try {
    await inTransaction(async () => {
      const isFirst = await PaymentModel.updateOne(
        { ownerId, _id, status: closed.status, ...(n === 1 ? { attempt: null } : { "attempt.n": n - 1 }) },
        { $set: { attempt, amountMinor } },
      );
      if (isFirst.modifiedCount === 1 && closed.status !== "pending")
        await move(systemScope(ownerId), _id, { to: "pending", words: "Page to pay opened" });
    });
  } catch (error) {
    // Another payment of this invoice is open by now.
    if (isDuplicateKey(error)) return null;
    throw error;
  }
  return PaymentModel.findOne({ ownerId, _id }).lean();
}

const inWholeSeconds = (ms: number): Date => new Date(Math.floor((now().getTime() + ms) / 1000) * 1000);

/** The page of the attempt that stands; asked for again with the same words where nobody knows whether it was made. */
async function pageOf(doc: PaymentDoc): Promise<string | null | PaymentDoc> {
  const { ownerId, _id, attempt } = doc;
  if (!attempt) throw new Error("there is no attempt to pay");
  const session = attempt.sessionId === "" ? await createSession(doc, attempt) : await readSession(attempt);
  const newest = await findPaymentDoc(ownerId, _id);
  if (session?.status === "open" && session.url && isOpenPayment(newest.status)) return session.url;
  // Withdrawn while it was being opened.
  if (session?.status === "open") await stopPaying(newest);
  // Paid meanwhile, or over before its time.
  if (session) await syncPayment({ ownerId, id: _id });
  await endAttempt(doc, attempt);
  return PaymentModel.findOne({ ownerId, _id }).lean();
}

/** Another takes its place. */
async function endAttempt({ ownerId, _id }: PaymentDoc, { n }: AttemptDoc): Promise<void> {
  await PaymentModel.updateOne({ ownerId, _id, "attempt.n": n }, { $set: { "attempt.expiresAt": new Date(0) } });
}

async function readSession({ sessionId, account }: AttemptDoc): Promise<Stripe.Checkout.Session | null> {
  try {
    return await fromStripe(({ checkout }) => checkout.sessions.retrieve(sessionId), account);
  } catch (error) {
    if (isRefusedByStripe(error)) return null;
    throw error;
  }
}

async function createSession(doc: PaymentDoc, attempt: AttemptDoc): Promise<Stripe.Checkout.Session> {
  const { ownerId, _id, currency, invoiceNumber, deposit } = doc;
  const metadata = { paymentId: _id, ownerId };
  const params: Stripe.Checkout.SessionCreateParams = {
    mode: "payment",
    client_reference_id: _id,
    // A time is held for as long as a card takes, and not for the days of a bank debit.
    ...(deposit ? { payment_method_types: ["card" as const] } : {}),
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: attempt.amountMinor,
          // Whatever a bank or a mail of the provider repeats says nothing of what it was for.
          product_data: { name: deposit ? "Appointment" : `Invoice ${invoiceNumber}` },
        },
      },
    ],
    metadata,
    payment_intent_data: { metadata },
    expires_at: attempt.expiresAt.getTime() / 1000,
    success_url: `${publicUrl()}/payment/success?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${publicUrl()}/payment/cancelled?r=${tokenOf(doc)}`,
  };
  const idempotencyKey = `pr_${_id}_v${attempt.n}`;
  const session = await fromStripe(
    ({ checkout }) => checkout.sessions.create(params, { idempotencyKey }),
    attempt.account,
  ).catch(async (error: unknown) => {
    // It would say the same to this key for a day.
    if (isAnsweredByStripe(error)) await endAttempt(doc, attempt);
    throw error;
  });
  await PaymentModel.updateOne(
    { ownerId, _id, "attempt.n": attempt.n },
    { $set: { "attempt.sessionId": session.id }, $addToSet: { sessionIds: session.id } },
  );
  return session;
}
