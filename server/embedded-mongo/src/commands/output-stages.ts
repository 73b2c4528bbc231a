// $out and $merge.
import { checkOptions } from "../aggregate/stage-types.ts";
import { decode } from "../bson/decode.ts";
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { badValue, located } from "../bson/fail.ts";
import { collected, type Pause } from "../pace.ts";
import { findRows } from "../plan/find-rows.ts";
import { checkCollectionName, type Collection } from "../store/collection.ts";
import { deleteDocument, duplicateKey } from "../store/documents.ts";
import type { Index } from "../store/index-spec.ts";
import { prepareDocument } from "../store/prepared-document.ts";
import { compileUpdate } from "../update/update.ts";
import { type Bytes, type Doc, isDoc, type Value } from "../values.ts";
import { checkNotInUse } from "./collection-commands.ts";
import * as field from "./fields.ts";
import { inSlices } from "./in-slices.ts";
import { durably, type Operation, whenFree } from "./operation.ts";
import { updateContext, writeUpdate } from "./update-step.ts";
import { collectionForWrite, insertInto } from "./write-target.ts";

export const isOutputStage = (stage: Doc | undefined): boolean =>
  stage !== undefined && (stage.has("$out") || stage.has("$merge"));

/** The collection that the stage names, made when it is missing. */
function targetOf(operation: Operation, into: Value, stage: string): Promise<Collection> {
  const place = isDoc(into) ? into : docOf({ coll: into });
  const [db = operation.db, coll] = [place.get("db"), place.get("coll")];
  if (typeof coll !== "string" || typeof db !== "string")
    throw located(16990, `${stage} only supports a string or object argument`);
  checkCollectionName(db, coll);
  return whenFree(operation, () => collectionForWrite(operation, coll, db));
}

export async function writeOutput(operation: Operation, stage: Doc, rows: Iterable<Bytes | Pause>): Promise<void> {
  if (operation.transaction) throw located(263, "$out and $merge cannot be used in a transaction");
  if (field.doc(operation.command, "readConcern")?.get("level") === "linearizable")
    throw located(72, "$out and $merge cannot be used with a 'linearizable' read concern level");
  // Everything is read before anything is written, for a pipeline may write where it reads.
  const documents = await inSlices(operation, collected(rows));
  await durably(operation.engine, () =>
    stage.has("$out")
      ? replaceContents(operation, stage.get("$out"), documents)
      : mergeAll(operation, mergeOf(stage.get("$merge")), documents),
  );
}

async function replaceContents(operation: Operation, into: Value, documents: Bytes[]): Promise<void> {
  const { store } = operation.engine;
  const collection = await targetOf(operation, into, "$out");
  await whenFree(operation, () =>
    store.group.write(() => {
      checkNotInUse(operation, collection);
      store.main.attempt(() => {
        for (const row of findRows(operation.view, collection, { filter: new Map() }).toArray())
          deleteDocument(store, collection, row);
        for (const document of documents) insertInto(operation, collection, prepareDocument(collection, document));
      });
    }),
  );
}

type Merge = { into: Value; on: string[]; whenMatched: Value; whenNotMatched: Value; vars: Map<string, Value> };

function mergeOf(spec: Value): Merge {
  const merge = isDoc(spec) ? spec : docOf({ into: spec });
  checkOptions(merge, ["into", "on", "let", "whenMatched", "whenNotMatched"], "$merge", 40415);
  const on = merge.get("on") ?? "_id";
  const whenMatched = merge.get("whenMatched") ?? "merge";
  const whenNotMatched = merge.get("whenNotMatched") ?? "insert";
  const isKnown =
    Array.isArray(whenMatched) || ["merge", "replace", "keepExisting", "fail"].some((mode) => mode === whenMatched);
  if (!isKnown || !["insert", "discard", "fail"].some((mode) => mode === whenNotMatched))
    throw badValue("unknown whenMatched or whenNotMatched of $merge");
  const paths = (Array.isArray(on) ? on : [on]).filter((path) => typeof path === "string");
  return { into: merge.get("into"), on: paths, whenMatched, whenNotMatched, vars: field.variables(merge) };
}

async function mergeAll(operation: Operation, merge: Merge, documents: Bytes[]): Promise<void> {
  const collection = await targetOf(operation, merge.into, "$merge");
  const index = uniqueIndexOn(collection, merge.on);
  if (!index) throw located(51183, "Cannot find index to verify that join fields will be unique");
  for (const document of documents)
    await whenFree(operation, () => mergeOne(operation, { collection, index }, merge, decode(document)));
}

const uniqueIndexOn = (collection: Collection, on: string[]): Index | undefined =>
  collection.indexes.find(
    (index) =>
      index.unique &&
      !index.partial &&
      index.fields.length === on.length &&
      index.fields.every((part) => on.includes(part.path)),
  );

function fieldAt(doc: Doc, path: string): Value {
  return path.split(".").reduce<Value>((value, part) => (isDoc(value) ? value.get(part) : undefined), doc);
}

type Target = { collection: Collection; index: Index };

function mergeOne(operation: Operation, { collection, index }: Target, merge: Merge, doc: Doc): void {
  const { on, whenMatched, whenNotMatched } = merge;
  const filter = new Map(on.map((path) => [path, docOf({ $eq: fieldAt(doc, path) ?? null })]));
  const mayExist = doc.has("_id") || !on.includes("_id");
  const [row] = mayExist ? findRows(operation.view, collection, { filter, limit: 1 }) : [];
  if (!row) {
    if (whenNotMatched === "fail")
      throw located(13113, "$merge could not find a matching document in the target collection for at least one");
    if (whenNotMatched === "insert") insertInto(operation, collection, prepareDocument(collection, encode(doc)));
    return;
  }
  if (whenMatched === "keepExisting") return;
  const existing = decode(row.bytes);
  if (whenMatched === "fail")
    throw duplicateKey(collection, index, existing, prepareDocument(collection, row.bytes).key);
  const result = mergeUpdate(merge, existing, doc).apply(existing, updateContext(operation));
  if (result.changed) writeUpdate(operation, collection, row, result, whenMatched === "replace");
}

function mergeUpdate({ whenMatched, vars }: Merge, existing: Doc, doc: Doc) {
  if (Array.isArray(whenMatched))
    return compileUpdate(whenMatched.filter(isDoc), { vars: new Map([...vars, ["new", doc]]) });
  const incoming = doc.has("_id") ? doc : new Map([["_id", existing.get("_id")], ...doc]);
  if (whenMatched === "replace") return compileUpdate(incoming, { isReplacement: true });
  return compileUpdate([docOf({ $replaceWith: docOf({ $literal: new Map([...existing, ...incoming]) }) })]);
}
