import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aSignedInStage, openPage, type Stage } from "../support/browser/e2e.ts";

const LIMIT_MS = 60_000;

let stage: Stage;
let page: Page;
let clientId: string;
beforeAll(async () => {
  const demo = await aSignedInStage();
  ({ stage } = demo);
  ({ clientId } = demo.sample);
  ({ page } = await openPage(stage));
  await page.context().addCookies(demo.cookies.map((cookie) => ({ ...cookie, url: demo.url })));
});
afterAll(() => stage.close());

async function searchFor(text: string): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/^Search clients/).fill(text);
}

test.each([
  ["add client", "New client", "**/clients/create"],
  ["book a meeting", "Book a meeting", "**/calendar?book=**"],
  ["create contact", "New contact", "**/contacts?add=true"],
  ["working hours", "Calendar settings", "**/calendar?settings=open"],
  ["import csv", "Import clients and cases", "**/account?tab=data&import=new"],
])(
  "search: when %j is typed, then %s is the answer and leads there",
  { timeout: LIMIT_MS },
  async (text, label, url) => {
    await page.goto("/dashboard");
    await searchFor(text);
    await page.getByRole("button", { name: label }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(url);
  },
);

test("search: when a note is begun on a client's page, then it is that client's", { timeout: LIMIT_MS }, async () => {
  await page.goto(`/clients/view/${clientId}`);
  await searchFor("new note");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/clients/view/${clientId}?tab=notes&open=new`);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await expect.poll(() => page.url()).not.toContain("open=new");
  await page.getByRole("button", { name: "New note" }).waitFor();
});

test("search: when a name is mistyped, then those like it are shown as such", { timeout: LIMIT_MS }, async () => {
  await page.goto("/dashboard");
  await searchFor("Elelry");
  // What a group is called stands in a style.
  await page.locator('[style*="Clients with a similar name"]').waitFor();
  await expect.poll(() => page.getByRole("button", { name: /Ellery/ }).count()).toBeGreaterThan(0);
});
