// $out and $merge.
import { decode } from "../bson/decode.ts";
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { badValue, located } from "../bson/fail.ts";
import { findRows } from "../plan/find-rows.ts";
import { checkCollectionName, type Collection } from "../store/catalogue.ts";
import { deleteDocument } from "../store/documents.ts";
import { duplicateKey } from "../store/duplicate-key.ts";
import type { Index } from "../store/index-spec.ts";
import { prepareDocument } from "../store/prepared-document.ts";
import { compileUpdate } from "../update/update.ts";
import { type Bytes, type Doc, isDoc, MongoError, type Value } from "../values.ts";
import { checkNotInUse } from "./collection-commands.ts";
import { durably } from "./durably.ts";
import { docField, type Operation, varsOf, whenFree } from "./operation.ts";
import { invalidOptions, notInTransaction } from "./refusals.ts";
import { collectionForWrite, insertInto, updateIn } from "./write-target.ts";

export const isOutputStage = (stage: Doc | undefined): boolean =>
  stage !== undefined && (stage.has("$out") || stage.has("$merge"));

type Target = { db: string; coll: string };

function targetOf(value: Value, db: string, stage: string): Target {
  const place =
    typeof value === "string"
      ? { db, coll: value }
      : isDoc(value)
        ? { db: value.get("db") ?? db, coll: value.get("coll") }
        : undefined;
  if (typeof place?.coll !== "string" || typeof place.db !== "string")
    throw located(16990, `${stage} only supports a string or object argument`);
  checkCollectionName(place.db, place.coll);
  return { db: place.db, coll: place.coll };
}

export async function writeOutput(operation: Operation, stage: Doc, rows: Iterable<Bytes>): Promise<void> {
  if (operation.transaction) throw notInTransaction("$out and $merge cannot be used in a transaction");
  const level = docField(operation.command, "readConcern")?.get("level");
  if (level === "linearizable")
    throw invalidOptions("$out and $merge cannot be used with a 'linearizable' read concern level");
  // Everything is read before anything is written, for a pipeline may write where it reads.
  const documents = [...rows];
  const { engine } = operation;
  if (stage.has("$out")) {
    const target = targetOf(stage.get("$out"), operation.db, "$out");
    await durably(engine, () => replaceContents(operation, target, documents));
  } else {
    const merge = mergeOf(operation, stage.get("$merge"));
    await durably(engine, () => mergeAll(operation, merge, documents));
  }
}

async function replaceContents(operation: Operation, target: Target, documents: Bytes[]): Promise<void> {
  const { store } = operation.engine;
  const collection = await whenFree(operation, () => collectionForWrite(operation, target.coll, target.db));
  await whenFree(operation, () =>
    store.group.write(() => {
      checkNotInUse(operation, collection);
      store.main.exec("SAVEPOINT replace_contents");
      try {
        for (const row of findRows(operation.view, collection, { filter: new Map() }).toArray())
          deleteDocument(store, collection, row);
        for (const document of documents) insertInto(operation, collection, prepareDocument(collection, document));
      } catch (error) {
        if (error instanceof MongoError) store.main.exec("ROLLBACK TO replace_contents; RELEASE replace_contents");
        throw error;
      }
      store.main.exec("RELEASE replace_contents");
    }),
  );
}

type Merge = { target: Target; on: string[]; whenMatched: Value; whenNotMatched: Value; vars: Map<string, Value> };

function mergeOf(operation: Operation, spec: Value): Merge {
  const merge: Doc = isDoc(spec) ? spec : docOf({ into: spec });
  const on = merge.get("on") ?? "_id";
  const paths = Array.isArray(on) ? on : [on];
  const whenMatched = merge.get("whenMatched") ?? "merge";
  const whenNotMatched = merge.get("whenNotMatched") ?? "insert";
  const isKnown =
    Array.isArray(whenMatched) || ["merge", "replace", "keepExisting", "fail"].some((mode) => mode === whenMatched);
  if (!isKnown || !["insert", "discard", "fail"].some((mode) => mode === whenNotMatched))
    throw badValue("unknown whenMatched or whenNotMatched of $merge");
  return {
    target: targetOf(merge.get("into"), operation.db, "$merge"),
    on: paths.filter((path) => typeof path === "string"),
    whenMatched,
    whenNotMatched,
    vars: varsOf(merge),
  };
}

async function mergeAll(operation: Operation, merge: Merge, documents: Bytes[]): Promise<void> {
  const { on, target } = merge;
  const collection = await whenFree(operation, () => collectionForWrite(operation, target.coll, target.db));
  if (!uniqueIndexOn(collection, on))
    throw located(51183, "Cannot find index to verify that join fields will be unique");
  for (const document of documents)
    await whenFree(operation, () => mergeOne(operation, collection, merge, decode(document)));
}

const uniqueIndexOn = (collection: Collection, on: string[]): Index | undefined =>
  collection.indexes.find(
    (index) =>
      index.unique &&
      !index.partial &&
      index.fields.length === on.length &&
      index.fields.every((field) => on.includes(field.path)),
  );

function fieldAt(doc: Doc, path: string): Value {
  return path.split(".").reduce<Value>((value, part) => (isDoc(value) ? value.get(part) : undefined), doc);
}

function mergeOne(operation: Operation, collection: Collection, merge: Merge, doc: Doc): void {
  const filter: Doc = new Map(
    merge.on.map((path): [string, Value] => [path, docOf({ $eq: fieldAt(doc, path) ?? null })]),
  );
  const [row] =
    doc.has("_id") || !merge.on.includes("_id") ? findRows(operation.view, collection, { filter, limit: 1 }) : [];
  if (!row) {
    if (merge.whenNotMatched === "fail")
      throw new MongoError(
        13113,
        "MergeStageNoMatchingDocument",
        "$merge could not find a matching document in the target collection for at least one document in the source collection",
      );
    if (merge.whenNotMatched === "insert") insertInto(operation, collection, prepareDocument(collection, encode(doc)));
    return;
  }
  if (merge.whenMatched === "keepExisting") return;
  const existing = decode(row.bytes);
  if (merge.whenMatched === "fail") {
    const prepared = prepareDocument(collection, row.bytes);
    const index = uniqueIndexOn(collection, merge.on);
    if (index) throw duplicateKey(collection, index, existing, prepared.key);
  }
  const result = mergeUpdate(merge, existing, doc).apply(existing, {
    isInsert: false,
    now: new Date(),
    nextTimestamp: () => operation.engine.store.oplog.nextTimestamp(),
  });
  if (!result.changed) return;
  const isReplacement = merge.whenMatched === "replace";
  const updateDescription: Doc = docOf({
    updatedFields: result.updatedFields,
    removedFields: result.removedFields,
    truncatedArrays: result.truncatedArrays,
  });
  updateIn(operation, collection, row, {
    after: prepareDocument(collection, encode(result.doc)),
    account: { isReplacement, updateDescription },
  });
}

function mergeUpdate(merge: Merge, existing: Doc, doc: Doc) {
  const { whenMatched, vars } = merge;
  if (Array.isArray(whenMatched))
    return compileUpdate(whenMatched.filter(isDoc), { vars: new Map([...vars, ["new", doc]]) });
  const incoming = doc.has("_id") ? doc : new Map([["_id", existing.get("_id")], ...doc]);
  if (whenMatched === "replace") return compileUpdate(incoming, { isReplacement: true });
  return compileUpdate([docOf({ $replaceWith: docOf({ $literal: new Map([...existing, ...incoming]) }) })]);
}
