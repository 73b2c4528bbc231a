// Objects, sets, and accumulators used as plain expressions.
import type { Doc, Value } from "../values.ts";
import { encode } from "../bson/encode.ts";
import { located } from "../bson/fail.ts";
import type { Collation } from "../keys/collation.ts";
import { compareValues } from "../keys/compare.ts";
import { getField, MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";
import { isNullish, isTruthy, namedArguments, operator, orNull } from "./expression-types.ts";
import type { ExpressionContext, Operator } from "./expression-types.ts";
import { groupKey } from "./group-key.ts";
import { nameOf } from "./operators-arithmetic.ts";
import { requireArray } from "./operators-array.ts";
import { newDeviation, newSum } from "./sums.ts";

const objectToArray = operator(1, 1, ([value]) => {
  if (isNullish(value)) return null;
  if (!(value instanceof Map))
    throw located(40390, `$objectToArray requires a document input, found: ${nameOf(value)}`);
  return [...value].map(
    ([k, v]) =>
      new Map<string, Value>([
        ["k", k],
        ["v", v],
      ]),
  );
});

const arrayToObject = operator(1, 1, ([value], _context, name) => {
  if (isNullish(value)) return null;
  return new Map(
    requireArray(value, name, 40386).map((pair): [string, Value] => {
      const [key, item] = pair instanceof Map ? [pair.get("k"), pair.get("v")] : requireArray(pair, name, 40398);
      if (typeof key !== "string")
        throw located(40395, `$arrayToObject requires keys of type string, found: ${nameOf(key)}`);
      return [key, item];
    }),
  );
});

const mergeObjects = operator(0, Infinity, (values) => {
  const list = values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
  const merged: Doc = new Map();
  for (const value of list) {
    if (isNullish(value)) continue;
    if (!(value instanceof Map))
      throw located(40400, `$mergeObjects requires object inputs, but input is of type ${nameOf(value)}`);
    for (const [name, item] of value) merged.set(name, item);
  }
  return merged;
});

function fieldName(value: Value, name: string): string {
  const text = value instanceof Map && value.has("$literal") ? value.get("$literal") : value;
  if (typeof text !== "string") throw located(5654602, `${name} requires 'field' to evaluate to type String`);
  return text;
}

const readField: Operator = (argument, context, compile, name) => {
  const isNamed = argument instanceof Map && argument.has("field");
  const spec = isNamed ? namedArguments(argument, name, ["field"], ["input"]) : new Map([["field", argument]]);
  const field = fieldName(spec.get("field"), name);
  const input = compile(spec.has("input") ? spec.get("input") : "$$CURRENT", context);
  return (root) => {
    const doc = input(root);
    return doc instanceof Map ? getField(doc, field) : isNullish(doc) ? orNull(doc) : MISSING;
  };
};

const writeField: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, name === "$setField" ? ["field", "input", "value"] : ["field", "input"]);
  const field = fieldName(spec.get("field"), name);
  const input = compile(spec.get("input"), context);
  const value = name === "$setField" ? compile(spec.get("value"), context) : (): Found => MISSING;
  return (root) => {
    const doc = input(root);
    if (isNullish(doc)) return null;
    if (!(doc instanceof Map)) throw located(4161105, `${name} requires 'input' to evaluate to type Object`);
    const item: Found = value(root);
    const copy = new Map(doc);
    if (item === MISSING) copy.delete(field);
    else copy.set(field, item);
    return copy;
  };
};

const bsonSize = operator(1, 1, ([value]) => {
  if (isNullish(value)) return null;
  if (!(value instanceof Map)) throw located(31393, `$bsonSize requires a document input, found: ${nameOf(value)}`);
  return encode(value).length;
});

function keysOf(items: Value[], collation: Collation | undefined): Map<string, Value> {
  const set = new Map<string, Value>();
  for (const item of items) {
    const key = groupKey(item, collation);
    if (!set.has(key)) set.set(key, item);
  }
  return set;
}

/** An operator over sets, null when any argument is. Its result is sorted, so that it does not depend on the input's order. */
const overSets = (
  apply: (sets: Map<string, Value>[]) => Value,
  takesNull = true,
  least = 0,
  most = Infinity,
): Operator =>
  operator(least, most, (values, { collation }, name) => {
    if (takesNull && values.some(isNullish)) return null;
    const result = apply(values.map((value) => keysOf(requireArray(value, name, 17043), collation)));
    return Array.isArray(result) ? result.toSorted((left, right) => compareValues(left, right, collation)) : result;
  });

// The first of equal values is kept, so the sets are laid over each other from the last.
const union = overSets((sets) => [...new Map(sets.toReversed().flatMap((set) => [...set])).values()]);
const intersection = overSets(([first = new Map<string, Value>(), ...rest]) =>
  [...first].filter(([key]) => rest.every((set) => set.has(key))).map(([, item]) => item),
);
const difference = overSets(
  ([left, right]) => [...(left ?? [])].filter(([key]) => !right?.has(key)).map(([, item]) => item),
  true,
  2,
  2,
);
const equal = overSets(
  ([first, ...rest]) => rest.every((set) => set.size === first?.size && [...set.keys()].every((key) => first.has(key))),
  false,
  2,
);
const isSubset = overSets(([left, right]) => [...(left?.keys() ?? [])].every((key) => right?.has(key)), false, 2, 2);

/** One array argument gives its elements; several arguments are taken as they are. */
const spread = (values: Found[]): Found[] => (values.length === 1 && Array.isArray(values[0]) ? values[0] : values);

const overAll = (apply: (values: Found[], context: ExpressionContext) => Found): Operator =>
  operator(0, Infinity, (values, context) => apply(spread(values), context));

const extreme = (sign: number): Operator =>
  overAll((values, { collation }) => {
    let best: Value = null;
    for (const value of values) {
      if (isNullish(value)) continue;
      if (best === null || sign * compareValues(value, best, collation) > 0) best = value;
    }
    return best;
  });

const deviation = (isSample: boolean): Operator =>
  overAll((values) => {
    const state = newDeviation();
    for (const value of values) state.add(value);
    return state.result(isSample);
  });

const summed = (isMean: boolean): Operator =>
  overAll((values) => {
    const sum = newSum();
    for (const value of values) sum.add(value);
    return isMean ? sum.mean() : sum.total();
  });

export const OBJECT_OPERATORS: [string, Operator][] = [
  ["$objectToArray", objectToArray],
  ["$arrayToObject", arrayToObject],
  ["$mergeObjects", mergeObjects],
  ["$getField", readField],
  ["$setField", writeField],
  ["$unsetField", writeField],
  ["$bsonSize", bsonSize],
  ["$setUnion", union],
  ["$setIntersection", intersection],
  ["$setDifference", difference],
  ["$setEquals", equal],
  ["$setIsSubset", isSubset],
  ["$allElementsTrue", operator(1, 1, ([value], _context, name) => requireArray(value, name, 17040).every(isTruthy))],
  ["$anyElementTrue", operator(1, 1, ([value], _context, name) => requireArray(value, name, 17041).some(isTruthy))],
  ["$min", extreme(-1)],
  ["$max", extreme(1)],
  ["$sum", summed(false)],
  ["$avg", summed(true)],
  ["$stdDevPop", deviation(false)],
  ["$stdDevSamp", deviation(true)],
];
