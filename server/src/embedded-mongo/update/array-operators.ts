import { BSONRegExp } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { badValue, failedToParse, typeMismatch } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import { showValue } from "../bson/show.ts";
import { typeName } from "../bson/types.ts";
import type { Collation } from "../keys/collation.ts";
import { compareValues, equalValues } from "../keys/compare.ts";
import { compileSort } from "../project/sort.ts";
import { isElementCondition } from "../query/field-operators.ts";
import { compileFilter, compileValueFilter } from "../query/matcher.ts";
import { MISSING } from "../query/paths.ts";
import type { Modifier } from "./modifier.ts";

type Build = (operand: Value, path: string, collation: Collation | undefined) => Modifier["apply"];

/** The items of `{ $each: [...] }`, or the operand itself as the only item. */
function readEach(operand: Value, operator: string): Value[] {
  if (!(operand instanceof Map) || !operand.has("$each")) return [operand];
  const each = operand.get("$each");
  if (!Array.isArray(each)) {
    const message = `The argument to $each in ${operator} must be an array but it was of type ${typeName(each)}`;
    throw operator === "$push" ? badValue(message) : typeMismatch(message);
  }
  return each;
}

function readInteger(value: Value, name: string): number | undefined {
  if (value === undefined) return undefined;
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(number))
    throw badValue(`The value for ${name} must be an integer value but was given type: ${typeName(value)}`);
  return number;
}

const PUSH_MODIFIERS = new Set(["$each", "$slice", "$sort", "$position"]);

export const push: Build = (operand, _path, collation) => {
  const modifiers: Doc = operand instanceof Map && operand.has("$each") ? operand : new Map();
  const items = readEach(operand, "$push");
  for (const name of modifiers.keys())
    if (!PUSH_MODIFIERS.has(name)) throw badValue(`Unrecognized clause in $push: ${name}`);
  const slice = readInteger(modifiers.get("$slice"), "$slice");
  const position = readInteger(modifiers.get("$position"), "$position");
  const order = compilePushSort(modifiers.get("$sort"), collation);
  return (current, target) => {
    if (current !== MISSING && !Array.isArray(current)) {
      throw badValue(
        `The field '${target.path}' must be an array but is of type ${typeName(current)} in document {_id: ${showValue(target.id)}}`,
      );
    }
    if (current !== MISSING && items.length === 0 && !order && slice === undefined) return current;
    const before = current === MISSING ? [] : current;
    let after = before.toSpliced(position ?? before.length, 0, ...items);
    if (order) after = after.toSorted(order);
    if (slice !== undefined) after = slice >= 0 ? after.slice(0, slice) : after.slice(slice);
    return after;
  };
};

function compilePushSort(
  sort: Value,
  collation: Collation | undefined,
): ((left: Value, right: Value) => number) | undefined {
  if (sort === undefined) return undefined;
  if (sort instanceof Map) {
    if (sort.size === 0) throw badValue("The $sort pattern is empty when it should be a set of fields.");
    const byFields = compileSort(sort, collation);
    const asDoc = (value: Value): Doc => (value instanceof Map ? value : new Map());
    return (left, right) => byFields.compare(asDoc(left), asDoc(right));
  }
  const direction = isNumber(sort) ? toNumber(sort) : 0;
  if (direction !== 1 && direction !== -1) throw badValue("The $sort element value must be either 1 or -1");
  return (left, right) => direction * compareValues(left, right, collation);
}

export const addToSet: Build = (operand, _path, collation) => {
  if (operand instanceof Map && operand.has("$each") && operand.size > 1) {
    throw badValue(`Found unexpected fields after $each in $addToSet: ${showValue(operand)}`);
  }
  const items = readEach(operand, "$addToSet");
  return (current, target) => {
    if (current !== MISSING && !Array.isArray(current)) {
      throw badValue(
        `Cannot apply $addToSet to non-array field. Field named '${target.path.split(".").at(-1) ?? ""}' has non-array type ${typeName(current)}`,
      );
    }
    const after = current === MISSING ? [] : [...current];
    for (const item of items) if (!after.some((known) => equalValues(known, item, collation))) after.push(item);
    return current !== MISSING && after.length === current.length ? current : after;
  };
};

export const pop: Build = (operand) => {
  const end = isNumber(operand) ? toNumber(operand) : Number.NaN;
  if (!isNumber(operand)) throw failedToParse(`Expected a number in: $pop: ${showValue(operand)}`);
  if (end !== 1 && end !== -1) throw failedToParse(`$pop expects 1 or -1, found: ${showValue(operand)}`);
  return (current, target) => {
    if (current === MISSING) return current;
    if (!Array.isArray(current))
      throw typeMismatch(`Path '${target.path}' contains an element of non-array type '${typeName(current)}'`);
    if (current.length === 0) return current;
    return end === 1 ? current.slice(0, -1) : current.slice(1);
  };
};

const removeWhere =
  (name: string, isRemoved: (item: Value) => boolean): Modifier["apply"] =>
  (current) => {
    if (current === MISSING) return current;
    if (!Array.isArray(current)) throw badValue(`Cannot apply ${name} to a non-array value`);
    const kept = current.filter((item) => !isRemoved(item));
    return kept.length === current.length ? current : kept;
  };

/** A document of fields is a query on the elements, one of operators a condition on them, anything else a value. */
export const pull: Build = (operand, _path, collation) => {
  if (operand instanceof BSONRegExp) return removeWhere("$pull", compileValueFilter(operand, { collation }));
  if (!(operand instanceof Map)) return removeWhere("$pull", (item) => equalValues(item, operand, collation));
  if (isElementCondition(operand)) return removeWhere("$pull", compileValueFilter(operand, { collation }));
  const filter = compileFilter(operand, { collation });
  return removeWhere("$pull", (item) => item instanceof Map && filter.matches(item));
};

export const pullAll: Build = (operand, _path, collation) => {
  if (!Array.isArray(operand))
    throw badValue(`$pullAll requires an array argument but was given a ${typeName(operand)}`);
  return removeWhere("$pullAll", (item) => operand.some((value) => equalValues(item, value, collation)));
};
