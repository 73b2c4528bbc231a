// Changes to single documents: the row, its index keys and the log of changes, in one commit.
import { docOf } from "../bson/doc-of.ts";
import { located } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import { encodeKey } from "../keys/encode-key.ts";
import type { WriteIntents } from "./write-intents.ts";
import { type Bytes, type Doc, isDoc, type MongoError, type Value } from "../values.ts";
import type { Catalogue } from "./catalogue.ts";
import { sumOfDocument } from "./checksum.ts";
import type { Collection } from "./collection.ts";
import type { CommitGroup } from "./commit-group.ts";
import { damagedDocument, isAsWritten } from "./damage.ts";
import type { Index } from "./index-spec.ts";
import type { Change, ChangeKind, Oplog } from "./oplog.ts";
import { type IndexEntry, type PreparedDocument, prepareDocument } from "./prepared-document.ts";
import { blob, type Connection, type Row } from "./sqlite-file.ts";

export type Store = { main: Connection; catalogue: Catalogue; oplog: Oplog; group: CommitGroup; intents: WriteIntents };

export type StoredRow = { rid: number; bytes: Bytes };
export type KeyedRow = StoredRow & { key: Uint8Array };

/** What an update makes of a row, and how it is told to change streams. */
export type UpdateAccount = { isReplacement: boolean; updateDescription: Doc };
/** `before`: the document of the row, where it has been read already. */
export type RowChange = { after: PreparedDocument; account: UpdateAccount; before?: Doc };
/** Fields that a command adds to the account of its changes. */
export type ChangeContext = ReadonlyMap<string, Value>;

const NO_CONTEXT: ChangeContext = new Map();
const PAGE = 500;

/** Throws where the document is not as it was written. */
export function storedRow(collection: Collection, row: Row): StoredRow {
  if (!isAsWritten(row)) throw damagedDocument(collection, row);
  return { rid: Number(row["rid"]), bytes: blob(row, "d") };
}

export function rowByNumber(connection: Connection, collection: Collection, rid: number): StoredRow | undefined {
  if (collection.isDropped) return undefined;
  const row = connection.get(`SELECT rid, d, s FROM c${collection.id} WHERE rid = ?`, rid);
  return row && storedRow(collection, row);
}

/** All documents of a collection in the order in which they were stored. Writes may happen between two of them. */
export function* rowsInOrder(connection: Connection, collection: Collection, after = -1): Generator<KeyedRow> {
  const sql = `SELECT rid, k, d, s FROM c${collection.id} WHERE rid > ? ORDER BY rid LIMIT ?`;
  for (let rows: Row[] | undefined; !rows || rows.length === PAGE;) {
    rows = connection.all(sql, after, PAGE);
    for (const row of rows) yield { ...storedRow(collection, row), key: blob(row, "k") };
    after = Number(rows.at(-1)?.["rid"]);
  }
}

