import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { watchPage } from "./browser.ts";
import type { Cookie, Sample } from "./demo-sign-in.ts";

const SETTLE_MS = 200;
const HEADING_LIMIT_MS = 10_000;
const LOADING_LIMIT_MS = 20_000;
const LOADING = '.mantine-Skeleton-root, [aria-busy="true"]';
const SIGNED_OUT = new Set(["/", "/login", "/register", "/resetpassword", "/setup"]);
const PUBLIC = /^\/(form|lead-form|schedule-meeting|payment|sign|verify)(\/|$)/;

export const VIEWS = [
  { width: 360, height: 740, scheme: "light" },
  { width: 360, height: 740, scheme: "dark" },
  { width: 1280, height: 800, scheme: "light" },
  { width: 1280, height: 800, scheme: "dark" },
] as const;
export type View = (typeof VIEWS)[number];

export const isSignedIn = (route: string) => !SIGNED_OUT.has(route) && !PUBLIC.test(route);

/** An address of the route: what is there for a client, session, link or form, and for everything else a link that leads nowhere. */
export const addressOf = (
  route: string,
  { clientId, sessionId, bookingId, formId, leadFormId, textId, ...paths }: Sample,
) =>
  route
    .replace("/clients/view/$id", `/clients/view/${clientId}`)
    .replace("/schedule-meeting/$id", `/schedule-meeting/${bookingId}`)
    .replace("/sessions/$id", `/sessions/${sessionId}`)
    .replace("/form/$id/$userId", (whole) => paths.formPath || whole)
    .replace("/sign/$token", (whole) => paths.signPath || whole)
    .replace("/lead-form/$formId/$userId", (whole) => paths.leadFormPath || whole)
    .replace("/settings/forms/create/$id", `/settings/forms/create/${formId}`)
    .replace("/settings/documents/edit/$id", `/settings/documents/edit/${textId}`)
    .replace("/leads/forms/edit/$id", `/leads/forms/edit/${leadFormId}`)
    .replace(/\$(\w+)/g, "not-a-known-address-1234");

export async function openContext(
  browser: Browser,
  view: View,
  cookies: Cookie[],
  url: string,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: view.width, height: view.height },
    colorScheme: view.scheme,
    deviceScaleFactor: view.width < 500 ? 2 : 1,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "Europe/London",
  });
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, url })));
  return context;
}

export interface OpenRoute {
  page: Page;
  /** What the browser has complained about so far. */
  complaints: string[];
}

export async function openRoute(context: BrowserContext, address: string): Promise<OpenRoute> {
  const page = await context.newPage();
  const complaints = await watchPage(page);
  await page.goto(address, { waitUntil: "load" });
  await page.locator("h1").first().waitFor({ state: "attached", timeout: HEADING_LIMIT_MS });
  return { page, complaints };
}

/** What loads has come, and the picture has settled; an event stream keeps the network busy for good. */
export async function settle(page: Page): Promise<void> {
  const isThere = (loading: string) => document.querySelector(loading) === null;
  await page.waitForFunction(isThere, LOADING, { timeout: LOADING_LIMIT_MS });
  await page.waitForTimeout(SETTLE_MS);
}

const RULES_OF_COLOUR = ["color-contrast", "link-in-text-block"];

/** What axe finds on the page as it stands, one line for each rule; or of its colours alone. */
export async function axeFindings(page: Page, ofWhat: "all" | "colours" = "all"): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (ofWhat === "all" ? axe : axe.withRules(RULES_OF_COLOUR)).analyze();
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.slice(0, 3).map((node) => node.target.join(" "));
    return `axe ${id}: ${help} (${places.join("; ")})`;
  });
}
