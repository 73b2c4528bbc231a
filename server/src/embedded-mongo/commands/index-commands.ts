// createIndexes, dropIndexes and listIndexes.
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { badValue } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import type { Collection } from "../store/catalogue.ts";
import { buildIndex } from "../store/index-build.ts";
import { type Index, indexExists, indexFromSpec, normaliseIndexSpec } from "../store/index-spec.ts";
import { addDraftIndexes, record } from "../transactions/transaction.ts";
import { type Doc, isDoc, MongoError, type Value } from "../values.ts";
import { changeShape } from "./collection-commands.ts";
import { openCursor } from "./cursor-reply.ts";
import {
  type Command,
  collectionName,
  countField,
  docField,
  docsField,
  type Operation,
  reply,
  whenFree,
} from "./operation.ts";
import { invalidOptions, noSearch, notInTransaction } from "./refusals.ts";
import { collectionForWrite, findCollection } from "./write-target.ts";

const MOST_INDEXES = 64;

const missing = (ns: string): MongoError => new MongoError(26, "NamespaceNotFound", `ns does not exist: ${ns}`);

const createIndexes: Command = {
  fields: ["indexes", "commitQuorum", "ignoreUnknownIndexOptions"],
  isWrite: true,
  isAllowedInTransaction: true,
  async run(operation) {
    const name = collectionName(operation);
    const asked = docsField(operation.command, "indexes");
    if (asked.length === 0) throw badValue("Must specify at least one index to create");
    const known = findCollection(operation, name);
    const specs = asked.map((spec) => normaliseIndexSpec(spec, known?.collation));
    const collection = await whenFree(operation, () => collectionForWrite(operation, name));
    const before = collection.indexes.length;
    for (const spec of specs) await createIndex(operation, collection, spec);
    const after = collection.indexes.length;
    return reply({
      numIndexesBefore: before,
      numIndexesAfter: after,
      createdCollectionAutomatically: known === undefined,
      ...(before === after ? { note: "all indexes already exist" } : {}),
    });
  },
};

async function createIndex(operation: Operation, collection: Collection, spec: Doc): Promise<void> {
  const { engine, transaction } = operation;
  if (indexExists(collection.indexes, spec)) return;
  if (collection.indexes.length >= MOST_INDEXES)
    throw new MongoError(67, "CannotCreateIndex", `add index fails, too many indexes for ${collection.ns}`);
  const about: Doc = docOf({ operationDescription: docOf({ indexes: [spec] }) });
  if (transaction) {
    const isEmptyDraft =
      transaction.drafts.get(collection.ns) === collection && !transaction.overlays.get(collection)?.entries.size;
    if (!isEmptyDraft)
      throw notInTransaction(
        "Cannot create new indexes on existing non-empty collections in a multi-document transaction.",
      );
    addDraftIndexes(collection, [
      indexFromSpec(collection.id * MOST_INDEXES - collection.indexes.length, "", spec, []),
    ]);
    record(transaction, collection, "createIndexes", about);
    return;
  }
  await changeShape(operation, collection, { kind: "createIndexes", about }, () => {
    if (!indexExists(collection.indexes, spec)) buildIndex(engine.store, collection, spec);
  });
}

function indexesToDrop(collection: Collection, wanted: Value): Index[] {
  const others = collection.indexes.filter((index) => !index.isId);
  if (wanted === "*") return others;
  if (Array.isArray(wanted)) return wanted.flatMap((name) => indexesToDrop(collection, name));
  const found = collection.indexes.find((index) => {
    const key = index.spec.get("key");
    return isDoc(wanted) ? isDoc(key) && Buffer.compare(encode(key), encode(wanted)) === 0 : index.name === wanted;
  });
  if (!found) {
    const what = isDoc(wanted) ? "can't find index with key" : `index not found with name [${showValue(wanted)}]`;
    throw new MongoError(27, "IndexNotFound", what);
  }
  if (found.isId) throw invalidOptions("cannot drop _id index");
  return [found];
}

const dropIndexes: Command = {
  fields: ["index"],
  isWrite: true,
  async run(operation) {
    const { engine, command, db } = operation;
    const name = collectionName(operation);
    const collection = engine.catalogue.find(db, name);
    if (!collection) throw missing(`${db}.${name}`);
    const before = collection.indexes.length;
    for (const index of indexesToDrop(collection, command.get("index"))) {
      const about: Doc = docOf({ operationDescription: docOf({ indexes: [index.spec] }) });
      await changeShape(operation, collection, { kind: "dropIndexes", about }, () =>
        engine.catalogue.dropIndex(collection, index),
      );
    }
    return reply({ nIndexesWas: before });
  },
};

const listIndexes: Command = {
  fields: ["cursor", "includeBuildUUIDs", "includeIndexBuildInfo"],
  run(operation) {
    const { engine, command, db } = operation;
    const name = collectionName(operation);
    const collection = engine.catalogue.find(db, name);
    if (!collection) throw missing(`${db}.${name}`);
    const rows = collection.indexes.map((index) => encode(index.spec));
    const batchSize = countField(docField(command, "cursor") ?? new Map(), "batchSize");
    return openCursor(operation, { ns: collection.ns, rows: rows.values(), batchSize });
  },
};

const atlasOnly: Command = {
  fields: ["*"],
  run: () => {
    throw noSearch();
  },
};

export const indexCommands: Record<string, Command> = {
  createIndexes,
  dropIndexes,
  deleteIndexes: dropIndexes,
  listIndexes,
  createSearchIndexes: atlasOnly,
  updateSearchIndex: atlasOnly,
  dropSearchIndex: atlasOnly,
  listSearchIndexes: atlasOnly,
};
