// A sign-in that ends while something is typed takes nothing away, and nobody else saves it as themselves.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_EMAIL, DEMO_PASSWORD } from "../../scripts/demo-account.ts";
import { type Cookie, signIn } from "../../scripts/demo-sign-in.ts";
import { expectFocusOn, expectManners } from "../support/browser/dialog-manners.ts";
import { aDemoStage, expectNoAxeViolations, openPage, type Stage, withDatabase } from "../support/browser/e2e.ts";
import { PASSWORD } from "../support/server/people.ts";

const TOM = "tom@elsewhere.example.org";

let stage: Stage;
beforeAll(async () => {
  stage = await aDemoStage();
  const response = await fetch(`${stage.product.url}/trpc/auth.register`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: stage.product.url },
    body: JSON.stringify({
      firstName: "Tom",
      lastName: "Reed",
      email: TOM,
      practiceName: "Elsewhere",
      region: "england_wales",
      mediatorType: "family",
      password: PASSWORD,
    }),
  });
  expect(response.ok).toBe(true);
});
afterAll(() => stage.close());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const question = (page: Page) => page.getByRole("dialog", { name: "You were signed out" });
const enter = async (page: Page, cookies: Cookie[]) =>
  page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: stage.product.url })));

/** A client half typed, by somebody whose sign-ins have all ended since. */
async function typedWhileSignedOut(): Promise<Page> {
  const { page } = await openPage(stage);
  await enter(page, await signIn(stage.product.url));
  await page.goto("/clients/create");
  await page.getByLabel("First name").fill("Ottoline");
  await page.getByLabel("Last name").fill("Quince");
  await withDatabase(stage, (database) => database.collection("auth_sessions").deleteMany({}));
  await question(page).waitFor();
  await page.keyboard.press("Escape");
  await question(page).waitFor({ state: "detached" });
  await expectFocusOn(page.getByLabel("Last name"));
  return page;
}

test("the sign-in ended while a client was typed: it stays, and is saved once the person has signed in again", async () => {
  const page = await typedWhileSignedOut();
  await button(page, "Add client").click();
  await question(page).waitFor();
  await expectNoAxeViolations(page);
  await button(page, "I have signed in").click();
  await page.getByText("Nobody is signed in as").waitFor();

  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Open sign-in" }).click();
  const tab = await opened;
  await tab.getByLabel("Email address").fill(DEMO_EMAIL);
  await tab.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await tab.keyboard.press("Enter");
  await tab.waitForURL("**/dashboard");
  await button(page, "I have signed in").click();
  await question(page).waitFor({ state: "detached" });
  await button(page, "Add client").click();
  await page.getByRole("heading", { level: 1, name: "Ottoline Quince" }).waitFor();
  await page.context().close();
});

test("somebody else has signed in meanwhile: nothing is saved as them", async () => {
  const page = await typedWhileSignedOut();
  await enter(page, await signIn(stage.product.url, TOM, PASSWORD));
  await button(page, "Add client").click();
  await question(page).waitFor();
  await button(page, "I have signed in").click();
  await page.getByText("Nobody is signed in as").waitFor();
  expect(await page.getByLabel("Last name").inputValue()).toBe("Quince");
  const clients = await page.request.get("/trpc/clients.list?input=%7B%7D");
  expect(await clients.text()).toContain('"items":[]');
  await button(page, "Leave without saving").click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.context().close();
});

test("the dialog that says so has the manners of every dialog", async () => {
  const page = await typedWhileSignedOut();
  await expectManners(page, {
    dialog: "SignedOutDialog",
    opener: (on) => button(on, "Add client"),
    title: "You were signed out",
    typed: "nothing",
  });
  await page.context().close();
});
