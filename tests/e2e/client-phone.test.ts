// A client's page on a phone: what somebody wants to know who opens it stands on the first screen.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aSignedInStage, openPage, type Stage } from "../support/browser/e2e.ts";

const LIMIT_MS = 60_000;
const PHONE = { width: 360, height: 740 };

let stage: Stage;
let page: Page;
let clientId: string;
beforeAll(async () => {
  const demo = await aSignedInStage();
  ({ stage } = demo);
  ({ clientId } = demo.sample);
  ({ page } = await openPage(stage, { viewport: PHONE }));
  await page.context().addCookies(demo.cookies.map((cookie) => ({ ...cookie, url: demo.url })));
});
afterAll(() => stage.close());

test(
  "a client on a phone: who, which case, what is next and Call are on the first screen",
  { timeout: LIMIT_MS },
  async () => {
    await page.goto(`/clients/view/${clientId}`);
    const next = page.locator(".client-panels .panel").first();
    const things = {
      who: page.getByRole("heading", { level: 1 }),
      case: page.locator(".client-meta").getByText(/\d{4}-\d+$/),
      next,
      "what opens the case": page.getByRole("button", { name: "Open the case" }),
      call: page.getByRole("link", { name: "Call", exact: true }),
      tabs: page.getByRole("tablist"),
    };
    for (const [what, thing] of Object.entries(things)) {
      const box = await thing.boundingBox();
      expect(box && box.y >= 0 && box.y + box.height <= PHONE.height, what).toBe(true);
    }
    expect(await things.call.getAttribute("href")).toMatch(/^tel:\+?\d+$/);
  },
);

test("a client on a phone: what else can be done is behind one button", { timeout: LIMIT_MS }, async () => {
  await page.goto(`/clients/view/${clientId}`);
  await page.getByRole("button", { name: "More about this client" }).click();
  for (const name of ["Write", "Book", "Edit details"]) await page.getByRole("menuitem", { name }).waitFor();
  await page.getByRole("menuitem", { name: "Edit details" }).click();
  await page.waitForURL("**?edit=true");
});

test.each(["history", "files", "overview"])(
  "a client on a phone: when the tab %s is opened by its address, then it is in sight, and the page has not moved",
  { timeout: LIMIT_MS },
  async (tab) => {
    await page.goto(`/clients/view/${clientId}?tab=${tab}`);
    const box = await page.getByRole("tab", { selected: true }).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(PHONE.width);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  },
);
