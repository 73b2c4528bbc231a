// Money that goes back by the provider: it is held back before it is asked for, and what the provider did is always entered.
import { createLogger } from "@app/server/core/logger";
import { HOUR_MS } from "@app/server/core/clock";
import { askAgain } from "@app/server/features/payments/refunds";
import mongoose from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { issuedInvoice, partyPayer } from "../support/server/invoiced.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { bookOf, expectSameBooks, refundsAskedLongAgo } from "../support/stripe/book.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import { anOwedInvoice, aPaidPractice, aPayLink, aRefund, sessionAt, settled } from "../support/stripe/paying.ts";

const stripe = forAllTests(startFakeStripe);
const app = forAllTests(() => startTestApp(stripe.connect));
const practice = forEachTest(() => aPaidPractice(app, stripe));
beforeEach(() => {
  stripe.events.waiting.length = 0;
  Object.assign(stripe.state, { isDown: false, afterWork: null });
});

const payment = (id: string) => practice.api.payments.get.query({ id });
const look = (id: string) => practice.api.invoices.get.query({ id });
const same = () => expectSameBooks(stripe, practice);
const refundsThere = (intent: string) => [...stripe.ledger.refunds.values()].filter((one) => one.intent === intent);
const titles = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title);

async function tell(): Promise<void> {
  await stripe.events.deliver(app.url);
  await settled();
}

async function paidByCard() {
  const owed = await anOwedInvoice(practice);
  const link = await aPayLink(practice, owed.invoice.id);
  const session = await sessionAt(app, link.address);
  stripe.pay(session);
  await tell();
  return { ...owed, ...link, intent: stripe.ledger.sessions.get(session)?.intent ?? "" };
}

async function credited(invoiceId: string) {
  const { id, version } = await look(invoiceId);
  await practice.api.invoices.credit.mutate({ id, version, amountMinor: 10_000, reason: "It was cancelled" });
}

/** What was paid by card was credited, and pays another invoice of the same payer. */
async function usedElsewhere() {
  const paid = await paidByCard();
  await credited(paid.invoice.id);
  const second = await issuedInvoice(practice, paid.theCase.id, partyPayer(paid.p1));
  await practice.api.invoices.useCredit.mutate({ id: second.id, version: second.version, amountMinor: 10_000 });
  return { ...paid, second };
}

/** The job that asks again for what nobody answered, a day and more later. */
async function askedAgainLater(): Promise<void> {
  stripe.forgetKeys();
  await mongoose.connection.collection("set_aside").deleteMany({ isPutBack: true });
  await refundsAskedLongAgo(practice);
  await askAgain(createLogger("silent"));
}

