// An invoice is paid by card: from our link to the provider's page and back, with what the provider tells of it.
import { ClientModel } from "@app/server/features/clients/clients.model";
import { checkLedger } from "@app/server/features/invoices/ledger-check.service";
import { settleDueEvents } from "@app/server/core/stripe-events";
import { askAgain } from "@app/server/features/payments/refunds";
import { expireLinks } from "@app/server/features/payments/payment-links";
import { newId } from "@app/server/core/ids";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { createLogger } from "@app/server/core/logger";
import { DAY_MS } from "@app/server/core/clock";
import mongoose from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aVisitor } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { post, signed, STRIPE_CONNECT_SECRET, STRIPE_SECRET } from "../support/stripe/events.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import {
  anOwedInvoice,
  aPaidPractice,
  aPayLink,
  aRecord,
  aRefund,
  follow,
  sessionAt,
  settled,
} from "../support/stripe/paying.ts";

const stripe = forAllTests(startFakeStripe);
const app = forAllTests(() => startTestApp(stripe.connect));
const practice = forEachTest(() => aPaidPractice(app, stripe));
beforeEach(() => {
  stripe.events.waiting.length = 0;
  stripe.state.isDown = false;
});

const look = (id: string) => practice.api.invoices.get.query({ id });
const payment = (id: string) => practice.api.payments.get.query({ id });
const payments = () => practice.api.payments.list.query({});
const outcome = (input: { r?: string; session?: string }) => aVisitor(app).api.payments.outcome.query(input);
const right = async () => expect(await checkLedger(practice.ownerId)).toEqual([]);

async function tell(how: Parameters<typeof stripe.events.deliver>[1] = {}): Promise<void> {
  const statuses = await stripe.events.deliver(app.url, how);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await settled();
}

async function aLink() {
  const { invoice } = await anOwedInvoice(practice);
  return { invoice, ...(await aPayLink(practice, invoice.id)) };
}

async function paidByCard() {
  const link = await aLink();
  const session = await sessionAt(app, link.address);
  stripe.pay(session);
  await tell();
  return { ...link, session };
}

const intentOf = (session: string): string => stripe.ledger.sessions.get(session)?.intent ?? "";

