// What may happen beside a page to pay, or while money is on its way: nobody pays twice unseen, and nobody is held up.
import { remindOfInvoices } from "@app/server/features/invoices/invoice-reminders";
import { HOUR_MS } from "@app/server/core/clock";
import { createLogger } from "@app/server/core/logger";
import mongoose from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { invoiceSettings, issuedInvoice, partyPayer } from "../support/server/invoiced.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aStaffUser, aVisitor } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { expectSameBooks } from "../support/stripe/book.ts";
import { post, signed } from "../support/stripe/events.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import {
  anAnnouncement,
  anOwedInvoice,
  aPaidPractice,
  aPayLink,
  aRecord,
  follow,
  sessionAt,
  settled,
} from "../support/stripe/paying.ts";

const stripe = forAllTests(startFakeStripe);
const app = forAllTests(() => startTestApp(stripe.connect));
const practice = forEachTest(() => aPaidPractice(app, stripe));
beforeEach(() => {
  stripe.events.waiting.length = 0;
  Object.assign(stripe.state, { isDown: false, afterWork: null });
});

const payment = (id: string) => practice.api.payments.get.query({ id });
const look = (id: string) => practice.api.invoices.get.query({ id });
const outcome = (input: { r?: string; session?: string }) => aVisitor(app).api.payments.outcome.query(input);
const stored = () => mongoose.connection.collection<{ _id: string }>("payments");
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * HOUR_MS);

async function tell(): Promise<void> {
  await stripe.events.deliver(app.url);
  await settled();
}

async function anOpenPage() {
  const owed = await anOwedInvoice(practice);
  const link = await aPayLink(practice, owed.invoice.id);
  return { ...owed, ...link, session: await sessionAt(app, link.address) };
}

describe("a link that is withdrawn", () => {
  test("payments.cancel: a debit that was made on its page, and of which nobody told yet, is on its way and not cancelled", async () => {
    const { session, paymentId } = await anOpenPage();
    stripe.debit(session);
    const { id, version } = await payment(paymentId);
    expect((await refusal(practice.api.payments.cancel.mutate({ id, version }))).message).toMatch("on its way");
    expect(await payment(paymentId)).toMatchObject({ status: "pending", isOnItsWay: true });
  });
});

describe("what the provider refused", () => {
  test("GET /pay/:token: a refusal does not stay: once the account may take cards again the same link leads to a page", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const { address } = await aPayLink(practice, invoice.id);
    const account = stripe.ledger.accounts.get(practice.account);
    if (!account) throw new Error("no account");
    account.cardPayments = "restricted";
    expect(await follow(app, address)).toMatch("busy=yes");
    account.cardPayments = "active";
    expect(await follow(app, address)).toMatch(`${stripe.url}/pay/cs_`);
  });
});

describe("money that comes beside an open page", () => {
  test("invoices.credit, invoices.useCredit: the page for more than is still due is closed", async () => {
    const { session, invoice, address } = await anOpenPage();
    const { version } = await look(invoice.id);
    await practice.api.invoices.credit.mutate({ id: invoice.id, version, amountMinor: 4000, reason: "Agreed" });
    expect(stripe.ledger.sessions.get(session)?.status).toBe("expired");
    const second = await sessionAt(app, address);
    expect(stripe.ledger.sessions.get(second)?.amount).toBe(6000);
    const { theCase, p1 } = await anOwedInvoice(practice);
    const [paid, owed] = [
      await issuedInvoice(practice, theCase.id, partyPayer(p1)),
      await issuedInvoice(practice, theCase.id, partyPayer(p1)),
    ];
    await practice.api.payments.record.mutate(aRecord(paid.id, { amountMinor: 15_000, keepsRest: true }));
    const third = await sessionAt(app, (await aPayLink(practice, owed.id)).address);
    const over = { id: owed.id, version: (await look(owed.id)).version, amountMinor: 5000 };
    await practice.api.invoices.useCredit.mutate(over);
    expect(stripe.ledger.sessions.get(third)?.status).toBe("expired");
  });

  test("payments.record: while a debit is on its way it is recorded, and when both came somebody is asked to look", async () => {
    const { session, paymentId, invoice } = await anOpenPage();
    stripe.debit(session);
    await tell();
    await practice.api.payments.record.mutate(aRecord(invoice.id, { method: "cash" }));
    stripe.settleDebit(session, true);
    await tell();
    expect(await payment(paymentId)).toMatchObject({ toCreditMinor: 10_000, attentions: ["more_than_due"] });
    const { items } = await practice.api.tasks.list.query({});
    expect(items.map(({ title }) => title)).toContainEqual(expect.stringMatching("more came than was due"));
    await expectSameBooks(stripe, practice);
  });

  test("payments.outcome: whoever paid in another currency is told that it is looked at, and is sent to no other page", async () => {
    const { session, token, address, paymentId } = await anOpenPage();
    const page = stripe.ledger.sessions.get(session);
    if (page) page.currency = "jpy";
    stripe.pay(session);
    await tell();
    expect(await outcome({ r: token })).toMatchObject({ outcome: "in_question", payPath: "" });
    expect(await follow(app, address)).toMatch("/payment/cancelled?r=");
    await practice.api.payments.setLooked.mutate({ id: paymentId });
    await practice.api.payments.reconcile.mutate();
    expect(await payment(paymentId)).toMatchObject({ attentions: [] });
  });
});

