import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { typeName } from "../bson/types.ts";
import { compareValues, typeTag } from "../keys/compare.ts";
import { compileAccumulators } from "./accumulators.ts";
import type { Accumulation } from "./accumulators.ts";
import { compileExpression } from "./expressions.ts";
import { orNull } from "./expression-types.ts";
import { collect, newMemoryUse } from "./memory.ts";
import { groupResult } from "./stages-group.ts";
import { requireCount, requireDoc } from "./stage-types.ts";
import type { StageCompiler } from "./stage-types.ts";

const COUNT: Doc = new Map<string, Value>([["count", new Map([["$sum", 1]])]]);

function readSpec(argument: Value, name: string, known: string[]): Doc {
  const spec = requireDoc(argument, name, 40201);
  for (const key of spec.keys())
    if (!known.includes(key)) throw located(40197, `Unrecognized option to ${name}: ${key}`);
  if (!spec.has("groupBy")) throw located(40198, `${name} requires 'groupBy' to be specified`);
  return spec;
}

const outputOf = (spec: Doc, name: string): Doc =>
  spec.has("output") ? requireDoc(spec.get("output"), name, 40196) : COUNT;

export const bucket: StageCompiler = (argument, context, name) => {
  const spec = readSpec(argument, name, ["groupBy", "boundaries", "default", "output"]);
  const groupBy = compileExpression(spec.get("groupBy"), context);
  const boundaries = readBoundaries(compileExpression(spec.get("boundaries"), context)(new Map()), context.collation);
  const hasDefault = spec.has("default");
  const other = hasDefault ? orNull(compileExpression(spec.get("default"), context)(new Map())) : null;
  const fields = compileAccumulators(outputOf(spec, name), context);
  return function* (input) {
    const memory = newMemoryUse(name);
    const buckets = new Map<number, Accumulation[]>();
    for (const doc of input) {
      const value = orNull(groupBy(doc));
      const upper = boundaries.findIndex((bound) => compareValues(value, bound, context.collation) < 0);
      const at = upper <= 0 ? boundaries.length : upper - 1;
      if (at === boundaries.length && !hasDefault)
        throw located(7157302, "$bucket could not find a matching branch for an input, and no default was specified.");
      const accumulations = buckets.get(at) ?? fields.map(([, create]) => create(memory));
      buckets.set(at, accumulations);
      for (const accumulation of accumulations) accumulation.add(doc);
    }
    const results = [...buckets].map(([at, accumulations]) =>
      groupResult(at === boundaries.length ? other : boundaries[at], fields, accumulations),
    );
    yield* results.toSorted((left, right) => compareValues(left.get("_id"), right.get("_id"), context.collation));
  };
};

function readBoundaries(
  value: ReturnType<typeof orNull> | symbol,
  collation: Parameters<typeof compareValues>[2],
): Value[] {
  if (!Array.isArray(value)) throw located(40200, "The $bucket 'boundaries' field must be an array");
  if (value.length < 2) throw located(40192, "The $bucket 'boundaries' field must have at least 2 values");
  for (let index = 1; index < value.length; index++) {
    const [low, high] = [value[index - 1], value[index]];
    if (typeTag(low) !== typeTag(high))
      throw located(
        40193,
        `All values in the 'boundaries' option to $bucket must have the same type. Found conflicting types ${typeName(low)} and ${typeName(high)}.`,
      );
    if (compareValues(low, high, collation) >= 0)
      throw located(40194, "The 'boundaries' option to $bucket must be sorted in ascending order");
  }
  return value;
}

export const bucketAuto: StageCompiler = (argument, context, name) => {
  const spec = readSpec(argument, name, ["groupBy", "buckets", "output", "granularity"]);
  if (spec.has("granularity")) throw located(2, "granularity in $bucketAuto is not supported by the embedded database");
  const groupBy = compileExpression(spec.get("groupBy"), context);
  const wanted = requireCount(spec.get("buckets"), "$bucketAuto buckets", 40243, 1);
  const fields = compileAccumulators(outputOf(spec, name), context);
  return function* (input) {
    const memory = newMemoryUse(name);
    const rows = collect(input, name)
      .map((doc) => ({ doc, value: orNull(groupBy(doc)) }))
      .toSorted((left, right) => compareValues(left.value, right.value, context.collation));
    const size = Math.max(1, Math.round(rows.length / wanted));
    let made = 0;
    for (let start = 0; start < rows.length;) {
      made += 1;
      let end = made === wanted ? rows.length : Math.min(rows.length, start + size);
      // Equal values never fall into two buckets.
      while (end < rows.length && compareValues(rows[end - 1]?.value, rows[end]?.value, context.collation) === 0)
        end += 1;
      const accumulations = fields.map(([, create]) => create(memory));
      for (const row of rows.slice(start, end)) for (const accumulation of accumulations) accumulation.add(row.doc);
      const max = end < rows.length ? rows[end]?.value : rows[end - 1]?.value;
      yield groupResult(
        new Map([
          ["min", rows[start]?.value],
          ["max", max],
        ]),
        fields,
        accumulations,
      );
      start = end;
    }
  };
};
