// What one transaction has changed in one collection, on top of its snapshot.
import type { Collection } from "../store/collection.ts";
import {
  deletion,
  duplicateKey,
  insertion,
  intentsOf,
  replacement,
  type RowChange,
  type StoredRow,
} from "../store/documents.ts";
import type { Index } from "../store/index-spec.ts";
import type { Change } from "../store/oplog.ts";
import { type PreparedDocument, prepareDocument } from "../store/prepared-document.ts";
import type { Connection } from "../store/sqlite-file.ts";

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

type UniqueKey = { name: string; key: Buffer; index: Index };

function* uniqueKeysOf(document: PreparedDocument | undefined): Generator<UniqueKey> {
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
  adopt(overlay, entry, document.key, document);
  host.record(insertion(collection, document));
}

function entryFor(overlay: Overlay, row: StoredRow): { entry: OverlayEntry; before: PreparedDocument } {
  const known = overlay.byRid.get(row.rid);
  if (known?.current) return { entry: known, before: known.current };
  return {
    entry: { rid: row.rid, base: row, current: undefined },
    before: prepareDocument(overlay.collection, row.bytes),
  };
}

function adopt(overlay: Overlay, entry: OverlayEntry, key: Buffer, document: PreparedDocument | undefined): void {
  overlay.entries.set(text(key), entry);
  overlay.byRid.set(entry.rid, entry);
  for (const { name } of uniqueKeysOf(entry.current)) overlay.uniqueKeys.delete(name);
  entry.current = document;
  for (const { name } of uniqueKeysOf(document)) overlay.uniqueKeys.set(name, entry);
}

export function overlayUpdate(overlay: Overlay, host: OverlayHost, row: StoredRow, change: RowChange): void {
  const { collection } = overlay;
  const { entry, before } = entryFor(overlay, row);
  host.take(intentsOf(collection, before, change.after));
  checkUnique(overlay, host, change.after, entry);
  adopt(overlay, entry, before.key, change.after);
  host.record(replacement(collection, before.bytes, change));
}

export function overlayDelete(overlay: Overlay, host: OverlayHost, row: StoredRow): void {
  const { collection } = overlay;
  const { entry, before } = entryFor(overlay, row);
  host.take(intentsOf(collection, before));
  adopt(overlay, entry, before.key, undefined);
  host.record(deletion(collection, before));
}