describe("the link", () => {
  test("GET /pay/:token: leads to a page for what is due, in the practice's account, and says nothing of what it is for", async () => {
    const { address, paymentId, invoice } = await aLink();
    const session = stripe.ledger.sessions.get(await sessionAt(app, address));
    expect(session).toMatchObject({
      account: practice.account,
      amount: 10_000,
      currency: "gbp",
      description: `Invoice ${invoice.number}`,
      reference: paymentId,
      metadata: { paymentId, ownerId: practice.ownerId },
    });
    expect(await payment(paymentId)).toMatchObject({ status: "pending", isOnItsWay: false });
  });

  test("GET /pay/:token: two tabs at once, and Back and again, lead to one page", async () => {
    const { address } = await aLink();
    const addresses = await Promise.all(Array.from({ length: 6 }, () => follow(app, address)));
    expect(new Set([...addresses, await follow(app, address)]).size).toBe(1);
    const made = [...stripe.ledger.sessions.values()].filter(({ account }) => account === practice.account);
    expect(made).toHaveLength(1);
  });

  test("GET /pay/:token: a page that is over is replaced, and one for another amount is closed first", async () => {
    const { address, invoice } = await aLink();
    const first = await sessionAt(app, address);
    await practice.api.payments.record.mutate(aRecord(invoice.id, { amountMinor: 4000 }));
    expect(stripe.ledger.sessions.get(first)?.status).toBe("expired");
    const second = await sessionAt(app, address);
    expect(stripe.ledger.sessions.get(second)).toMatchObject({ status: "open", amount: 6000 });
    const session = stripe.ledger.sessions.get(second);
    if (session) session.status = "expired";
    const third = await sessionAt(app, address);
    expect(third).not.toBe(second);
    stripe.pay(third);
    await tell();
    expect(await look(invoice.id)).toMatchObject({ state: "paid", creditMinor: 0 });
    await right();
  });

  test("GET /pay/:token: a page for another amount that was paid meanwhile stays paid, and no second one opens", async () => {
    const { address, invoice, paymentId } = await aLink();
    const first = await sessionAt(app, address);
    stripe.state.isDown = true;
    await practice.api.payments.record.mutate(aRecord(invoice.id, { amountMinor: 4000 }));
    stripe.state.isDown = false;
    stripe.pay(first);
    expect(await follow(app, address)).toMatch("/payment/success?r=");
    expect(await payment(paymentId)).toMatchObject({ status: "succeeded", toInvoiceMinor: 6000, toCreditMinor: 4000 });
    await tell();
    await right();
  });

  test("GET /pay/:token: once it is paid it leads to the page that says so; a wrong one says nothing", async () => {
    const { address } = await paidByCard();
    expect(await follow(app, address)).toMatch("/payment/success?r=");
    const wrong = `/pay/${"t".repeat(43)}`;
    expect(await follow(app, wrong)).toMatch(/\/payment\/cancelled$/);
    expect((await refusal(outcome({ r: "t".repeat(43) }))).code).toBe("NOT_FOUND");
    expect((await refusal(outcome({ session: "cs_of_nobody" }))).code).toBe("NOT_FOUND");
  });

  test("GET /pay/:token: while the provider is away it leads to our page, and afterwards to the provider's", async () => {
    const { address } = await aLink();
    stripe.state.isDown = true;
    expect(await follow(app, address)).toMatch("busy=yes");
    stripe.state.isDown = false;
    expect(await follow(app, address)).toMatch(`${stripe.url}/pay/cs_`);
  });

  test("payments.checkoutLink: asked for twice it is the same link, and none is made while money is on its way", async () => {
    const { invoice, address } = await aLink();
    expect((await aPayLink(practice, invoice.id)).address).toBe(address);
    const session = await sessionAt(app, address);
    stripe.debit(session);
    await tell();
    const told = { id: "told", invoiceId: invoice.id, method: "cheque", amountMinor: 100, reference: "" } as const;
    expect((await refusal(practice.api.payments.announce.mutate(told))).message).toMatch("is open");
  });

  test("invoices.send: says where to pay by card, by the one link of the invoice, and nothing of it where none can be", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const { address } = await aPayLink(practice, invoice.id);
    await practice.api.invoices.send.mutate({ id: invoice.id, changeId: newId() });
    stripe.setCardPayments(practice.account, "restricted");
    await practice.api.invoices.send.mutate({ id: invoice.id, changeId: newId() });
    const mails = (await OutboxModel.find({ ownerId: practice.ownerId }).lean()).map(contentOf);
    expect(mails.filter(({ text }) => text.includes(address))).toHaveLength(1);
    expect(mails).toHaveLength(2);
  });

  test("payments.checkoutLink: an account that may not take cards any more makes no link", async () => {
    const { invoice } = await anOwedInvoice(practice);
    stripe.setCardPayments(practice.account, "restricted");
    const refused = await refusal(practice.api.payments.checkoutLink.mutate({ invoiceId: invoice.id, days: 30 }));
    expect(refused).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect(refused.message).toMatch("cannot take cards yet");
  });

  test("payments.cancel: closes the page first; where the payer was faster it is paid and stays so", async () => {
    const withdrawn = await aLink();
    const session = await sessionAt(app, withdrawn.address);
    const { id, version } = await payment(withdrawn.paymentId);
    expect(await practice.api.payments.cancel.mutate({ id, version })).toMatchObject({ status: "cancelled" });
    expect(stripe.ledger.sessions.get(session)?.status).toBe("expired");
    expect(await outcome({ r: withdrawn.token })).toMatchObject({ outcome: "withdrawn", payPath: "" });
    const faster = await aLink();
    stripe.pay(await sessionAt(app, faster.address));
    const seen = await payment(faster.paymentId);
    const refused = await refusal(practice.api.payments.cancel.mutate({ id: seen.id, version: seen.version }));
    expect(refused.message).toMatch("received, so it cannot become cancelled");
    expect(await payment(faster.paymentId)).toMatchObject({ status: "succeeded" });
    await right();
  });
});

