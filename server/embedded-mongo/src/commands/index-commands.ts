// createIndexes, dropIndexes and listIndexes.
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { badValue, located } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import { type Collection } from "../store/collection.ts";
import { buildIndex } from "../store/index-build.ts";
import { hasKey, type Index, indexExists, indexFromSpec, normaliseIndexSpec } from "../store/index-spec.ts";
import { record } from "../transactions/transaction.ts";
import { type Doc, isDoc, type Value } from "../values.ts";
import { changeShape, existingCollection } from "./collection-commands.ts";
import { openCursor } from "./cursor-commands.ts";
import { noSearch } from "./diagnostic-commands.ts";
import * as field from "./fields.ts";
import { type Command, type Operation, reply, whenFree } from "./operation.ts";
import { collectionForWrite, findCollection } from "./write-target.ts";

const MOST_INDEXES = 64;

const describe = (spec: Doc): Doc => docOf({ operationDescription: docOf({ indexes: [spec] }) });

const createIndexes: Command = {
  fields: ["indexes", "commitQuorum", "ignoreUnknownIndexOptions"],
  isWrite: true,
  isAllowedInTransaction: true,
  async run(operation) {
    const name = field.collectionName(operation);
    const asked = field.docs(operation.command, "indexes");
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
    throw located(67, `add index fails, too many indexes for ${collection.ns}`);
  if (!transaction) {
    return changeShape(operation, collection, { kind: "createIndexes", about: describe(spec) }, () => {
      if (!indexExists(collection.indexes, spec)) buildIndex(engine.store, collection, spec);
    });
  }
  const isDraft = transaction.drafts.get(collection.ns) === collection;
  if (!isDraft || transaction.overlays.get(collection)?.entries.size)
    throw located(263, "Cannot create new indexes on existing non-empty collections in a multi-document transaction.");
  const id = collection.id * MOST_INDEXES - collection.indexes.length;
  collection.indexes = [...collection.indexes, indexFromSpec(id, "", spec, [])];
  record(transaction, collection, "createIndexes", describe(spec));
}

function indexesToDrop(collection: Collection, wanted: Value): Index[] {
  if (wanted === "*") return collection.indexes.filter((index) => !index.isId);
  if (Array.isArray(wanted)) return wanted.flatMap((name) => indexesToDrop(collection, name));
  const found = collection.indexes.find((index) => (isDoc(wanted) ? hasKey(index, wanted) : index.name === wanted));
  if (!found) throw located(27, `index not found: ${showValue(wanted)}`);
  if (found.isId) throw located(72, "cannot drop _id index");
  return [found];
}

const dropIndexes: Command = {
  fields: ["index"],
  isWrite: true,
  async run(operation) {
    const { engine, command } = operation;
    const collection = existingCollection(operation);
    const before = collection.indexes.length;
    for (const index of indexesToDrop(collection, command.get("index")))
      await changeShape(operation, collection, { kind: "dropIndexes", about: describe(index.spec) }, () =>
        engine.catalogue.dropIndex(collection, index),
      );
    return reply({ nIndexesWas: before });
  },
};

const listIndexes: Command = {
  fields: ["cursor", "includeBuildUUIDs", "includeIndexBuildInfo"],
  run(operation) {
    const collection = existingCollection(operation);
    const rows = collection.indexes.map((index) => encode(index.spec));
    return openCursor(operation, {
      ns: collection.ns,
      rows: rows.values(),
      batchSize: field.batchSize(operation.command),
    });
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
