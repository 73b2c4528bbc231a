// Snapshot isolation: reads from a pinned snapshot, writes kept aside, everything applied in one commit.
import { type Collection, setIndexes } from "../store/catalogue.ts";
import { removeRow, type Store, storeRow } from "../store/documents.ts";
import type { Change } from "../store/oplog.ts";
import { prepareDocument } from "../store/prepared-document.ts";
import type { Connection } from "../store/sqlite-file.ts";
import { type Doc, MongoError, type Value } from "../values.ts";
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

const snapshotUnavailable = (ns: string): MongoError => {
  const error = new MongoError(
    246,
    "SnapshotUnavailable",
    `Unable to read from a snapshot due to pending collection catalog changes: ${ns}`,
  );
  error.labels.push("TransientTransactionError");
  return error;
};

export function createTransactions(store: Store, openSnapshot: () => Connection) {
  const pool: Connection[] = [];
  const open = new Set<Transaction>();

  const begin = (lsid: Doc, number: bigint): Transaction => {
    // The snapshot has to hold what its client was told a moment ago.
    store.group.flush();
    const connection = pool.pop() ?? openSnapshot();
    connection.exec("BEGIN");
    connection.get("SELECT v FROM _meta WHERE k = 'format'");
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
      take: (keys) => {
        for (const key of keys) store.intents.take(key, transaction);
      },
      record: (change) => transaction.changes.push(change),
    };
    open.add(transaction);
    store.intents.opened();
    return transaction;
  };

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
    begin,
    abort: (transaction: Transaction): void => {
      if (transaction.state === "open") end(transaction, "aborted");
    },
    /** Applies everything in the current commit group; the caller waits until that is durable. */
    commit(transaction: Transaction, alsoWrite: () => void): void {
      try {
        store.group.write(() => {
          store.main.exec("SAVEPOINT commit_transaction");
          try {
            apply(store, transaction);
            alsoWrite();
          } catch (error) {
            // Any other failure is the file's, and undoes the whole group.
            if (error instanceof MongoError)
              store.main.exec("ROLLBACK TO commit_transaction; RELEASE commit_transaction");
            store.catalogue.load();
            throw error;
          }
          store.main.exec("RELEASE commit_transaction");
        });
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
    /** The collection as the transaction may see it. */
    find(transaction: Transaction, db: string, name: string): Collection | undefined {
      const ns = `${db}.${name}`;
      const draft = transaction.drafts.get(ns);
      if (draft) return draft;
      const collection = store.catalogue.find(db, name);
      const changedAt = collection?.changedAt ?? 0;
      const isGone = !collection && store.intents.hasChangedSince(`n${ns}`, transaction.startedAt);
      if (isGone || changedAt > transaction.startedAt) throw snapshotUnavailable(ns);
      return collection;
    },
    addDraft(transaction: Transaction, draft: Collection): void {
      transaction.take([`n${draft.ns}`]);
      transaction.drafts.set(draft.ns, draft);
      record(transaction, draft, "create", new Map());
    },
    reap(now: number): void {
      for (const transaction of open) if (transaction.expiresAt < now) end(transaction, "aborted");
    },
    abortAll(): void {
      for (const transaction of open) end(transaction, "aborted");
    },
    close(): void {
      for (const connection of pool.splice(0)) connection.close();
    },
  };
}

export function record(
  transaction: Transaction,
  collection: Collection,
  kind: "create" | "createIndexes",
  about: Doc,
): void {
  const uuid: [string, Value] = ["uuid", collection.uuid];
  transaction.record({ db: collection.db, coll: collection.name, kind, about: new Map([uuid, ...about]) });
}

function apply(store: Store, transaction: Transaction): void {
  for (const draft of transaction.drafts.values()) {
    store.intents.advance();
    store.catalogue.create(draft);
  }
  for (const { collection, entries } of transaction.overlays.values()) {
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
  const number: [string, Value][] = [
    ["lsid", transaction.lsid],
    ["txnNumber", transaction.number],
  ];
  for (const change of transaction.changes)
    store.oplog.append({ ...change, about: new Map([...change.about, ...number]) });
  store.intents.written([...transaction.intents]);
}

/** A draft gets its indexes while it is still empty. */
export function addDraftIndexes(draft: Collection, indexes: Collection["indexes"]): void {
  setIndexes(draft, [...draft.indexes, ...indexes]);
}
