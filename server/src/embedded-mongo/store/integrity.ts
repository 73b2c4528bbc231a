// Compares every index with keys computed anew from the documents, and lets SQLite check its own pages.
import { createCatalogue } from "./catalogue.ts";
import type { Collection } from "./collection.ts";
import { type KeyedRow, rowsInOrder } from "./documents.ts";
import { prepareDocument } from "./prepared-document.ts";
import type { Connection } from "./sqlite-file.ts";

const MOST_PROBLEMS = 100;

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
  const expected = new Map<string, number>();
  for (const row of rowsInOrder(main, collection)) {
    problems.push(...checkDocument(main, collection, expected, row));
    if (problems.length > MOST_PROBLEMS) break;
  }
  for (const { isId, name, table, unique } of collection.indexes) {
    if (isId) continue;
    const stored = main.number(`SELECT COUNT(*) FROM ${table}`);
    const wanted = expected.get(table) ?? 0;
    if (stored !== wanted)
      problems.push(`${collection.ns}: index ${name} has ${stored} keys, its documents have ${wanted}`);
    if (unique && main.get(`SELECT k FROM ${table} GROUP BY k HAVING COUNT(*) > 1 LIMIT 1`))
      problems.push(`${collection.ns}: unique index ${name} has keys that occur twice`);
  }
  return problems;
}

function checkDocument(
  main: Connection,
  collection: Collection,
  expected: Map<string, number>,
  { rid, key: storedKey, bytes }: KeyedRow,
): string[] {
  const where = `${collection.ns}: document in row ${rid}`;
  try {
    const prepared = prepareDocument(collection, bytes);
    const problems = prepared.key.equals(storedKey) ? [] : [`${where} is filed under another _id`];
    for (const { index, keys, arrays } of prepared.entries) {
      expected.set(index.table, (expected.get(index.table) ?? 0) + keys.length);
      if (arrays.some((path) => !index.arrays.has(path)))
        problems.push(`${where} has an array that index ${index.name} does not know of`);
      const find = `SELECT 1 FROM ${index.table} WHERE k = ? AND rid = ?`;
      if (keys.some((key) => !main.get(find, key, rid))) problems.push(`${where} is missing from index ${index.name}`);
    }
    return problems;
  } catch (error) {
    return [`${where} cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}
