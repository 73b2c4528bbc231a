// What the provider tells of payments is only where to look: which payment it is about is read there.
import type Stripe from "stripe";
import { defineStripeEvents, type StripeEvent } from "../../core/stripe-events.ts";
import { fromStripe, isRefusedByStripe } from "../../core/stripe.ts";
import { settings } from "../../core/settings.ts";
import { PaymentModel, type PaymentRef } from "./payments.model.ts";
import { syncPayment } from "./settle-payment.ts";

const OF_PAYMENTS = /^(?:checkout\.session|payment_intent|charge|refund)\./;

defineStripeEvents({
  takes: ({ type, account, stripe_customer_id: customer }) =>
    customer === "" && OF_PAYMENTS.test(type) && (account === "" || settings().STRIPE_MODE === "connect"),
  async settle(event) {
    const found = await lookUp(event);
    if (!found) return false;
    await syncPayment(found.ref, found.sessionId === "" ? [] : [found.sessionId]);
    return true;
  },
});

interface Looked {
  ref: PaymentRef;
  sessionId: string;
}

/** The payment, where it is one of the practice in whose account this happened. */
async function lookUp(event: StripeEvent): Promise<Looked | null> {
  try {
    if (event.type.startsWith("checkout.session.")) return await bySession(event);
    const intentId = await intentOf(event);
    return intentId === null ? null : await byIntent(intentId, event.account);
  } catch (error) {
    if (isRefusedByStripe(error)) return null;
    throw error;
  }
}

async function bySession({ object_id: sessionId, account }: StripeEvent): Promise<Looked | null> {
  const session = await fromStripe(({ checkout }) => checkout.sessions.retrieve(sessionId), account);
  return withMetadata(session.metadata, account, sessionId);
}

async function byIntent(intentId: string, account: string): Promise<Looked | null> {
  const known = await PaymentModel.findOne({ account, intentId }, { ownerId: 1 }).setOptions({ anyOwner: true }).lean();
  if (known) return { ref: { ownerId: known.ownerId, id: known._id }, sessionId: "" };
  const intent = await fromStripe(({ paymentIntents }) => paymentIntents.retrieve(intentId), account);
  return withMetadata(intent.metadata, account, "");
}

/** Its words are ours only where they lead to a payment that was to be paid in this very account. */
async function withMetadata(
  metadata: Stripe.Metadata | null,
  account: string,
  sessionId: string,
): Promise<Looked | null> {
  const { paymentId = "", ownerId = "" } = metadata ?? {};
  if (paymentId === "" || ownerId === "") return null;
  const doc = await PaymentModel.findOne({ ownerId, _id: paymentId }, { attempt: 1, account: 1 }).lean();
  if (!doc || (doc.attempt?.account ?? doc.account) !== account) return null;
  return { ref: { ownerId, id: paymentId }, sessionId };
}

async function intentOf({ type, object_id: id, account }: StripeEvent): Promise<string | null> {
  if (type.startsWith("payment_intent.")) return id;
  const found = await fromStripe(async ({ refunds, disputes, charges }) => {
    if (type.startsWith("refund.") || type.startsWith("charge.refund.")) return refunds.retrieve(id);
    return type.startsWith("charge.dispute.") ? disputes.retrieve(id) : charges.retrieve(id);
  }, account);
  const { payment_intent: intent } = found;
  return typeof intent === "string" ? intent : (intent?.id ?? null);
}
