import { MongoError } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import { compareValues, equalValues } from "../keys/compare.ts";
import { compileSort } from "../project/sort.ts";
import { MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";
import { isNullish, isTruthy, namedArguments, operator, orNull, readN } from "./expression-types.ts";
import type { Operator } from "./expression-types.ts";
import { nameOf } from "./operators-arithmetic.ts";
import { comparable, withVariables } from "./operators-logic.ts";

const MOST_ITEMS = 4_000_000;

function checkLength(length: number, name: string): void {
  if (length <= MOST_ITEMS) return;
  throw new MongoError(146, "ExceededMemoryLimit", `${name} would make ${length} values; the limit is ${MOST_ITEMS}`);
}

export function requireArray(value: Found | undefined, name: string, code = 2): Value[] {
  if (Array.isArray(value)) return value;
  throw located(code, `The argument to ${name} must be an array, but was of type: ${nameOf(value ?? null)}`);
}

const isInt32 = (number: number): boolean => Number.isInteger(number) && Math.abs(number) <= 0x7fffffff;

function requireInt(value: Found | undefined, name: string): number {
  const number = value !== MISSING && isNumber(value) ? toNumber(value) : Number.NaN;
  if (!isInt32(number))
    throw located(
      28690,
      `${name} requires a numeric argument representable as a 32-bit integer, found: ${nameOf(value ?? null)}`,
    );
  return number;
}

/** An operator over one array, null when there is none. */
const overArray = (apply: (items: Value[]) => Found): Operator =>
  operator(1, 1, ([value], _context, name) => (isNullish(value) ? null : apply(requireArray(value, name))));

const at = (items: Value[], index: number): Found => {
  const position = index < 0 ? items.length + index : index;
  return position >= 0 && position < items.length ? items[position] : MISSING;
};

const elementAt = operator(2, 2, ([array, index], _context, name) => {
  if (isNullish(array) || isNullish(index)) return null;
  return at(requireArray(array, name, 28689), requireInt(index, name));
});

const concat = operator(0, Infinity, (values, _context, name) => {
  if (values.some(isNullish)) return null;
  const arrays = values.map((value) => requireArray(value, name, 28664));
  checkLength(
    arrays.reduce((length, array) => length + array.length, 0),
    name,
  );
  return arrays.flat();
});

const filter: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["input", "cond"], ["as", "limit"]);
  const as = spec.get("as") ?? "this";
  const input = compile(spec.get("input"), context);
  const limit = spec.has("limit") ? compile(spec.get("limit"), context) : () => null;
  const {
    inner,
    cells: [cell],
  } = withVariables(context, [as]);
  const condition = compile(spec.get("cond"), inner);
  return (root) => {
    const items = input(root);
    if (isNullish(items)) return null;
    const most = limit(root);
    const left = isNullish(most) ? Infinity : readN(most, name);
    const kept: Value[] = [];
    for (const item of requireArray(items, name, 28651)) {
      if (kept.length >= left) break;
      if (cell) cell.value = item;
      if (isTruthy(condition(root))) kept.push(item);
    }
    return kept;
  };
};

const map: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["input", "in"], ["as"]);
  const input = compile(spec.get("input"), context);
  const {
    inner,
    cells: [cell],
  } = withVariables(context, [spec.get("as") ?? "this"]);
  const body = compile(spec.get("in"), inner);
  return (root) => {
    const items = input(root);
    if (isNullish(items)) return null;
    return requireArray(items, name, 16883).map((item) => {
      if (cell) cell.value = item;
      return orNull(body(root));
    });
  };
};

const reduce: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["input", "initialValue", "in"]);
  const input = compile(spec.get("input"), context);
  const initial = compile(spec.get("initialValue"), context);
  const {
    inner,
    cells: [value, item],
  } = withVariables(context, ["value", "this"]);
  const body = compile(spec.get("in"), inner);
  return (root) => {
    const items = input(root);
    if (isNullish(items)) return null;
    let result = initial(root);
    for (const next of requireArray(items, name, 40080)) {
      if (value) value.value = result;
      if (item) item.value = next;
      result = body(root);
    }
    return result;
  };
};