describe("what is not there to go back", () => {
  test("payments.refund: what was used for another invoice is refused before the provider is asked", async () => {
    const { paymentId, intent, second } = await usedElsewhere();
    const refused = await refusal(practice.api.payments.refund.mutate(aRefund(paymentId)));
    expect(refused).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect(refused.message).toMatch("used to pay another invoice");
    expect(refundsThere(intent)).toEqual([]);
    expect(await payment(paymentId)).toMatchObject({ refunds: [] });
    expect(await look(second.id)).toMatchObject({ state: "paid" });
    await same();
  });

  test("payments.refund: while it is asked for nobody uses the money, and once the provider is back it goes", async () => {
    const { paymentId, invoice, theCase, p1, intent } = await paidByCard();
    await credited(invoice.id);
    stripe.state.isDown = true;
    await practice.api.payments.refund.mutate(aRefund(paymentId));
    stripe.state.isDown = false;
    expect(await bookOf(practice)).toMatchObject({ refund_due: -10_000, credit: 0, card: 10_000 });
    const second = await issuedInvoice(practice, theCase.id, partyPayer(p1));
    const using = practice.api.invoices.useCredit.mutate({ id: second.id, version: second.version, amountMinor: 1 });
    expect((await refusal(using)).message).toMatch("more than is kept");
    await askedAgainLater();
    expect(await payment(paymentId)).toMatchObject({ status: "refunded", attentions: [] });
    expect(refundsThere(intent)).toHaveLength(1);
    await same();
  });

  test("payments.refund: two refunds of what was paid for one invoice never ask for more than that together", async () => {
    const { paymentId, invoice } = await paidByCard();
    stripe.state.isDown = true;
    await practice.api.payments.refund.mutate(aRefund(paymentId, { amountMinor: 6000, creditsInvoice: false }));
    expect(await look(invoice.id)).toMatchObject({ paidMinor: 4000, dueMinor: 6000 });
    stripe.state.isDown = false;
    const more = practice.api.payments.refund.mutate(aRefund(paymentId, { amountMinor: 5000 }));
    expect((await refusal(more)).message).toMatch("At most £40.00");
    await askedAgainLater();
    await same();
  });

  test("ask for refunds again: where nobody answers for a day somebody is asked to look, once", async () => {
    const { paymentId } = await paidByCard();
    stripe.state.isDown = true;
    await practice.api.payments.refund.mutate(aRefund(paymentId));
    await askAgain(createLogger("silent"));
    expect(await payment(paymentId)).toMatchObject({ attentions: [], refunds: [{ status: "asked" }] });
    await askedAgainLater();
    expect(await payment(paymentId)).toMatchObject({ attentions: ["refund_waits"] });
    await practice.api.payments.setLooked.mutate({ id: paymentId });
    await askAgain(createLogger("silent"));
    stripe.state.isDown = false;
    expect(await payment(paymentId)).toMatchObject({ attentions: [] });
    await askedAgainLater();
    expect(await payment(paymentId)).toMatchObject({ status: "refunded" });
    await same();
  });

  test("payments.refund: what the provider refuses is owed as before, and what is held for the payer stays so", async () => {
    const { paymentId, invoice, intent } = await paidByCard();
    stripe.refundThere(intent, 10_000);
    const refused = await practice.api.payments.refund.mutate(aRefund(paymentId, { creditsInvoice: false }));
    expect(refused).toMatchObject({ refunds: [{ status: "failed" }], attentions: ["refund_failed"] });
    expect(await look(invoice.id)).toMatchObject({ state: "paid", dueMinor: 0, creditMinor: 0 });
    await tell();
    await same();
  });

  test("payments.refund: what came by card is returned by hand only after the provider could not return it", async () => {
    const { paymentId, intent } = await paidByCard();
    const on = (await payment(paymentId)).receivedOn;
    const byHand = { on, method: "bank_transfer" as const };
    const early = practice.api.payments.refund.mutate(aRefund(paymentId, { byHand }));
    expect((await refusal(early)).message).toMatch("by the way it came");
    await practice.api.payments.refund.mutate(aRefund(paymentId));
    stripe.failRefund(refundsThere(intent)[0]?.id ?? "");
    await tell();
    const returned = await practice.api.payments.refund.mutate(aRefund(paymentId, { byHand }));
    expect(returned).toMatchObject({ status: "refunded", refundableMinor: 0 });
    expect(refundsThere(intent)).toHaveLength(1);
    expect(await bookOf(practice)).toMatchObject({ card: 10_000, bank: -10_000, credit: 0 });
    await same();
  });
});

