// Stages that choose, order and count whole documents.
import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { PAUSE } from "../pace.ts";
import { compileSort, sortInSlices } from "../fields/sort.ts";
import { compileFilter } from "../query/matcher.ts";
import { compileExpression } from "../expressions/expressions.ts";
import { collect, newMemoryUse, newStageMemory } from "../expressions/memory.ts";
import {
  checkOptions,
  requireCount,
  requireDoc,
  requirePipeline,
  type Stage,
  type StageCompiler,
  type StageContext,
} from "./stage-types.ts";

export const match: StageCompiler = (argument, context) => {
  if (!(argument instanceof Map)) throw located(15959, "the match filter must be an expression in an object");
  const filter = compileFilter(argument, { collation: context.collation, variables: context.variables });
  return function* (input) {
    for (const doc of input) if (doc === PAUSE || filter.matches(doc)) yield doc;
  };
};

export function sort(argument: Value, context: StageContext, limit: number): Stage {
  const spec = requireDoc(argument, "$sort", 15973);
  if (spec.size === 0) throw located(15976, "$sort stage must have at least one sort key");
  const order = compileSort(spec, context.collation);
  return function* (input) {
    const memory = newStageMemory("$sort");
    const counted = function* () {
      for (const doc of input) {
        // With a limit only a few documents are ever held.
        if (limit === Infinity && doc !== PAUSE) memory.hold(doc);
        yield doc;
      }
    };
    try {
      yield* sortInSlices(counted(), order, { docOf: (doc: Doc) => doc, limit, pace: context.pace });
    } finally {
      memory.release();
    }
  };
}

export const limit: StageCompiler = (argument) => {
  const most = requireCount(argument, "$limit", 15958, 1);
  return function* (input) {
    let left = most;
    for (const doc of input) {
      yield doc;
      if (doc !== PAUSE) left -= 1;
      if (left === 0) return;
    }
  };
};

export const skip: StageCompiler = (argument) => {
  const number = requireCount(argument, "$skip", 15956, 0);
  return function* (input) {
    let left = number;
    for (const doc of input) {
      if (doc === PAUSE || left === 0) yield doc;
      else left -= 1;
    }
  };
};

export const count: StageCompiler = (argument) => {
  if (typeof argument !== "string" || argument === "")
    throw located(40156, "the count field must be a non-empty string");
  if (argument.startsWith("$")) throw located(40158, "the count field cannot be a $-prefixed path");
  if (argument.includes(".")) throw located(40160, "the count field cannot contain '.'");
  return function* (input) {
    let total = 0;
    for (const doc of input) {
      if (doc === PAUSE) yield doc;
      else total += 1;
    }
    if (total > 0) yield new Map([[argument, total]]);
  };
};

export const sample: StageCompiler = (argument) => {
  const spec = requireDoc(argument, "$sample", 28745);
  checkOptions(spec, ["size"], "$sample", 28748);
  const size = requireCount(spec.get("size"), "$sample", 28747, 1);
  return function* (input) {
    const memory = newMemoryUse("$sample");
    const chosen: Doc[] = [];
    let seen = 0;
    // Reservoir sampling: every document has the same chance, and only `size` of them are held.
    for (const doc of input) {
      if (doc === PAUSE) {
        yield doc;
        continue;
      }
      seen += 1;
      if (chosen.length < size) {
        memory.hold(doc);
        chosen.push(doc);
        continue;
      }
      const place = Math.floor(Math.random() * seen);
      if (place < size) chosen[place] = doc;
    }
    yield* chosen
      .map((doc) => ({ place: Math.random(), doc }))
      .sort((left, right) => left.place - right.place)
      .map(({ doc }) => doc);
  };
};

export const documents: StageCompiler = (argument, context) => {
  const expression = compileExpression(argument, context);
  return () => {
    const items = expression(new Map());
    if (!Array.isArray(items)) throw located(5858203, "an array is expected for $documents");
    return items.map((item) => requireDoc(item, "$documents", 40228));
  };
};

export const facet: StageCompiler = (argument, context) => {
  const spec = requireDoc(argument, "$facet", 40169);
  if (spec.size === 0) throw located(40169, "the $facet specification must be a non-empty object");
  const facets = [...spec].map(([name, value]): [string, Stage] => {
    const stages = requirePipeline(value, "$facet");
    const forbidden = stages
      .flatMap((stage) => [...stage.keys()])
      .find((stage) => ["$facet", "$out", "$merge", "$documents"].includes(stage));
    if (forbidden !== undefined) throw located(40600, `${forbidden} is not allowed to be used within a $facet stage`);
    return [name, context.compilePipeline(stages, context)];
  });
  return function* (input) {
    const memory = newStageMemory("$facet");
    try {
      const docs = yield* collect(input, memory);
      const result: Doc = new Map();
      for (const [name, run] of facets) result.set(name, yield* collect(run(docs), memory));
      yield result;
    } finally {
      memory.release();
    }
  };
};
