// What people feel: from the click to the content, in a browser, in a practice with 10,000 clients and 100,000 meetings.
import type { Page } from "playwright-core";
import { launchBrowser } from "../../scripts/browser.ts";
import { signIn } from "../../scripts/demo-sign-in.ts";
import { startProduct } from "../../scripts/product-process.ts";
import { openContext, settle } from "../../scripts/routes.ts";
import { withDemos } from "./answers-data.ts";
import { type Figure, median } from "./figure.ts";

const WARM_ROUNDS = 6;
const COLD_ROUNDS = 5;
const WARM_MS = 100;
const COLD_MS = 300;
/** As long as a pointer rests on something before it is pressed, at the least, and between two keys. */
const HOVER_MS = 100;
const VIEW = { width: 1280, height: 800, scheme: "light" } as const;

interface Step {
  /** The page on which it begins. */
  at: string;
  /** Acts; other rounds act on other things, so that their content has to be asked for. */
  act: (page: Page, round: number) => Promise<unknown>;
  /** Back to where it began, on the same page. */
  back: (page: Page) => Promise<unknown>;
  /** What stands on the page once its content does. */
  content: string;
  /** Whether the content counts only under another heading than before. */
  isHeadingNew: boolean;
}

const STEPS: Record<string, Step> = {
  "ui.openClient": {
    at: "/clients",
    act: (page, round) => press(page, `tbody tr:nth-of-type(${round + 2}) a`),
    back: (page) => page.goBack(),
    content: ".client-tabs [role='tabpanel'] .section",
    isHeadingNew: true,
  },
  "ui.search": {
    at: "/contacts",
    act: async (page, round) => {
      await page.keyboard.press("Control+k");
      await page.locator("input[placeholder^='Search clients']:focus").waitFor();
      await page.keyboard.type(["oye", "ell", "qur", "far", "tob", "nan", "cas"][round] ?? "oye", { delay: HOVER_MS });
    },
    back: (page) => page.keyboard.press("Escape"),
    content: "[data-found]",
    isHeadingNew: false,
  },
  "ui.calendarWeek": {
    at: "/calendar",
    act: (page) => press(page, '[aria-label="Earlier"]'),
    // The next round goes on from there.
    back: () => Promise.resolve(),
    content: ".calendar-grid [data-status]",
    isHeadingNew: true,
  },
  "ui.dashboard": {
    at: "/contacts",
    act: (page) => press(page, '.navigation a[href="/dashboard"]'),
    back: (page) => page.goBack(),
    content: ".dashboard-day .section",
    isHeadingNew: true,
  },
};
export const UI = Object.keys(STEPS).flatMap((name) => [name, `${name}.cold`]);

/**
 * For each step the milliseconds from the last click or key to the first frame with its content: `cold` on a page that
 * was just loaded, and else where the step was taken once before with other content.
 */
export async function benchUi(names: readonly string[]): Promise<Figure[]> {
  return withDemos(async ({ large }) => {
    const product = await startProduct({ DATA_DIR: large });
    const browser = await launchBrowser();
    try {
      const cookies = await signIn(product.url);
      const figures: Figure[] = [];
      for (const [name, step] of Object.entries(STEPS)) {
        if (!names.some((one) => one.startsWith(name))) continue;
        const times: Record<"warm" | "cold", number[]> = { warm: [], cold: [] };
        for (let round = 0; round < COLD_ROUNDS; round += 1) {
          const context = await openContext(browser, VIEW, cookies, product.url);
          const page = await context.newPage();
          times.cold.push(await take(page, product.url, step, 0));
          // The last page goes on.
          for (let again = 1; round === COLD_ROUNDS - 1 && again <= WARM_ROUNDS; again += 1)
            times.warm.push(await take(page, product.url, step, again));
          await context.close();
        }
        figures.push(
          { name, value: median(times.warm), unit: "ms", goal: "<=", limit: WARM_MS },
          { name: `${name}.cold`, value: median(times.cold), unit: "ms", goal: "<=", limit: COLD_MS },
        );
      }
      return figures;
    } finally {
      await browser.close();
      await product.stop();
    }
  });
}

async function take(page: Page, url: string, { at, act, back, content, isHeadingNew }: Step, round: number) {
  if (round === 0) await page.goto(url + at);
  else await back(page);
  await page.locator("h1").first().waitFor({ state: "attached" });
  await settle(page);
  await page.evaluate(watch, { content, isHeadingNew });
  await act(page, round);
  return Number(await page.evaluate<unknown>(() => Reflect.get(window, "took")));
}

/** In the page: from the last click or key until the first frame that has it all. */
function watch({ content, isHeadingNew }: { content: string; isHeadingNew: boolean }): void {
  const heading = () => document.querySelector("h1")?.textContent;
  const before = heading();
  let startedAt = Number.NaN;
  const begin = () => {
    startedAt = performance.now();
  };
  for (const kind of ["click", "input"]) window.addEventListener(kind, begin, { capture: true });
  const isThere = () =>
    startedAt > 0 &&
    (!isHeadingNew || heading() !== before) &&
    document.querySelector(content) !== null &&
    document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]') === null;
  const took = new Promise((resolve) => {
    const look = () => (isThere() ? resolve(performance.now() - startedAt) : void requestAnimationFrame(look));
    requestAnimationFrame(look);
  });
  Reflect.set(window, "took", took);
}

async function press(page: Page, target: string): Promise<void> {
  await page.hover(target);
  await page.waitForTimeout(HOVER_MS);
  await page.click(target);
}