describe("reminders", () => {
  const remind = async (): Promise<number[]> => {
    await mongoose.connection
      .collection("invoices")
      .updateMany({ ownerId: practice.ownerId }, { $set: { dueOn: "2026-01-01" } });
    await remindOfInvoices(createLogger("silent"));
    const found = await mongoose.connection.collection("invoices").find({ ownerId: practice.ownerId }).toArray();
    return found
      .toSorted((one, other) => one["createdAt"] - other["createdAt"])
      .map((one) => Number(one["remindedCount"]));
  };

  test("reminders of invoices: nobody is reminded while their debit or an announced transfer is on its way", async () => {
    await invoiceSettings(practice, { reminderDays: [7] });
    const { session } = await anOpenPage();
    stripe.debit(session);
    await tell();
    const { invoice } = await anOwedInvoice(practice);
    const told = await practice.api.payments.announce.mutate(anAnnouncement(invoice.id));
    expect(await remind()).toEqual([0, 0]);
    await stored().updateOne({ _id: told.id }, { $set: { createdAt: daysAgo(31) } });
    expect(await remind()).toEqual([0, 1]);
    stripe.settleDebit(session, false);
    await tell();
    expect(await remind()).toEqual([1, 1]);
  });
});

describe("links that are over", () => {
  test("payments.outcome: long after its end a link says nothing, and the way back says where to pay for a day", async () => {
    const { session, token, paymentId } = await anOpenPage();
    stripe.pay(session);
    await tell();
    expect(await outcome({ session })).toMatchObject({ outcome: "paid", receiptPath: `/payment-receipts?r=${token}` });
    await stored().updateOne({ _id: paymentId }, { $set: { receivedOn: "2026-01-05" } });
    expect(await outcome({ session })).toMatchObject({ outcome: "paid", receiptPath: "", payPath: "" });
    expect(await outcome({ r: token })).toMatchObject({ receiptPath: `/payment-receipts?r=${token}` });
    await stored().updateOne({ _id: paymentId }, { $set: { linkUntil: daysAgo(91) } });
    for (const place of [{ session }, { r: token }]) expect((await refusal(outcome(place))).code).toBe("NOT_FOUND");
    expect((await fetch(`${app.url}/payment-receipts?r=${token}`)).status).toBe(404);
    expect(await follow(app, `/pay/${token}`)).toMatch(/\/payment\/cancelled$/);
  });

  test("payments.checkoutLink: none is made for less than a card is charged, nor for legal aid", async () => {
    const { invoice, theCase } = await anOwedInvoice(practice);
    await practice.api.payments.record.mutate(aRecord(invoice.id, { amountMinor: 9980 }));
    const link = (invoiceId: string) => refusal(practice.api.payments.checkoutLink.mutate({ invoiceId, days: 30 }));
    expect((await link(invoice.id)).message).toMatch("less than £0.30");
    const aided = await issuedInvoice(practice, theCase.id, { kind: "legal_aid" });
    expect((await link(aided.id)).message).toMatch("do not pay by card");
  });

  test("GET /pay/:token: whoever looks too often is sent to our page, which says so", async () => {
    const { address } = await anOpenPage();
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => fetch(`${app.url}${address}`, { redirect: "manual" })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(answers.map(({ headers }) => headers.get("location"))).toContainEqual(expect.stringMatching("busy=yes"));
  });
});

describe("what cannot be", () => {
  test("/webhooks/stripe: what is signed and no event is refused", async () => {
    expect(await post(app.url, signed("no event"))).toBe(400);
  });

  test("payments.record, payments.announce: a year that is a slip and more than is due are refused", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const record = aRecord(invoice.id, { receivedOn: "1900-01-01" });
    expect((await refusal(practice.api.payments.record.mutate(record))).fields).toMatchObject({
      receivedOn: expect.stringMatching("Look at the year"),
    });
    const announced = anAnnouncement(invoice.id, { amountMinor: 99_999_999 });
    expect((await refusal(practice.api.payments.announce.mutate(announced))).fields).toMatchObject({
      amountMinor: expect.stringMatching("Only £100.00 is due"),
    });
  });

  test("payments.reconcile, payments.reconciliation: nothing of the whole practice for whoever sees only their own cases", async () => {
    const colleague = await aStaffUser(app, practice, {
      role: 4,
      permissions: ["clients.read", "payments.read", "payments.manage", "assigned_only"],
    });
    for (const asked of [colleague.api.payments.reconcile.mutate(), colleague.api.payments.reconciliation.query()])
      expect((await refusal(asked)).code).toBe("FORBIDDEN");
  });
});
