import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { startProduct } from "../../scripts/product-process.ts";
import { dirtyList, type DirtyList, mixedBytes } from "../support/hostile/dirty-list.ts";
import { checked, settled, toldRows, uploaded } from "../support/hostile/import-uploads.ts";
import { aPractice } from "../support/server/people.ts";
import { type Figure, median } from "./figure.ts";

const ROWS = 10_000;
const ROUNDS = 3;
const BARE = path.resolve(import.meta.dirname, "bare-import.ts");

export const IMPORT = ["import", "import.whole"];

/**
 * `import`: the seconds in which 10,000 dirty rows are imported, as a multiple of csv-parse and insertMany alone with the
 * same documents and indexes on the same database. `import.whole`: the seconds from the upload over the trial to the last stored row.
 */
export async function benchImport(): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  const product = await startProduct({ DATA_DIR: dataDir });
  try {
    const list = dirtyList(ROWS);
    const file = path.join(dataDir, "list.csv");
    writeFileSync(file, mixedBytes(list));
    const ratios: number[] = [];
    const wholes: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const times = await importSeconds(product.url, list);
      const bare = await bareSeconds(dataDir, file, times.ownerId);
      if (round === 0) continue;
      ratios.push(times.stored / bare);
      wholes.push(times.whole);
    }
    return [
      { name: "import", value: median(ratios), unit: "x bare", goal: "<=", limit: 3 },
      { name: "import.whole", value: median(wholes), unit: "s", goal: "<=", limit: 60 },
    ];
  } finally {
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function bareSeconds(dataDir: string, file: string, ownerId: string): Promise<number> {
  const child = spawn(process.execPath, [BARE, file, ownerId], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return Number(await text(child.stdout));
}

/** Imports the list into a new practice; throws where a row is not accounted for. */
async function importSeconds(
  url: string,
  list: DirtyList,
): Promise<{ ownerId: string; stored: number; whole: number }> {
  const app = { url, close: () => Promise.resolve() };
  const practice = await aPractice(app);
  const startedAt = performance.now();
  const id = await uploaded(app, practice, mixedBytes(list));
  const trial = await checked(practice.api, id);
  const storingAt = performance.now();
  await practice.api.imports.start.mutate({ id });
  const done = await settled(practice.api, id);
  const endedAt = performance.now();
  const found = JSON.stringify([done.status, trial.counts, done.counts, await toldRows(practice.api, id)]);
  const nothing = { imported: 0, undone: 0, kept: 0 };
  const wanted = [
    "imported",
    { ...list.counts, ...nothing },
    { ...list.counts, ...nothing, imported: list.counts.ready },
    list.told,
  ];
  if (found !== JSON.stringify(wanted))
    throw new Error(`rows are not accounted for:\n${found.slice(0, 500)}\n${JSON.stringify(wanted).slice(0, 500)}`);
  const { ownerId } = practice;
  return { ownerId, stored: (endedAt - storingAt) / 1000, whole: (endedAt - startedAt) / 1000 };
}
