// First stages that report on the engine itself.
import { docOf } from "../bson/doc-of.ts";
import type { Collection } from "../store/catalogue.ts";
import { type Doc, isDoc, MongoError, type Value } from "../values.ts";
import type { Operation } from "./operation.ts";
import { noSearch } from "./refusals.ts";
import { findCollection } from "./write-target.ts";

export function collectionStats({ engine }: Pick<Operation, "engine">, collection: Collection): Doc {
  const { main } = engine.store;
  const totals = main.get(`SELECT COUNT(*) AS n, COALESCE(SUM(LENGTH(d)), 0) AS bytes FROM c${collection.id}`);
  const [count, size] = [Number(totals?.["n"]), Number(totals?.["bytes"])];
  const sizes = collection.indexes.map((index): [string, Value] => {
    const table = index.isId ? `c${collection.id}` : index.table;
    return [index.name, Number(main.get(`SELECT COALESCE(SUM(LENGTH(k)), 0) AS bytes FROM ${table}`)?.["bytes"])];
  });
  const totalIndexSize = sizes.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
  return docOf({
    size,
    count,
    avgObjSize: count === 0 ? 0 : Math.round(size / count),
    storageSize: size,
    capped: false,
    nindexes: collection.indexes.length,
    indexSizes: new Map(sizes),
    totalIndexSize,
    totalSize: size + totalIndexSize,
    numOrphanDocs: 0,
    scaleFactor: 1,
  });
}

function collStats(operation: Operation, coll: string | undefined, spec: Value): Doc[] {
  const collection = coll === undefined ? undefined : findCollection(operation, coll);
  if (!collection)
    throw new MongoError(26, "NamespaceNotFound", `Collection [${operation.db}.${String(coll)}] not found.`);
  const stats = collectionStats(operation, collection);
  const row: Doc = docOf({ ns: collection.ns, host: operation.client.address, localTime: new Date() });
  if (isDoc(spec) && spec.has("storageStats")) row.set("storageStats", stats);
  if (isDoc(spec) && spec.has("count")) row.set("count", stats.get("count"));
  return [row];
}

function indexStats(operation: Operation, coll: string | undefined): Doc[] {
  const collection = coll === undefined ? undefined : findCollection(operation, coll);
  const since = new Date(operation.engine.startedAt);
  return (collection?.indexes ?? []).map((index) => {
    const accesses = docOf({ ops: 0n, since });
    return docOf({ name: index.name, key: index.spec.get("key"), accesses, spec: index.spec });
  });
}

/** The rows of such a stage; undefined when the pipeline begins with another one. */
export function reportRows(operation: Operation, coll: string | undefined, first: Doc | undefined): Doc[] | undefined {
  const [entry] = first ?? [];
  if (!entry) return undefined;
  const [name, spec] = entry;
  switch (name) {
    case "$collStats":
      return collStats(operation, coll, spec);
    case "$indexStats":
      return indexStats(operation, coll);
    case "$listSessions":
    case "$listLocalSessions":
      return operation.session
        ? [docOf({ _id: operation.session.lsid, lastUse: new Date(operation.session.usedAt) })]
        : [];
    case "$currentOp":
      return [
        docOf({
          type: "op",
          active: true,
          op: "command",
          ns: `${operation.db}.$cmd.aggregate`,
          command: docOf({ aggregate: 1 }),
        }),
      ];
    case "$listSearchIndexes":
      throw noSearch();
    default:
      return undefined;
  }
}
