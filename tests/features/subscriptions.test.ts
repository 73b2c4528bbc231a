import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  endGiven,
  grantSubscription,
  withoutGiven,
} from "@app/server/features/subscriptions/given-subscriptions.service";
import { openEventStream } from "../support/server/event-stream.ts";
import {
  aPractice,
  aStaffUser,
  aVisitor,
  PASSWORD,
  type TestPerson,
  type TestPractice,
} from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp, type TestApp } from "../support/server/test-app.ts";

let app: TestApp;
let practice: TestPractice;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  practice = await aPractice(app);
});
afterAll(() => app.close());

const customers = () => mongoose.connection.collection<{ _id: string }>("customers");
const subscription = (status: string, price: string) => ({ id: `sub_${status}`, status, price: { id: price } });
const setSubscriptions = (id: string, ...subscriptions: object[]) =>
  customers().updateOne({ _id: id }, { $set: { subscriptions } }, { upsert: true });

async function accessOf({ api }: TestPerson) {
  const { user } = await api.auth.status.query();
  return { hasAccess: user?.hasAccess, plan: user?.subscriptionPlan };
}

describe("what a subscription gives", () => {
  test.each([
    ["active", "price_pro_monthly", "pro"],
    ["active", "price_pro_yearly", "pro"],
    ["trialing", "price_essential_monthly", "essential"],
    ["trialing", "price_essential_yearly", "essential"],
  ])("subscriptions: %s on %s is plan %s", async (status, price, plan) => {
    await setSubscriptions(practice.ownerId, subscription(status, price));
    expect(await accessOf(practice)).toEqual({ hasAccess: true, plan });
  });

  test.each(["canceled", "past_due", "unpaid", "incomplete", "incomplete_expired", "paused", ""])(
    "subscriptions: status %j does not count",
    async (status) => {
      await setSubscriptions(practice.ownerId, { ...subscription(status, "price_pro_monthly") });
      expect(await accessOf(practice)).toEqual({ hasAccess: false, plan: null });
      expect((await refusal(practice.api.clients.list.query({}))).code).toBe("PAYMENT_REQUIRED");
      expect((await practice.api.subscriptions.get.query()).hasAccess).toBe(false);
    },
  );

  test("subscriptions: any other price leaves the plan unchanged and still gives access", async () => {
    await customers().deleteOne({ _id: practice.ownerId });
    await setSubscriptions(practice.ownerId, subscription("active", "price_of_old"));
    expect(await accessOf(practice)).toEqual({ hasAccess: true, plan: "essential" });
    for (const plan of ["pro", "essential"]) {
      await setSubscriptions(practice.ownerId, subscription("active", `price_${plan}_yearly`));
      expect(await accessOf(practice)).toEqual({ hasAccess: true, plan });
      await setSubscriptions(practice.ownerId, subscription("active", "price_of_old"));
      expect(await accessOf(practice)).toEqual({ hasAccess: true, plan });
    }
  });

  test("subscriptions: of several one that counts is enough, and pro wins", async () => {
    await setSubscriptions(
      practice.ownerId,
      subscription("canceled", "price_pro_monthly"),
      subscription("active", "price_essential_monthly"),
    );
    expect(await accessOf(practice)).toEqual({ hasAccess: true, plan: "essential" });
    await setSubscriptions(
      practice.ownerId,
      subscription("active", "price_essential_monthly"),
      subscription("trialing", "price_pro_monthly"),
    );
    expect(await accessOf(practice)).toEqual({ hasAccess: true, plan: "pro" });
  });

  test("subscriptions: staff use the practice's, and their own only where the practice has no customer document", async () => {
    const staff = await aStaffUser(app, practice);
    const { user } = await staff.api.auth.status.query();
    await setSubscriptions(user?.userId ?? "", subscription("active", "price_essential_monthly"));
    expect(await accessOf(staff)).toEqual({ hasAccess: true, plan: "pro" });
    await setSubscriptions(practice.ownerId, subscription("canceled", "price_pro_monthly"));
    expect(await accessOf(staff)).toEqual({ hasAccess: false, plan: null });
    await customers().deleteOne({ _id: practice.ownerId });
    expect(await accessOf(staff)).toEqual({ hasAccess: true, plan: "essential" });
    expect(await accessOf(practice)).toEqual({ hasAccess: false, plan: null });
  });

  test("subscriptions: without a card payment provider the practice hosts itself", async () => {
    expect(await practice.api.subscriptions.get.query()).toEqual({
      hasAccess: true,
      plan: "pro",
      billing: "self_hosted",
      status: "active",
      currentPeriodEnd: null,
      isEnding: false,
      isGiven: true,
      price: null,
      isOwner: true,
    });
    expect(await customers().findOne({ _id: practice.ownerId })).toMatchObject({
      subscriptions: [{ id: "sub_selfhosted", price: { id: "price_pro_monthly" } }],
    });
    expect((await refusal(practice.api.subscriptions.startCheckout.mutate({}))).code).toBe("PRECONDITION_FAILED");
    expect((await refusal(practice.api.subscriptions.openPortal.mutate())).code).toBe("PRECONDITION_FAILED");
    const staff = await aStaffUser(app, practice);
    expect((await refusal(staff.api.subscriptions.startCheckout.mutate({}))).code).toBe("FORBIDDEN");
  });

  test("subscriptions: the impersonation header changes nothing outside development", async () => {
    await setSubscriptions(practice.ownerId);
    const response = await fetch(`${app.url}/trpc/clients.list?input={}`, {
      headers: { cookie: practice.cookies(), "x-impersonation": "true" },
    });
    expect(response.status).toBe(402);
  });
});

