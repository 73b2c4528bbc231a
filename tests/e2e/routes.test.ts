import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sample } from "../../scripts/demo-sign-in.ts";
import { addressOf, axeFindings, isSignedIn, openContext, openRoute, settle, VIEWS } from "../../scripts/routes.ts";
import { routePaths } from "../../scripts/route-paths.ts";
import { aSignedInStage, type Stage } from "../support/browser/e2e.ts";

// One pixel to a point: a picture of more shows nothing that axe looks at.
const [, , FIRST_VIEW] = VIEWS;

let stage: Stage;
let signedIn: BrowserContext;
let signedOut: BrowserContext;
let sample: Sample;
beforeAll(async () => {
  const demo = await aSignedInStage();
  ({ stage, sample } = demo);
  const { url, cookies } = demo;
  signedIn = await openContext(stage.browser, FIRST_VIEW, cookies, url);
  signedOut = await openContext(stage.browser, FIRST_VIEW, [], url);
});
afterAll(() => stage.close());

test.concurrent.each(routePaths())(
  "%s: neither the browser nor axe complains, at any width, in the light or the dark",
  async (route) => {
    const context = isSignedIn(route) ? signedIn : signedOut;
    const { page, complaints } = await openRoute(context, stage.product.url + addressOf(route, sample));
    for (const { width, height, scheme } of VIEWS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await settle(page);
      // In the dark the page has other colours, and is the same page.
      const findings = await axeFindings(page, scheme === "dark" ? "colours" : "all");
      complaints.push(...findings.map((finding) => `${width} ${scheme}: ${finding}`));
    }
    await page.close();
    expect(complaints).toEqual([]);
  },
);

test("an unknown path shows the not-found page", async () => {
  const { page } = await openRoute(signedOut, `${stage.product.url}/no/such/page`);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(/not/i);
  await page.close();
});

test("a navigation: what it asks for is missing, then it leads to the start, where the server's words are told", async () => {
  const { page } = await openRoute(signedIn, `${stage.product.url}/clients/view/nobody`);
  await page.getByText(/you are back at the start. Client not found. It may have been deleted./).waitFor();
  await page.waitForURL(/\/dashboard$/);
  await page.close();
});
