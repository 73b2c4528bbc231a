// What two pay for the same session: each an invoice of their own, money that comes in parts, and what is credited.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { buttonOn } from "../support/browser/case-steps.ts";
import { expectManners } from "../support/browser/dialog-manners.ts";
import { aStage, expectNoAxeViolations, openPage, signInAs, type Stage, withDatabase } from "../support/browser/e2e.ts";
import { issuedInvoice, partyPayer } from "../support/server/invoiced.ts";
import { aCase, aPractice, type TestPractice } from "../support/server/people.ts";
import { type FakeStripe, startFakeStripe } from "../support/stripe/fake-stripe.ts";

const LIMIT_MS = 120_000;
const PHONE = { viewport: { width: 360, height: 740 } };

let stripe: FakeStripe;
let stage: Stage;
let practice: TestPractice;
let page: Page;
let complaints: string[];
beforeAll(async () => {
  stripe = await startFakeStripe();
  stage = await aStage(stripe.connect);
  practice = await aPractice({ url: stage.product.url, close: () => Promise.resolve() });
  const subscription = { id: "sub_given", status: "active", price: { id: "price_pro_monthly" }, source: "manual" };
  await withDatabase(stage, (database) =>
    database.collection("customers").updateMany({}, { $set: { subscriptions: [subscription] } }),
  );
  await vi.waitFor(async () => expect((await practice.api.auth.status.query()).user?.hasAccess).toBe(true), 5000);
  ({ page, complaints } = await openPage(stage));
  await signInAs(page, practice, stage.product.url);
}, LIMIT_MS);
afterAll(async () => {
  await stage.close();
  await stripe.close();
});

const button = buttonOn(() => page);
const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const gone = (name: string | RegExp) => dialog(name).waitFor({ state: "detached" });
const payer = (name: string) => page.getByRole("region", { name });

/** Nothing of the page or of what stands over it is wider than the screen. */
const isTooWide = (of: Page) =>
  of.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll(".dialog-body")].some(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
    ),
  );

async function chooseLine(name: string): Promise<void> {
  await button("From the price list").click();
  await page.getByRole("menuitem", { name }).click();
}

test(
  "a session of two payers: when it is split, issued, paid in part and credited, then each owes what is theirs and no more",
  { timeout: LIMIT_MS },
  async () => {
    const { first, second } = await aCase(practice, { domain: "family" });
    const [priya, owen] = [first.displayName, second.displayName];

    await page.goto("/payment-settings?tab=prices");
    await page.getByRole("link", { name: "New price" }).click();
    const price = dialog("New price");
    await price.getByLabel("Code").fill("session");
    await price.getByLabel("Name").fill("Mediation session");
    await price.getByLabel("Kind").selectOption("Session");
    await price.getByLabel("Charged").selectOption("For the case");
    await price.getByRole("textbox", { name: "Price" }).fill("195.01");
    await button("Save", price).click();
    await gone("New price");
    await page.getByRole("cell", { name: "£195.01" }).waitFor();

    await page.goto(`/clients/view/${first.id}?tab=payments`);
    await button("Split between payers").click();
    const split = dialog("Split between payers");
    await chooseLine("Mediation session");
    for (const name of [priya, owen]) await split.getByRole("checkbox", { name: new RegExp(`^${name}`) }).check();
    await split.getByRole("radio", { name: "In equal parts" }).check();
    await button("Save drafts", split).click();
    await split.getByText("Choose who pays what cannot be divided").waitFor();
    await split.getByLabel("What cannot be divided goes to").selectOption(owen);
    await split.getByText("£97.51").waitFor();
    await expectNoAxeViolations(page);
    await button("Save drafts", split).click();
    await gone("Split between payers");

    await payer(priya).getByText(`Only ${priya} sees these invoices`).waitFor();
    for (const name of [priya, owen]) {
      await button(`Issue: the draft for ${name}`).click();
      await button("Issue", dialog(/^Issue the invoice/)).click();
      await gone(/^Issue the invoice/);
    }
    await payer(owen).getByText("Owes £97.51").waitFor();
    await payer(priya).getByText("Owes £97.50").waitFor();
    await page.getByText("£195.01").waitFor();

    await payer(priya)
      .getByRole("button", { name: /^Record payment/ })
      .click();
    const recorded = dialog(/^Payment for/);
    await recorded.getByLabel("How it is paid").selectOption("Cash");
    await recorded.getByLabel("Amount").fill("100");
    await button("Record payment", recorded).click();
    await recorded.getByText("Only £97.50 is due.").waitFor();
    await recorded.getByLabel("Amount").fill("40");
    await button("Record payment", recorded).click();
    await gone(/^Payment for/);
    await payer(priya).getByText("Owes £57.50").waitFor();
    await payer(priya).getByText("Part paid").waitFor();

    await payer(owen)
      .getByRole("button", { name: /^More for/ })
      .click();
    await page.getByRole("menuitem", { name: "Credit", exact: true }).click();
    const credit = dialog(/^Credit /);
    await credit.getByLabel("Amount").fill("20");
    await credit.getByLabel("Why").fill("Agreed on the phone");
    await button("Issue credit note", credit).click();
    await gone(/^Credit /);
    await payer(owen).getByText("Owes £77.51").waitFor();
    await payer(owen)
      .getByRole("button", { name: /^Open / })
      .click();
    await dialog(/^Invoice /)
      .getByText("Agreed on the phone")
      .waitFor();
    await dialog(/^Invoice /)
      .getByText("-£20.00")
      .waitFor();
    await expectNoAxeViolations(page);
    expect(complaints).toEqual([]);
  },
);

