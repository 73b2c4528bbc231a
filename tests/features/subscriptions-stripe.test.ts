import { grantSubscription } from "@app/server/features/subscriptions/given-subscriptions.service";
import mongoose from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { type FakeEvent, signedEvent, startFakeStripe } from "../support/stripe/fake-stripe.ts";
import { aPractice, type TestPractice } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

let practice: TestPractice;
let count = 0;
const stripe = forAllTests(startFakeStripe);
const app = forAllTests(() => startTestApp(stripe.environment));
beforeEach(async () => {
  stripe.state.isDown = false;
  practice = await aPractice(app);
});

const customers = () =>
  mongoose.connection.collection<{ _id: string; stripe_customer_id: string; subscriptions: object[] }>("customers");
const events = () => mongoose.connection.collection<{ _id: string; state: string }>("stripe_events");
const customerIdOf = async ({ ownerId }: TestPractice) =>
  (await customers().findOne({ _id: ownerId }))?.stripe_customer_id ?? "";
const newEventId = () => `evt_${++count}`;

async function post({ payload, signature }: { payload: string; signature: string | null }): Promise<number> {
  const headers = {
    "content-type": "application/json",
    ...(signature === null ? {} : { "stripe-signature": signature }),
  };
  return (await fetch(`${app.url}/webhooks/stripe`, { method: "POST", headers, body: payload })).status;
}

const send = (event: FakeEvent) => post(signedEvent(event));

async function accessOf({ api }: TestPractice) {
  const { user } = await api.auth.status.query();
  return { hasAccess: user?.hasAccess, plan: user?.subscriptionPlan };
}

async function subscribe(status: string, price: string): Promise<string> {
  const customer = await customerIdOf(practice);
  stripe.subscriptions.set(customer, [{ id: `sub_${customer}`, status, price }]);
  expect(await send({ id: newEventId(), customer })).toBe(200);
  return customer;
}

describe("checkout", () => {
  test("auth.register: a new practice has no access yet and goes to the trial's checkout", async () => {
    const request = stripe.requests.findLast(({ path }) => path === "/v1/checkout/sessions");
    expect(Object.fromEntries(request?.body ?? [])).toMatchObject({
      mode: "subscription",
      customer: await customerIdOf(practice),
      client_reference_id: practice.ownerId,
      "line_items[0][price]": "price_pro_monthly",
      "subscription_data[trial_period_days]": "14",
      success_url: expect.stringMatching(/\/account\?tab=subscription$/),
    });
    expect(await accessOf(practice)).toEqual({ hasAccess: false, plan: null });
    expect(await practice.api.subscriptions.get.query()).toMatchObject({ billing: "stripe", status: null });
  });

  test("auth.register: where the provider fails the practice is made all the same", async () => {
    stripe.state.isDown = true;
    const unlucky = await aPractice(app);
    expect((await unlucky.api.auth.status.query()).user?.ownerId).toBe(unlucky.ownerId);
    expect((await refusal(unlucky.api.subscriptions.startCheckout.mutate({}))).code).toBe("BAD_GATEWAY");
  });

  test("subscriptions.startCheckout: prices come from the server, and one subscription is enough", async () => {
    const { url } = await practice.api.subscriptions.startCheckout.mutate({ plan: "essential", interval: "yearly" });
    expect(url).toMatch(`${stripe.url}/pay/cs_`);
    expect(stripe.requests.at(-1)?.body.get("line_items[0][price]")).toBe("price_essential_yearly");
    await subscribe("active", "price_essential_yearly");
    expect((await refusal(practice.api.subscriptions.startCheckout.mutate({}))).code).toBe("PRECONDITION_FAILED");
    expect(await practice.api.subscriptions.openPortal.mutate()).toEqual({ url: `${stripe.url}/portal` });
  });
});

test("subscriptions.startCheckout: a plan that was given and is over, before that was written down, keeps nobody from buying one", async () => {
  const buy = () => practice.api.subscriptions.startCheckout.mutate({ plan: "pro", interval: "monthly" });
  await grantSubscription(practice.ownerId, { plan: "pro", until: null });
  expect((await refusal(buy())).code).toBe("PRECONDITION_FAILED");
  await grantSubscription(practice.ownerId, { plan: "pro", until: new Date(Date.now() - 1) });
  expect((await buy()).url).toMatch(`${stripe.url}/pay/cs_`);
});

