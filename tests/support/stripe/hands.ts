// What people do on the provider's own pages, and what becomes of it there.
import type { FakeLedger, FakeSession } from "./ledger.ts";
import type { makePost } from "./events.ts";
import * as shapes from "./shapes.ts";

type Post = ReturnType<typeof makePost>;

const needed = <Found>(found: Found | undefined, what: string): Found => {
  if (found === undefined) throw new Error(`the fake has no ${what}`);
  return found;
};

export function makeHands(ledger: FakeLedger, events: Post, urlOf: () => string) {
  const sessionOf = (id: string) => needed(ledger.sessions.get(id), `session ${id}`);
  const intentOf = (id: string | null) => needed(ledger.intents.get(id ?? ""), `payment ${id ?? ""}`);
  const tell = (type: string, session: FakeSession) =>
    events.emit(type, shapes.shownSession(session, urlOf()), session.account);

  function intentFor(session: FakeSession) {
    const known = ledger.intents.get(session.intent ?? "");
    if (known) return known;
    const { account, amount, currency, intentMetadata: metadata } = session;
    const base = { id: ledger.newId("pi"), account, amount, currency, metadata, session: session.id };
    const made = { ...base, received: 0, charge: null, declined: null, created: ledger.now() };
    const intent = { ...made, status: "requires_payment_method" as const };
    ledger.intents.set(intent.id, intent);
    session.intent = intent.id;
    return needed(ledger.intents.get(intent.id), "payment");
  }

  function succeed(session: FakeSession): void {
    const intent = intentFor(session);
    Object.assign(intent, { status: "succeeded", received: intent.amount, declined: null });
    intent.charge ??= ledger.newId("ch");
    Object.assign(session, { status: "complete", paymentStatus: "paid" });
  }

  return {
    /** Pays by card, and the money is there at once. */
    pay(id: string): void {
      const session = sessionOf(id);
      if (session.status !== "open") return;
      if (session.mode === "subscription") {
        const customer = session.customer ?? "";
        const price = session.price;
        ledger.subscriptions.set(customer, [{ id: ledger.newId("sub"), status: "trialing", price }]);
        session.status = "complete";
        return tell("checkout.session.completed", session);
      }
      succeed(session);
      tell("checkout.session.completed", session);
      events.emit("payment_intent.succeeded", shapes.shownIntent(ledger, intentFor(session), false), session.account);
    },
    /** The bank says no; the page stays open, and takes another card. */
    decline(id: string): void {
      const session = sessionOf(id);
      const intent = intentFor(session);
      Object.assign(intent, { status: "requires_payment_method", declined: "card_declined" });
      events.emit("payment_intent.payment_failed", shapes.shownIntent(ledger, intent, false), session.account);
    },
    /** A bank debit: accepted now, and known in days. */
    debit(id: string): void {
      const session = sessionOf(id);
      const intent = intentFor(session);
      Object.assign(intent, { status: "processing" });
      Object.assign(session, { status: "complete", paymentStatus: "unpaid" });
      tell("checkout.session.completed", session);
    },
    /** What became of a bank debit. */
    settleDebit(id: string, isPaid: boolean): void {
      const session = sessionOf(id);
      if (isPaid) {
        succeed(session);
        return tell("checkout.session.async_payment_succeeded", session);
      }
      Object.assign(intentOf(session.intent), { status: "requires_payment_method", declined: "debit_not_authorized" });
      tell("checkout.session.async_payment_failed", session);
    },
    /** Somebody refunds in the provider's dashboard. */
    refundThere(intentId: string, amount: number): string {
      const intent = intentOf(intentId);
      const refund = {
        id: ledger.newId("re"),
        account: intent.account,
        intent: intentId,
        amount,
        status: "succeeded" as const,
        metadata: {},
        created: ledger.now(),
      };
      ledger.refunds.set(refund.id, refund);
      events.emit("charge.refunded", shapes.shownCharge(ledger, intent), intent.account);
      return refund.id;
    },
    /** The bank sends a refund back, days later. */
    failRefund(id: string): void {
      const refund = needed(ledger.refunds.get(id), `refund ${id}`);
      refund.status = "failed";
      events.emit("refund.failed", shapes.shownRefund(refund, null), refund.account);
    },
    dispute(intentId: string): string {
      const intent = intentOf(intentId);
      const { account, amount } = intent;
      const dispute = { id: ledger.newId("dp"), account, intent: intentId, amount, created: ledger.now() };
      ledger.disputes.set(dispute.id, { ...dispute, status: "needs_response" });
      events.emit("charge.dispute.created", { ...dispute, payment_intent: intentId }, account);
      return dispute.id;
    },
    closeDispute(id: string, status: "won" | "lost"): void {
      const dispute = needed(ledger.disputes.get(id), `dispute ${id}`);
      dispute.status = status;
      events.emit("charge.dispute.closed", shapes.shownDispute(dispute, null), dispute.account);
    },
    /** A renewal that fails, a card that is put right: what becomes of all that a customer has. */
    setSubscriptions(customer: string, status: string): void {
      for (const one of needed(ledger.subscriptions.get(customer), `customer ${customer}`)) one.status = status;
      events.emit("customer.subscription.updated", { id: "sub_1", object: "subscription", customer }, "");
    },
    /** What onboarding comes to. */
    setCardPayments(id: string, status: "active" | "pending" | "restricted"): void {
      needed(ledger.accounts.get(id), `account ${id}`).cardPayments = status;
      const type = "v2.core.account[configuration.merchant].capability_status_updated";
      events.emitShort(type, { id, type: "v2.core.account" });
    },
  };
}
