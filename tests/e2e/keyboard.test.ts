import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_EMAIL, DEMO_PASSWORD } from "../../scripts/demo-account.ts";
import { aDemoStage, expectNoAxeViolations, openPage, type Stage, withDatabase } from "../support/browser/e2e.ts";

const TABS_MAX = 80;

let stage: Stage;
beforeAll(async () => {
  stage = await aDemoStage();
});
afterAll(() => stage.close());

/** Presses Tab until the focus is on the control with this name, as a person without a mouse would. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let count = 0; count < TABS_MAX; count++) {
    const label = await page.evaluate(() => {
      const element = document.activeElement;
      const labels =
        element instanceof HTMLInputElement ? [...(element.labels ?? [])].map((each) => each.textContent ?? "") : [];
      return [...labels, element?.getAttribute("aria-label") ?? "", element?.textContent ?? ""].find(Boolean) ?? "";
    });
    if (name.test(label)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the Tab key never reached ${name}`);
}

/** The page is there, and the keyboard begins at its heading. */
async function arriveAt(page: Page, url: string): Promise<void> {
  await page.waitForURL(url);
  await page.waitForFunction(() => document.activeElement?.matches("h1"));
}

test("signing in and adding a client need no mouse", async () => {
  const { page, complaints } = await openPage(stage);
  await page.goto("/");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await tabTo(page, /^Email address/);
  await page.keyboard.type(DEMO_EMAIL);
  await tabTo(page, /^Password/);
  await page.keyboard.type(DEMO_PASSWORD);
  await page.keyboard.press("Enter");
  await arriveAt(page, "**/dashboard");

  await tabTo(page, /^Clients/);
  await page.keyboard.press("Enter");
  await arriveAt(page, "**/clients");
  await tabTo(page, /^Add client/);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/clients/create");
  await tabTo(page, /^First name/);
  await page.keyboard.type("Winifred");
  await tabTo(page, /^Last name/);
  await page.keyboard.type("Dace");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/clients/view/*");
  await page.getByRole("heading", { level: 1, name: "Winifred Dace" }).waitFor();
  expect(complaints).toEqual([]);
});

test("bad input is explained beside its field, the first bad field has the focus, and nothing typed is lost", async () => {
  const { page } = await openPage(stage);
  await page.goto("/");
  await page.getByLabel("Email address").fill(DEMO_EMAIL);
  await page.getByLabel("Password", { exact: true }).fill("not the password at all");
  await page.keyboard.press("Enter");
  await page.getByText(/is not right/).waitFor();
  expect(await page.getByLabel("Email address").inputValue()).toBe(DEMO_EMAIL);
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-invalid") === "true");

  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
  await page.goto("/clients/create");
  await page.getByLabel("Last name").fill("Dace");
  await page.getByLabel("Email (optional)").fill("winifred@");
  await page.getByRole("button", { name: "Add client", exact: true }).click();
  await page.getByText("Enter a first name").waitFor();
  await page.getByText(/should look like name@example.org/).waitFor();
  expect(
    await page.evaluate(
      () => document.activeElement instanceof HTMLInputElement && document.activeElement.labels?.[0]?.textContent,
    ),
  ).toBe("First name");
  expect(await page.getByLabel("Last name").inputValue()).toBe("Dace");
});

/** As if everybody had signed in eleven minutes ago. */
async function forgetConfirmations(): Promise<void> {
  const confirmed_at = new Date(Date.now() - 11 * 60_000);
  await withDatabase(stage, (database) =>
    database.collection("auth_sessions").updateMany({}, { $set: { confirmed_at } }),
  );
}

test("a change that asks first who sits there goes on by itself, and without the password leaves the form as it was", async () => {
  const { page } = await openPage(stage);
  await page.goto("/");
  await page.getByLabel("Email address").fill(DEMO_EMAIL);
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
  await forgetConfirmations();

  await page.goto("/settings/user-permissions?invite=true");
  await page.getByLabel("Email address").fill("tom.birch@example.org");
  await page.getByLabel("First name").fill("Tom");
  await page.getByRole("dialog").getByLabel("Role", { exact: true }).selectOption("Caseworker");
  await page.getByLabel("Last name").fill("Birch");
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Confirm that it is you" });
  await question.waitFor();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  expect(await page.getByLabel("Email address").inputValue()).toBe("tom.birch@example.org");

  await page.waitForFunction(
    () => document.activeElement instanceof HTMLInputElement && document.activeElement.value === "Birch",
  );
  await page.keyboard.press("Enter");
  await question.waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("autocomplete") === "current-password");
  await page.keyboard.type(DEMO_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText(/The invitation is made/).waitFor();
});
