import type { Doc, Value } from "../values.ts";
import { located, unsupported } from "../bson/fail.ts";
import type { Collation } from "../keys/collation.ts";
import type { Pace } from "../pace.ts";
import { toVariables } from "../expressions/expression-types.ts";
import { type ReadCollection, requireCount, type Stage, type StageCompiler, type StageContext } from "./stage-types.ts";
import { group, sortByCount } from "./stages-group.ts";
import { lookup, unionWith } from "./stages-join.ts";
import { count, documents, facet, limit, match, sample, skip, sort } from "./stages-select.ts";
import { addFields, project, replaceRoot, replaceWith, unset, unwind } from "./stages-shape.ts";

export type PipelineContext = {
  collation?: Collation | undefined;
  /** The variables of the command's `let`. */
  vars: Map<string, Value>;
  now: Date;
  readCollection: ReadCollection;
  pace?: Pace | undefined;
};

const STAGES = new Map<string, StageCompiler>([
  ["$match", match],
  ["$limit", limit],
  ["$skip", skip],
  ["$count", count],
  ["$sample", sample],
  ["$documents", documents],
  ["$facet", facet],
  ["$unwind", unwind],
  ["$addFields", addFields],
  ["$set", addFields],
  ["$project", project],
  ["$unset", unset],
  ["$replaceRoot", replaceRoot],
  ["$replaceWith", replaceWith],
  ["$group", group],
  ["$sortByCount", sortByCount],
  ["$lookup", lookup],
  ["$unionWith", unionWith],
]);
const REFUSED = new Set([
  "$bucket",
  "$bucketAuto",
  "$densify",
  "$fill",
  "$geoNear",
  "$graphLookup",
  "$planCacheStats",
  "$redact",
  "$search",
  "$searchMeta",
  "$setWindowFields",
  "$vectorSearch",
]);
/** Stages that the caller takes off a pipeline before it is compiled, when they stand where they may. */
const LAST = new Set(["$out", "$merge"]);
const FIRST = new Set(["$documents", "$collStats", "$indexStats", "$changeStream", "$currentOp", "$listSessions"]);

/** Compiles a pipeline. $out, $merge and the stages that report on the engine are taken off by the caller. */
export function compilePipeline(stages: Doc[], context: PipelineContext): Stage {
  return compileStages(stages, {
    collation: context.collation,
    variables: toVariables([["NOW", context.now], ...context.vars]),
    readCollection: context.readCollection,
    pace: context.pace,
    compilePipeline: compileStages,
  });
}

export function compileStages(stages: Doc[], context: StageContext): Stage {
  const compiled = stages.map((stage, at) => compileStage(stage, stages.slice(at + 1), context, at));
  return (input) => compiled.reduce((rows, stage) => stage(rows), input);
}

function compileStage(stage: Doc, following: Doc[], context: StageContext, at: number): Stage {
  const [name] = stage.keys();
  if (name === undefined || stage.size !== 1)
    throw located(40323, "A pipeline stage specification object must contain exactly one field.");
  const argument = stage.get(name);
  if (name === "$sort") return sort(argument, context, limitAfter(following));
  const compiler = name === "$documents" && at > 0 ? undefined : STAGES.get(name);
  if (compiler) return compiler(argument, context, name);
  if (LAST.has(name)) throw located(40601, `${name} can only be the final stage in the pipeline`);
  if (FIRST.has(name)) throw located(40602, `${name} is only valid as the first stage in a pipeline`);
  if (REFUSED.has(name)) throw unsupported(`the stage ${name}`);
  throw located(40324, `Unrecognized pipeline stage name: '${name}'`);
}

/** How many sorted documents the following stages can ever take. */
function limitAfter(following: Doc[]): number {
  const [next, second] = following;
  const skipped = next?.has("$skip") ? requireCount(next.get("$skip"), "$skip", 15956, 0) : 0;
  const limiting = next?.has("$skip") ? second : next;
  return limiting?.has("$limit") ? skipped + requireCount(limiting.get("$limit"), "$limit", 15958, 1) : Infinity;
}
