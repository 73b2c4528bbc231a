import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cookie, fillWithDemo, sampleOf, signIn } from "../../scripts/demo-sign-in.ts";
import { addressOf, isSignedIn, openContext, routePaths, VIEWS, visit } from "../../scripts/routes.ts";
import { aStage, type Stage } from "../support/e2e.ts";

let stage: Stage;
let cookies: Cookie[];
let clientId: string;
beforeAll(async () => {
  stage = await aStage();
  await fillWithDemo(stage.dataDir);
  cookies = await signIn(stage.product.url);
  clientId = await sampleOf(stage.product.url, cookies);
});
afterAll(() => stage.close());

const nothing = () => Promise.resolve();

describe.each(VIEWS)("at $width px, $scheme", (view) => {
  let signedIn: BrowserContext;
  let signedOut: BrowserContext;
  beforeAll(async () => {
    signedIn = await openContext(stage.browser, view, cookies, stage.product.url);
    signedOut = await openContext(stage.browser, view, [], stage.product.url);
  });
  afterAll(async () => {
    await signedIn.close();
    await signedOut.close();
  });

  test.each(routePaths())("%s: neither the browser nor axe complains", async (route) => {
    const context = isSignedIn(route) ? signedIn : signedOut;
    expect(await visit(context, stage.product.url + addressOf(route, clientId), nothing)).toEqual([]);
  });
});

test("an unknown path shows the not-found page", async () => {
  const context = await openContext(stage.browser, VIEWS[2], [], stage.product.url);
  const page = await context.newPage();
  await page.goto(`${stage.product.url}/no/such/page`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(/not/i);
  await context.close();
});
