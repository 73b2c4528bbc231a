// Removes documents whose TTL index says that they have expired.
import { encodeKey } from "../keys/encode-key.ts";
import { prefixEnd } from "../keys/prefix-end.ts";
import { MongoError } from "../values.ts";
import type { Collection } from "./collection.ts";
import { deleteDocument, type Store, storedRow } from "./documents.ts";
import type { Index } from "./index-spec.ts";

const EVERY_MS = 10_000;
const BATCH = 500;
const MOST_BATCHES = 20;

/** Starts the timer and answers with what stops it. */
export function startExpiry(store: Store): () => void {
  const timer = setInterval(() => untilNextTime(() => expireNow(store, Date.now())), EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** A transaction in the way or a full disk is for others to deal with; the next round tries again. */
export function untilNextTime(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof MongoError)) throw error;
  }
}

export function expireNow(store: Store, now: number): void {
  for (const collection of store.catalogue.all()) {
    for (const index of collection.indexes)
      if (index.expireAfterSeconds !== undefined) expireFrom(store, collection, index, now);
  }
}

function expireFrom(store: Store, collection: Collection, index: Index, now: number): void {
  const descending = index.fields.map((field) => field.descending);
  const oldest = encodeKey([new Date(-8.64e15)], descending);
  const limit = encodeKey([new Date(now - (index.expireAfterSeconds ?? 0) * 1_000)], descending);
  // An array expires with its earliest date, and so has one key that is due.
  const [from, to] = descending[0] ? [limit, prefixEnd(oldest)] : [oldest, prefixEnd(limit)];
  const sql = `SELECT DISTINCT c.rid AS rid, c.d AS d, c.s AS s FROM ${index.table} i CROSS JOIN c${collection.id} c ON c.rid = i.rid WHERE i.k >= ? AND i.k < ? LIMIT ?`;
  for (let rounds = 0; rounds < MOST_BATCHES; rounds += 1) {
    const rows = store.main.all(sql, from, to, BATCH);
    for (const row of rows) untilNextTime(() => deleteDocument(store, collection, storedRow(collection, row)));
    if (rows.length < BATCH) return;
  }
}
