// Where a command's writes go: straight into the file, or into its transaction's overlay.
import { type Collection, draftCollection } from "../store/catalogue.ts";
import {
  type ChangeContext,
  deleteDocument,
  insertDocument,
  NO_CONTEXT,
  type StoredRow,
  type UpdateAccount,
  updateDocument,
} from "../store/documents.ts";
import type { PreparedDocument } from "../store/prepared-document.ts";
import { overlayDelete, overlayInsert, overlayUpdate } from "../transactions/overlay.ts";
import type { Doc, Value } from "../values.ts";
import type { Operation } from "./operation.ts";

export function findCollection(
  { engine, transaction, db }: Operation,
  name: string,
  otherDb = db,
): Collection | undefined {
  return transaction ? engine.transactions.find(transaction, otherDb, name) : engine.catalogue.find(otherDb, name);
}

/** The collection a write goes to; the first write creates it. */
export function collectionForWrite(operation: Operation, name: string, db = operation.db): Collection {
  return findCollection(operation, name, db) ?? createCollection(operation, draftCollection(db, name, new Map()));
}

export function createCollection({ engine, transaction }: Operation, draft: Collection): Collection {
  if (transaction) {
    engine.transactions.addDraft(transaction, draft);
    return draft;
  }
  const { group, intents, catalogue, oplog } = engine.store;
  group.write(() => {
    intents.checkFree(`n${draft.ns}`);
    intents.advance();
    catalogue.create(draft);
    const about: Doc = new Map<string, Value>([
      ["uuid", draft.uuid],
      ["operationDescription", new Map([["idIndex", draft.indexes[0]?.spec ?? null]])],
    ]);
    oplog.append({ db: draft.db, coll: draft.name, kind: "create", about });
    intents.written([`n${draft.ns}`]);
  });
  return draft;
}

/** What a retryable write adds to its entries in the log of changes. */
function contextOf({ session, retryNumber }: Operation): ChangeContext {
  if (!session || retryNumber === undefined) return NO_CONTEXT;
  return new Map<string, Value>([
    ["lsid", session.lsid],
    ["retryNumber", retryNumber],
  ]);
}

export function insertInto(operation: Operation, collection: Collection, document: PreparedDocument): void {
  const { engine, transaction } = operation;
  if (transaction) overlayInsert(engine.transactions.overlay(transaction, collection), transaction, document);
  else insertDocument(engine.store, collection, document, contextOf(operation));
}

export function updateIn(
  operation: Operation,
  collection: Collection,
  row: StoredRow,
  change: { after: PreparedDocument; account: UpdateAccount },
): void {
  const { engine, transaction } = operation;
  if (transaction) overlayUpdate(engine.transactions.overlay(transaction, collection), transaction, row, change);
  else updateDocument(engine.store, collection, row, { ...change, context: contextOf(operation) });
}

export function deleteFrom(operation: Operation, collection: Collection, row: StoredRow): void {
  const { engine, transaction } = operation;
  if (transaction) overlayDelete(engine.transactions.overlay(transaction, collection), transaction, row);
  else deleteDocument(engine.store, collection, row, contextOf(operation));
}

/** The row as it is now, or undefined when it is gone. */
export function currentRow({ view }: Operation, collection: Collection, rid: number): StoredRow | undefined {
  if (collection.isDropped) return undefined;
  const changed = view.overlayOf(collection)?.byRid.get(rid);
  if (changed) return changed.current && { rid, bytes: changed.current.bytes };
  const row = view.connection.get(`SELECT d FROM c${collection.id} WHERE rid = ?`, rid);
  const bytes = row?.["d"];
  return bytes instanceof Uint8Array ? { rid, bytes } : undefined;
}
