// A short explain: the plan that was chosen and, on request, what it reads.
import { docOf } from "../bson/doc-of.ts";
import { typeMismatch } from "../bson/fail.ts";
import { findRows, planFor, type Query } from "../plan/find-rows.ts";
import type { IndexScan, Plan } from "../plan/planner.ts";
import { rowsOf } from "../plan/scan.ts";
import { type SplitPipeline, splitPipeline } from "../plan/split-pipeline.ts";
import type { Collection } from "../store/catalogue.ts";
import { type Doc, isDoc, MongoError, type Value } from "../values.ts";
import type { Reply } from "../wire/message.ts";
import {
  type Command,
  collationField,
  docField,
  docsField,
  numberField,
  type Operation,
  reply,
  varsOf,
} from "./operation.ts";
import { checkHint } from "./update-step.ts";
import { findCollection } from "./write-target.ts";

function describeScan(scan: IndexScan): Doc {
  const input = docOf({
    stage: "IXSCAN",
    keyPattern: scan.index.spec.get("key"),
    indexName: scan.index.name,
    isMultiKey: scan.index.arrays.size > 0,
    isUnique: scan.index.unique,
    isSparse: scan.index.sparse,
    isPartial: scan.index.partialSpec !== undefined,
    direction: scan.isReversed ? "backward" : "forward",
    ranges: scan.ranges.length,
  });
  return docOf({ stage: "FETCH", inputStage: input });
}

function describePlan(plan: Plan, needsSort: boolean): Doc {
  let stage: Doc;
  if (plan.kind === "index") stage = describeScan(plan);
  else if (plan.kind === "union") stage = docOf({ stage: "OR", inputStages: plan.branches.map(describeScan) });
  else stage = docOf({ stage: "COLLSCAN", direction: plan.isReversed ? "backward" : "forward" });
  return needsSort ? docOf({ stage: "SORT", inputStage: stage }) : stage;
}

function explainQuery(operation: Operation, name: string | undefined, query: Query, verbosity: Value): Reply {
  const collection = name === undefined ? undefined : findCollection(operation, name);
  const ns = `${operation.db}.${String(name)}`;
  const planner = docOf({ namespace: ns, parsedQuery: query.filter, rejectedPlans: [] });
  const explained = { explainVersion: "1", queryPlanner: planner };
  if (!collection) {
    planner.set("winningPlan", docOf({ stage: "EOF" }));
    return reply(explained);
  }
  const plan = planFor(collection, query);
  const isSorted = !query.sort || (plan.kind !== "union" && plan.isSorted);
  planner.set("winningPlan", describePlan(plan, !isSorted));
  if (verbosity === "queryPlanner") return reply(explained);
  return reply({ ...explained, executionStats: execute(operation, collection, query) });
}

function execute({ view }: Operation, collection: Collection, query: Query): Doc {
  const start = performance.now();
  let found = 0;
  for (const _row of findRows(view, collection, query)) found += 1;
  const took = Math.round(performance.now() - start);
  const examined =
    collection.id < 0 ? found : [...rowsOf(view.connection, collection, planFor(collection, query))].length;
  return docOf({ executionSuccess: true, nReturned: found, executionTimeMillis: took, totalDocsExamined: examined });
}

export function explainAggregate(operation: Operation, name: string | undefined, split: SplitPipeline): Reply {
  const planned = explainQuery(operation, name, split.query, "queryPlanner");
  const first: Doc = docOf({ $cursor: docOf({ queryPlanner: planned.fields.get("queryPlanner") }) });
  planned.fields.set("stages", [first, ...split.rest]);
  return planned;
}

function explainedQuery(command: Doc): Query {
  const [statement] = command.has("updates")
    ? docsField(command, "updates")
    : command.has("deletes")
      ? docsField(command, "deletes")
      : [command];
  const source = statement ?? command;
  const filter =
    docField(source, "filter") ?? docField(source, "query") ?? docField(source, "q") ?? new Map<string, Value>();
  return {
    filter,
    sort: docField(source, "sort"),
    skip: numberField(source, "skip") ?? 0,
    limit: Math.abs(numberField(source, "limit") ?? 0),
    hint: checkHint(source.get("hint")),
    collation: collationField(source),
    vars: varsOf(command),
  };
}

const explain: Command = {
  fields: ["verbosity"],
  run(operation) {
    const inner = operation.command.get("explain");
    if (!isDoc(inner)) throw typeMismatch("BSON field 'explain.explain' is the wrong type, expected type 'object'");
    const [entry] = inner;
    const [kind, target] = entry ?? ["", undefined];
    const explainable = "find count distinct update delete findAndModify aggregate".split(" ");
    if (!explainable.includes(kind))
      throw new MongoError(59, "CommandNotFound", `Explain failed due to unknown command: ${kind}`);
    const name = typeof target === "string" ? target : undefined;
    if (kind === "aggregate") {
      return explainAggregate(
        operation,
        name,
        splitPipeline(docsField(inner, "pipeline"), { vars: varsOf(inner), collation: collationField(inner) }),
      );
    }
    return explainQuery(
      operation,
      name,
      explainedQuery(inner),
      operation.command.get("verbosity") ?? "allPlansExecution",
    );
  },
};

export const explainCommands: Record<string, Command> = { explain };