describe("what the payer is told", () => {
  test("payments.outcome: coming back proves nothing, and what the provider tells does", async () => {
    const { address, paymentId, invoice } = await aLink();
    const session = await sessionAt(app, address);
    stripe.pay(session);
    expect(await outcome({ session })).toMatchObject({
      outcome: "waiting",
      amountMinor: 10_000,
      reference: invoice.number,
      practiceName: practice.practiceName,
    });
    expect(await payment(paymentId)).toMatchObject({ status: "pending" });
    await tell();
    expect(await outcome({ session })).toMatchObject({ outcome: "paid", receiptNumber: "R-00001", payPath: "" });
    expect(await look(invoice.id)).toMatchObject({ state: "paid" });
  });

  test("payments.outcome: somebody who must be reached discreetly is not told whose page it is", async () => {
    const { invoice, p1 } = await anOwedInvoice(practice);
    const { token } = await aPayLink(practice, invoice.id);
    await ClientModel.updateOne(
      { ownerId: practice.ownerId, _id: p1.clientId },
      { $set: { "safeContact.codeWord": "Blue", isRestricted: true } },
    );
    expect(await outcome({ r: token })).toMatchObject({ outcome: "open", practiceName: "" });
  });

  test("GET /payment-receipts: whoever paid gets a receipt by their link, and nobody who must be reached discreetly", async () => {
    const { token, invoice, paymentId } = await paidByCard();
    const receipt = () => fetch(`${app.url}/payment-receipts?r=${token}`);
    const { receiptPath } = await outcome({ r: token });
    expect(receiptPath).toBe(`/payment-receipts?r=${token}`);
    const text = await wordsOfPdf(new Uint8Array(await (await receipt()).arrayBuffer()));
    for (const words of ["receipt r-00001", "£100.00", `invoice ${invoice.number}`, "by card"])
      expect(text).toContain(words.toLowerCase());
    expect(text).not.toContain("castell");
    await ClientModel.updateOne(
      { ownerId: practice.ownerId, _id: invoice.payer.kind === "party" ? invoice.payer.clientId : "" },
      { $set: { "safeContact.codeWord": "Blue", isRestricted: true } },
    );
    expect((await receipt()).status).toBe(404);
    expect(await outcome({ r: token })).toMatchObject({ receiptPath: "" });
    const open = await aLink();
    expect((await fetch(`${app.url}/payment-receipts?r=${open.token}`)).status).toBe(404);
    const cookie = practice.cookies();
    const own = await fetch(`${app.url}/export/receipts/${paymentId}.pdf`, {
      headers: { cookie, origin: app.url, "sec-fetch-site": "same-origin" },
    });
    expect(own.headers.get("content-disposition")).toMatch("receipt-R-00001.pdf");
  });

  test("payments.outcome: a declined card ends nothing, and another card pays", async () => {
    const { address, paymentId } = await aLink();
    const session = await sessionAt(app, address);
    stripe.decline(session);
    await tell();
    expect(await payment(paymentId)).toMatchObject({ status: "pending", wasDeclined: true });
    expect(await sessionAt(app, address)).toBe(session);
    stripe.pay(session);
    await tell();
    expect(await payment(paymentId)).toMatchObject({ status: "succeeded" });
  });

  test("payments.outcome: a bank debit is on its way for days, and then there", async () => {
    const { address, paymentId, invoice } = await aLink();
    const session = await sessionAt(app, address);
    stripe.debit(session);
    await tell();
    expect(await outcome({ session })).toMatchObject({ outcome: "on_its_way", payPath: "" });
    expect(await payment(paymentId)).toMatchObject({ status: "pending", isOnItsWay: true });
    expect(await look(invoice.id)).toMatchObject({ state: "issued" });
    expect(await follow(app, address)).toMatch("/payment/success");
    const { id, version } = await payment(paymentId);
    expect((await refusal(practice.api.payments.cancel.mutate({ id, version }))).message).toMatch("on its way");
    stripe.settleDebit(session, true);
    await tell();
    expect(await payment(paymentId)).toMatchObject({ status: "succeeded", isOnItsWay: false, method: "bank_debit" });
    await right();
  });

  test("payments.outcome: a bank debit that fails can be tried again by the same link", async () => {
    const { address, token, paymentId, invoice } = await aLink();
    const session = await sessionAt(app, address);
    stripe.debit(session);
    await tell();
    stripe.settleDebit(session, false);
    await tell();
    expect(await payment(paymentId)).toMatchObject({ status: "failed", isOnItsWay: false });
    expect(await outcome({ r: token })).toMatchObject({ outcome: "failed", payPath: address });
    const again = await sessionAt(app, address);
    expect(again).not.toBe(session);
    stripe.pay(again);
    await tell();
    expect(await payment(paymentId)).toMatchObject({ status: "succeeded" });
    expect(await look(invoice.id)).toMatchObject({ state: "paid", creditMinor: 0 });
    await right();
  });
});