describe("access.onChange", () => {
  const open = (person: TestPerson) => openEventStream(app, person, "access.onChange");

  test("access.onChange: tells the access at once and on every change, for owner and staff", async () => {
    const streams = [await open(practice), await open(await aStaffUser(app, practice))];
    for (const stream of streams) await stream.next({ hasAccess: true, plan: "pro" });
    await setSubscriptions(practice.ownerId, subscription("past_due", "price_pro_monthly"));
    for (const stream of streams) await stream.next({ hasAccess: false, plan: null });
    await setSubscriptions(practice.ownerId, subscription("active", "price_essential_monthly"));
    for (const stream of streams) await stream.next({ hasAccess: true, plan: "essential" });
    for (const stream of streams) stream.close();
  });

  test("access.onChange: another practice's change is not told", async () => {
    const stranger = await aPractice(app);
    const stream = await open(stranger);
    await stream.next({ hasAccess: true, plan: "pro" });
    await setSubscriptions(practice.ownerId, subscription("past_due", "price_pro_monthly"));
    await setSubscriptions(stranger.ownerId, subscription("active", "price_essential_monthly"));
    await stream.next({ hasAccess: true, plan: "essential" });
    expect(stream.events).toHaveLength(2);
    stream.close();
  });

  test.each(["signing out", "signing out everywhere else", "suspension", "a password reset elsewhere"])(
    "access.onChange: ends within five seconds of %s",
    async (how) => {
      const staff = await aStaffUser(app, practice);
      const stream = await open(staff);
      await stream.next({ hasAccess: true, plan: "pro" });
      const elsewhere = aVisitor(app);
      await elsewhere.api.auth.signIn.mutate({ email: staff.email, password: PASSWORD });
      const { items } = await practice.api.staff.list.query();
      const endings: Record<string, () => Promise<unknown>> = {
        "signing out": () => staff.api.auth.signOut.mutate(),
        "signing out everywhere else": () => elsewhere.api.auth.signOutEverywhere.mutate(),
        suspension: () => practice.api.staff.suspend.mutate({ id: items.at(-1)?.id ?? "" }),
        "a password reset elsewhere": () =>
          elsewhere.api.auth.changePassword.mutate({
            currentPassword: PASSWORD,
            password: "velvet compass orchard tin",
          }),
      };
      const started = Date.now();
      await endings[how]?.();
      await stream.ended;
      expect(Date.now() - started).toBeLessThan(5000);
    },
  );

  test("access.onChange: without a sign-in it says so and ends", async () => {
    const stream = await open(aVisitor(app));
    await stream.ended;
    expect(JSON.stringify(stream.events)).toContain("UNAUTHORIZED");
  });
});

describe("in development", () => {
  let developed: TestApp;
  test("subscriptions: on localhost the impersonation header gives plan pro and skips the check", async () => {
    await app.close();
    developed = await startTestApp({ NODE_ENV: "development" });
    app = developed;
    const developer = await aPractice(developed);
    await setSubscriptions(developer.ownerId);
    const headers = { cookie: developer.cookies(), "x-impersonation": "true" };
    expect((await fetch(`${developed.url}/trpc/clients.list?input={}`, { headers })).status).toBe(200);
    expect(
      (await fetch(`${developed.url.replace("localhost", "127.0.0.1")}/trpc/clients.list?input={}`, { headers }))
        .status,
    ).toBe(402);
    const stream = await openEventStream(developed, developer, "access.onChange", { "x-impersonation": "true" });
    await stream.next({ hasAccess: true, plan: "pro" });
    stream.close();
  });
});

describe("what is given without charge", () => {
  const given = (until: Date | null, plan: "pro" | "essential" = "pro") =>
    grantSubscription(practice.ownerId, { plan, until });
  const soon = () => new Date(Date.now() + 60_000);

  test("grantSubscription: it gives access until its end, another gift takes its place, and what is paid for stays", async () => {
    await setSubscriptions(practice.ownerId, subscription("past_due", "price_pro_monthly"));
    await given(soon());
    expect(await accessOf(practice)).toEqual({ hasAccess: true, plan: "pro" });
    await given(null, "essential");
    expect(await accessOf(practice)).toEqual({ hasAccess: true, plan: "essential" });
    expect(await practice.api.subscriptions.get.query()).toMatchObject({ isGiven: true, currentPeriodEnd: null });
    await withoutGiven(practice.ownerId);
    expect(await accessOf(practice)).toEqual({ hasAccess: false, plan: null });
    const stored = await customers().findOne({ _id: practice.ownerId });
    expect(stored).toMatchObject({ subscriptions: [{ status: "past_due" }] });
  });

  test("grantSubscription: after its last moment it gives none, and open pages are told when that is written down", async () => {
    await setSubscriptions(practice.ownerId);
    await given(new Date(Date.now() - 1));
    expect(await accessOf(practice)).toEqual({ hasAccess: false, plan: null });
    await endGiven();
    const { status } = await practice.api.subscriptions.get.query();
    expect(status).toBe("canceled");
  });
});
