// aggregate: what an index can do is done by a query, the rest runs as a pipeline over its documents.
import { compilePipeline, type PipelineContext } from "../aggregate/pipeline.ts";
import { decode, decodeFields } from "../bson/decode.ts";
import { encode } from "../bson/encode.ts";
import { failedToParse } from "../bson/fail.ts";
import { openChangeStream } from "../change-streams/change-stream.ts";
import { streamOptions } from "../change-streams/resume-token.ts";
import { countMatching, findRows, type Query, queryCollation } from "../plan/find-rows.ts";
import { fieldsOfPipeline } from "../plan/pipeline-fields.ts";
import { splitPipeline } from "../plan/split-pipeline.ts";
import { checkCollectionName, type Collection } from "../store/catalogue.ts";
import { type Bytes, type Doc, isDoc, MongoError, type Value } from "../values.ts";
import type { Reply } from "../wire/message.ts";
import { openCursor } from "./cursor-reply.ts";
import { explainAggregate } from "./explain.ts";
import {
  type Command,
  collationField,
  countField,
  docField,
  docsField,
  flagField,
  type Operation,
  varsOf,
} from "./operation.ts";
import { isOutputStage, writeOutput } from "./output-stages.ts";
import { invalidOptions, notInTransaction } from "./refusals.ts";
import { reportRows } from "./report-stages.ts";
import { checkHint } from "./update-step.ts";
import { findCollection } from "./write-target.ts";

/** The name of the count when a stage does nothing but count, as countDocuments has it. */
function countOnly(rest: Doc[]): { name: string; id: Value } | undefined {
  const spec = rest.length === 1 ? rest[0]?.get("$group") : undefined;
  if (!isDoc(spec) || spec.size !== 2) return undefined;
  const id = spec.get("_id");
  const [entry] = [...spec].filter(([field]) => field !== "_id");
  if (!entry || (id !== null && typeof id !== "number")) return undefined;
  const [name, sum] = entry;
  const isOne = isDoc(sum) && sum.size === 1 && sum.get("$sum") === 1;
  return isOne ? { name, id } : undefined;
}

function* encoded(docs: Iterable<Doc>): Generator<Bytes> {
  for (const doc of docs) yield encode(doc);
}

function* pipelineRows(
  operation: Operation,
  collection: Collection | undefined,
  stages: Doc[],
  context: PipelineContext,
  base: Omit<Query, "filter">,
): Generator<Bytes> {
  const { query, rest } = splitPipeline(stages, base);
  const run = compilePipeline(rest, context);
  if (!collection) {
    yield* encoded(run([]));
    return;
  }
  const counting = countOnly(rest);
  if (counting) {
    const n = countMatching(operation.view, collection, query);
    if (n > 0)
      yield encode(
        new Map<string, Value>([
          ["_id", counting.id],
          [counting.name, n],
        ]),
      );
    return;
  }
  const rows = findRows(operation.view, collection, query);
  if (rest.length === 0) {
    for (const row of rows) yield row.bytes;
    return;
  }
  const fields = fieldsOfPipeline(rest, query.vars ?? new Map());
  yield* encoded(run(rows.map((row) => (fields ? decodeFields(row.bytes, fields) : decode(row.bytes)))));
}

/** What a view shows: its pipeline over what it is on, which may be a view again. */
export function viewRows(operation: Operation, collection: Collection): Iterable<Bytes> {
  const { on = "", pipeline = [] } = collection.view ?? {};
  const vars = varsOf(new Map());
  const own = { ...operation, db: collection.db };
  const base = findCollection(own, on);
  return pipelineRows(own, base, pipeline, contextOf(own, vars, base), { vars });
}

export function contextOf(
  operation: Operation,
  vars: Map<string, Value>,
  collection: Collection | undefined,
): PipelineContext {
  const asked = collationField(operation.command);
  const collation = collection ? queryCollation(collection, { collation: asked }) : (asked ?? undefined);
  return {
    collation,
    vars,
    now: new Date(),
    readCollection(name, filter) {
      const collection = findCollection(operation, name);
      if (!collection) return [];
      const rows = findRows(operation.view, collection, {
        filter: filter ?? new Map(),
        collation,
        deadline: operation.deadline,
      });
      return rows.map((row) => decode(row.bytes));
    },
  };
}

function watch(
  operation: Operation,
  scope: { db: string; coll: string | undefined; ns: string },
  stages: Doc[],
  context: PipelineContext,
): Reply {
  const options = streamOptions(stages[0]?.get("$changeStream"));
  if (operation.transaction) throw notInTransaction("$changeStream cannot be used in a transaction");
  if (options.isWholeCluster && (scope.db !== "admin" || scope.coll !== undefined))
    throw invalidOptions("A $changeStream with 'allChangesForCluster:true' may only be opened on the 'admin' database");
  const { store } = operation.engine;
  const stream = openChangeStream(
    store,
    { db: options.isWholeCluster ? undefined : scope.db, coll: scope.coll },
    options,
    stages.slice(1),
    context,
  );
  const batchSize = countField(docField(operation.command, "cursor") ?? new Map(), "batchSize");
  return openCursor(operation, { ns: scope.ns, rows: stream.rows, stream: stream.source, batchSize });
}

const aggregate: Command = {
  fields: "pipeline cursor allowDiskUse explain bypassDocumentValidation hint let collation".split(" "),
  isAllowedInTransaction: true,
  async run(operation) {
    const { command, db, deadline } = operation;
    const target = command.get("aggregate");
    const coll = typeof target === "string" ? target : undefined;
    if (coll !== undefined) checkCollectionName(db, coll);
    const ns = coll === undefined ? `${db}.$cmd.aggregate` : `${db}.${coll}`;
    const stages = docsField(command, "pipeline");
    const vars = varsOf(command);
    const base = {
      hint: checkHint(command.get("hint")),
      collation: collationField(command),
      vars,
      deadline,
    };
    if (flagField(command, "explain")) return explainAggregate(operation, coll, splitPipeline(stages, base));
    const cursor = docField(command, "cursor");
    if (!cursor) throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
    const collection = coll === undefined ? undefined : findCollection(operation, coll);
    const context = contextOf(operation, vars, collection);
    const [first] = stages;
    if (first?.has("$changeStream")) return watch(operation, { db, coll, ns }, stages, context);
    const output = isOutputStage(stages.at(-1)) ? stages.at(-1) : undefined;
    const reading = output ? stages.slice(0, -1) : stages;
    const reported = reportRows(operation, coll, first);
    if (coll === undefined && !reported && !first?.has("$documents"))
      throw new MongoError(
        73,
        "InvalidNamespace",
        "{aggregate: 1} is not valid for this pipeline; it needs a collection",
      );
    const rows = reported
      ? encoded(compilePipeline(reading.slice(1), context)(reported))
      : pipelineRows(operation, collection, reading, context, base);
    if (output) {
      await writeOutput(operation, output, rows);
      return openCursor(operation, { ns, rows: [].values() });
    }
    return openCursor(operation, { ns, rows, batchSize: countField(cursor, "batchSize") });
  },
};

export const aggregateCommands: Record<string, Command> = { aggregate };
