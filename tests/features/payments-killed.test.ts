// The server is killed between the provider's answer and what it would have stored of it: nothing is lost, or done twice.
import { afterAll, beforeAll, expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aProduct, aPlace, cleanUp } from "../support/server/product.ts";
import { aPractice, aVisitor, PASSWORD, type TestPractice } from "../support/server/people.ts";
import { freePort } from "../support/server/free-port.ts";
import { issuedInvoice, partyPayer } from "../support/server/invoiced.ts";
import { aCase } from "../support/server/people.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import { aRefund } from "../support/stripe/paying.ts";

// The first practice of an installation is paid into the account of its key.
const stripe = forAllTests(startFakeStripe);
const settings = { DATA_DIR: "", PORT: "" };
let practice: TestPractice;
let product: Awaited<ReturnType<typeof aProduct>>;
const environment = () => ({ ...settings, ...stripe.environment });

beforeAll(async () => {
  settings.DATA_DIR = aPlace();
  settings.PORT = String(await freePort());
  product = await aProduct(environment());
  practice = await aPractice({ url: product.url, close: () => Promise.resolve() });
  const customer = [...stripe.ledger.customers.keys()][0] ?? "";
  stripe.subscriptions.set(customer, [{ id: "sub_killed", status: "active", price: "price_pro_monthly" }]);
  stripe.events.emit("customer.subscription.updated", { id: "sub_killed", customer }, "");
  expect(await stripe.events.deliver(product.url)).toEqual([200]);
});
afterAll(cleanUp);

/** Kills the server once the provider has done this, and starts it anew. */
function killedAfter(path: string): { started: Promise<void> } {
  let start: () => void = () => undefined;
  const killed = new Promise<void>((resolve) => (start = resolve));
  stripe.state.afterWork = (asked) => {
    if (asked !== path) return "answer";
    stripe.state.afterWork = null;
    product.process.kill("SIGKILL");
    start();
    return "hang up";
  };
  return {
    started: killed.then(async () => {
      product = await aProduct(environment());
    }),
  };
}

async function again(): Promise<TestPractice["api"]> {
  const person = aVisitor({ url: product.url, close: () => Promise.resolve() });
  await person.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD, isRemembered: false });
  return person.api;
}

const stopped = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    () => "stopped",
  );

test("kill -9: a page and a refund that the provider made, when the server died over them, are found and are one each", async () => {
  const { theCase, p1 } = await aCase(practice);
  const invoice = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  const { url, payment } = await practice.api.payments.checkoutLink.mutate({ invoiceId: invoice.id, days: 30 });
  const address = new URL(url).pathname;
  const opening = killedAfter("/v1/checkout/sessions");
  expect(await stopped(fetch(`${product.url}${address}`, { redirect: "manual" }))).toBe("stopped");
  await opening.started;
  const pages = [...stripe.ledger.sessions.values()].filter(({ mode }) => mode === "payment");
  expect(pages).toHaveLength(1);
  const opened = await fetch(`${product.url}${address}`, { redirect: "manual" });
  expect(opened.headers.get("location")).toMatch(pages[0]?.id ?? "no page");
  // Nobody is told that it was paid.
  stripe.pay(pages[0]?.id ?? "");
  stripe.events.waiting.length = 0;
  const api = await again();
  expect((await api.payments.reconcile.mutate()).repaired).toEqual([{ paymentId: payment.id, words: "received" }]);
  const refunding = killedAfter("/v1/refunds");
  expect(await stopped(api.payments.refund.mutate(aRefund(payment.id, { amountMinor: 4000 })))).toBe("stopped");
  await refunding.started;
  const after = await again();
  expect(await after.payments.get.query({ id: payment.id })).toMatchObject({ refunds: [{ status: "asked" }] });
  expect((await after.payments.reconcile.mutate()).repaired).toMatchObject([{ words: "refund succeeded" }]);
  expect(await after.payments.get.query({ id: payment.id })).toMatchObject({
    status: "partially_refunded",
    refundedMinor: 4000,
  });
  expect(stripe.ledger.refunds.size).toBe(1);
});
