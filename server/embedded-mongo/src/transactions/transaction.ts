// Snapshot isolation: reads from a pinned snapshot, writes kept aside, everything applied in one commit.
import { docOf } from "../bson/doc-of.ts";
import { located } from "../bson/fail.ts";
import type { Collection } from "../store/collection.ts";
import { removeRow, type Store, storeRow } from "../store/documents.ts";
import type { Change } from "../store/oplog.ts";
import { prepareDocument } from "../store/prepared-document.ts";
import type { Connection } from "../store/sqlite-file.ts";
import type { Doc } from "../values.ts";
import { createOverlay, type Overlay, type OverlayHost } from "./overlay.ts";

export type Transaction = OverlayHost & {
  number: bigint;
  lsid: Doc;
  state: "open" | "committed" | "aborted";
  startedAt: number;
  expiresAt: number;
  intents: Set<string>;
  overlays: Map<Collection, Overlay>;
  /** Collections made inside this transaction, by namespace. */
  drafts: Map<string, Collection>;
  changes: Change[];
  ended: Promise<void>;
  markEnded(): void;
};

export type Transactions = ReturnType<typeof createTransactions>;

const LIFETIME_MS = 60_000;
const POOLED_SNAPSHOTS = 8;

export function createTransactions(store: Store, openSnapshot: () => Connection) {
  const pool: Connection[] = [];
  const open = new Set<Transaction>();

  const end = (transaction: Transaction, state: "committed" | "aborted"): void => {
    transaction.state = state;
    open.delete(transaction);
    transaction.connection.exec("ROLLBACK");
    if (pool.length < POOLED_SNAPSHOTS) pool.push(transaction.connection);
    else transaction.connection.close();
    store.intents.ended(transaction);
    transaction.overlays.clear();
    transaction.changes.length = 0;
    transaction.markEnded();
  };

  return {
    begin(lsid: Doc, number: bigint): Transaction {
      // The snapshot has to hold what its client was told a moment ago.
      store.group.flush();
      const connection = pinned(pool.pop() ?? openSnapshot());
      const transaction = newTransaction(store, connection, lsid, number);
      open.add(transaction);
      store.intents.opened();
      return transaction;
    },
    abort(transaction: Transaction): void {
      if (transaction.state === "open") end(transaction, "aborted");
    },
    /** Applies everything in the current commit group; the caller waits until that is durable. */
    commit(transaction: Transaction, alsoWrite: () => void): void {
      try {
        store.group.write(() => applyAll(store, transaction, alsoWrite));
      } catch (error) {
        end(transaction, "aborted");
        throw error;
      }
      end(transaction, "committed");
    },
    overlay(transaction: Transaction, collection: Collection): Overlay {
      const overlay = transaction.overlays.get(collection) ?? createOverlay(collection);
      transaction.overlays.set(collection, overlay);
      return overlay;
    },
    find: (transaction: Transaction, db: string, name: string): Collection | undefined =>
      findCollection(store, transaction, db, name),
    addDraft(transaction: Transaction, draft: Collection): void {
      transaction.take([`n${draft.ns}`]);
      transaction.drafts.set(draft.ns, draft);
      record(transaction, draft, "create", new Map());
    },
    /** Ends all that should have ended by then. */
    reap(now: number): void {
      for (const transaction of open) if (transaction.expiresAt < now) end(transaction, "aborted");
    },
    close(): void {
      for (const connection of pool.splice(0)) connection.close();
    },
  };
}

/** Shows from now on what is in the file at its first read. */
function pinned(connection: Connection): Connection {
  connection.exec("BEGIN");
  connection.get("SELECT v FROM _meta WHERE k = 'format'");
  return connection;
}

function newTransaction(store: Store, connection: Connection, lsid: Doc, number: bigint): Transaction {
  const { promise, resolve } = Promise.withResolvers<void>();
  const transaction: Transaction = {
    number,
    lsid,
    connection,
    state: "open",
    startedAt: store.intents.now(),
    expiresAt: Date.now() + LIFETIME_MS,
    intents: new Set(),
    overlays: new Map(),
    drafts: new Map(),
    changes: [],
    ended: promise,
    markEnded: resolve,
    take(keys) {
      for (const key of keys) store.intents.take(key, transaction);
    },
    record: (change) => transaction.changes.push(change),
  };
  return transaction;
}

/** The collection as the transaction may see it. */
function findCollection(
  { catalogue, intents }: Store,
  { drafts, startedAt }: Transaction,
  db: string,
  name: string,
): Collection | undefined {
  const ns = `${db}.${name}`;
  const draft = drafts.get(ns);
  if (draft) return draft;
  const collection = catalogue.find(db, name);
  const hasChanged = collection ? collection.changedAt > startedAt : intents.hasChangedSince(`n${ns}`, startedAt);
  if (hasChanged)
    throw located(
      246,
      `Unable to read from a snapshot due to pending collection catalog changes: ${ns}`,
      "TransientTransactionError",
    );
  return collection;
}

export function record(
  transaction: Transaction,
  { db, name, uuid }: Collection,
  kind: "create" | "createIndexes",
  about: Doc,
): void {
  transaction.record({ db, coll: name, kind, about: new Map([...docOf({ uuid }), ...about]) });
}

function applyAll(store: Store, transaction: Transaction, alsoWrite: () => void): void {
  try {
    store.main.attempt(() => {
      apply(store, transaction);
      alsoWrite();
    });
  } catch (error) {
    // Collections that were to be published are gone again.
    store.catalogue.load();
    throw error;
  }
}

function apply(store: Store, { drafts, overlays, changes, intents, lsid, number: txnNumber }: Transaction): void {
  for (const draft of drafts.values()) {
    store.intents.advance();
    store.catalogue.create(draft);
  }
  for (const { collection, entries } of overlays.values()) {
    // Removals first, so that a unique key may move from one document to another.
    for (const { base } of entries.values())
      if (base) removeRow(store, collection, base.rid, prepareDocument(collection, base.bytes));
    const kept = [...entries.values()].flatMap(({ base, current }) =>
      current ? [{ rid: base?.rid, document: prepareDocument(collection, current.bytes) }] : [],
    );
    // New documents last, or one of them might be given the row number of an old one.
    for (const { rid, document } of kept) if (rid !== undefined) storeRow(store, collection, document, rid);
    for (const { rid, document } of kept) if (rid === undefined) storeRow(store, collection, document);
  }
  for (const change of changes)
    store.oplog.append({ ...change, about: new Map([...change.about, ...docOf({ lsid, txnNumber })]) });
  store.intents.written([...intents]);
}
