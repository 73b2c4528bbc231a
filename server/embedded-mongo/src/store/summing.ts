// Gives sums to what was written before there were any, a little at a time. Begun again where it did not end.
import { sumOf, sumOfDocument } from "./checksum.ts";
import type { Collection } from "./collection.ts";
import type { Store } from "./documents.ts";
import { untilNextTime } from "./expiry.ts";
import { prepareDocument } from "./prepared-document.ts";
import { areSumsWhole, SUMMED_COLUMNS, SUMS_ARE_WHOLE } from "./schema.ts";
import { blob, type Row } from "./sqlite-file.ts";

const EVERY_MS = 50;
const ROWS_AT_ONCE = 100;

/** Starts what is left to do and answers with what stops it. */
export function startSumming(store: Store): () => void {
  if (areSumsWhole(store.main)) return () => undefined;
  let work = sumAll(store);
  const timer = setInterval(() => {
    // What is in the way now, such as a full disk, is not there for ever: it begins anew then.
    let isDone: boolean | undefined = false;
    untilNextTime(() => (isDone = work.next().done));
    if (!isDone) return;
    if (areSumsWhole(store.main)) clearInterval(timer);
    else work = sumAll(store);
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}

function* sumAll(store: Store): Generator<void> {
  let isWhole = true;
  for (const collection of store.catalogue.all()) {
    for (const rows of rowsWithout(store, `c${collection.id}`, "rid", () => collection.isDropped)) {
      store.group.write(() => {
        for (const row of rows) if (!sumDocument(store, collection, row)) isWhole = false;
      });
      yield;
    }
  }
  for (const rows of rowsWithout(store, "oplog", "seq", () => false)) {
    store.group.write(() => {
      for (const row of rows) {
        const sum = sumOf(SUMMED_COLUMNS.oplog.map((column) => row[column]));
        store.main.run("UPDATE oplog SET s = ? WHERE seq = ?", sum, Number(row["seq"]));
      }
    });
    yield;
  }
  if (isWhole) store.group.write(() => store.main.exec(SUMS_ARE_WHOLE));
}

function* rowsWithout({ main }: Store, table: string, key: string, isGone: () => boolean): Generator<Row[]> {
  for (let after = -1; !isGone();) {
    const sql = `SELECT * FROM ${table} WHERE ${key} > ? AND s IS NULL ORDER BY ${key} LIMIT ?`;
    const rows = main.all(sql, after, ROWS_AT_ONCE);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_AT_ONCE) return;
    after = Number(rows.at(-1)?.[key]);
  }
}

/** Not so for what is damaged already: a sum would make it look sound. */
function sumDocument({ main }: Store, collection: Collection, row: Row): boolean {
  const bytes = blob(row, "d");
  try {
    if (!prepareDocument(collection, bytes).key.equals(blob(row, "k"))) return false;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
  main.run(`UPDATE c${collection.id} SET s = ? WHERE rid = ?`, sumOfDocument(bytes), Number(row["rid"]));
  return true;
}
