import { MongoError } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { located, unsupported } from "../bson/fail.ts";
import type { Collation } from "../keys/collation.ts";
import { toVariables } from "./expression-types.ts";
import { bucket, bucketAuto } from "./stages-bucket.ts";
import { group, sortByCount } from "./stages-group.ts";
import { graphLookup, lookup, unionWith } from "./stages-join.ts";
import { addFields, project, redact, replaceRoot, replaceWith, unset, unwind } from "./stages-shape.ts";
import { count, documents, facet, limit, match, sample, skip, sort } from "./stages-select.ts";
import { requireCount } from "./stage-types.ts";
import type { ReadCollection, Stage, StageCompiler, StageContext } from "./stage-types.ts";

export type { ReadCollection, Stage } from "./stage-types.ts";

export type PipelineContext = {
  collation?: Collation | undefined;
  /** The variables of the command's `let`. */
  vars: Map<string, Value>;
  now: Date;
  readCollection: ReadCollection;
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
  ["$redact", redact],
  ["$group", group],
  ["$sortByCount", sortByCount],
  ["$bucket", bucket],
  ["$bucketAuto", bucketAuto],
  ["$lookup", lookup],
  ["$graphLookup", graphLookup],
  ["$unionWith", unionWith],
]);
const REFUSED = new Set([
  "$setWindowFields",
  "$densify",
  "$fill",
  "$geoNear",
  "$search",
  "$searchMeta",
  "$vectorSearch",
  "$planCacheStats",
]);
const ONLY_ELSEWHERE = new Map([
  ["$out", [40601, "$out can only be the final stage in the pipeline"]],
  ["$merge", [40601, "$merge can only be the final stage in the pipeline"]],
  ["$collStats", [40602, "$collStats is only valid as the first stage in a pipeline"]],
  ["$indexStats", [40602, "$indexStats is only valid as the first stage in a pipeline"]],
  ["$changeStream", [40602, "$changeStream is only valid as the first stage in a pipeline"]],
  ["$currentOp", [40602, "$currentOp is only valid as the first stage in a pipeline"]],
  ["$listSessions", [40602, "$listSessions is only valid as the first stage in a pipeline"]],
] satisfies [string, [number, string]][]);

/** Compiles a pipeline. $out, $merge and the stages that report on the engine are taken off by the caller. */
export function compilePipeline(stages: Doc[], context: PipelineContext): Stage {
  return compileStages(stages, {
    collation: context.collation,
    variables: toVariables([["NOW", context.now], ...context.vars]),
    readCollection: context.readCollection,
    compilePipeline: compileStages,
  });
}

export function compileStages(stages: Doc[], context: StageContext): Stage {
  const compiled = stages.map((stage, at) => compileStage(stage, stages.slice(at + 1), context, at));
  return (input) => compiled.reduce((rows, stage) => stage(rows), input);
}

function compileStage(stage: Doc, following: Doc[], context: StageContext, at: number): Stage {
  const [name] = stage.keys();
  if (name === undefined || stage.size !== 1) {
    throw new MongoError(
      40323,
      "Location40323",
      "A pipeline stage specification object must contain exactly one field.",
    );
  }
  const argument = stage.get(name);
  if (name === "$sort") return sort(argument, context, limitAfter(following));
  if (name === "$documents" && at > 0)
    throw located(40602, "$documents is only valid as the first stage in a pipeline");
  const compiler = STAGES.get(name);
  if (compiler) return compiler(argument, context, name);
  const [code, message] = ONLY_ELSEWHERE.get(name) ?? [];
  if (code !== undefined) throw located(Number(code), String(message));
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