describe("the webhook", () => {
  test("/webhooks/stripe: mirrors the subscription as the provider has it", async () => {
    await subscribe("trialing", "price_pro_monthly");
    expect(await accessOf(practice)).toEqual({ hasAccess: true, plan: "pro" });
    expect(await practice.api.subscriptions.get.query()).toMatchObject({
      status: "trialing",
      currentPeriodEnd: "2030-03-17T17:46:40.000Z",
    });
    await subscribe("active", "price_of_old");
    expect(await accessOf(practice)).toEqual({ hasAccess: true, plan: "pro" });
    await subscribe("past_due", "price_pro_monthly");
    expect(await accessOf(practice)).toEqual({ hasAccess: false, plan: null });
  });

  test("/webhooks/stripe: 50 copies at once, then old events out of order, leave the state of now", async () => {
    const customer = await subscribe("active", "price_pro_monthly");
    const id = newEventId();
    const asked = stripe.requests.length;
    const statuses = await Promise.all(Array.from({ length: 50 }, () => send({ id, customer })));
    expect(new Set(statuses)).toEqual(new Set([200]));
    // They share what is read for all of them.
    expect(stripe.requests.length - asked).toBeLessThan(50);
    expect(await events().find({ _id: id }).toArray()).toHaveLength(1);
    for (const type of ["customer.subscription.deleted", "invoice.paid", "customer.subscription.created"])
      await send({ id: newEventId(), type, customer });
    expect(await accessOf(practice)).toEqual({ hasAccess: true, plan: "pro" });
    expect((await customers().findOne({ _id: practice.ownerId }))?.subscriptions).toHaveLength(1);
  });

  test("/webhooks/stripe: an event that could not be applied is applied when it comes again", async () => {
    const customer = await customerIdOf(practice);
    stripe.subscriptions.set(customer, [{ id: "sub_later", status: "active", price: "price_pro_monthly" }]);
    const id = newEventId();
    stripe.state.isDown = true;
    expect(await send({ id, customer })).toBeGreaterThanOrEqual(500);
    expect(await accessOf(practice)).toEqual({ hasAccess: false, plan: null });
    stripe.state.isDown = false;
    expect(await send({ id, customer })).toBe(200);
    expect(await accessOf(practice)).toEqual({ hasAccess: true, plan: "pro" });
  });

  test("/webhooks/stripe: customers that are not ours and events of connected accounts are ignored", async () => {
    const id = newEventId();
    expect(await send({ id, customer: "cus_of_somebody_else" })).toBe(200);
    expect(await events().findOne({ _id: id })).toMatchObject({ state: "ignored" });
    const customer = await customerIdOf(practice);
    stripe.subscriptions.set(customer, [{ id: "sub_x", status: "active", price: "price_pro_monthly" }]);
    expect(await send({ id: newEventId(), customer, account: "acct_of_somebody_else" })).toBe(200);
    expect(await accessOf(practice)).toEqual({ hasAccess: false, plan: null });
  });

  const good = async () => signedEvent({ id: newEventId(), customer: await customerIdOf(practice) });
  test.each([
    ["without a signature", async () => ({ ...(await good()), signature: null })],
    [
      "with another secret",
      async () => signedEvent({ id: newEventId(), customer: await customerIdOf(practice) }, { secret: "whsec_wrong" }),
    ],
    [
      "of six minutes ago",
      async () => signedEvent({ id: newEventId(), customer: await customerIdOf(practice) }, { secondsAgo: 360 }),
    ],
    [
      "of six minutes ahead",
      async () => signedEvent({ id: newEventId(), customer: await customerIdOf(practice) }, { secondsAgo: -360 }),
    ],
    [
      "with a changed byte",
      async () => good().then((event) => ({ ...event, payload: event.payload.replace("updated", "deleted") })),
    ],
    [
      "written anew",
      async () => good().then((event) => ({ ...event, payload: JSON.stringify(JSON.parse(event.payload), null, 1) })),
    ],
  ])("/webhooks/stripe: an event %s is refused and changes nothing", async (_how, make) => {
    stripe.subscriptions.set(await customerIdOf(practice), [
      { id: "sub_y", status: "active", price: "price_pro_monthly" },
    ]);
    const event = await make();
    expect(event && (await post(event))).toBe(400);
    expect(await accessOf(practice)).toEqual({ hasAccess: false, plan: null });
  });
});
