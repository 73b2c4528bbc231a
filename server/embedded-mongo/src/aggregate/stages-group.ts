// $group, $sortByCount and their accumulators.
import type { Doc, Value } from "../values.ts";
import { docOf } from "../bson/doc-of.ts";
import { located, typeMismatch } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import { groupKey } from "../keys/encode-key.ts";
import { PAUSE, type Pause } from "../pace.ts";
import { compileSort, sortItems } from "../fields/sort.ts";
import {
  type Expression,
  type ExpressionContext,
  namedArguments,
  orNull,
  readN,
} from "../expressions/expression-types.ts";
import { compileExpression } from "../expressions/expressions.ts";
import { type Choice, type Fold, type FoldContext, FOLDS, newEnd, newList, newSeveral } from "../expressions/folds.ts";
import { type MemoryUse, newStageMemory } from "../expressions/memory.ts";
import { type Docs, requireDoc, type StageCompiler, type StageContext } from "./stage-types.ts";
import { sort } from "./stages-select.ts";

/** One accumulator of one group. */
type Accumulation = { add(root: Doc): void; result(): Value };
type Accumulator = (memory: MemoryUse) => Accumulation;
type Build = (argument: Value, context: ExpressionContext, name: string) => Accumulator;

/** Accumulates what the expression gives on each document. */
function folding(expression: Value, context: ExpressionContext, newFold: (context: FoldContext) => Fold): Accumulator {
  const compiled = compileExpression(expression, context);
  return (memory) => {
    const fold = newFold({ collation: context.collation, memory });
    return { add: (root) => fold.add(compiled(root)), result: fold.result };
  };
}

const over =
  (newFold: (context: FoldContext) => Fold): Build =>
  (argument, context) =>
    folding(argument, context, newFold);

const several =
  (choice: Choice): Build =>
  (argument, context, name) => {
    const spec = namedArguments(argument, name, ["input", "n"]);
    const n = constantN(spec.get("n"), context, name);
    return folding(spec.get("input"), context, (foldContext) => newSeveral(choice, n, foldContext));
  };

const constantN = (value: Value, context: ExpressionContext, name: string): number =>
  readN(compileExpression(value, context)(new Map()), name);

const count: Build = (argument) => {
  if (!(argument instanceof Map) || argument.size > 0) throw typeMismatch("$count takes no arguments, i.e. $count:{}");
  return () => {
    let total = 0;
    return { add: () => void (total += 1), result: () => total };
  };
};

/** $top, $bottom and their N forms: the outputs of the documents that a sort puts at one end. */
const ranked =
  (isTop: boolean, isSingle: boolean): Build =>
  (argument, context, name) => {
    const spec = namedArguments(argument, name, isSingle ? ["output", "sortBy"] : ["output", "sortBy", "n"]);
    const sortBy = spec.get("sortBy");
    if (!(sortBy instanceof Map)) throw located(10065, `${name} sortBy must be an object`);
    const sort = compileSort(isTop ? sortBy : reverse(sortBy), context.collation);
    const output = compileExpression(spec.get("output"), context);
    const n = isSingle ? 1 : constantN(spec.get("n"), context, name);
    return (memory) => {
      let held: { doc: Doc; output: Value }[] = [];
      const trim = () => void (held = sortItems(held, sort, (entry) => entry.doc, n));
      return {
        add(root) {
          if (held.length < n) memory.hold(root);
          held.push({ doc: root, output: orNull(output(root)) });
          if (held.length > n * 2 + 100) trim();
        },
        result() {
          trim();
          const outputs = held.map((entry) => entry.output);
          if (isSingle) return outputs[0] ?? null;
          return isTop ? outputs : outputs.toReversed();
        },
      };
    };
  };

const reverse = (sortBy: Doc): Doc =>
  new Map([...sortBy].map(([path, direction]) => [path, isNumber(direction) ? -toNumber(direction) : direction]));

const ACCUMULATORS = new Map<string, Build>([
  ...FOLDS.map(([name, newFold]): [string, Build] => [name, over(newFold)]),
  ["$first", over(() => newEnd(true))],
  ["$last", over(() => newEnd(false))],
  ["$push", over((context) => newList(false, context))],
  ["$addToSet", over((context) => newList(true, context))],
  ["$count", count],
  ["$firstN", several("first")],
  ["$lastN", several("last")],
  ["$minN", several("min")],
  ["$maxN", several("max")],
  ["$top", ranked(true, true)],
  ["$topN", ranked(true, false)],
  ["$bottom", ranked(false, true)],
  ["$bottomN", ranked(false, false)],
]);

/** Compiles `{ field: { $accumulator: argument } }` pairs. */
function compileAccumulators(fields: [string, Value][], context: ExpressionContext): [string, Accumulator][] {
  return fields.map(([field, spec]) => {
    if (field.includes(".")) throw located(40235, `The field name '${field}' cannot contain '.'`);
    if (field.startsWith("$")) throw located(40236, `The field name '${field}' cannot be an operator name`);
    if (!(spec instanceof Map)) throw located(40234, `The field '${field}' must be an accumulator object`);
    if (spec.size !== 1) throw located(40238, `The field '${field}' must specify one accumulator`);
    const [name = ""] = spec.keys();
    const build = ACCUMULATORS.get(name);
    if (!build) throw located(15952, `unknown group operator '${name}'`);
    return [field, build(spec.get(name), context, name)];
  });
}

export const group: StageCompiler = (argument, context) => {
  const spec = requireDoc(argument, "$group", 15947);
  if (!spec.has("_id")) throw located(15955, "a group specification must include an _id");
  const id = compileExpression(spec.get("_id"), context);
  const fields = compileAccumulators(
    [...spec].filter(([name]) => name !== "_id"),
    context,
  );
  return function* (input) {
    const memory = newStageMemory("$group");
    try {
      const groups = yield* grouped(input, { id, fields, memory, context });
      for (const { id: value, accumulations } of groups.values()) {
        const result: Doc = new Map([["_id", value]]);
        for (const [index, [name]] of fields.entries()) result.set(name, accumulations[index]?.result() ?? null);
        yield result;
        if (context.pace?.isOver()) yield PAUSE;
      }
    } finally {
      memory.release();
    }
  };
};

type Grouping = {
  id: Expression;
  fields: [string, Accumulator][];
  memory: MemoryUse;
  context: ExpressionContext & Pick<StageContext, "pace">;
};
type Groups = Map<string, { id: Value; accumulations: Accumulation[] }>;

function* grouped(input: Docs, { id, fields, memory, context }: Grouping): Generator<Pause, Groups> {
  const groups: Groups = new Map();
  for (const doc of input) {
    // Also where the stage before makes very many out of one.
    if (doc === PAUSE || context.pace?.isOver()) yield PAUSE;
    if (doc === PAUSE) continue;
    const value = orNull(id(doc));
    const key = groupKey(value, context.collation);
    let entry = groups.get(key);
    if (!entry) {
      memory.hold(value);
      entry = { id: value, accumulations: fields.map(([, create]) => create(memory)) };
      groups.set(key, entry);
    }
    for (const accumulation of entry.accumulations) accumulation.add(doc);
  }
  return groups;
}

export const sortByCount: StageCompiler = (argument, context, name) => {
  const isExpression = typeof argument === "string" ? argument.startsWith("$") : argument instanceof Map;
  if (!isExpression) throw located(40149, "the $sortByCount field must be a $-prefixed path or an expression");
  const counted = group(docOf({ _id: argument, count: docOf({ $sum: 1 }) }), context, name);
  const sorted = sort(docOf({ count: -1 }), context, Infinity);
  return (input) => sorted(counted(input));
};
