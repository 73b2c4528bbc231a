// Compares every index with keys computed anew from the documents, and lets SQLite check its own pages.
import { decode } from "../bson/decode.ts";
import { type Collection, createCatalogue } from "./catalogue.ts";
import { prepareDocument } from "./prepared-document.ts";
import { blob, type Connection } from "./sqlite-file.ts";

const MOST_PROBLEMS = 100;
const PAGE = 500;

/** One line for each thing that is wrong; none for a sound file. */
export function checkFile(main: Connection, onlyCollection?: number): string[] {
  const problems = main.all("PRAGMA integrity_check(20)").map((row) => String(row["integrity_check"]));
  const found = problems.filter((line) => line !== "ok");
  // Its own catalogue, read from the file, so that nothing in memory can hide a difference.
  for (const collection of createCatalogue(main, () => 0).all()) {
    if (onlyCollection !== undefined && collection.id !== onlyCollection) continue;
    if (found.length < MOST_PROBLEMS) found.push(...checkCollection(main, collection));
  }
  return found;
}

function checkCollection(main: Connection, collection: Collection): string[] {
  const problems: string[] = [];
  const expected = new Map(collection.indexes.map((index) => [index.table, 0]));
  let position = -1;
  for (;;) {
    const rows = main.all(`SELECT rid, k, d FROM c${collection.id} WHERE rid > ? ORDER BY rid LIMIT ?`, position, PAGE);
    for (const row of rows)
      problems.push(
        ...checkDocument(main, collection, expected, {
          rid: Number(row["rid"]),
          key: blob(row, "k"),
          bytes: blob(row, "d"),
        }),
      );
    const last = rows.at(-1);
    if (!last || problems.length > MOST_PROBLEMS) break;
    position = Number(last["rid"]);
  }
  for (const index of collection.indexes) {
    if (index.isId) continue;
    const stored = Number(main.get(`SELECT COUNT(*) AS n FROM ${index.table}`)?.["n"]);
    const wanted = expected.get(index.table) ?? 0;
    if (stored !== wanted)
      problems.push(`${collection.ns}: index ${index.name} has ${stored} keys, its documents have ${wanted}`);
    const repeated = index.unique
      ? main.get(`SELECT COUNT(*) AS n FROM (SELECT k FROM ${index.table} GROUP BY k HAVING COUNT(*) > 1)`)
      : undefined;
    if (repeated && Number(repeated["n"]) > 0)
      problems.push(`${collection.ns}: unique index ${index.name} has keys that occur twice`);
  }
  return problems;
}

type Stored = { rid: number; key: Uint8Array; bytes: Uint8Array };

function checkDocument(
  main: Connection,
  collection: Collection,
  expected: Map<string, number>,
  stored: Stored,
): string[] {
  const where = `${collection.ns}: document in row ${stored.rid}`;
  try {
    decode(stored.bytes);
    const prepared = prepareDocument(collection, stored.bytes);
    const problems = prepared.key.equals(stored.key) ? [] : [`${where} is filed under another _id`];
    for (const { index, keys, arrays } of prepared.entries) {
      expected.set(index.table, (expected.get(index.table) ?? 0) + keys.length);
      if (arrays.some((path) => !index.arrays.has(path)))
        problems.push(`${where} has an array that index ${index.name} does not know of`);
      const missing = keys.filter(
        (key) => !main.get(`SELECT 1 FROM ${index.table} WHERE k = ? AND rid = ?`, key, stored.rid),
      );
      if (missing.length > 0) problems.push(`${where} is missing from index ${index.name}`);
    }
    return problems;
  } catch (error) {
    return [`${where} cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}