describe("what the provider tells", () => {
  test("/webhooks/stripe: told fifty times, in any order and all at once, each thing counts once", async () => {
    const { session, paymentId, invoice } = await paidByCard();
    await practice.api.payments.refund.mutate(aRefund(paymentId, { amountMinor: 3000 }));
    stripe.refundThere(intentOf(session), 1000);
    const told = stripe.events.all.filter(({ account }) => account === practice.account);
    stripe.events.waiting.push(...told.filter((one) => !stripe.events.waiting.includes(one)));
    await tell({ copies: 50, isShuffled: true, isTogether: true });
    expect(await payment(paymentId)).toMatchObject({
      status: "partially_refunded",
      refundedMinor: 4000,
      attentions: ["refunded_elsewhere"],
    });
    expect(await look(invoice.id)).toMatchObject({ creditedMinor: 4000, dueMinor: 0 });
    expect((await payments()).total).toBe(1);
    await right();
  });

  test("/webhooks/stripe: what came while the provider was away is settled when it is back", async () => {
    const { address, paymentId } = await aLink();
    stripe.pay(await sessionAt(app, address));
    stripe.state.isDown = true;
    expect(new Set(await stripe.events.deliver(app.url))).toEqual(new Set([200]));
    const events = mongoose.connection.collection("stripe_events");
    await expect.poll(() => events.countDocuments({ attempts: { $gt: 0 } }), { timeout: 15_000 }).toBeGreaterThan(0);
    expect(await payment(paymentId)).toMatchObject({ status: "pending" });
    stripe.state.isDown = false;
    await events.updateMany({ state: "received" }, { $set: { retry_at: new Date() } });
    await settleDueEvents(createLogger("silent"));
    expect(await payment(paymentId)).toMatchObject({ status: "succeeded" });
  });

  test("/webhooks/stripe: what happened in another practice's account changes nothing, whatever it says", async () => {
    const { paymentId, address } = await aLink();
    const other = await aPaidPractice(app, stripe);
    const forged = await anOwedInvoice(other);
    const theirs = await aPayLink(other, forged.invoice.id);
    const theirSession = await sessionAt(app, theirs.address);
    await follow(app, address);
    const session = stripe.ledger.sessions.get(theirSession);
    if (session) session.metadata = { paymentId, ownerId: practice.ownerId };
    stripe.pay(theirSession);
    await tell();
    expect(await payment(paymentId)).toMatchObject({ status: "pending" });
    expect(await other.api.payments.get.query({ id: theirs.paymentId })).toMatchObject({ status: "pending" });
  });

  test.each([
    ["signed with another secret", { secret: "whsec_wrong" }, 400],
    ["of six minutes ago", { secret: STRIPE_CONNECT_SECRET, secondsAgo: 360 }, 400],
    ["of six minutes ahead", { secret: STRIPE_CONNECT_SECRET, secondsAgo: -360 }, 400],
    ["of a connected account by the secret of the installation's own", { secret: STRIPE_SECRET }, 400],
  ])("/webhooks/stripe: an event %s is refused and changes nothing", async (_how, signing, status) => {
    const { address, paymentId } = await aLink();
    stripe.pay(await sessionAt(app, address));
    const [told] = stripe.events.waiting.splice(0);
    expect(await post(app.url, signed(told?.payload ?? "", signing))).toBe(status);
    expect(await payment(paymentId)).toMatchObject({ status: "pending" });
  });

  test("/webhooks/stripe: what is paid after it was cancelled is received, and somebody is asked to look", async () => {
    const { address, paymentId } = await aLink();
    const session = await sessionAt(app, address);
    const { id, version } = await payment(paymentId);
    await practice.api.payments.cancel.mutate({ id, version });
    const page = stripe.ledger.sessions.get(session);
    if (page) page.status = "open";
    stripe.pay(session);
    await tell();
    expect(await payment(paymentId)).toMatchObject({ status: "succeeded", attentions: ["late"] });
    const { items } = await practice.api.tasks.list.query({});
    expect(items.map(({ title }) => title)).toContainEqual(expect.stringMatching("it came late"));
    expect(await practice.api.payments.setLooked.mutate({ id })).toMatchObject({ attentions: [] });
    await right();
  });

  test("/webhooks/stripe: a second payment by one link is kept for the payer, and somebody is asked to look", async () => {
    const { session, paymentId, address } = await paidByCard();
    const first = stripe.ledger.sessions.get(session);
    if (!first) throw new Error("no page");
    const copy = { ...first, id: `${session}copy`, status: "open" as const, paymentStatus: "unpaid" as const };
    stripe.ledger.sessions.set(copy.id, { ...copy, intent: null });
    stripe.pay(copy.id);
    await tell({ copies: 3, isShuffled: true });
    const { items, total } = await payments();
    expect(total).toBe(2);
    expect(items[0]).toMatchObject({ status: "succeeded", toCreditMinor: 10_000, attentions: ["paid_twice"] });
    expect(items[1]).toMatchObject({ id: paymentId, toInvoiceMinor: 10_000, attentions: [] });
    expect(await follow(app, address)).toMatch("/payment/success");
    const second = items[0]?.id ?? "";
    await practice.api.payments.refund.mutate(aRefund(second));
    expect(await payment(second)).toMatchObject({ status: "refunded" });
    stripe.failRefund([...stripe.ledger.refunds.keys()].at(-1) ?? "");
    await tell();
    expect(await payment(second)).toMatchObject({ status: "succeeded", attentions: ["paid_twice", "refund_failed"] });
    await right();
  });

  test("/webhooks/stripe: money of another currency pays nothing, and somebody is asked to look", async () => {
    const { address, paymentId, invoice } = await aLink();
    const session = await sessionAt(app, address);
    const page = stripe.ledger.sessions.get(session);
    if (page) page.currency = "jpy";
    stripe.pay(session);
    await tell();
    expect(await payment(paymentId)).toMatchObject({ status: "pending", attentions: ["amount_differs"] });
    expect(await look(invoice.id)).toMatchObject({ state: "issued", dueMinor: 10_000 });
    await right();
  });

  test("/webhooks/stripe: a dispute is a flag, and is over when it is won", async () => {
    const { session, paymentId } = await paidByCard();
    const dispute = stripe.dispute(intentOf(session));
    await tell();
    expect(await payment(paymentId)).toMatchObject({
      status: "succeeded",
      dispute: "open",
      attentions: ["disputed"],
    });
    stripe.closeDispute(dispute, "won");
    await tell();
    expect(await payment(paymentId)).toMatchObject({ dispute: "won" });
  });
});