const includes = operator(2, 2, ([wanted, array], { collation }) => {
  if (!Array.isArray(array))
    throw located(40081, `$in requires an array as a second argument, found: ${nameOf(array ?? null)}`);
  return array.some((item) => equalValues(item, comparable(wanted), collation));
});

const indexOf = operator(2, 4, ([array, wanted, start, end], { collation }, name) => {
  if (isNullish(array)) return null;
  const items = requireArray(array, name, 40090);
  const from = start === undefined ? 0 : requireInt(start, name);
  const to = Math.min(items.length, end === undefined ? items.length : requireInt(end, name));
  if (from < 0 || to < 0) throw located(40097, `${name} requires a nonnegative starting and ending index`);
  for (let index = from; index < to; index++) {
    if (equalValues(items[index], comparable(wanted), collation)) return index;
  }
  return -1;
});

const range = operator(2, 3, ([first, last, by], _context, name) => {
  const [start, end, step] = [
    requireInt(first, name),
    requireInt(last, name),
    by === undefined ? 1 : requireInt(by, name),
  ];
  if (step === 0) throw located(34449, "$range requires a non-zero step value");
  const length = Math.max(0, Math.ceil((end - start) / step));
  checkLength(length, name);
  return Array.from({ length }, (_, index) => start + index * step);
});

const slice = operator(2, 3, ([array, first, second], _context, name) => {
  if (isNullish(array) || isNullish(first) || second === null) return null;
  const items = requireArray(array, name, 28724);
  const position = requireInt(first, name);
  if (second === undefined) return position >= 0 ? items.slice(0, position) : items.slice(position);
  const count = requireInt(second, name);
  if (count <= 0) throw located(28729, `Third argument to $slice must be positive: ${count}`);
  const start = position >= 0 ? position : Math.max(0, items.length + position);
  return items.slice(start, start + count);
});

const several =
  (kind: "first" | "last" | "min" | "max"): Operator =>
  (argument, context, compile, name) => {
    const spec = namedArguments(argument, name, ["input", "n"]);
    const input = compile(spec.get("input"), context);
    const number = compile(spec.get("n"), context);
    return (root) => {
      const items = requireArray(input(root), name, 5788200);
      const n = readN(number(root), name);
      if (kind === "first") return items.slice(0, n);
      if (kind === "last") return items.slice(-n);
      const sign = kind === "min" ? 1 : -1;
      return items
        .filter((item) => !isNullish(item))
        .toSorted((left, right) => sign * compareValues(left, right, context.collation))
        .slice(0, n);
    };
  };

const sortArray: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["input", "sortBy"]);
  const input = compile(spec.get("input"), context);
  const sortBy = spec.get("sortBy");
  const byFields = sortBy instanceof Map ? compileSort(sortBy, context.collation) : undefined;
  const direction = isNumber(sortBy) ? toNumber(sortBy) : 1;
  if (direction !== 1 && direction !== -1) throw located(2942507, "The $sort element value must be either 1 or -1");
  const asDoc = (value: Value): Doc => (value instanceof Map ? value : new Map());
  return (root) => {
    const items = input(root);
    if (isNullish(items)) return null;
    return requireArray(items, name, 2942504).toSorted((left, right) =>
      byFields
        ? byFields.compare(asDoc(left), asDoc(right))
        : direction * compareValues(left, right, context.collation),
    );
  };
};

const zip: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["inputs"], ["useLongestLength", "defaults"]);
  const inputs = compile(spec.get("inputs"), context);
  const isLongest = spec.get("useLongestLength") === true;
  const defaults = spec.has("defaults") ? compile(spec.get("defaults"), context) : () => [];
  return (root) => {
    const lists = requireArray(inputs(root), name, 34461);
    if (lists.some(isNullish)) return null;
    const arrays = lists.map((list) => requireArray(list, name, 34468));
    const lengths = arrays.map((array) => array.length);
    const fallbacks = requireArray(defaults(root), name, 34462);
    const length = isLongest ? Math.max(0, ...lengths) : Math.min(...lengths);
    return Array.from({ length }, (_, row) =>
      arrays.map((array, index) => (row < array.length ? array[row] : (fallbacks[index] ?? null))),
    );
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
  ["$size", operator(1, 1, ([value], _context, name) => requireArray(value, name, 17124).length)],
  ["$slice", slice],
  ["$sortArray", sortArray],
  ["$zip", zip],
];
