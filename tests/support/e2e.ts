import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { launchBrowser, watchPage } from "../../scripts/browser.ts";
import { type ProductProcess, startProduct } from "../../scripts/product-process.ts";
import { freePort } from "./free-port.ts";

const ACTION_LIMIT_MS = 8000;

export interface Stage {
  browser: Browser;
  product: ProductProcess;
  dataDir: string;
  /** Starts the product again on the same data and the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The built product on fresh data, and a browser to look at it with. */
export async function aStage(environment: Record<string, string> = {}): Promise<Stage> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "evenhand-e2e-"));
  const settings = { DATA_DIR: dataDir, PORT: String(await freePort()), ...environment };
  const browser = await launchBrowser();
  const stage: Stage = {
    browser,
    product: await startProduct(settings),
    dataDir,
    async restart() {
      stage.product = await startProduct(settings);
    },
    async close() {
      await browser.close();
      await stage.product.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return stage;
}

export interface Watched {
  page: Page;
  /** Console errors, uncaught errors and refusals by the content security policy since the page was opened. */
  complaints: string[];
}

export async function openPage(stage: Stage, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await stage.browser.newContext({
    baseURL: stage.product.url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "Europe/London",
    ...options,
  });
  context.setDefaultTimeout(ACTION_LIMIT_MS);
  const page = await context.newPage();
  return { page, complaints: await watchPage(page) };
}

export async function expectNoAxeViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual(
    [],
  );
}
