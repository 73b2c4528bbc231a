// A client pays an invoice on the provider's pages, and is told on ours how it stands.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { issuedInvoice, partyPayer } from "../support/server/invoiced.ts";
import { aCase, aPractice, type TestPractice } from "../support/server/people.ts";
import { aStage, expectNoAxeViolations, openPage, signInAs, type Stage, withDatabase } from "../support/browser/e2e.ts";
import { type FakeStripe, startFakeStripe } from "../support/stripe/fake-stripe.ts";
import { aRefund } from "../support/stripe/paying.ts";

const PHONE = { viewport: { width: 360, height: 740 } };

let stripe: FakeStripe;
let stage: Stage;
let practice: TestPractice;
beforeAll(async () => {
  stripe = await startFakeStripe();
  stage = await aStage(stripe.connect);
  practice = await aPractice({ url: stage.product.url, close: () => Promise.resolve() });
  const subscription = { id: "sub_given", status: "active", price: { id: "price_pro_monthly" }, source: "manual" };
  await withDatabase(stage, (database) =>
    database.collection("customers").updateMany({}, { $set: { subscriptions: [subscription] } }),
  );
  await vi.waitFor(async () => expect((await practice.api.auth.status.query()).user?.hasAccess).toBe(true), 5000);
});
afterAll(async () => {
  await stage.close();
  await stripe.close();
});
beforeEach(() => {
  stripe.events.state.target = stage.product.url;
});

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** A phone at the page of the provider, by the link that was sent. */
async function atTheProvider() {
  const { theCase, p1 } = await aCase(practice);
  const invoice = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  const { url, payment } = await practice.api.payments.checkoutLink.mutate({ invoiceId: invoice.id, days: 30 });
  const watched = await openPage(stage, PHONE);
  await watched.page.goto(new URL(url).pathname);
  await heading(watched.page, "Pay");
  return { ...watched, invoice, paymentId: payment.id, address: new URL(url).pathname };
}

const payment = (id: string) => practice.api.payments.get.query({ id });

test("onboarding: an account is connected at the provider, and the page says only what the provider says", async () => {
  const { page, complaints } = await openPage(stage);
  await signInAs(page, practice, stage.product.url);
  await page.goto("/payment-settings?tab=cards");
  await page.getByText("Not connected", { exact: true }).waitFor();
  await expectNoAxeViolations(page);
  await press(page, "Connect an account");
  await press(page, "Do this later");
  await page.getByText("Not complete yet").waitFor();
  await page.getByRole("link", { name: "Open payment settings" }).click();
  await press(page, "Go on at Stripe");
  await press(page, "Finish");
  await page.getByText("You can take card payments").waitFor();
  // A link that was used leads on by a new one, and that one to the end.
  await page.goto("/stripe/return?refresh=1");
  await press(page, "Finish");
  await page.getByText("You can take card payments").waitFor();
  await page.goto("/payment-settings?tab=cards");
  await page.getByText("Ready", { exact: true }).waitFor();
  await expectNoAxeViolations(page);
  expect(complaints).toEqual([]);
});

describe("paying", () => {
  test("pay: the page waits for the provider, changes by itself, and Back does not pay twice", async () => {
    const { page, complaints, paymentId, address } = await atTheProvider();
    stripe.events.state.target = null;
    await press(page, "Pay");
    await heading(page, "Waiting for your bank");
    await page.getByText("£100.00").waitFor();
    await expectNoAxeViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await payment(paymentId)).toMatchObject({ status: "pending" });
    await stripe.events.deliver(stage.product.url);
    await heading(page, "Payment received");
    await page.getByText("R-0000").waitFor();
    await expectNoAxeViolations(page);
    await page.goto(address);
    await heading(page, "Payment received");
    expect((await practice.api.payments.list.query({})).items.filter(({ id }) => id === paymentId)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test("decline: the card is refused, and another one pays", async () => {
    const { page, paymentId } = await atTheProvider();
    await press(page, "Pay with a card that is declined");
    await page.getByText("Your card was declined.").waitFor();
    // What the provider tells is read there anew: a card that pays at once leaves no trace of the one before.
    await expect.poll(async () => (await payment(paymentId)).wasDeclined).toBe(true);
    await press(page, "Pay");
    await heading(page, "Payment received");
    expect(await payment(paymentId)).toMatchObject({ status: "succeeded", wasDeclined: true });
  });

  test("3-D Secure: failed at the bank it can be tried again, and completed it pays", async () => {
    const { page, paymentId } = await atTheProvider();
    await press(page, "Pay with 3-D Secure");
    await press(page, "Fail");
    await page.getByText("Your card was declined.").waitFor();
    await press(page, "Pay with 3-D Secure");
    await press(page, "Complete");
    await heading(page, "Payment received");
    expect(await payment(paymentId)).toMatchObject({ status: "succeeded" });
  });

  test("cancel: nothing was paid, the page says so, and leads to the same page to pay on", async () => {
    const { page, complaints, paymentId } = await atTheProvider();
    await press(page, "Back");
    await heading(page, "Payment not completed");
    await expectNoAxeViolations(page);
    expect(await payment(paymentId)).toMatchObject({ status: "pending", isOnItsWay: false });
    await page.getByRole("link", { name: "Try again" }).click();
    await heading(page, "Pay");
    await press(page, "Pay");
    await heading(page, "Payment received");
    expect(complaints).toEqual([]);
  });

  test("bank debit: on its way for days, and then there", async () => {
    const { page, paymentId, address } = await atTheProvider();
    await press(page, "Pay by bank debit");
    await heading(page, "Payment on its way");
    await page.goto(address);
    await heading(page, "Payment on its way");
    const session = page.url();
    expect(session).toMatch("/payment/success");
    const [debited] = [...stripe.ledger.sessions.values()].slice(-1);
    stripe.settleDebit(debited?.id ?? "", true);
    await expect.poll(async () => (await payment(paymentId)).status).toBe("succeeded");
    await page.goto(address);
    await heading(page, "Payment received");
  });

  test("refund: the payer's page says that it went back", async () => {
    const { page, paymentId, address } = await atTheProvider();
    await press(page, "Pay");
    await heading(page, "Payment received");
    await practice.api.payments.refund.mutate(aRefund(paymentId, { amountMinor: 4000 }));
    await page.goto(address);
    await heading(page, "Payment returned");
    await page.getByText("£40.00").waitFor();
  });

  test("withdrawn and unknown: the page says that nothing can be paid, and offers nothing", async () => {
    const { page, paymentId, address } = await atTheProvider();
    const { id, version } = await payment(paymentId);
    await practice.api.payments.cancel.mutate({ id, version });
    await page.goto(address);
    await heading(page, "This link was withdrawn");
    expect(await page.getByRole("link", { name: "Try again" }).count()).toBe(0);
    for (const unknown of ["/payment/success", "/payment/cancelled", `/payment/success?r=${"t".repeat(43)}`]) {
      await page.goto(unknown);
      await heading(page, "We cannot see a payment here");
    }
  });
});
