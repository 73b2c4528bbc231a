// The stand-in for the card payment provider refuses what the provider refuses, so that tests find what is sent wrongly.
import Stripe from "stripe";
import { expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";

const fake = forAllTests(startFakeStripe);

function provider(): Stripe {
  const { hostname, port } = new URL(fake.url);
  return new Stripe("sk_test_of_this", {
    host: hostname,
    port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

const aSession = (amount = 10_000): Stripe.Checkout.SessionCreateParams => ({
  mode: "payment",
  line_items: [
    { quantity: 1, price_data: { currency: "gbp", unit_amount: amount, product_data: { name: "Invoice 0001" } } },
  ],
  metadata: { paymentId: "p" },
  payment_intent_data: { metadata: { paymentId: "p" } },
  success_url: "https://practice.example.org/payment/success",
});
const create = (params: Stripe.Checkout.SessionCreateParams, key?: string) =>
  provider().checkout.sessions.create(params, key === undefined ? {} : { idempotencyKey: key });
const refused = (work: Promise<unknown>): Promise<object> =>
  work.then(
    () => ({}),
    (error: unknown) =>
      error instanceof Stripe.errors.StripeError && typeof error.raw === "object" && error.raw !== null
        ? error.raw
        : { error },
  );

test("the stand-in: a name that the provider does not know, a wrong kind and too little are refused as it refuses them", async () => {
  const unknown = { ...aSession(), colour: "blue" };
  expect(await refused(create(unknown))).toMatchObject({ code: "parameter_unknown", param: "colour" });
  const wrong = { ...aSession(), success_url: "nowhere" };
  expect(await refused(create(wrong))).toMatchObject({ code: "parameter_invalid", param: "success_url" });
  expect(await refused(create(aSession(29)))).toMatchObject({ code: "amount_too_small" });
  const late = { ...aSession(), expires_at: Math.floor(Date.now() / 1000) + 60 };
  expect(await refused(create(late))).toMatchObject({ param: "expires_at" });
});

test("the stand-in: the same key with the same words is one page, and with others it is refused", async () => {
  const first = await create(aSession(), "one");
  expect((await create(aSession(), "one")).id).toBe(first.id);
  expect(await refused(create(aSession(20_000), "one"))).toMatchObject({ type: "idempotency_error" });
});

test("the stand-in: a page is over when its time is, by its own clock, and takes nothing any more", async () => {
  const { id } = await create(aSession());
  fake.advance(25 * 60 * 60 * 1000);
  expect(await provider().checkout.sessions.retrieve(id)).toMatchObject({ status: "expired", url: null });
  fake.pay(id);
  expect(await provider().checkout.sessions.retrieve(id)).toMatchObject({ payment_status: "unpaid" });
  expect(await refused(provider().checkout.sessions.expire(id))).toMatchObject({ code: "resource_invalid_state" });
});

test("the stand-in: no more is refunded than was paid, and what is another account's is missing", async () => {
  const { id } = await create(aSession());
  fake.pay(id);
  const { payment_intent: paidBy } = await provider().checkout.sessions.retrieve(id);
  const intent = typeof paidBy === "string" ? paidBy : "";
  const refund = (amount: number) => provider().refunds.create({ payment_intent: intent, amount });
  await refund(9000);
  expect(await refused(refund(2000))).toMatchObject({ param: "amount" });
  await refund(1000);
  expect(await refused(refund(1))).toMatchObject({ code: "charge_already_refunded" });
  const { id: account } = await provider().v2.core.accounts.create({ display_name: "Another" });
  const asked = provider().paymentIntents.retrieve(intent, {}, { stripeAccount: account });
  expect(await refused(asked)).toMatchObject({ code: "resource_missing" });
});
