// find, count and distinct.
import { decode, decodeFields } from "../bson/decode.ts";
import { encode } from "../bson/encode.ts";
import { badValue, failedToParse, located, unsupported } from "../bson/fail.ts";
import type { TailableSource } from "../cursors/cursors.ts";
import { encodeValue } from "../keys/encode-key.ts";
import {
  compileQueryFilter,
  countMatching,
  decodeFor,
  pacedRows,
  type Query,
  queryCollation,
} from "../plan/find-rows.ts";
import { compileProjection } from "../project/project.ts";
import { compileSort } from "../fields/sort.ts";
import { compileFilter } from "../query/matcher.ts";
import { firstPart, valuesAtPath } from "../fields/paths.ts";
import type { Collection } from "../store/collection.ts";
import { storedRow } from "../store/documents.ts";
import { type Bytes, type Doc, isDoc, type Value } from "../values.ts";
import { PAUSE, type Pause } from "../pace.ts";
import { openCursor } from "./cursor-commands.ts";
import * as field from "./fields.ts";
import { inSlices } from "./in-slices.ts";
import { type Command, type Operation, reply } from "./operation.ts";
import type { Reply } from "../wire/message.ts";
import { findCollection } from "./write-target.ts";

const FIND_FIELDS =
  "filter sort projection hint skip limit batchSize singleBatch collation let noCursorTimeout allowDiskUse oplogReplay allowPartialResults tailable awaitData";
const REFUSED = ["min", "max", "returnKey", "showRecordId"];

/** What has no collection to run on still has to be well-formed. */
function checkQuery(query: Query, projection?: Doc): void {
  const { collation, vars = new Map() } = query;
  compileFilter(query.filter, { collation: collation ?? undefined, vars });
  if (query.sort && !query.sort.has("$natural")) compileSort(query.sort);
  if (projection) compileProjection(projection, { vars });
}

function projectedRows(
  view: Operation["view"],
  collection: Collection,
  query: Query,
  projection: Doc,
): Iterator<Bytes | Pause> {
  const rows = pacedRows(view, collection, query);
  if (projection.size === 0) return rows.map((row) => (row === PAUSE ? row : row.bytes));
  const options = { collation: queryCollation(collection, query), vars: query.vars ?? new Map() };
  const project = compileProjection(projection, options);
  const isPositional = [...projection.keys()].some((path) => path.endsWith(".$"));
  if (!isPositional) return rows.map((row) => (row === PAUSE ? row : encode(project(decodeFor(project, row.bytes)))));
  const filter = compileQueryFilter(collection, query);
  return rows.map((row) => {
    if (row === PAUSE) return row;
    const doc = decode(row.bytes);
    return encode(project(doc, filter.arrayIndex(doc)));
  });
}

/** A find that stays open at the end of a capped collection. */
function tailOf(operation: Operation, collection: Collection | undefined, query: Query) {
  const { engine, command, transaction, view } = operation;
  if (!collection?.capped || transaction || (query.sort?.size ?? 0) > 0 || command.has("projection"))
    throw badValue("error processing query: tailable cursors are for capped collections, without sort and projection");
  const { main, oplog } = engine.store;
  const filter = compileQueryFilter(collection, query);
  let position = -1;
  const next = (): IteratorResult<Bytes | Pause> => {
    while (!collection.isDropped) {
      if (view.pace?.isOver()) return { done: false, value: PAUSE };
      const row = main.get(`SELECT rid, d, s FROM c${collection.id} WHERE rid > ? ORDER BY rid LIMIT 1`, position);
      if (!row) break;
      position = Number(row["rid"]);
      const { bytes: value } = storedRow(collection, row);
      if (filter.matches(decodeFor(filter, value))) return { done: false, value };
    }
    return { done: true, value: undefined };
  };
  const stream: TailableSource = {
    isAwaiting: field.flag(command, "awaitData"),
    onMore: (wake) => oplog.onCommit(wake),
    isOver: () => collection.isDropped || position === -1,
  };
  return { rows: { next }, stream };
}

const find: Command = {
  fields: [...FIND_FIELDS.split(" "), ...REFUSED],
  isAllowedInTransaction: true,
  run(operation) {
    const { command, db } = operation;
    const name = field.collectionName(operation);
    const refused = REFUSED.find((option) => isDoc(command.get(option)) || field.flag(command, option));
    if (refused) throw unsupported(`find with ${refused}`);
    const query = field.query(operation, "filter");
    const projection = field.doc(command, "projection") ?? new Map();
    const collection = findCollection(operation, name);
    const batchSize = field.count(command, "batchSize");
    // Mistakes are told at once, even if no row is looked at yet.
    if (!collection || batchSize === 0) checkQuery(query, projection);
    const ns = `${db}.${name}`;
    if (field.flag(command, "awaitData") && !field.flag(command, "tailable"))
      throw failedToParse("Cannot set 'awaitData' without also setting 'tailable'");
    if (field.flag(command, "tailable"))
      return openCursor(operation, { ns, batchSize, ...tailOf(operation, collection, query) });
    return openCursor(operation, {
      ns,
      rows: collection ? projectedRows(operation.view, collection, query, projection) : [].values(),
      batchSize,
      isSingleBatch: field.flag(command, "singleBatch") || (field.number(command, "limit") ?? 0) < 0,
      neverExpires: field.flag(command, "noCursorTimeout"),
    });
  },
};

const count: Command = {
  fields: "query limit skip hint collation fields".split(" "),
  run(operation) {
    const name = field.collectionName(operation);
    const query = field.query(operation, "query");
    checkQuery(query);
    const collection = findCollection(operation, name);
    if (!collection) return reply({ n: 0 });
    return inSlices(operation, counted(operation, collection, query));
  },
};

function* counted({ view }: Operation, collection: Collection, query: Query): Generator<Pause, Reply> {
  return reply({ n: yield* countMatching(view, collection, query) });
}

const MOST_DISTINCT_BYTES = 16 * 1024 * 1024;

const distinct: Command = {
  fields: ["key", "query", "collation", "hint"],
  isAllowedInTransaction: true,
  run(operation) {
    const name = field.collectionName(operation);
    const path = operation.command.get("key");
    if (typeof path !== "string") throw field.wrongType("distinct.key", "string");
    const query = field.query(operation, "query");
    checkQuery(query);
    const collection = findCollection(operation, name);
    if (!collection) return reply({ values: [] });
    return inSlices(operation, distinctValues(operation, collection, query, path));
  },
};

function* distinctValues(
  { view }: Operation,
  collection: Collection,
  query: Query,
  path: string,
): Generator<Pause, Reply> {
  const collation = queryCollation(collection, query);
  const values = new Map<string, Value>();
  const top = new Set([firstPart(path)]);
  let bytes = 0;
  for (const row of pacedRows(view, collection, query)) {
    if (row === PAUSE) {
      yield row;
      continue;
    }
    for (const value of valuesAtPath(decodeFields(row.bytes, top), path)) {
      const key = encodeValue(value, collation).toString("latin1");
      if (values.has(key)) continue;
      bytes += key.length;
      if (bytes > MOST_DISTINCT_BYTES) throw located(17217, "distinct too big, 16mb cap");
      values.set(key, value);
    }
  }
  return reply({ values: [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value) });
}

export const readCommands: Record<string, Command> = { find, count, distinct };
