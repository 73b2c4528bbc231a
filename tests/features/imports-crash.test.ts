import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ProductProcess, startProduct } from "../../scripts/product-process.ts";
import { dirtyList, mixedBytes } from "../support/hostile/dirty-list.ts";
import { checked, settled, toldRows, uploaded } from "../support/hostile/import-uploads.ts";
import { anOwnDatabase } from "../support/server/own-database.ts";
import { aPractice, type TestPractice } from "../support/server/people.ts";

const ROWS = 1500;
const LIMIT_MS = 90_000;
const DEATHS = 3;
const DIES_OVER = new URL("../support/hostile/dies-over.ts", import.meta.url).href;

let dataDir: string;
const running: ProductProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "evenhand-crash-"));
});
afterEach(async () => {
  for (const product of running.splice(0)) await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(environment: Record<string, string>): Promise<ProductProcess> {
  const product = await startProduct(environment);
  running.push(product);
  return product;
}

async function untilBegun({ api }: Pick<TestPractice, "api">, id: string): Promise<number> {
  for (;;) {
    const { status, done } = await api.imports.get.query({ id });
    if (status !== "importing") throw new Error(`it was ${status} before it could be interrupted`);
    if (done > 0) return done;
  }
}

test(
  "imports.start: the server dies in the middle, then another goes on and each row is imported once",
  { timeout: LIMIT_MS },
  async () => {
    const uri = anOwnDatabase();
    // The same port again, so that the page that is open finds the server once it is back.
    const environment = { DATA_DIR: dataDir, MONGODB_URI: uri };
    const first = await start(environment);
    const app = { url: first.url, close: () => Promise.resolve() };
    const practice = await aPractice(app);
    const list = dirtyList(ROWS);
    const id = await uploaded(app, practice, mixedBytes(list));
    await checked(practice.api, id);
    await practice.api.imports.start.mutate({ id });
    const done = await untilBegun(practice, id);
    first.process.kill("SIGKILL");
    expect(done).toBeLessThan(ROWS);
    await start({ ...environment, PORT: new URL(first.url).port });
    const { status, counts } = await settled(practice.api, id);
    expect({ status, ...counts }).toEqual({
      status: "imported",
      ...list.counts,
      imported: list.counts.ready,
      undone: 0,
      kept: 0,
    });
    expect(await toldRows(practice.api, id)).toEqual(list.told);
    let clients = 0;
    for (let page = 1; ; page++) {
      const { items } = await practice.api.clients.list.query({ page });
      clients += items.length;
      if (items.length === 0) break;
    }
    expect(clients).toBe(list.counts.ready);
  },
);

const ended = ({ process: { exitCode, signalCode } }: ProductProcess): boolean =>
  exitCode !== null || signalCode !== null;

test(
  "imports.check: three processes die over it, then the fourth sets it aside in words, and works on everything else",
  { timeout: 3 * LIMIT_MS },
  async () => {
    const environment = {
      DATA_DIR: dataDir,
      MONGODB_URI: anOwnDatabase(),
      NODE_OPTIONS: `--import=${DIES_OVER}`,
      DIES_OVER: "Deadly",
    };
    let product = await start(environment);
    const app = { url: product.url, close: () => Promise.resolve() };
    const practice = await aPractice(app);
    const id = await uploaded(app, practice, "First name,Surname\nDeadly,Ellery\n");
    const { columns, duplicates, dateOrder } = await practice.api.imports.get.query({ id });
    await practice.api.imports.check.mutate({ id, columns, duplicates, dateOrder }).catch(() => undefined);
    for (let deaths = 0; deaths < DEATHS; deaths += 1) {
      await expect.poll(() => ended(product), { timeout: LIMIT_MS }).toBe(true);
      product = await start({ ...environment, PORT: new URL(app.url).port });
    }
    await expect.poll(() => statusOf(practice, id), { timeout: LIMIT_MS }).toBe("mapping");
    expect((await practice.api.imports.get.query({ id })).failure).toMatch(/The server stopped three times/);
    const other = await uploaded(app, practice, "First name,Surname\nMaya,Ellery\n");
    expect((await checked(practice.api, other)).counts).toMatchObject({ ready: 1 });
    expect(ended(product)).toBe(false);
  },
);

/** Empty while no process answers. */
const statusOf = ({ api }: Pick<TestPractice, "api">, id: string): Promise<string> =>
  api.imports.get.query({ id }).then(
    ({ status }) => status,
    () => "",
  );
