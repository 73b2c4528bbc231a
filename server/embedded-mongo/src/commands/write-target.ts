// Where a command's writes go: straight into the file, or into its transaction's overlay.
import { docOf } from "../bson/doc-of.ts";
import { located } from "../bson/fail.ts";
import { type Collection, draftCollection } from "../store/collection.ts";
import {
  deleteDocument,
  insertDocument,
  type RowChange,
  rowsInOrder,
  rowByNumber,
  type StoredRow,
  updateDocument,
} from "../store/documents.ts";
import type { PreparedDocument } from "../store/prepared-document.ts";
import { overlayDelete, overlayInsert, overlayUpdate } from "../transactions/overlay.ts";
import type { Doc } from "../values.ts";
import type { Operation } from "./operation.ts";

export function findCollection(
  { engine, transaction, db }: Operation,
  name: string,
  otherDb = db,
): Collection | undefined {
  return transaction ? engine.transactions.find(transaction, otherDb, name) : engine.catalogue.find(otherDb, name);
}

/** For a write that only changes what is there already. */
export function existingForWrite(operation: Operation, name: string, db = operation.db): Collection | undefined {
  const collection = findCollection(operation, name, db);
  if (collection?.view) throw located(166, `Namespace ${collection.ns} is a view, not a collection`);
  return collection;
}

/** The collection a write goes to; the first write creates it. */
export function collectionForWrite(operation: Operation, name: string, db = operation.db): Collection {
  return existingForWrite(operation, name, db) ?? createCollection(operation, draftCollection(db, name, new Map()));
}

function checkValid({ command }: Operation, { validator }: Collection, { fields, id }: PreparedDocument): void {
  if (!validator || command.get("bypassDocumentValidation") === true || validator.matches(fields)) return;
  const error = located(121, "Document failed validation");
  error.details.set("errInfo", docOf({ failingDocumentId: id, details: docOf({ operatorName: "$and" }) }));
  throw error;
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
    const operationDescription = docOf({ idIndex: draft.indexes[0]?.spec ?? null });
    const about = docOf({ uuid: draft.uuid, operationDescription });
    oplog.append({ db: draft.db, coll: draft.name, kind: "create", about });
    intents.written([`n${draft.ns}`]);
  });
  return draft;
}

/** What a retryable write adds to its entries in the log of changes. */
const contextOf = ({ session, retryNumber }: Operation): Doc =>
  session && retryNumber !== undefined ? docOf({ lsid: session.lsid, retryNumber }) : new Map();

export function insertInto(operation: Operation, collection: Collection, document: PreparedDocument): void {
  const { engine, transaction } = operation;
  checkValid(operation, collection, document);
  if (transaction && collection.capped) throw located(263, "Cannot write to a capped collection in a transaction");
  if (transaction) overlayInsert(engine.transactions.overlay(transaction, collection), transaction, document);
  else insertDocument(engine.store, collection, document, contextOf(operation));
  if (collection.capped) dropOldest(operation, collection, collection.capped);
}

function dropOldest(operation: Operation, collection: Collection, cap: { bytes: number; documents: number }): void {
  const { store } = operation.engine;
  for (;;) {
    const held = store.main.get(`SELECT COUNT(*) AS n, SUM(LENGTH(d)) AS bytes FROM c${collection.id}`);
    const count = Number(held?.["n"]);
    if (count <= 1 || (count <= cap.documents && Number(held?.["bytes"]) <= cap.bytes)) return;
    const [oldest] = rowsInOrder(store.main, collection);
    if (oldest) deleteDocument(store, collection, oldest, contextOf(operation));
  }
}

export function updateIn(operation: Operation, collection: Collection, row: StoredRow, change: RowChange): void {
  const { engine, transaction } = operation;
  checkValid(operation, collection, change.after);
  if (transaction) overlayUpdate(engine.transactions.overlay(transaction, collection), transaction, row, change);
  else updateDocument(engine.store, collection, row, change, contextOf(operation));
}

export function deleteFrom(operation: Operation, collection: Collection, row: StoredRow): void {
  const { engine, transaction } = operation;
  if (transaction) overlayDelete(engine.transactions.overlay(transaction, collection), transaction, row);
  else deleteDocument(engine.store, collection, row, contextOf(operation));
}

/** The row as it is now, or undefined when it is gone. */
export function currentRow({ view }: Operation, collection: Collection, rid: number): StoredRow | undefined {
  const changed = view.overlayOf(collection)?.byRid.get(rid);
  if (changed) return changed.current && { rid, bytes: changed.current.bytes };
  return rowByNumber(view.connection, collection, rid);
}
