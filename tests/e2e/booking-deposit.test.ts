// A visitor on a phone is asked to pay before their time is booked: they pay, or let it go; staff make the link and see it.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newToken } from "@app/server/core/ids";
import { makeLink, opened } from "../support/server/booked.ts";
import { aPractice, aVisitor, type TestPractice } from "../support/server/people.ts";
import { aStage, expectNoAxeViolations, openPage, signInAs, type Stage, withDatabase } from "../support/browser/e2e.ts";
import { type FakeStripe, startFakeStripe } from "../support/stripe/fake-stripe.ts";

const PHONE = { viewport: { width: 360, height: 740 }, timezoneId: "Europe/London", hasTouch: true };
const PICTURES = process.env["BOOKING_PICTURES"];

let stripe: FakeStripe;
let stage: Stage;
let practice: TestPractice;
beforeAll(async () => {
  stripe = await startFakeStripe();
  stage = await aStage(stripe.connect);
  stripe.events.state.target = stage.product.url;
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

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function looksRight(page: Page, name: string): Promise<void> {
  await expectNoAxeViolations(page);
  const { width = 360 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  if (!PICTURES) return;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${PICTURES}/${name}.${width}.${colorScheme}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** Cards are taken, as they are once the owner connected an account. */
async function takesCards(): Promise<void> {
  const { url } = await practice.api.paymentAccounts.connect.mutate();
  stripe.setCardPayments(url.split("/").at(-2) ?? "", "active");
  await practice.api.paymentAccounts.refresh.mutate();
}

test("staff: a link asks for a payment once cards are taken, and says what it asks", async () => {
  const { page, complaints } = await openPage(stage);
  await signInAs(page, practice, stage.product.url);
  await page.goto("/calendar?view=links&link=new");
  await page.getByText("A booking can wait for a payment once cards are taken here").waitFor();
  await takesCards();
  await page.goto("/calendar?view=links&link=new");
  await page.getByLabel("Name", { exact: true }).fill("Consultation, paid first");
  await page.getByLabel("Payment before it is booked").selectOption("Another amount");
  await press(page, "Make the link");
  await page.getByText("Enter the amount").waitFor();
  await page.getByLabel("Amount", { exact: true }).fill("60");
  await looksRight(page, "link");
  await press(page, "Make the link");
  await page.getByText("£60.00 is paid first").waitFor();
  await looksRight(page, "links");
  expect(complaints).toEqual([]);
});

/** Chooses a time and enters who they are, and comes to the page to pay on. */
async function atTheProvider() {
  const link = await makeLink(practice, { deposit: { kind: "amount", amountMinor: 5000 } });
  const watched = await openPage(stage, PHONE);
  const { page } = watched;
  await page.goto(`/schedule-meeting/${link.publicId}`);
  await page.getByText("£50.00 is to be paid by card before a time is booked.").waitFor();
  await page.getByText(/cancel at least 24 hours before it begins/).waitFor();
  const times = page.getByRole("group", { name: "Time", exact: true }).getByRole("button");
  await times.first().waitFor();
  await looksRight(page, "choose");
  await times.first().click();
  await page.getByText("To pay: £50.00").waitFor();
  await press(page, "Continue to your details");
  await page.getByLabel("Your name").fill("Sam Okoro");
  await page.getByLabel("Email").fill(`${newToken().slice(0, 8)}@example.org`);
  await page.getByLabel("Phone", { exact: true }).fill("07700 900142");
  await looksRight(page, "details");
  await press(page, "Continue to payment");
  await heading(page, "Pay");
  return { ...watched, link };
}

test("deposit booking: on a 360 px phone a card is declined, Back holds the time, another card books it, and staff see and return it", async () => {
  const { page, complaints } = await atTheProvider();
  await press(page, "Pay with a card that is declined");
  await page.getByText("Your card was declined.").waitFor();
  await press(page, "Back");
  await heading(page, "Payment not completed");
  await page.getByText("The time is still held for you for a while").waitFor();
  await looksRight(page, "not-completed");
  await page.getByRole("link", { name: "See your appointment" }).click();
  await heading(page, "Pay to book this time");
  await looksRight(page, "to-pay");
  await page.getByRole("link", { name: "Pay £50.00" }).click();
  await heading(page, "Pay");
  await press(page, "Pay");
  await heading(page, "Your appointment is booked");
  await page.getByText("Receipt", { exact: true }).waitFor();
  await looksRight(page, "paid");
  await page.getByRole("link", { name: "See your appointment" }).click();
  await heading(page, "Your appointment");
  await page.getByText(/£50.00 is paid\./).waitFor();
  await page.getByRole("link", { name: "Add to your calendar" }).waitFor();
  await looksRight(page, "booked");
  expect(complaints).toEqual([]);

  const staff = await openPage(stage);
  await signInAs(staff.page, practice, stage.product.url);
  const { id } = await booked();
  await staff.page.goto(`/calendar?open=${id}`);
  await staff.page.getByText(/£50\.00, paid/).waitFor();
  await looksRight(staff.page, "meeting");
  await staff.page.getByRole("link", { name: /^invoice/ }).click();
  await staff.page.getByText("Paid before it was booked, by whoever booked by a link.").waitFor();
  await looksRight(staff.page, "invoice");
  await staff.page.getByRole("button", { name: /^More for £50/ }).click();
  await staff.page.getByRole("menuitem", { name: "Refund" }).waitFor();
  expect(staff.complaints).toEqual([]);
});

const booked = async (): Promise<{ id: string }> => {
  const meeting = await withDatabase(stage, (database) =>
    database.collection("meetings").findOne({ ownerId: practice.ownerId, status: "booked" }),
  );
  return { id: String(meeting?._id) };
};

test("deposit booking: what is not paid is let go, on the page to pay and on the page of the booking", async () => {
  const { page, link } = await atTheProvider();
  const { publicId } = link;
  const before = (await opened(aVisitor({ url: stage.product.url, close: () => Promise.resolve() }).api, publicId))
    .times;
  await withDatabase(stage, (database) =>
    database
      .collection("payments")
      .updateMany(
        { ownerId: practice.ownerId, "deposit.isSettled": false },
        { $set: { linkUntil: new Date(Date.now() - 60_000) } },
      ),
  );
  await press(page, "Back");
  await heading(page, "The time is not held any more");
  await looksRight(page, "over");
  const { api } = aVisitor({ url: stage.product.url, close: () => Promise.resolve() });
  await vi.waitFor(async () => expect((await opened(api, publicId)).times.length).toBeGreaterThan(before.length), {
    timeout: 80_000,
    interval: 2000,
  });
  await page.getByRole("link", { name: "See your appointment" }).click();
  await heading(page, "This time is not held any more");
  await looksRight(page, "lapsed");
});
