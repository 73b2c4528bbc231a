import type { Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { typeName } from "../bson/types.ts";
import { equalValues } from "../keys/compare.ts";
import { compileItemSort } from "../fields/sort.ts";
import { type Found, MISSING } from "../fields/paths.ts";
import {
  checkSize,
  isNullish,
  isTruthy,
  named,
  namedArguments,
  type Operator,
  operator,
  orNull,
  readN,
  requireArray,
  requireInteger,
  withVariable,
} from "./expression-types.ts";
import { type Choice, newSeveral } from "./folds.ts";
import { newMemoryUse } from "./memory.ts";
import { comparable } from "./operators-logic.ts";

const MOST_ITEMS = 4_000_000;

const requireInt = (value: Found, name: string): number => requireInteger(value, name, 28690);

/** An operator over one array, null when there is none. */
const overArray = (apply: (items: Value[]) => Found): Operator =>
  operator(1, 1, ([value], name) => (isNullish(value) ? null : apply(requireArray(value, name))));

const at = (items: Value[], index: number): Found => {
  const position = index < 0 ? items.length + index : index;
  return position >= 0 && position < items.length ? items[position] : MISSING;
};

const elementAt = operator(2, 2, ([array, index], name) => {
  if (isNullish(array) || isNullish(index)) return null;
  return at(requireArray(array, name, 28689), requireInt(index, name));
});

const concat = operator(0, Infinity, (values, name) => {
  if (values.some(isNullish)) return null;
  const arrays = values.map((value) => requireArray(value, name, 28664));
  const size = arrays.reduce((sum, array) => sum + array.length, 0);
  checkSize(size, MOST_ITEMS, name);
  return arrays.flat();
});

const filter: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["input", "cond"], ["as", "limit"]);
  const input = compile(spec.get("input"), context);
  const limit = compile(spec.get("limit") ?? null, context);
  const { inner, cell } = withVariable(context, spec.get("as") ?? "this");
  const condition = compile(spec.get("cond"), inner);
  return (root) => {
    const items = input(root);
    if (isNullish(items)) return null;
    const most = limit(root);
    const left = isNullish(most) ? Infinity : readN(most, name);
    const kept: Value[] = [];
    for (const item of requireArray(items, name, 28651)) {
      if (kept.length >= left) break;
      cell.value = item;
      if (isTruthy(condition(root))) kept.push(item);
    }
    return kept;
  };
};

const map: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["input", "in"], ["as"]);
  const input = compile(spec.get("input"), context);
  const { inner, cell } = withVariable(context, spec.get("as") ?? "this");
  const body = compile(spec.get("in"), inner);
  return (root) => {
    const items = input(root);
    if (isNullish(items)) return null;
    return requireArray(items, name, 16883).map((item) => {
      cell.value = item;
      return orNull(body(root));
    });
  };
};

const reduce: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["input", "initialValue", "in"]);
  const input = compile(spec.get("input"), context);
  const initial = compile(spec.get("initialValue"), context);
  const sofar = withVariable(context, "value");
  const next = withVariable(sofar.inner, "this");
  const body = compile(spec.get("in"), next.inner);
  return (root) => {
    const items = input(root);
    if (isNullish(items)) return null;
    let result = initial(root);
    for (const item of requireArray(items, name, 40080)) {
      sofar.cell.value = result;
      next.cell.value = item;
      result = body(root);
    }
    return result;
  };
};

const includes = operator(2, 2, ([wanted, array], _name, { collation }) => {
  if (!Array.isArray(array))
    throw located(40081, `$in requires an array as a second argument, found: ${typeName(array)}`);
  return array.some((item) => equalValues(item, comparable(wanted), collation));
});

const indexOf = operator(2, 4, ([array, wanted, start, end], name, { collation }) => {
  if (isNullish(array)) return null;
  const items = requireArray(array, name, 40090);
  const from = start === undefined ? 0 : requireInt(start, name);
  const to = end === undefined ? items.length : requireInt(end, name);
  if (from < 0 || to < 0) throw located(40097, `${name} requires a nonnegative starting and ending index`);
  const found = items.slice(from, to).findIndex((item) => equalValues(item, comparable(wanted), collation));
  return found < 0 ? -1 : from + found;
});

const range = operator(2, 3, ([first, last, by], name) => {
  const start = requireInt(first, name);
  const end = requireInt(last, name);
  const step = by === undefined ? 1 : requireInt(by, name);
  if (step === 0) throw located(34449, "$range requires a non-zero step value");
  const length = Math.max(0, Math.ceil((end - start) / step));
  checkSize(length, MOST_ITEMS, name);
  return Array.from({ length }, (_, index) => start + index * step);
});

/** The first so many items (the last, when negative), or so many from a position on, which may count from the end. */
export function sliceItems(items: Value[], first: number, count: number | undefined): Value[] {
  if (count === undefined) return first >= 0 ? items.slice(0, first) : items.slice(first);
  const start = first >= 0 ? first : Math.max(0, items.length + first);
  return items.slice(start, start + count);
}

const slice = operator(2, 3, ([array, first, second], name) => {
  if (isNullish(array) || isNullish(first) || second === null) return null;
  const items = requireArray(array, name, 28724);
  const count = second === undefined ? undefined : requireInt(second, name);
  if (count !== undefined && count <= 0) throw located(28729, `Third argument to $slice must be positive: ${count}`);
  return sliceItems(items, requireInt(first, name), count);
});

const several = (choice: Choice): Operator =>
  named(["input", "n"], [], ({ input, n }, name, { collation }) => {
    const fold = newSeveral(choice, readN(n, name), { collation, memory: newMemoryUse(name) });
    for (const item of requireArray(input, name, 5788200)) fold.add(item);
    return fold.result();
  });

const sortArray: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["input", "sortBy"]);
  const input = compile(spec.get("input"), context);
  const compare = compileItemSort(spec.get("sortBy"), context.collation);
  return (root) => {
    const items = input(root);
    return isNullish(items) ? null : requireArray(items, name, 2942504).toSorted(compare);
  };
};

export const ARRAY_OPERATORS: [string, Operator][] = [
  ["$arrayElemAt", elementAt],
  ["$first", overArray((items) => at(items, 0))],
  ["$last", overArray((items) => at(items, -1))],
  ["$firstN", several("first")],
  ["$lastN", several("last")],
  ["$minN", several("min")],
  ["$maxN", several("max")],
  ["$concatArrays", concat],
  ["$filter", filter],
  ["$map", map],
  ["$reduce", reduce],
  ["$in", includes],
  ["$indexOfArray", indexOf],
  ["$isArray", operator(1, 1, ([value]) => Array.isArray(value))],
  ["$range", range],
  ["$reverseArray", overArray((items) => items.toReversed())],
  ["$size", operator(1, 1, ([value], name) => requireArray(value, name, 17124).length)],
  ["$slice", slice],
  ["$sortArray", sortArray],
];
