import { BSONRegExp, type Doc, type Value } from "../values.ts";
import { addOrOverflow, multiplyOrOverflow } from "../bson/arithmetic.ts";
import { badValue, failedToParse, located, typeMismatch } from "../bson/fail.ts";
import { asNumber, isNumber, type NumberValue } from "../bson/numbers.ts";
import { showValue } from "../bson/show.ts";
import { isInt32, typeName } from "../bson/types.ts";
import type { Collation } from "../keys/collation.ts";
import { compareValues, equalValues } from "../keys/compare.ts";
import { compileItemSort } from "../fields/sort.ts";
import { compileElementFilter } from "../query/matcher.ts";
import { type Found, MISSING } from "../fields/paths.ts";
import { regexTest } from "../fields/value-tests.ts";
import type { Apply, Modifier, Target } from "./apply.ts";
import { isIdentical } from "./description.ts";

type Build = (operand: Value, path: string, collation: Collation | undefined) => Apply;

/** A field as an error message names it. */
const showField = (value: Value, { path, id }: Target): string =>
  `'${path}' of the document {_id: ${showValue(id)}} is ${showValue(value)} of type ${typeName(value)}`;

const keepIfSame = (current: Found, next: Found): Found => (isIdentical(current, next) ? current : next);

const set: Build = (operand) => (current) => keepIfSame(current, operand);

const arithmetic =
  (name: string, combine: (left: NumberValue, right: NumberValue) => NumberValue | undefined): Build =>
  (operand, path) => {
    if (!isNumber(operand)) {
      const verb = name === "$inc" ? "increment" : "multiply";
      throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${path}: ${showValue(operand)}}`);
    }
    return (current, target) => {
      if (current === MISSING) return name === "$mul" ? combine(operand, 0) : operand;
      if (!isNumber(current))
        throw typeMismatch(`Cannot apply ${name} to a value of non-numeric type: ${showField(current, target)}`);
      const result = combine(current, operand);
      if (result === undefined)
        throw badValue(`Failed to apply ${name} operations to current value: ${showField(current, target)}`);
      return keepIfSame(current, result);
    };
  };

const extreme =
  (sign: number): Build =>
  (operand, _path, collation) =>
  (current) =>
    current === MISSING || sign * compareValues(operand, current, collation) > 0 ? operand : current;

const currentDate: Build = (operand, path) => {
  const type = operand instanceof Map && operand.size === 1 ? operand.get("$type") : undefined;
  if (typeof operand === "boolean" || type === "date") return (_current, { context }) => context.now;
  if (type === "timestamp") return (_current, { context }) => context.nextTimestamp();
  throw badValue(
    `${showValue(operand)} is not valid type for $currentDate of '${path}'. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
  );
};

const isInteger = (value: Found): value is number | bigint =>
  typeof value === "bigint" || (typeof value === "number" && isInt32(value));

const BITWISE = new Map<string, (left: bigint, right: bigint) => bigint>([
  ["and", (left, right) => left & right],
  ["or", (left, right) => left | right],
  ["xor", (left, right) => left ^ right],
]);

const bit: Build = (operand, path) => {
  const steps = operand instanceof Map ? [...operand] : [];
  if (steps.length === 0 || !steps.every(([name, mask]) => BITWISE.has(name) && isInteger(mask)))
    throw badValue(`$bit of '${path}' must be of the form {and/or/xor: <integer>}, found: ${showValue(operand)}`);
  return (current, target) => {
    const start = current === MISSING ? 0 : current;
    if (!isInteger(start))
      throw badValue(`Cannot apply $bit to a value of non-integral type: ${showField(start, target)}`);
    let result = BigInt(start);
    let isLong = typeof start === "bigint";
    for (const [name, mask] of steps) {
      if (!isInteger(mask)) continue;
      isLong ||= typeof mask === "bigint";
      result = BITWISE.get(name)?.(result, BigInt(mask)) ?? result;
    }
    return keepIfSame(current, isLong ? result : Number(result));
  };
};

/** The items of `{ $each: [...] }`, or the operand itself as the only item. */
function readEach(operand: Value, operator: string, code: number): Value[] {
  if (!(operand instanceof Map) || !operand.has("$each")) return [operand];
  const each = operand.get("$each");
  if (Array.isArray(each)) return each;
  throw located(code, `The argument to $each in ${operator} must be an array but it was of type ${typeName(each)}`);
}

function readInteger(modifiers: Doc, name: string): number | undefined {
  if (!modifiers.has(name)) return undefined;
  const number = asNumber(modifiers.get(name));
  if (Number.isInteger(number)) return number;
  throw badValue(`The value for ${name} must be an integer value but was given type: ${typeName(modifiers.get(name))}`);
}

const PUSH_MODIFIERS = new Set(["$each", "$slice", "$sort", "$position"]);

