import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { cp, mkdir, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createLogger } from "@app/server/core/logger";
import { startEmbeddedMongo } from "@app/embedded-mongo/start";
import { AxeBuilder } from "@axe-core/playwright";
import { type Db, MongoClient } from "mongodb";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, inject } from "vitest";
import { watchPage } from "../../../scripts/browser.ts";
import { fillWithDemo, sampleOf, signIn } from "../../../scripts/demo-sign-in.ts";
import { type ProductProcess, startProduct } from "../../../scripts/product-process.ts";
import { freePort } from "../server/free-port.ts";
import { aPractice, type TestPerson, type TestPractice } from "../server/people.ts";

const ACTION_LIMIT_MS = 20_000;

export interface Stage {
  browser: Browser;
  product: ProductProcess;
  dataDir: string;
  /** Starts the product again on the same data and the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const aDataDir = () => mkdtempSync(path.join(tmpdir(), "evenhand-e2e-"));

/** The built product on the data of the demonstration practice, and a browser to look at it with. */
export async function aDemoStage(environment: Record<string, string> = {}): Promise<Stage> {
  const dataDir = aDataDir();
  await cp(await demoData(), dataDir, { recursive: true });
  return aStage(environment, dataDir);
}

/** The same with its owner signed in, and somebody of each kind to look at. */
export async function aSignedInStage() {
  const stage = await aDemoStage();
  const { url } = stage.product;
  const cookies = await signIn(url);
  return { stage, url, cookies, sample: await sampleOf(url, cookies) };
}

/** The data of the demonstration practice, which one test file makes while the others wait for it. */
async function demoData(): Promise<string> {
  const dir = inject("demoDir");
  const filled = path.join(dir, "filled");
  const isFirst = await mkdir(path.join(dir, "lock")).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const filling = path.join(dir, "filling");
    await fillWithDemo(filling);
    await rename(filling, filled);
  }
  while (!existsSync(filled)) await wait(200);
  return filled;
}

/** The built product on fresh data, and a browser to look at it with. */
export async function aStage(environment: Record<string, string> = {}, dataDir = aDataDir()): Promise<Stage> {
  const settings = { DATA_DIR: dataDir, PORT: String(await freePort()), ...environment };
  const browser = await chromium.connect(inject("browser"));
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

/** Works on the data of the product while it runs, as time or another program would. */
export async function withDatabase<T>(stage: Stage, work: (database: Db) => Promise<T>): Promise<T> {
  const { uri } = await startEmbeddedMongo({ dir: stage.dataDir, log: createLogger("error"), join: true });
  const client = await MongoClient.connect(uri);
  try {
    return await work(client.db("evenhand"));
  } finally {
    await client.close();
  }
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

export interface PracticeStage {
  stage: Stage;
  watched: Watched;
  page: Page;
  /** The same owner over HTTP, for what is not the point of a test. */
  owner: TestPractice;
}

/** The built product on fresh data with one practice, and a page on which its owner is signed in. */
export async function aPracticeStage(): Promise<PracticeStage> {
  const stage = await aStage();
  const { url } = stage.product;
  const watched = await openPage(stage);
  const owner = await aPractice({ url, close: () => Promise.resolve() });
  await signInAs(watched.page, owner, url);
  return { stage, watched, page: watched.page, owner };
}

/** Whoever works on this page is this person from now on. */
export async function signInAs(page: Page, person: Pick<TestPerson, "cookies">, url: string): Promise<void> {
  await page.context().addCookies(
    person
      .cookies()
      .split("; ")
      .map((cookie) => {
        const [name = "", value = ""] = cookie.split("=");
        return { name, value, url };
      }),
  );
}

/** `isFramed` where what matters stands in a frame from elsewhere, into which axe looks by a page of its own. */
export async function expectNoAxeViolations(page: Page, { isFramed = false } = {}): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(!isFramed).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual(
    [],
  );
}
