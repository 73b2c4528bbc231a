// aggregate: what an index can do is done by a query, the rest runs as a pipeline over its documents.
import { compilePipeline, type PipelineContext } from "../aggregate/pipeline.ts";
import type { Docs } from "../aggregate/stage-types.ts";
import { decode } from "../bson/decode.ts";
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { failedToParse, located } from "../bson/fail.ts";
import { openChangeStream } from "../change-streams/change-stream.ts";
import { streamOptions } from "../change-streams/resume-token.ts";
import { PAUSE, type Pause } from "../pace.ts";
import { countMatching, decodeFor, pacedRows, type Query, queryCollation } from "../plan/find-rows.ts";
import { fieldsOfPipeline, splitPipeline } from "../plan/split-pipeline.ts";
import { checkCollectionName, type Collection } from "../store/collection.ts";
import { type Bytes, type Doc, isDoc, type Value } from "../values.ts";
import { openCursor } from "./cursor-commands.ts";
import { reportRows } from "./diagnostic-commands.ts";
import { explainAggregate } from "./explain.ts";
import * as field from "./fields.ts";
import type { Command, Operation } from "./operation.ts";
import { isOutputStage, writeOutput } from "./output-stages.ts";
import { findCollection } from "./write-target.ts";

/** The name of the count when a stage does nothing but count, as countDocuments has it. */
function countOnly(rest: Doc[]): { name: string; id: Value } | undefined {
  const spec = rest.length === 1 ? rest[0]?.get("$group") : undefined;
  if (!isDoc(spec) || spec.size !== 2) return undefined;
  const id = spec.get("_id");
  const [entry] = [...spec].filter(([name]) => name !== "_id");
  if (!entry || (id !== null && typeof id !== "number")) return undefined;
  const [name, sum] = entry;
  const isOne = isDoc(sum) && sum.size === 1 && sum.get("$sum") === 1;
  return isOne ? { name, id } : undefined;
}

function* encoded(docs: Docs): Generator<Bytes | Pause> {
  for (const doc of docs) yield doc === PAUSE ? doc : encode(doc);
}

function* pipelineRows(
  operation: Operation,
  collection: Collection | undefined,
  stages: Doc[],
  context: PipelineContext,
  base: Omit<Query, "filter">,
): Generator<Bytes | Pause> {
  const { query, rest } = splitPipeline(stages, base);
  const run = compilePipeline(rest, context);
  if (!collection) return yield* encoded(run([]));
  const counting = countOnly(rest);
  if (counting) {
    const n = yield* countMatching(operation.view, collection, query);
    if (n > 0) yield encode(new Map([["_id", counting.id], ...docOf({ [counting.name]: n })]));
    return;
  }
  const rows = pacedRows(operation.view, collection, query);
  if (rest.length === 0) {
    for (const row of rows) yield row === PAUSE ? row : row.bytes;
    return;
  }
  const fields = fieldsOfPipeline(rest, query.vars ?? new Map());
  yield* encoded(run(rows.map((row) => (row === PAUSE ? row : decodeFor({ fields }, row.bytes)))));
}

/** What a view shows: its pipeline over what it is on, which may be a view again. */
export function viewRows(operation: Operation, collection: Collection): Iterable<Bytes | Pause> {
  const { on = "", pipeline = [] } = collection.view ?? {};
  const vars = docOf({ NOW: new Date() });
  const own = { ...operation, db: collection.db };
  const base = findCollection(own, on);
  return pipelineRows(own, base, pipeline, contextOf(own, vars, base), { vars });
}

function contextOf(
  operation: Operation,
  vars: Map<string, Value>,
  collection: Collection | undefined,
): PipelineContext {
  const { view, deadline } = operation;
  const asked = field.collation(operation.command);
  const collation = collection ? queryCollation(collection, { collation: asked }) : (asked ?? undefined);
  return {
    collation,
    vars,
    now: new Date(),
    pace: view.pace,
    readCollection(name, filter = new Map()) {
      const other = findCollection(operation, name);
      if (!other) return [];
      const rows = pacedRows(view, other, { filter, collation, deadline });
      return rows.map((row) => (row === PAUSE ? row : decode(row.bytes)));
    },
  };
}

type Scope = { db: string; coll: string | undefined; ns: string };

function watch(operation: Operation, { db, coll, ns }: Scope, stages: Doc[], context: PipelineContext) {
  const options = streamOptions(stages[0]?.get("$changeStream"));
  if (operation.transaction) throw located(263, "$changeStream cannot be used in a transaction");
  if (options.isWholeCluster && (db !== "admin" || coll !== undefined))
    throw located(72, "A $changeStream with 'allChangesForCluster:true' may only be opened on the 'admin' database");
  const scope = { db: options.isWholeCluster ? undefined : db, coll };
  const stream = openChangeStream(operation.engine.store, scope, options, stages.slice(1), context);
  return openCursor(operation, { ns, ...stream, batchSize: field.batchSize(operation.command) });
}

const aggregate: Command = {
  fields: "pipeline cursor allowDiskUse explain bypassDocumentValidation hint let collation".split(" "),
  isAllowedInTransaction: true,
  async run(operation) {
    const { command, db, deadline } = operation;
    const target = command.get("aggregate");
    const coll = typeof target === "string" ? target : undefined;
    if (coll !== undefined) checkCollectionName(db, coll);
    const ns = `${db}.${coll ?? "$cmd.aggregate"}`;
    const stages = field.docs(command, "pipeline");
    if (field.flag(command, "explain")) return explainAggregate(operation, command);
    if (!field.doc(command, "cursor"))
      throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
    const vars = field.variables(command);
    const base = { hint: field.hint(command), collation: field.collation(command), vars, deadline };
    const collection = coll === undefined ? undefined : findCollection(operation, coll);
    const context = contextOf(operation, vars, collection);
    const [first] = stages;
    if (first?.has("$changeStream")) return watch(operation, { db, coll, ns }, stages, context);
    const output = isOutputStage(stages.at(-1)) ? stages.at(-1) : undefined;
    const reading = output ? stages.slice(0, -1) : stages;
    const reported = reportRows(operation, coll, first);
    if (coll === undefined && !reported && !first?.has("$documents"))
      throw located(73, "{aggregate: 1} is not valid for this pipeline; it needs a collection");
    const rows = reported
      ? encoded(compilePipeline(reading.slice(1), context)(reported))
      : pipelineRows(operation, collection, reading, context, base);
    if (!output) return openCursor(operation, { ns, rows, batchSize: field.batchSize(command) });
    await writeOutput(operation, output, rows);
    return openCursor(operation, { ns, rows: [].values() });
  },
};

export const aggregateCommands: Record<string, Command> = { aggregate };