/** The document itself and every unique key it has or had. */
export function intentsOf(collection: Collection, ...versions: (PreparedDocument | undefined)[]): string[] {
  const keys = new Set<string>();
  for (const version of versions) {
    if (!version) continue;
    keys.add(`d${collection.id}:${version.key.toString("latin1")}`);
    for (const { index, keys: indexed } of version.entries)
      if (index.unique) for (const key of indexed) keys.add(`u${index.id}:${key.toString("latin1")}`);
  }
  return [...keys];
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

/** Error 11000. Applications parse both its text and its fields. */
export function duplicateKey(collection: Collection, index: Index, doc: Doc, key: Buffer): MongoError {
  const pattern: Doc = new Map();
  const values: Doc = new Map();
  for (const { path, descending } of index.fields) {
    let value = valueAt(doc, path);
    if (Array.isArray(value) && index.fields.length === 1)
      value = value.find((element) => encodeKey([element], [descending], index.collation).equals(key)) ?? null;
    pattern.set(path, descending ? -1 : 1);
    values.set(path, value);
  }
  const where = `collection: ${collection.ns} index: ${index.name} dup key: ${showValue(values)}`;
  const error = located(11000, `E11000 duplicate key error ${where}`);
  error.details.set("keyPattern", pattern).set("keyValue", values);
  return error;
}

function valueAt(doc: Doc, path: string): Value {
  let value: Value = doc;
  for (const part of path.split(".")) {
    if (Array.isArray(value)) value = value.find((element) => isDoc(element) && element.has(part));
    value = isDoc(value) ? value.get(part) : null;
  }
  return value ?? null;
}

function checkUnique({ main }: Store, collection: Collection, prepared: PreparedDocument, ownRid: number): void {
  for (const { index, keys } of prepared.entries) {
    if (!index.unique) continue;
    const sql = `SELECT rid FROM ${index.table} WHERE k = ? AND rid <> ? LIMIT 1`;
    for (const key of keys) if (main.get(sql, key, ownRid)) throw duplicateKey(collection, index, prepared.fields, key);
  }
}

/** Adds the keys of a document that it did not have before. */
function addEntries({ main, catalogue }: Store, entries: IndexEntry[], rid: number, before?: IndexEntry[]): void {
  for (const [at, { index, keys, arrays }] of entries.entries()) {
    if (arrays.length > 0) catalogue.noteArrays(index, arrays);
    for (const key of keysWithout(keys, before?.[at]?.keys))
      main.run(`INSERT INTO ${index.table}(k, rid) VALUES(?, ?)`, key, rid);
  }
}

function removeEntries({ main }: Store, entries: IndexEntry[], rid: number, after?: IndexEntry[]): void {
  for (const [at, { index, keys }] of entries.entries())
    for (const key of keysWithout(keys, after?.[at]?.keys))
      main.run(`DELETE FROM ${index.table} WHERE k = ? AND rid = ?`, key, rid);
}

const keysWithout = (keys: Buffer[], others: Buffer[] = []): Buffer[] =>
  keys.filter((key) => !others.some((other) => other.equals(key)));

/** Puts a checked document into its tables, under its old row number if it had one. */
export function storeRow(store: Store, collection: Collection, prepared: PreparedDocument, rid?: number): void {
  const { key, bytes } = prepared;
  const sql = `INSERT INTO c${collection.id}(rid, k, d, s) VALUES(?, ?, ?, ?)`;
  store.main.run(sql, rid ?? null, key, bytes, sumOfDocument(bytes));
  addEntries(store, prepared.entries, rid ?? store.main.lastRowId());
}

export function removeRow(store: Store, collection: Collection, rid: number, before: PreparedDocument): void {
  store.main.run(`DELETE FROM c${collection.id} WHERE rid = ?`, rid);
  removeEntries(store, before.entries, rid);
}

export function insertDocument(
  store: Store,
  collection: Collection,
  prepared: PreparedDocument,
  context = NO_CONTEXT,
): void {
  const sql = `INSERT INTO c${collection.id}(k, d, s) VALUES(?, ?, ?) ON CONFLICT DO NOTHING`;
  store.group.write(() => {
    const written = claim(store, collection, undefined, prepared);
    checkUnique(store, collection, prepared, -1);
    const isNew = store.main.run(sql, prepared.key, prepared.bytes, sumOfDocument(prepared.bytes)) > 0;
    const [idIndex] = collection.indexes;
    if (!isNew && idIndex) throw duplicateKey(collection, idIndex, prepared.fields, prepared.key);
    if (prepared.entries.length > 0) addEntries(store, prepared.entries, store.main.lastRowId());
    store.oplog.append(insertion(collection, prepared, context));
    store.intents.written(written);
  });
}

export function updateDocument(
  store: Store,
  collection: Collection,
  row: StoredRow,
  change: RowChange,
  context = NO_CONTEXT,
): void {
  const { after } = change;
  store.group.write(() => {
    const before = prepareDocument(collection, row.bytes, change.before);
    const written = claim(store, collection, before, after);
    checkUnique(store, collection, after, row.rid);
    const sql = `UPDATE c${collection.id} SET d = ?, s = ? WHERE rid = ?`;
    store.main.run(sql, after.bytes, sumOfDocument(after.bytes), row.rid);
    removeEntries(store, before.entries, row.rid, after.entries);
    addEntries(store, after.entries, row.rid, before.entries);
    store.oplog.append(replacement(collection, row.bytes, change, context));
    store.intents.written(written);
  });
}

export function deleteDocument(store: Store, collection: Collection, row: StoredRow, context = NO_CONTEXT): void {
  store.group.write(() => {
    const before = prepareDocument(collection, row.bytes);
    const written = claim(store, collection, before, undefined);
    removeRow(store, collection, row.rid, before);
    store.oplog.append(deletion(collection, before, context));
    store.intents.written(written);
  });
}

/** What the log says about a change to one document; the same for a plain write and for one in a transaction. */
function changeTo(
  collection: Collection,
  kind: ChangeKind,
  id: Value,
  context: ChangeContext,
  images: { document?: Bytes | undefined; before?: Bytes },
): Change {
  return {
    db: collection.db,
    coll: collection.name,
    kind,
    about: new Map([...docOf({ uuid: collection.uuid, documentKey: docOf({ _id: id }) }), ...context]),
    document: images.document,
    before: collection.keepsImages ? images.before : undefined,
  };
}

export const insertion = (collection: Collection, document: PreparedDocument, context = NO_CONTEXT): Change =>
  changeTo(collection, "insert", document.id, context, { document: document.bytes });

export function replacement(
  collection: Collection,
  before: Bytes,
  { after, account }: RowChange,
  context = NO_CONTEXT,
): Change {
  const { isReplacement, updateDescription } = account;
  const document = isReplacement || collection.keepsImages ? after.bytes : undefined;
  const about = isReplacement ? context : new Map([...context, ...docOf({ updateDescription })]);
  return changeTo(collection, isReplacement ? "replace" : "update", after.id, about, { document, before });
}

export const deletion = (collection: Collection, before: PreparedDocument, context = NO_CONTEXT): Change =>
  changeTo(collection, "delete", before.id, context, { before: before.bytes });
