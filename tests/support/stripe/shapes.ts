// How the provider shows what it keeps.
import {
  type FakeAccount,
  type FakeDispute,
  type FakeIntent,
  type FakeLedger,
  type FakeRefund,
  type FakeSession,
  type FakeSubscription,
  refundedOf,
} from "./ledger.ts";

export const shownSession = (session: FakeSession, url: string) => ({
  id: session.id,
  object: "checkout.session",
  mode: session.mode,
  status: session.status,
  payment_status: session.paymentStatus,
  amount_total: session.amount,
  currency: session.currency,
  customer: session.customer,
  client_reference_id: session.reference,
  metadata: session.metadata,
  payment_intent: session.intent,
  url: session.status === "open" ? `${url}/pay/${session.id}` : null,
  success_url: session.successUrl,
  cancel_url: session.cancelUrl,
  created: session.created,
  expires_at: session.expiresAt,
});

export const shownCharge = (ledger: FakeLedger, intent: FakeIntent) => ({
  id: intent.charge,
  object: "charge",
  amount: intent.amount,
  amount_refunded: refundedOf(ledger, intent.id),
  currency: intent.currency,
  payment_intent: intent.id,
  disputed: [...ledger.disputes.values()].some((dispute) => dispute.intent === intent.id),
  status: intent.status === "succeeded" ? "succeeded" : "pending",
});

export const shownIntent = (ledger: FakeLedger, intent: FakeIntent, isExpanded: boolean) => ({
  id: intent.id,
  object: "payment_intent",
  status: intent.status,
  amount: intent.amount,
  amount_received: intent.received,
  currency: intent.currency,
  customer: null,
  metadata: intent.metadata,
  latest_charge: isExpanded && intent.charge ? shownCharge(ledger, intent) : intent.charge,
  last_payment_error: intent.declined ? { code: intent.declined, message: "Your card was declined." } : null,
  created: intent.created,
});

export const shownRefund = (refund: FakeRefund, charge: string | null) => ({
  id: refund.id,
  object: "refund",
  amount: refund.amount,
  status: refund.status,
  payment_intent: refund.intent,
  charge,
  metadata: refund.metadata,
  created: refund.created,
});

export const shownDispute = (dispute: FakeDispute, charge: string | null) => ({
  id: dispute.id,
  object: "dispute",
  amount: dispute.amount,
  status: dispute.status,
  payment_intent: dispute.intent,
  charge,
  created: dispute.created,
});

const shownPrice = (id: string) => ({
  id,
  unit_amount: id.endsWith("yearly") ? 79_000 : 7900,
  currency: "gbp",
  recurring: { interval: id.endsWith("yearly") ? "year" : "month" },
});

export const shownSubscription = ({ id, status, price }: FakeSubscription) => ({
  object: "subscription",
  id,
  status,
  cancel_at_period_end: false,
  trial_end: status === "trialing" ? 1_900_000_000 : null,
  items: { object: "list", data: [{ id: "si_1", price: shownPrice(price), current_period_end: 1_900_000_000 }] },
});

export const shownAccount = ({ id, name, cardPayments }: FakeAccount) => ({
  id,
  object: "v2.core.account",
  display_name: name,
  configuration: {
    merchant: {
      applied: true,
      capabilities: { card_payments: { status: cardPayments, status_details: [] } },
    },
  },
  requirements: { entries: cardPayments === "active" ? [] : [{ description: "external_account" }] },
});

interface Page {
  limit?: number;
  starting_after?: string | undefined;
}

/** The newest first, a page at a time. */
export function asList(kept: { id: string }[], url: string, { limit = 10, starting_after: after }: Page = {}) {
  const all = kept.toReversed();
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  return { object: "list", data: all.slice(from, from + limit), has_more: all.length > from + limit, url };
}
