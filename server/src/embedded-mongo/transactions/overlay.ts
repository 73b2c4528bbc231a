// What one transaction has changed in one collection, on top of its snapshot.
import { docOf } from "../bson/doc-of.ts";
import type { Collection } from "../store/catalogue.ts";
import { intentsOf, type StoredRow, type UpdateAccount } from "../store/documents.ts";
import { duplicateKey } from "../store/duplicate-key.ts";
import type { Change, ChangeKind } from "../store/oplog.ts";
import { type PreparedDocument, prepareDocument } from "../store/prepared-document.ts";
import type { Connection } from "../store/sqlite-file.ts";
import type { Bytes, Value } from "../values.ts";

/** `rid` is negative for a document that the snapshot does not hold. */
export type OverlayEntry = { rid: number; base: StoredRow | undefined; current: PreparedDocument | undefined };

export type Overlay = {
  collection: Collection;
  entries: Map<string, OverlayEntry>;
  byRid: Map<number, OverlayEntry>;
  /** Unique index keys of the current documents, with the document that has them. */
  uniqueKeys: Map<string, OverlayEntry>;
};

export type OverlayHost = {
  connection: Connection;
  /** Takes the keys for this transaction or throws a write conflict. */
  take(keys: string[]): void;
  record(change: Change): void;
};

let nextRid = -1;

export const createOverlay = (collection: Collection): Overlay => ({
  collection,
  entries: new Map(),
  byRid: new Map(),
  uniqueKeys: new Map(),
});

const text = (key: Buffer): string => key.toString("latin1");

function* uniqueKeysOf(
  document: PreparedDocument | undefined,
): Generator<{ name: string; key: Buffer; index: PreparedDocument["entries"][number]["index"] }> {
  for (const { index, keys } of document?.entries ?? []) {
    if (index.unique) for (const key of keys) yield { name: `u${index.id}:${text(key)}`, key, index };
  }
}

function checkUnique(
  overlay: Overlay,
  host: OverlayHost,
  document: PreparedDocument,
  own: OverlayEntry | undefined,
): void {
  for (const { name, key, index } of uniqueKeysOf(document)) {
    const holder = overlay.uniqueKeys.get(name);
    if (holder && holder !== own) throw duplicateKey(overlay.collection, index, document.fields, key);
    if (overlay.collection.id < 0) continue;
    const stored = host.connection.get(`SELECT rid FROM ${index.table} WHERE k = ? LIMIT 1`, key);
    // What this transaction has touched is judged by its current keys, above.
    if (stored && !overlay.byRid.has(Number(stored["rid"])) && Number(stored["rid"]) !== own?.rid) {
      throw duplicateKey(overlay.collection, index, document.fields, key);
    }
  }
}

function setCurrent(overlay: Overlay, entry: OverlayEntry, document: PreparedDocument | undefined): void {
  for (const { name } of uniqueKeysOf(entry.current)) overlay.uniqueKeys.delete(name);
  entry.current = document;
  for (const { name } of uniqueKeysOf(document)) overlay.uniqueKeys.set(name, entry);
}

function record(
  overlay: Overlay,
  host: OverlayHost,
  kind: ChangeKind,
  id: Value,
  rest: { account?: UpdateAccount; document?: Bytes | undefined; before?: Bytes | undefined },
): void {
  const { collection } = overlay;
  const about = docOf({ uuid: collection.uuid, documentKey: docOf({ _id: id }) });
  if (rest.account && !rest.account.isReplacement) about.set("updateDescription", rest.account.updateDescription);
  host.record({
    db: collection.db,
    coll: collection.name,
    kind,
    about,
    document: rest.document,
    before: collection.keepsImages ? rest.before : undefined,
  });
}

export function overlayInsert(overlay: Overlay, host: OverlayHost, document: PreparedDocument): void {
  const { collection } = overlay;
  host.take(intentsOf(collection, document));
  const known = overlay.entries.get(text(document.key));
  const isStored =
    !known &&
    collection.id > 0 &&
    host.connection.get(`SELECT rid FROM c${collection.id} WHERE k = ?`, document.key) !== undefined;
  const [idIndex] = collection.indexes;
  if (idIndex && (isStored || known?.current)) throw duplicateKey(collection, idIndex, document.fields, document.key);
  checkUnique(overlay, host, document, known);
  const entry = known ?? { rid: nextRid--, base: undefined, current: undefined };
  overlay.entries.set(text(document.key), entry);
  overlay.byRid.set(entry.rid, entry);
  setCurrent(overlay, entry, document);
  record(overlay, host, "insert", document.id, { document: document.bytes });
}

function entryFor(overlay: Overlay, row: StoredRow): { entry: OverlayEntry; before: PreparedDocument } {
  const known = overlay.byRid.get(row.rid);
  if (known?.current) return { entry: known, before: known.current };
  return {
    entry: { rid: row.rid, base: row, current: undefined },
    before: prepareDocument(overlay.collection, row.bytes),
  };
}

function adopt(overlay: Overlay, entry: OverlayEntry, key: Buffer): void {
  overlay.entries.set(text(key), entry);
  overlay.byRid.set(entry.rid, entry);
}

export function overlayUpdate(
  overlay: Overlay,
  host: OverlayHost,
  row: StoredRow,
  change: { after: PreparedDocument; account: UpdateAccount },
): void {
  const { after, account } = change;
  const { entry, before } = entryFor(overlay, row);
  host.take(intentsOf(overlay.collection, before, after));
  checkUnique(overlay, host, after, entry);
  adopt(overlay, entry, before.key);
  setCurrent(overlay, entry, after);
  const keepsAfter = account.isReplacement || overlay.collection.keepsImages;
  record(overlay, host, account.isReplacement ? "replace" : "update", after.id, {
    account,
    document: keepsAfter ? after.bytes : undefined,
    before: before.bytes,
  });
}

export function overlayDelete(overlay: Overlay, host: OverlayHost, row: StoredRow): void {
  const { entry, before } = entryFor(overlay, row);
  host.take(intentsOf(overlay.collection, before));
  adopt(overlay, entry, before.key);
  setCurrent(overlay, entry, undefined);
  record(overlay, host, "delete", before.id, { before: before.bytes });
}
