// Where what clients pay by card goes: nowhere, into the account of the installation's key, or into one that is connected.
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aStaffUser, setPermissions } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import {
  anOwedInvoice,
  aPaidPractice,
  aPayLink,
  aSubscribedPractice,
  sessionAt,
  settled,
} from "../support/stripe/paying.ts";

describe("in connected accounts", () => {
  const stripe = forAllTests(startFakeStripe);
  const app = forAllTests(() => startTestApp(stripe.connect));
  const aConnecting = async () => {
    const practice = await aSubscribedPractice(app);
    const { url } = await practice.api.paymentAccounts.connect.mutate();
    return { practice, url, account: url.split("/").at(-2) ?? "", get: () => practice.api.paymentAccounts.get.query() };
  };

  test("paymentAccounts.connect: nothing that a person comes back with makes it ready, only the provider does", async () => {
    const { practice, url, account, get } = await aConnecting();
    expect(await get()).toMatchObject({ mode: "connect", state: "started", mayConnect: true });
    const { invoice } = await anOwedInvoice(practice);
    const link = { invoiceId: invoice.id, days: 30 } as const;
    expect((await refusal(practice.api.payments.checkoutLink.mutate(link))).code).toBe("PRECONDITION_FAILED");
    await fetch(`${url}-later`, { method: "POST", redirect: "manual" });
    expect(await practice.api.paymentAccounts.refresh.mutate()).toMatchObject({ state: "started" });
    stripe.setCardPayments(account, "pending");
    expect(await practice.api.paymentAccounts.refresh.mutate()).toMatchObject({ state: "checking" });
    stripe.setCardPayments(account, "active");
    expect(await practice.api.paymentAccounts.refresh.mutate()).toMatchObject({
      state: "ready",
      name: practice.practiceName,
    });
  });

  test("paymentAccounts.connect: gone on with later it is the same account, by a link that opens once", async () => {
    const { practice, url, account } = await aConnecting();
    const again = await practice.api.paymentAccounts.connect.mutate();
    expect(again.url).not.toBe(url);
    expect(again.url).toMatch(account);
    await fetch(`${again.url}-later`, { method: "POST", redirect: "manual" });
    const used = await fetch(again.url, { redirect: "manual" });
    expect(used.headers.get("location")).toMatch(/\/stripe\/return\?refresh=1$/);
  });

  test("/webhooks/stripe: what changes in an account is read anew, of the practice that it belongs to", async () => {
    const { get } = await aConnecting().then(async (connecting) => {
      stripe.events.waiting.length = 0;
      stripe.setCardPayments(connecting.account, "active");
      return connecting;
    });
    expect(new Set(await stripe.events.deliver(app.url, { copies: 5, isTogether: true }))).toEqual(new Set([200]));
    await settled();
    expect(await get()).toMatchObject({ state: "ready" });
  });

  test("paymentAccounts.disconnect: no new link can be made, and what was paid there is still looked after", async () => {
    const practice = await aPaidPractice(app, stripe);
    const { invoice } = await anOwedInvoice(practice);
    const { address, paymentId } = await aPayLink(practice, invoice.id);
    const session = await sessionAt(app, address);
    stripe.events.waiting.length = 0;
    stripe.pay(session);
    expect(await practice.api.paymentAccounts.disconnect.mutate()).toMatchObject({ state: "not_connected" });
    await stripe.events.deliver(app.url);
    await settled();
    expect(await practice.api.payments.get.query({ id: paymentId })).toMatchObject({ status: "succeeded" });
    const other = await anOwedInvoice(practice);
    const link = { invoiceId: other.invoice.id, days: 30 } as const;
    expect((await refusal(practice.api.payments.checkoutLink.mutate(link))).message).toMatch("another way");
    const { url } = await practice.api.paymentAccounts.connect.mutate();
    expect(url).not.toMatch(practice.account);
  });

  test("paymentAccounts.connect: only the owner chooses where money goes", async () => {
    const { practice } = await aConnecting();
    const staff = await aStaffUser(app, practice);
    await setPermissions(practice, staff, ["clients.read", "payments.read", "payments.manage"]);
    expect((await refusal(staff.api.paymentAccounts.connect.mutate())).code).toBe("FORBIDDEN");
    expect(await staff.api.paymentAccounts.get.query()).toMatchObject({ state: "started", mayConnect: false });
  });
});

describe("in the account of the installation's key", () => {
  const stripe = forAllTests(startFakeStripe);
  const app = forAllTests(() => startTestApp(stripe.environment));

  test("STRIPE_MODE=own: the practice that was set up first is paid there, and no other", async () => {
    const first = await aSubscribedPractice(app);
    const later = await aSubscribedPractice(app);
    expect(await first.api.paymentAccounts.get.query()).toMatchObject({
      mode: "own",
      state: "ready",
      mayConnect: false,
    });
    expect(await later.api.paymentAccounts.get.query()).toMatchObject({ mode: "own", state: "elsewhere" });
    const { invoice } = await anOwedInvoice(first);
    const { address, paymentId } = await aPayLink(first, invoice.id);
    const session = await sessionAt(app, address);
    expect(stripe.ledger.sessions.get(session)).toMatchObject({ account: "" });
    stripe.pay(session);
    await stripe.events.deliver(app.url, { copies: 3, isShuffled: true });
    await settled();
    expect(await first.api.payments.get.query({ id: paymentId })).toMatchObject({ status: "succeeded" });
    const theirs = await anOwedInvoice(later);
    const link = { invoiceId: theirs.invoice.id, days: 30 } as const;
    expect((await refusal(later.api.payments.checkoutLink.mutate(link))).code).toBe("PRECONDITION_FAILED");
    expect((await refusal(first.api.paymentAccounts.connect.mutate())).code).toBe("PRECONDITION_FAILED");
  });
});

describe("without a provider", () => {
  const app = forAllTests(startTestApp);

  test("STRIPE_MODE=none: says so, and what is paid by hand is recorded all the same", async () => {
    const practice = await aSubscribedPractice(app);
    expect(await practice.api.paymentAccounts.get.query()).toMatchObject({ mode: "none", state: "none" });
    expect(await mongoose.connection.collection("payment_accounts").countDocuments()).toBe(0);
  });
});
