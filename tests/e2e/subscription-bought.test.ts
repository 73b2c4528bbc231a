// The practice buys its subscription on the provider's page, loses it when a renewal fails, and gets it back.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { aStage, expectNoAxeViolations, openPage, signInAs, type Stage } from "../support/browser/e2e.ts";
import { aPractice, type TestPractice } from "../support/server/people.ts";
import { type FakeStripe, startFakeStripe } from "../support/stripe/fake-stripe.ts";

let stripe: FakeStripe;
let stage: Stage;
let practice: TestPractice;
beforeAll(async () => {
  stripe = await startFakeStripe();
  stage = await aStage(stripe.environment);
  stripe.events.state.target = stage.product.url;
  practice = await aPractice({ url: stage.product.url, close: () => Promise.resolve() });
});
afterAll(async () => {
  await stage.close();
  await stripe.close();
});

test("the subscription: bought on a trial it opens the product, a failed renewal closes it with what helps, and paying opens it again", async () => {
  const { page, complaints } = await openPage(stage);
  await signInAs(page, practice, stage.product.url);
  await page.goto("/clients");
  await page.waitForURL("**/account**");
  await page.getByRole("heading", { name: "Start a subscription" }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByLabel("Pro").check();
  await page.getByLabel("Yearly").check();
  await page.getByRole("button", { name: "Go to payment" }).click();
  await page.getByRole("heading", { name: "Pay" }).waitFor();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await page.waitForURL("**/account**");
  await page.getByText("Trial until").waitFor();
  await page.getByText("£790.00 a year and VAT").waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole("navigation").getByRole("link", { name: "Clients" }).click();
  await page.getByRole("heading", { level: 1, name: /Clients/ }).waitFor();

  const [customer = ""] = [...stripe.subscriptions.keys()];
  stripe.setSubscriptions(customer, "past_due");
  await page.waitForURL("**/account**");
  await page.getByText("The last payment did not succeed").waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Change plan or card" }).click();
  await page.getByRole("heading", { name: "Billing" }).waitFor();
  stripe.setSubscriptions(customer, "active");
  await vi.waitFor(async () => expect((await practice.api.auth.status.query()).user?.hasAccess).toBe(true), 10_000);
  await page.goto("/clients");
  await page.getByRole("heading", { level: 1, name: /Clients/ }).waitFor();
  expect(complaints).toEqual([]);
});
