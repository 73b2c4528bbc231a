// A short explain: the plan that was chosen and, on request, what it reads.
import { docOf } from "../bson/doc-of.ts";
import { badValue, located } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import { PAUSE, type Pause } from "../pace.ts";
import { pacedRows, planFor, type Query } from "../plan/find-rows.ts";
import type { IndexScan, Plan } from "../plan/planner.ts";
import { rowsOf } from "../plan/scan.ts";
import { splitPipeline } from "../plan/split-pipeline.ts";
import type { Collection } from "../store/collection.ts";
import type { StoredRow } from "../store/documents.ts";
import { type Doc, isDoc, type Value } from "../values.ts";
import type { Reply } from "../wire/message.ts";
import * as field from "./fields.ts";
import { inSlices } from "./in-slices.ts";
import { type Command, type Operation, reply } from "./operation.ts";
import { findCollection } from "./write-target.ts";

function describeScan({ index, isReversed, ranges }: IndexScan): Doc {
  const input = docOf({
    stage: "IXSCAN",
    keyPattern: index.spec.get("key"),
    indexName: index.name,
    isMultiKey: index.arrays.size > 0,
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: index.partialSpec !== undefined,
    direction: isReversed ? "backward" : "forward",
    ranges: ranges.length,
  });
  return docOf({ stage: "FETCH", inputStage: input });
}

function describePlan(plan: Plan): Doc {
  switch (plan.kind) {
    case "index":
      return describeScan(plan);
    case "union":
      return docOf({ stage: "OR", inputStages: plan.branches.map(describeScan) });
    case "scan":
      return docOf({ stage: "COLLSCAN", direction: plan.isReversed ? "backward" : "forward" });
  }
}

type Question = { name: Value; query: Query; verbosity: Value };

function* explainQuery(operation: Operation, { name, query, verbosity }: Question): Generator<Pause, Reply> {
  const collection = typeof name === "string" ? findCollection(operation, name) : undefined;
  const planner = docOf({ namespace: collection?.ns ?? operation.db, parsedQuery: query.filter, rejectedPlans: [] });
  const explained = { explainVersion: "1", queryPlanner: planner };
  if (!collection) {
    planner.set("winningPlan", docOf({ stage: "EOF" }));
    return reply(explained);
  }
  const plan = planFor(collection, query);
  const isSorted = !query.sort || (plan.kind !== "union" && plan.isSorted);
  const described = describePlan(plan);
  planner.set("winningPlan", isSorted ? described : docOf({ stage: "SORT", inputStage: described }));
  if (verbosity === "queryPlanner") return reply(explained);
  return reply({ ...explained, executionStats: yield* execute(operation, collection, query) });
}

function* execute({ view }: Operation, collection: Collection, query: Query): Generator<Pause, Doc> {
  const start = performance.now();
  const found = yield* counted(pacedRows(view, collection, query));
  const took = Math.round(performance.now() - start);
  const { connection, pace } = view;
  const examined =
    collection.id < 0 ? found : yield* counted(rowsOf(connection, collection, planFor(collection, query), { pace }));
  return docOf({ executionSuccess: true, nReturned: found, executionTimeMillis: took, totalDocsExamined: examined });
}

function* counted(rows: Iterable<StoredRow | Pause>): Generator<Pause, number> {
  let count = 0;
  for (const row of rows) {
    if (row === PAUSE) yield row;
    else count += 1;
  }
  return count;
}

/** `command` may be one that was only to be explained. */
export const explainAggregate = (operation: Operation, command: Doc): Reply | Promise<Reply> =>
  inSlices(operation, aggregateExplained(operation, command));

function* aggregateExplained(operation: Operation, command: Doc): Generator<Pause, Reply> {
  const base = { vars: field.variables(command), collation: field.collation(command), hint: field.hint(command) };
  const { query, rest } = splitPipeline(field.docs(command, "pipeline"), base);
  const question = { name: command.get("aggregate"), query, verbosity: "queryPlanner" };
  const planned = yield* explainQuery(operation, question);
  const first = docOf({ $cursor: docOf({ queryPlanner: planned.fields.get("queryPlanner") }) });
  planned.fields.set("stages", [first, ...rest]);
  return planned;
}

const VERBOSITIES = ["queryPlanner", "executionStats", "allPlansExecution"];
const EXPLAINABLE = "find count distinct update delete findAndModify aggregate".split(" ");

const explain: Command = {
  fields: ["verbosity"],
  run(operation) {
    const inner = operation.command.get("explain");
    if (!isDoc(inner)) throw field.wrongType("explain.explain", "object");
    const [[kind, target] = ["", undefined]] = inner;
    if (!EXPLAINABLE.includes(kind)) throw located(59, `Explain failed due to unknown command: ${kind}`);
    const verbosity = operation.command.get("verbosity") ?? "allPlansExecution";
    if (!VERBOSITIES.some((known) => known === verbosity))
      throw badValue(`verbosity string must be one of {${VERBOSITIES.join(", ")}}, got ${showValue(verbosity)}`);
    if (kind === "aggregate") return explainAggregate(operation, inner);
    const statements = ["updates", "deletes"].find((name) => inner.has(name));
    const [source = inner] = statements ? field.docs(inner, statements) : [inner];
    const filter = ["filter", "query", "q"].find((name) => source.has(name)) ?? "filter";
    const query = field.query(operation, filter, source, field.variables(inner));
    return inSlices(operation, explainQuery(operation, { name: target, query, verbosity }));
  },
};

export const explainCommands: Record<string, Command> = { explain };
