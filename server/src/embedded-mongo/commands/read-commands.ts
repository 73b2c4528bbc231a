// find, count and distinct.
import { decode, decodeFields } from "../bson/decode.ts";
import { encode } from "../bson/encode.ts";
import { badValue, located, typeMismatch } from "../bson/fail.ts";
import { encodeValue } from "../keys/encode-key.ts";
import {
  compileQueryFilter,
  countMatching,
  decodeFor,
  findRows,
  queryCollation,
  type Query,
} from "../plan/find-rows.ts";
import { compileProjection } from "../project/project.ts";
import { compileSort } from "../project/sort.ts";
import { compileFilter } from "../query/matcher.ts";
import { valuesAtPath } from "../query/paths.ts";
import type { Collection } from "../store/catalogue.ts";
import { type Bytes, type Doc, isDoc, type Value } from "../values.ts";
import type { Reply } from "../wire/message.ts";
import { openCursor } from "./cursor-reply.ts";
import {
  type Command,
  collationField,
  collectionName,
  countField,
  docField,
  flagField,
  numberField,
  type Operation,
  reply,
  varsOf,
} from "./operation.ts";
import { tailOf } from "./tailable-find.ts";
import { checkHint } from "./update-step.ts";
import { findCollection } from "./write-target.ts";

const FIND_FIELDS =
  "filter sort projection hint skip limit batchSize singleBatch collation let noCursorTimeout allowDiskUse".split(" ");
const REFUSED = ["min", "max", "returnKey", "showRecordId"];

function findQuery(operation: Operation): Query {
  const { command, deadline } = operation;
  for (const field of REFUSED) {
    const value = command.get(field);
    if (isDoc(value) || flagField(command, field))
      throw badValue(`find with ${field} is not supported by the embedded database`);
  }
  const limit = numberField(command, "limit") ?? 0;
  return {
    filter: docField(command, "filter") ?? new Map(),
    sort: docField(command, "sort"),
    skip: countField(command, "skip") ?? 0,
    limit: Math.abs(limit),
    collation: collationField(command),
    hint: checkHint(command.get("hint")),
    vars: varsOf(command),
    deadline,
  };
}

/** What has no collection to run on still has to be well-formed. */
function checkQuery(query: Query, projection?: Doc): void {
  compileFilter(query.filter, {
    ...(query.collation ? { collation: query.collation } : {}),
    vars: query.vars ?? new Map(),
  });
  if (query.sort && query.sort.size > 0 && !query.sort.has("$natural")) compileSort(query.sort);
  if (projection) compileProjection(projection, { vars: query.vars ?? new Map() });
}

function projectedRows(
  operation: Operation,
  collection: Collection,
  query: Query,
  projection: Doc | undefined,
): Iterator<Bytes> {
  const rows = findRows(operation.view, collection, query);
  if (!projection || projection.size === 0) return rows.map((row) => row.bytes);
  const collation = queryCollation(collection, query);
  const project = compileProjection(projection, {
    ...(collation ? { collation } : {}),
    ...(query.vars ? { vars: query.vars } : {}),
  });
  const isPositional = [...projection.keys()].some((path) => path.endsWith(".$"));
  const filter = isPositional ? compileQueryFilter(collection, query) : undefined;
  if (!filter) return rows.map((row) => encode(project(decodeFor(project, row.bytes))));
  return rows.map((row) => {
    const doc = decode(row.bytes);
    return encode(project(doc, filter.arrayIndex(doc)));
  });
}

const NOTHING: Iterator<Bytes> = { next: () => ({ done: true, value: undefined }) };

const find: Command = {
  fields: [...FIND_FIELDS, ...REFUSED, "oplogReplay", "allowPartialResults", "tailable", "awaitData"],
  isAllowedInTransaction: true,
  run(operation): Reply {
    const { command, db } = operation;
    const name = collectionName(operation);
    const query = findQuery(operation);
    const projection = docField(command, "projection");
    const collection = findCollection(operation, name);
    const batchSize = countField(command, "batchSize");
    // Mistakes are told at once, even if no row is looked at yet.
    if (!collection || batchSize === 0) checkQuery(query, projection);
    const ns = `${db}.${name}`;
    if (flagField(command, "tailable")) {
      const tail = tailOf(operation, collection, query);
      return openCursor(operation, { ns, batchSize, rows: tail.rows, stream: tail.source });
    }
    return openCursor(operation, {
      ns,
      rows: collection ? projectedRows(operation, collection, query, projection) : NOTHING,
      batchSize,
      isSingleBatch: flagField(command, "singleBatch") || (numberField(command, "limit") ?? 0) < 0,
      neverExpires: flagField(command, "noCursorTimeout"),
    });
  },
};

const count: Command = {
  fields: "query limit skip hint collation fields".split(" "),
  run(operation) {
    const { command, deadline } = operation;
    const name = collectionName(operation);
    const query: Query = {
      filter: docField(command, "query") ?? new Map(),
      skip: countField(command, "skip") ?? 0,
      limit: Math.abs(numberField(command, "limit") ?? 0),
      hint: checkHint(command.get("hint")),
      collation: collationField(command),
      deadline,
    };
    checkQuery(query);
    const collection = findCollection(operation, name);
    return reply({ n: collection ? countMatching(operation.view, collection, query) : 0 });
  },
};

const MOST_DISTINCT_BYTES = 16 * 1024 * 1024;

const distinct: Command = {
  fields: ["key", "query", "collation", "hint"],
  isAllowedInTransaction: true,
  run(operation) {
    const { command, deadline } = operation;
    const name = collectionName(operation);
    const path = command.get("key");
    if (typeof path !== "string")
      throw typeMismatch("BSON field 'distinct.key' is the wrong type, expected type 'string'");
    const query: Query = {
      filter: docField(command, "query") ?? new Map(),
      collation: collationField(command),
      hint: checkHint(command.get("hint")),
      deadline,
    };
    checkQuery(query);
    const collection = findCollection(operation, name);
    if (!collection) return reply({ values: [] });
    const collation = queryCollation(collection, query);
    const values = new Map<string, Value>();
    const top = new Set([path.split(".", 1)[0] ?? path]);
    let bytes = 0;
    for (const row of findRows(operation.view, collection, query)) {
      for (const value of valuesAtPath(decodeFields(row.bytes, top), path)) {
        const key = encodeValue(value, collation).toString("latin1");
        if (values.has(key)) continue;
        bytes += key.length;
        if (bytes > MOST_DISTINCT_BYTES) throw located(17217, "distinct too big, 16mb cap");
        values.set(key, value);
      }
    }
    return reply({ values: [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value) });
  },
};

export const readCommands: Record<string, Command> = { find, count, distinct };