describe("payments.refund", () => {
  test("payments.refund: goes back by the way it came, once, in parts and whole", async () => {
    const { paymentId, session, invoice } = await paidByCard();
    const part = aRefund(paymentId, { amountMinor: 2500 });
    await Promise.all([practice.api.payments.refund.mutate(part), practice.api.payments.refund.mutate(part)]);
    await tell();
    expect(await payment(paymentId)).toMatchObject({ status: "partially_refunded", refundedMinor: 2500 });
    const rest = await practice.api.payments.refund.mutate(aRefund(paymentId, { amountMinor: 7500 }));
    expect(rest).toMatchObject({ status: "refunded" });
    await tell();
    const there = [...stripe.ledger.refunds.values()].filter(({ intent }) => intent === intentOf(session));
    expect(there.map(({ amount }) => amount)).toEqual([2500, 7500]);
    expect(await look(invoice.id)).toMatchObject({ creditedMinor: 10_000 });
    await right();
  });

  test("payments.refund: one that the bank sends back is the payer's again, and somebody is asked to look", async () => {
    const { paymentId, invoice } = await paidByCard();
    await practice.api.payments.refund.mutate(aRefund(paymentId));
    const [refund] = [...stripe.ledger.refunds.values()].slice(-1);
    stripe.failRefund(refund?.id ?? "");
    await tell({ copies: 4, isShuffled: true });
    expect(await payment(paymentId)).toMatchObject({
      status: "succeeded",
      refundedMinor: 0,
      attentions: ["refund_failed"],
      refunds: [{ status: "failed" }],
    });
    expect(await look(invoice.id)).toMatchObject({ creditMinor: 10_000 });
    await right();
  });

  test("payments.refund: asked for while the provider is away it waits, and is asked for again, once", async () => {
    const { paymentId, session } = await paidByCard();
    stripe.state.isDown = true;
    const asked = await practice.api.payments.refund.mutate(aRefund(paymentId, { amountMinor: 4000 }));
    expect(asked).toMatchObject({ status: "succeeded", refundableMinor: 6000, refunds: [{ status: "asked" }] });
    stripe.state.isDown = false;
    await mongoose.connection
      .collection<{ _id: string }>("payments")
      .updateOne({ _id: paymentId }, { $set: { "refunds.0.at": new Date(0) } });
    await Promise.all([askAgain(createLogger("silent")), askAgain(createLogger("silent"))]);
    expect(await payment(paymentId)).toMatchObject({ status: "partially_refunded", refundedMinor: 4000 });
    const there = [...stripe.ledger.refunds.values()].filter(({ intent }) => intent === intentOf(session));
    expect(there).toHaveLength(1);
    await right();
  });

  test("payments.refund: what the provider refuses is not held back", async () => {
    const { paymentId, session } = await paidByCard();
    stripe.events.waiting.length = 0;
    stripe.refundThere(intentOf(session), 10_000);
    const refused = await practice.api.payments.refund.mutate(aRefund(paymentId, { amountMinor: 4000 }));
    expect(refused).toMatchObject({ refunds: [{ status: "failed" }], refundableMinor: 10_000 });
    await tell();
    expect(await payment(paymentId)).toMatchObject({ status: "refunded", refundedMinor: 10_000 });
    await right();
  });
});

describe("a link that is over", () => {
  test("links to pay: after its time it ends, its page is closed, and a new one is the same link", async () => {
    const { address, token, paymentId, invoice } = await aLink();
    const session = await sessionAt(app, address);
    await mongoose.connection
      .collection<{ _id: string }>("payments")
      .updateOne({ _id: paymentId }, { $set: { linkUntil: new Date(Date.now() - DAY_MS) } });
    await expireLinks(createLogger("silent"));
    expect(await payment(paymentId)).toMatchObject({ status: "expired" });
    expect(stripe.ledger.sessions.get(session)?.status).toBe("expired");
    expect(await outcome({ r: token })).toMatchObject({ outcome: "over", payPath: "" });
    expect((await aPayLink(practice, invoice.id)).address).toBe(address);
    expect(await follow(app, address)).toMatch(`${stripe.url}/pay/cs_`);
  });
});
