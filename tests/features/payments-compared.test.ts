// What the practice recorded and what the provider has are compared, and what differs is put right: whatever died.
import { createLogger } from "@app/server/core/logger";
import { checkLedger } from "@app/server/features/invoices/ledger-check.service";
import { nightly } from "@app/server/features/payments/reconciliation";
import mongoose from "mongoose";
import { beforeEach, expect, test } from "vitest";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import { anOwedInvoice, aPaidPractice, aPayLink, aRefund, sessionAt } from "../support/stripe/paying.ts";

const stripe = forAllTests(startFakeStripe);
const app = forAllTests(() => startTestApp(stripe.connect));
const practice = forEachTest(() => aPaidPractice(app, stripe));
const stored = () => mongoose.connection.collection<{ _id: string }>("payments");
const payment = (id: string) => practice.api.payments.get.query({ id });
const reconcile = () => practice.api.payments.reconcile.mutate();
beforeEach(() => {
  stripe.state.afterWork = null;
  // Nobody is told anything.
  stripe.events.waiting.length = 0;
});

async function anOpenPage() {
  const { invoice } = await anOwedInvoice(practice);
  const link = await aPayLink(practice, invoice.id);
  return { ...link, invoice, session: await sessionAt(app, link.address) };
}

test("payments.reconcile: what was paid and never told is received, once, and told of", async () => {
  const { paymentId, session, invoice } = await anOpenPage();
  expect(await reconcile()).toMatchObject({ repaired: [], unread: 0 });
  stripe.pay(session);
  const [first, second] = await Promise.all([reconcile(), reconcile()]);
  const repaired = [...first.repaired, ...second.repaired];
  expect(repaired).toEqual([{ paymentId, words: "received" }]);
  expect(await practice.api.invoices.get.query({ id: invoice.id })).toMatchObject({ state: "paid" });
  expect(await practice.api.payments.reconciliation.query()).toMatchObject({ checked: 1 });
  expect(await reconcile()).toMatchObject({ repaired: [] });
  expect(await checkLedger(practice.ownerId)).toEqual([]);
});

test("payments.reconcile: a page whose making we did not live to store, when it was paid, is found by what it says", async () => {
  const { paymentId, session } = await anOpenPage();
  await stored().updateOne({ _id: paymentId }, { $set: { sessionIds: [], "attempt.sessionId": "" } });
  stripe.pay(session);
  const { repaired } = await reconcile();
  expect(repaired).toContainEqual({ paymentId, words: expect.stringMatching("page found, received") });
  expect(await payment(paymentId)).toMatchObject({ status: "succeeded" });
});

test("GET /pay/:token: after a page whose making we did not live to store, the same one opens", async () => {
  const { paymentId, address, session } = await anOpenPage();
  await stored().updateOne({ _id: paymentId }, { $set: { sessionIds: [], "attempt.sessionId": "" } });
  expect(await sessionAt(app, address)).toBe(session);
});

test("payments.reconcile: a refund whose answer never reached us is found, and is one refund", async () => {
  const { paymentId, session } = await anOpenPage();
  stripe.pay(session);
  await reconcile();
  stripe.state.afterWork = (path) => (path === "/v1/refunds" ? "hang up" : "answer");
  const asked = await practice.api.payments.refund.mutate(aRefund(paymentId, { amountMinor: 4000 }));
  expect(asked.refunds).toMatchObject([{ status: "asked" }]);
  stripe.state.afterWork = null;
  expect((await reconcile()).repaired).toEqual([{ paymentId, words: "refund succeeded" }]);
  expect(await payment(paymentId)).toMatchObject({ status: "partially_refunded", refundedMinor: 4000 });
  const there = [...stripe.ledger.refunds.values()].filter(({ account }) => account === practice.account);
  expect(there).toHaveLength(1);
  expect(await checkLedger(practice.ownerId)).toEqual([]);
});

test("payments.reconcile: what was refunded with the provider and never told is credited, and somebody is asked to look", async () => {
  const { paymentId, session } = await anOpenPage();
  stripe.pay(session);
  await reconcile();
  stripe.refundThere(stripe.ledger.sessions.get(session)?.intent ?? "", 2500);
  await reconcile();
  expect(await payment(paymentId)).toMatchObject({ refundedMinor: 2500, attentions: ["refunded_elsewhere"] });
});

test("payments.reconcile: while the provider is away it says how much was not read, and changes nothing", async () => {
  const { paymentId, session } = await anOpenPage();
  stripe.pay(session);
  stripe.state.isDown = true;
  const { unread, repaired } = await reconcile();
  stripe.state.isDown = false;
  expect(unread).toBeGreaterThan(0);
  expect(repaired).toEqual([]);
  expect(await payment(paymentId)).toMatchObject({ status: "pending" });
});

test("comparing at night: each practice that is paid by card, once a day", async () => {
  const { paymentId, session } = await anOpenPage();
  stripe.pay(session);
  await nightly.onAllDue(createLogger("silent"));
  expect(await payment(paymentId)).toMatchObject({ status: "succeeded" });
  const asked = stripe.requests.length;
  await nightly.onAllDue(createLogger("silent"));
  expect(stripe.requests.length).toBe(asked);
});
