// Each document of a collection, its sum and its keys.
import type { Collection } from "./collection.ts";
import { isAsWritten, placeOf } from "./damage.ts";
import { prepareDocument } from "./prepared-document.ts";
import { areSumsWhole, hasSums } from "./schema.ts";
import { blob, type Connection, type Row } from "./sqlite-file.ts";

export const MOST_PROBLEMS = 100;
const PAGE = 500;

type Checking = { main: Connection; collection: Collection; areSumsWhole: boolean; expected: Map<string, number> };

export function checkCollection(main: Connection, collection: Collection): string[] {
  const problems: string[] = [];
  const checking = { main, collection, areSumsWhole: areSumsWhole(main), expected: new Map<string, number>() };
  const sum = hasSums(main) ? "s" : "NULL AS s";
  const sql = `SELECT rid, k, d, ${sum} FROM c${collection.id} WHERE rid > ? ORDER BY rid LIMIT ?`;
  let rows: Row[];
  for (let after = -1; problems.length <= MOST_PROBLEMS; after = Number(rows.at(-1)?.["rid"])) {
    rows = main.all(sql, after, PAGE);
    for (const row of rows) problems.push(...checkDocument(checking, row));
    if (rows.length < PAGE) return [...problems, ...checkIndexes(checking)];
  }
  return problems;
}

function checkIndexes({ main, collection, expected }: Checking): string[] {
  const problems: string[] = [];
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

function checkDocument({ main, collection, areSumsWhole: isSumNeeded, expected }: Checking, row: Row): string[] {
  const where = placeOf(collection, row);
  const rid = Number(row["rid"]);
  const isSummed = row["s"] !== null || !isSumNeeded;
  const problems = isAsWritten(row) && isSummed ? [] : [`${where} is not as it was written`];
  try {
    const prepared = prepareDocument(collection, blob(row, "d"));
    if (!prepared.key.equals(blob(row, "k"))) problems.push(`${where} is filed under another _id`);
    for (const { index, keys, arrays } of prepared.entries) {
      expected.set(index.table, (expected.get(index.table) ?? 0) + keys.length);
      if (arrays.some((path) => !index.arrays.has(path)))
        problems.push(`${where} has an array that index ${index.name} does not know of`);
      const find = `SELECT 1 FROM ${index.table} WHERE k = ? AND rid = ?`;
      if (keys.some((key) => !main.get(find, key, rid))) problems.push(`${where} is missing from index ${index.name}`);
    }
  } catch (error) {
    problems.push(`${where} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return problems;
}
