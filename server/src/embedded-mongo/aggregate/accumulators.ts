import { MongoError } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import { typeName } from "../bson/types.ts";
import { compareValues } from "../keys/compare.ts";
import { compileSort, sortItems } from "../project/sort.ts";
import { MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";
import { compileExpression } from "./expressions.ts";
import { isNullish, namedArguments, orNull, readN } from "./expression-types.ts";
import type { Expression, ExpressionContext } from "./expression-types.ts";
import { groupKey } from "./group-key.ts";
import type { MemoryUse } from "./memory.ts";
import { newDeviation, newSum } from "./sums.ts";

/** One accumulator of one group. */
export type Accumulation = { add: (root: Doc) => void; result: () => Value };
type Fold = { add: (value: Found) => void; result: () => Value };
export type Accumulator = (memory: MemoryUse) => Accumulation;
type Build = (argument: Value, context: ExpressionContext, name: string) => Accumulator;

const overValues =
  (create: (context: ExpressionContext, memory: MemoryUse) => Fold): Build =>
  (argument, context) => {
    const expression = compileExpression(argument, context);
    return (memory) => {
      const state = create(context, memory);
      return { add: (root) => state.add(expression(root)), result: state.result };
    };
  };

const extreme = (sign: number): Build =>
  overValues(({ collation }) => {
    let best: Value = null;
    return {
      add(value) {
        if (isNullish(value)) return;
        if (best === null || sign * compareValues(value, best, collation) > 0) best = value;
      },
      result: () => best,
    };
  });

const ends = (isFirst: boolean): Build =>
  overValues(() => {
    let kept: Value = null;
    let isSet = false;
    return {
      add(value) {
        if (isFirst && isSet) return;
        isSet = true;
        kept = orNull(value);
      },
      result: () => kept,
    };
  });

const list = (isSet: boolean): Build =>
  overValues(({ collation }, memory) => {
    const items: Value[] = [];
    const seen = new Set<string>();
    return {
      add(value) {
        if (value === MISSING) return;
        if (isSet) {
          const key = groupKey(value, collation);
          if (seen.has(key)) return;
          seen.add(key);
        }
        memory.hold(value);
        items.push(value);
      },
      result: () => items,
    };
  });

const mergeObjects = overValues(() => {
  const merged: Doc = new Map();
  return {
    add(value) {
      if (isNullish(value)) return;
      if (!(value instanceof Map))
        throw located(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(value)}`);
      for (const [name, item] of value) merged.set(name, item);
    },
    result: () => merged,
  };
});

const deviation = (isSample: boolean): Build =>
  overValues(() => {
    const state = newDeviation();
    return { add: state.add, result: () => state.result(isSample) };
  });

const count: Build = (argument) => {
  if (!(argument instanceof Map) || argument.size > 0)
    throw new MongoError(14, "TypeMismatch", "$count takes no arguments, i.e. $count:{}");
  return () => {
    let total = 0;
    return { add: () => void (total += 1), result: () => total };
  };
};

const constantN = (value: Value, context: ExpressionContext, name: string): number =>
  readN(compileExpression(value, context)(new Map()), name);

/** $firstN, $lastN, $minN and $maxN. */
const several =
  (kind: "first" | "last" | "min" | "max"): Build =>
  (argument, context, name) => {
    const spec = namedArguments(argument, name, ["input", "n"]);
    const input = compileExpression(spec.get("input"), context);
    const n = constantN(spec.get("n"), context, name);
    return (memory) => {
      let items: Value[] = [];
      const trim = () => {
        if (kind === "min" || kind === "max")
          items.sort((left, right) => (kind === "min" ? 1 : -1) * compareValues(left, right, context.collation));
        items = kind === "last" ? items.slice(-n) : items.slice(0, n);
      };
      return {
        add(root) {
          const value = input(root);
          if (kind === "first" && items.length >= n) return;
          if ((kind === "min" || kind === "max") && isNullish(value)) return;
          if (items.length < n) memory.hold(orNull(value));
          items.push(orNull(value));
          if (items.length > n * 2 + 100) trim();
        },
        result() {
          trim();
          return items;
        },
      };
    };
  };

type Ranked = { doc: Doc; output: Value };

/** $top, $bottom and their N forms: the outputs of the documents that a sort puts at one end. */
const ranked =
  (isTop: boolean, isSingle: boolean): Build =>
  (argument, context, name) => {
    const spec = namedArguments(argument, name, isSingle ? ["output", "sortBy"] : ["output", "sortBy", "n"]);
    const sortBy = spec.get("sortBy");
    if (!(sortBy instanceof Map)) throw located(10065, `${name} sortBy must be an object`);
    const sort = compileSort(isTop ? sortBy : reverse(sortBy), context.collation);
    const output: Expression = compileExpression(spec.get("output"), context);
    const n = isSingle ? 1 : constantN(spec.get("n"), context, name);
    return (memory) => {
      let held: Ranked[] = [];
      const trim = () => void (held = sortItems(held, sort, (entry) => entry.doc, n));
      return {
        add(root) {
          if (held.length < n) memory.hold(root);
          held.push({ doc: root, output: orNull(output(root)) });
          if (held.length > n * 2 + 100) trim();
        },
        result() {
          trim();
          if (isSingle) return held[0]?.output ?? null;
          const outputs = held.map((entry) => entry.output);
          return isTop ? outputs : outputs.toReversed();
        },
      };
    };
  };

const reverse = (sortBy: Doc): Doc =>
  new Map([...sortBy].map(([path, direction]) => [path, isNumber(direction) ? -toNumber(direction) : direction]));

const ACCUMULATORS = new Map<string, Build>([
  [
    "$sum",
    overValues(() => {
      const sum = newSum();
      return { add: sum.add, result: sum.total };
    }),
  ],
  [
    "$avg",
    overValues(() => {
      const sum = newSum();
      return { add: sum.add, result: sum.mean };
    }),
  ],
  ["$min", extreme(-1)],
  ["$max", extreme(1)],
  ["$first", ends(true)],
  ["$last", ends(false)],
  ["$push", list(false)],
  ["$addToSet", list(true)],
  ["$mergeObjects", mergeObjects],
  ["$stdDevPop", deviation(false)],
  ["$stdDevSamp", deviation(true)],
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
export function compileAccumulators(
  fields: Iterable<[string, Value]>,
  context: ExpressionContext,
): [string, Accumulator][] {
  return [...fields].map(([field, spec]) => {
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