describe("what the provider did is entered", () => {
  test("payments.reconcile: what was refunded there after it was used here makes that due again, and somebody is asked to look", async () => {
    const { paymentId, intent, second } = await usedElsewhere();
    stripe.refundThere(intent, 10_000);
    await tell();
    expect(await payment(paymentId)).toMatchObject({
      status: "refunded",
      attentions: ["credit_was_used", "refunded_elsewhere"],
    });
    expect(await look(second.id)).toMatchObject({ state: "issued", dueMinor: 10_000, creditMinor: 0 });
    expect(await titles()).toContainEqual(expect.stringMatching("had been used for another invoice"));
    await same();
  });

  test.each([
    ["in part", 4000, "partially_refunded"],
    ["whole", 10_000, "refunded"],
  ])(
    "ask for refunds again: one made %s whose answer was lost is found a day later, and is one",
    async (_, amountMinor, status) => {
      const { paymentId, intent } = await paidByCard();
      stripe.state.afterWork = (path) => (path === "/v1/refunds" ? "hang up" : "answer");
      await practice.api.payments.refund.mutate(aRefund(paymentId, { amountMinor }));
      stripe.state.afterWork = null;
      stripe.events.waiting.length = 0;
      await askedAgainLater();
      expect(await payment(paymentId)).toMatchObject({ status, refundedMinor: amountMinor, attentions: [] });
      expect(refundsThere(intent)).toHaveLength(1);
      await same();
    },
  );

  test("payments.reconcile: a refund that was taken for failed and went is found, and one that names it is another", async () => {
    const { paymentId, intent } = await paidByCard();
    stripe.state.isDown = true;
    await practice.api.payments.refund.mutate(aRefund(paymentId, { amountMinor: 3000 }));
    stripe.state.isDown = false;
    const refundId = (await payment(paymentId)).refunds[0]?.id ?? "";
    // Another one is in the way, and is gone when all is compared.
    const there = stripe.refundThere(intent, 10_000);
    await refundsAskedLongAgo(practice);
    await askAgain(createLogger("silent"));
    expect(await payment(paymentId)).toMatchObject({ refunds: [{ status: "failed" }] });
    stripe.ledger.refunds.delete(there);
    for (const _ of ["ours", "the same again"]) {
      const id = stripe.refundThere(intent, 3000);
      const refund = stripe.ledger.refunds.get(id);
      if (refund) refund.metadata = { refundId };
    }
    stripe.events.waiting.length = 0;
    await practice.api.payments.reconcile.mutate();
    expect(await payment(paymentId)).toMatchObject({ refundedMinor: 6000, status: "partially_refunded" });
    expect((await payment(paymentId)).attentions).toContain("refunded_elsewhere");
    await same();
  });

  test("/webhooks/stripe: a dispute that is lost takes the money out of the book, and it is due again", async () => {
    const { paymentId, invoice, intent } = await paidByCard();
    const dispute = stripe.dispute(intent);
    stripe.closeDispute(dispute, "lost");
    await tell();
    await tell();
    expect(await payment(paymentId)).toMatchObject({
      dispute: "lost",
      status: "refunded",
      refundableMinor: 0,
      attentions: ["dispute_lost"],
    });
    expect(await look(invoice.id)).toMatchObject({ state: "issued", dueMinor: 10_000 });
    await same();
  });

  test("/webhooks/stripe: a dispute that is lost after all was refunded leaves the payer owing it", async () => {
    const { paymentId, intent } = await paidByCard();
    await practice.api.payments.refund.mutate(aRefund(paymentId));
    stripe.closeDispute(stripe.dispute(intent), "lost");
    await tell();
    expect(await payment(paymentId)).toMatchObject({ status: "refunded", refundedMinor: 20_000, refundableMinor: 0 });
    expect(await bookOf(practice)).toMatchObject({ card: -10_000, credit: 10_000 });
    expect((await payment(paymentId)).attentions).toContain("credit_was_used");
  });

  test("payments.reconcile: a refund and a lost dispute of a payment of long ago are found by the provider's lists", async () => {
    const [one, other] = [await paidByCard(), await paidByCard()];
    const longAgo = new Date(Date.now() - 90 * 24 * HOUR_MS);
    await mongoose.connection
      .collection("payments")
      .updateMany({ ownerId: practice.ownerId }, { $set: { createdAt: longAgo } });
    stripe.refundThere(one.intent, 1050);
    // More than the provider tells at once.
    for (let n = 0; n < 105; n += 1) {
      const refund = stripe.ledger.refunds.get(stripe.refundThere(one.intent, 10));
      if (refund) refund.status = "failed";
    }
    stripe.closeDispute(stripe.dispute(other.intent), "lost");
    stripe.events.waiting.length = 0;
    await practice.api.payments.reconcile.mutate();
    expect(await payment(one.paymentId)).toMatchObject({ refundedMinor: 1050 });
    expect(await payment(other.paymentId)).toMatchObject({ dispute: "lost" });
    await same();
    expect(await practice.api.payments.reconcile.mutate()).toMatchObject({ repaired: [], unread: 0 });
  });

  test("payments.reconcile: what was paid late by a link that was withdrawn long ago is found by its page", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const link = await aPayLink(practice, invoice.id);
    const session = await sessionAt(app, link.address);
    const { id, version } = await payment(link.paymentId);
    await practice.api.payments.cancel.mutate({ id, version });
    const page = stripe.ledger.sessions.get(session);
    if (page) page.status = "open";
    stripe.pay(session);
    stripe.events.waiting.length = 0;
    const createdAt = new Date(Date.now() - 20 * 24 * HOUR_MS);
    await mongoose.connection.collection<{ _id: string }>("payments").updateOne({ _id: id }, { $set: { createdAt } });
    await practice.api.payments.reconcile.mutate();
    expect(await payment(id)).toMatchObject({ status: "succeeded", attentions: ["late"] });
    await same();
  });
});