test(
  "a phone: when the money of a case and each dialog over it is shown there, then nothing scrolls sideways",
  { timeout: LIMIT_MS },
  async () => {
    const { theCase, first, p1 } = await aCase(practice, { domain: "family" });
    const { number } = await issuedInvoice(practice, theCase.id, partyPayer(p1));
    const phone = await openPage(stage, PHONE);
    await signInAs(phone.page, practice, stage.product.url);
    const wide: string[] = [];
    const look = async (what: string) => {
      if (await isTooWide(phone.page)) wide.push(what);
    };
    for (const tab of ["", "?tab=prices", "?tab=settings", "?tab=cards", "?tab=prices&add=true", "?add=true"]) {
      await phone.page.goto(`/payment-settings${tab}`);
      await phone.page.getByRole("tab", { selected: true }).waitFor();
      await look(`the page Payments ${tab}`);
    }
    await phone.page.goto(`/clients/view/${first.id}?tab=payments`);
    await phone.page.getByRole("button", { name: `Open ${number}` }).waitFor();
    await look("the money of a case");
    for (const name of ["Split between payers", "New invoice", `Open ${number}`, `Record payment: ${number}`]) {
      await phone.page.getByRole("button", { name, exact: true }).click();
      const opened = phone.page.getByRole("dialog");
      await opened
        .getByRole("button", { name: /^(Save|Record|More for)/ })
        .first()
        .waitFor();
      await look(name);
      await phone.page.keyboard.press("Escape");
      await opened.waitFor({ state: "detached" });
    }
    expect(wide).toEqual([]);
  },
);

test(
  "a link to pay: when the practice can take cards, then it is made in a dialog that behaves as every other, and copied",
  { timeout: LIMIT_MS },
  async () => {
    const { url } = await practice.api.paymentAccounts.connect.mutate();
    stripe.setCardPayments(url.split("/").at(-2) ?? "", "active");
    await practice.api.paymentAccounts.refresh.mutate();
    const { theCase, first, p1 } = await aCase(practice, { domain: "family" });
    const { number } = await issuedInvoice(practice, theCase.id, partyPayer(p1));
    await page.goto(`/clients/view/${first.id}?tab=payments`);
    const opener = (of: Page) => of.getByRole("button", { name: `More for ${number}` });
    await expectManners(page, {
      dialog: "PaymentLinkDialog",
      opener,
      item: "Payment link",
      title: `Payment link for ${number}`,
      typed: "nothing",
    });
    await opener(page).click();
    await page.getByRole("menuitem", { name: "Payment link" }).click();
    await button("Make the link", dialog(/^Payment link/)).click();
    expect(
      await dialog(/^Payment link/)
        .getByRole("textbox", { name: "Link" })
        .inputValue(),
    ).toMatch(/\/pay\/[\w-]{22,}$/);
    await page.goto("/payment-settings?tab=cards");
    await expectManners(page, {
      dialog: "DisconnectButton",
      opener: (of) => of.getByRole("button", { name: "Disconnect" }),
      title: "Disconnect this account?",
      typed: "nothing",
    });
  },
);
