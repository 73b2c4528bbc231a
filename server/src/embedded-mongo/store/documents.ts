// Changes to single documents: the row, its index keys and the log of changes, in one commit.
import { docOf } from "../bson/doc-of.ts";
import type { WriteIntents } from "../transactions/write-intents.ts";
import type { Bytes, Doc, Value } from "../values.ts";
import type { Catalogue, Collection } from "./catalogue.ts";
import type { CommitGroup } from "./commit-group.ts";
import { duplicateKey } from "./duplicate-key.ts";
import type { ChangeKind, Oplog } from "./oplog.ts";
import { type IndexEntry, type PreparedDocument, prepareDocument } from "./prepared-document.ts";
import type { Connection } from "./sqlite-file.ts";

export type Store = { main: Connection; catalogue: Catalogue; oplog: Oplog; group: CommitGroup; intents: WriteIntents };

export type StoredRow = { rid: number; bytes: Bytes };

/** How an update is told to change streams. */
export type UpdateAccount = { isReplacement: boolean; updateDescription: Doc };
/** Fields that a transaction adds to its changes. */
export type ChangeContext = ReadonlyMap<string, Value>;

export const NO_CONTEXT: ChangeContext = new Map();

export const documentIntent = (collection: Collection, key: Buffer): string =>
  `d${collection.id}:${key.toString("latin1")}`;

/** The document itself and every unique key it has or had. */
export function intentsOf(collection: Collection, ...versions: (PreparedDocument | undefined)[]): string[] {
  const keys = new Set<string>();
  for (const version of versions) {
    if (!version) continue;
    keys.add(documentIntent(collection, version.key));
    for (const { index, keys: indexed } of version.entries) {
      if (index.unique) for (const key of indexed) keys.add(`u${index.id}:${key.toString("latin1")}`);
    }
  }
  return [...keys];
}

function checkUnique(store: Store, collection: Collection, prepared: PreparedDocument, ownRid: number): void {
  for (const { index, keys } of prepared.entries) {
    if (!index.unique) continue;
    for (const key of keys) {
      const other = store.main.get(`SELECT rid FROM ${index.table} WHERE k = ? AND rid <> ? LIMIT 1`, key, ownRid);
      if (other) throw duplicateKey(collection, index, prepared.fields, key);
    }
  }
}

function claim(
  store: Store,
  collection: Collection,
  before: PreparedDocument | undefined,
  after: PreparedDocument | undefined,
): string[] {
  if (!store.intents.hasOpenTransactions()) return [];
  const keys = intentsOf(collection, before, after);
  for (const key of keys) store.intents.checkFree(key);
  return keys;
}

function addEntries(store: Store, entries: IndexEntry[], rid: number, before?: IndexEntry[]): void {
  for (const [at, { index, keys, arrays }] of entries.entries()) {
    const known = before?.[at]?.keys ?? [];
    if (arrays.length > 0) store.catalogue.noteArrays(index, arrays);
    for (const key of keys) {
      if (!known.some((other) => other.equals(key)))
        store.main.run(`INSERT INTO ${index.table}(k, rid) VALUES(?, ?)`, key, rid);
    }
  }
}

function removeEntries(store: Store, entries: IndexEntry[], rid: number, after?: IndexEntry[]): void {
  for (const [at, { index, keys }] of entries.entries()) {
    const kept = after?.[at]?.keys ?? [];
    for (const key of keys) {
      if (!kept.some((other) => other.equals(key)))
        store.main.run(`DELETE FROM ${index.table} WHERE k = ? AND rid = ?`, key, rid);
    }
  }
}

/** Puts a checked document into its tables, under its old row number if it had one. */
export function storeRow(store: Store, collection: Collection, prepared: PreparedDocument, rid?: number): void {
  store.main.run(`INSERT INTO c${collection.id}(rid, k, d) VALUES(?, ?, ?)`, rid ?? null, prepared.key, prepared.bytes);
  addEntries(store, prepared.entries, rid ?? lastRowId(store));
}

export function removeRow(store: Store, collection: Collection, rid: number, before: PreparedDocument): void {
  store.main.run(`DELETE FROM c${collection.id} WHERE rid = ?`, rid);
  removeEntries(store, before.entries, rid);
}

const lastRowId = (store: Store): number => Number(store.main.get("SELECT last_insert_rowid() AS rid")?.["rid"]);

export function insertDocument(
  store: Store,
  collection: Collection,
  prepared: PreparedDocument,
  context = NO_CONTEXT,
): void {
  store.group.write(() => {
    const written = claim(store, collection, undefined, prepared);
    checkUnique(store, collection, prepared, -1);
    const table = `c${collection.id}`;
    const isNew = store.main.run(
      `INSERT INTO ${table}(k, d) VALUES(?, ?) ON CONFLICT DO NOTHING`,
      prepared.key,
      prepared.bytes,
    );
    if (isNew === 0) {
      const [idIndex] = collection.indexes;
      if (idIndex) throw duplicateKey(collection, idIndex, prepared.fields, prepared.key);
    }
    if (prepared.entries.length > 0) addEntries(store, prepared.entries, lastRowId(store));
    log(store, collection, "insert", prepared.id, context, { document: prepared.bytes });
    store.intents.written(written);
  });
}

export function updateDocument(
  store: Store,
  collection: Collection,
  row: StoredRow,
  change: { after: PreparedDocument; account: UpdateAccount; context?: ChangeContext },
): void {
  const { after, account, context = NO_CONTEXT } = change;
  store.group.write(() => {
    const before = prepareDocument(collection, row.bytes);
    const written = claim(store, collection, before, after);
    checkUnique(store, collection, after, row.rid);
    store.main.run(`UPDATE c${collection.id} SET d = ? WHERE rid = ?`, after.bytes, row.rid);
    removeEntries(store, before.entries, row.rid, after.entries);
    addEntries(store, after.entries, row.rid, before.entries);
    const images = {
      document: account.isReplacement || collection.keepsImages ? after.bytes : undefined,
      before: row.bytes,
    };
    const about = account.isReplacement
      ? context
      : new Map([...context, ["updateDescription", account.updateDescription]]);
    log(store, collection, account.isReplacement ? "replace" : "update", after.id, about, images);
    store.intents.written(written);
  });
}

export function deleteDocument(store: Store, collection: Collection, row: StoredRow, context = NO_CONTEXT): void {
  store.group.write(() => {
    const before = prepareDocument(collection, row.bytes);
    const written = claim(store, collection, before, undefined);
    removeRow(store, collection, row.rid, before);
    log(store, collection, "delete", before.id, context, { before: row.bytes });
    store.intents.written(written);
  });
}

type Images = { document?: Bytes | undefined; before?: Bytes | undefined };

function log(
  store: Store,
  collection: Collection,
  kind: ChangeKind,
  id: Value,
  context: ChangeContext,
  images: Images,
): void {
  store.oplog.append({
    db: collection.db,
    coll: collection.name,
    kind,
    about: new Map<string, Value>([["uuid", collection.uuid], ["documentKey", docOf({ _id: id })], ...context]),
    document: images.document,
    before: collection.keepsImages ? images.before : undefined,
  });
}