const push: Build = (operand, _path, collation) => {
  const modifiers: Doc = operand instanceof Map && operand.has("$each") ? operand : new Map();
  const items = readEach(operand, "$push", 2);
  const unknown = modifiers.keys().find((name) => !PUSH_MODIFIERS.has(name));
  if (unknown !== undefined) throw badValue(`Unrecognized clause in $push: ${unknown}`);
  const slice = readInteger(modifiers, "$slice");
  const position = readInteger(modifiers, "$position");
  const order = modifiers.has("$sort") ? compileItemSort(modifiers.get("$sort"), collation) : undefined;
  return (current, { path, id }) => {
    if (current !== MISSING && !Array.isArray(current))
      throw badValue(
        `The field '${path}' must be an array but is of type ${typeName(current)} in document {_id: ${showValue(id)}}`,
      );
    if (current !== MISSING && items.length === 0 && !order && slice === undefined) return current;
    const before = current === MISSING ? [] : current;
    let after = before.toSpliced(position ?? before.length, 0, ...items);
    if (order) after = after.toSorted(order);
    if (slice !== undefined) after = slice >= 0 ? after.slice(0, slice) : after.slice(slice);
    return after;
  };
};

const addToSet: Build = (operand, _path, collation) => {
  if (operand instanceof Map && operand.has("$each") && operand.size > 1)
    throw badValue(`Found unexpected fields after $each in $addToSet: ${showValue(operand)}`);
  const items = readEach(operand, "$addToSet", 14);
  return (current, target) => {
    if (current !== MISSING && !Array.isArray(current))
      throw badValue(`Cannot apply $addToSet to non-array field: ${showField(current, target)}`);
    const after = current === MISSING ? [] : [...current];
    for (const item of items) if (!after.some((known) => equalValues(known, item, collation))) after.push(item);
    return current !== MISSING && after.length === current.length ? current : after;
  };
};

const pop: Build = (operand) => {
  const end = asNumber(operand);
  if (!isNumber(operand)) throw failedToParse(`Expected a number in: $pop: ${showValue(operand)}`);
  if (end !== 1 && end !== -1) throw failedToParse(`$pop expects 1 or -1, found: ${showValue(operand)}`);
  return (current, { path }) => {
    if (current === MISSING) return current;
    if (!Array.isArray(current))
      throw typeMismatch(`Path '${path}' contains an element of non-array type '${typeName(current)}'`);
    if (current.length === 0) return current;
    return end === 1 ? current.slice(0, -1) : current.slice(1);
  };
};

const removeWhere =
  (name: string, isRemoved: (item: Value) => boolean): Apply =>
  (current) => {
    if (current === MISSING) return current;
    if (!Array.isArray(current)) throw badValue(`Cannot apply ${name} to a non-array value`);
    const kept = current.filter((item) => !isRemoved(item));
    return kept.length === current.length ? current : kept;
  };

/** A document is a condition or a query on the elements, anything else a value. */
const pull: Build = (operand, _path, collation) => {
  if (operand instanceof BSONRegExp) return removeWhere("$pull", regexTest(operand));
  if (operand instanceof Map) return removeWhere("$pull", compileElementFilter(operand, collation));
  return removeWhere("$pull", (item) => equalValues(item, operand, collation));
};

const pullAll: Build = (operand, _path, collation) => {
  if (!Array.isArray(operand))
    throw badValue(`$pullAll requires an array argument but was given a ${typeName(operand)}`);
  return removeWhere("$pullAll", (item) => operand.some((value) => equalValues(item, value, collation)));
};

const BUILDERS = new Map<string, Build>([
  ["$set", set],
  ["$setOnInsert", set],
  ["$unset", () => () => MISSING],
  ["$inc", arithmetic("$inc", addOrOverflow)],
  ["$mul", arithmetic("$mul", multiplyOrOverflow)],
  ["$min", extreme(-1)],
  ["$max", extreme(1)],
  ["$currentDate", currentDate],
  ["$bit", bit],
  ["$push", push],
  ["$addToSet", addToSet],
  ["$pop", pop],
  ["$pull", pull],
  ["$pullAll", pullAll],
]);
const NOT_CREATING = new Set(["$unset", "$pop", "$pull", "$pullAll"]);

/** Every operator of an update document, one modifier for each path. */
export function compileModifiers(update: Doc, collation: Collation | undefined): Modifier[] {
  const modifiers: Modifier[] = [];
  for (const [operator, fields] of update) {
    const build = BUILDERS.get(operator);
    if (!build && operator !== "$rename")
      throw failedToParse(
        `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    if (!(fields instanceof Map))
      throw failedToParse(
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${showValue(fields)}}`,
      );
    const isCreating = !NOT_CREATING.has(operator);
    for (const [path, operand] of fields) {
      if (!build) modifiers.push(...renameModifiers(path, operand));
      else
        modifiers.push({ operator, path, parts: path.split("."), isCreating, apply: build(operand, path, collation) });
    }
  }
  return modifiers;
}

function renameModifiers(path: string, operand: Value): Modifier[] {
  if (typeof operand !== "string")
    throw badValue(`The 'to' field for $rename must be a string: ${path}: ${showValue(operand)}`);
  const source = path.split(".");
  const parts = operand.split(".");
  if (operand === path) throw badValue(`The source and target field for $rename must differ: ${path}: "${operand}"`);
  if ([...source, ...parts].some((part) => part.startsWith("$")))
    throw badValue(`The source and target field for $rename may not be dynamic: ${path}`);
  return [
    { operator: "$rename", path, parts: source, isCreating: false, apply: () => MISSING },
    { operator: "$rename", path: operand, parts, isCreating: true, source, apply: (current) => current },
  ];
}
