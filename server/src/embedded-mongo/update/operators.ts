import type { Doc, Value } from "../values.ts";
import { addOrOverflow, multiplyOrOverflow } from "../bson/arithmetic.ts";
import { badValue, failedToParse, typeMismatch } from "../bson/fail.ts";
import { isNumber } from "../bson/numbers.ts";
import type { NumberValue } from "../bson/numbers.ts";
import { showValue } from "../bson/show.ts";
import { typeName, typeNumber } from "../bson/types.ts";
import type { Collation } from "../keys/collation.ts";
import { compareValues } from "../keys/compare.ts";
import { MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";
import { addToSet, pop, pull, pullAll, push } from "./array-operators.ts";
import { isIdentical } from "./modifier.ts";
import type { Modifier, Target } from "./modifier.ts";

type Apply = Modifier["apply"];
type Build = (operand: Value, path: string, collation: Collation | undefined) => Apply;

const keepIfSame = (current: Found, next: Found): Found => (isIdentical(current, next) ? current : next);

const set: Build = (operand) => (current) => keepIfSame(current, operand);

const setOnInsert: Build = (operand) => (current, target) => (target.context.isInsert ? operand : current);

const unset: Build = () => () => MISSING;

const arithmetic =
  (name: string, verb: string, combine: (left: NumberValue, right: NumberValue) => NumberValue | undefined): Build =>
  (operand, path) => {
    if (!isNumber(operand))
      throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${path}: ${showValue(operand)}}`);
    return (current, target) => {
      if (current === MISSING) return name === "$mul" ? combine(operand, 0) : operand;
      if (!isNumber(current)) throw typeMismatch(notNumeric(name, current, target));
      const result = combine(current, operand);
      if (result === undefined) {
        throw badValue(
          `Failed to apply ${name} operations to current value ((NumberLong)${showValue(current)}) for document {_id: ${showValue(target.id)}}`,
        );
      }
      return keepIfSame(current, result);
    };
  };

const notNumeric = (name: string, current: Value, target: Target): string =>
  `Cannot apply ${name} to a value of non-numeric type. {_id: ${showValue(target.id)}} has the field '${target.path.split(".").at(-1) ?? ""}' of non-numeric type ${typeName(current)}`;

const extreme =
  (sign: number): Build =>
  (operand, _path, collation) =>
  (current) =>
    current === MISSING || sign * compareValues(operand, current, collation) > 0 ? operand : current;

const currentDate: Build = (operand, path) => {
  const type = operand instanceof Map ? operand.get("$type") : operand;
  if (typeof type === "boolean") return (_current, target) => target.context.now;
  if (!(operand instanceof Map)) {
    throw badValue(
      `${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    );
  }
  if (operand.size > 1)
    throw badValue(`Unrecognized $currentDate option: ${[...operand.keys()].find((key) => key !== "$type") ?? ""}`);
  if (type === "date") return (_current, target) => target.context.now;
  if (type === "timestamp") return (_current, target) => target.context.nextTimestamp();
  throw badValue(
    `The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {${path}: ${showValue(operand)}}}`,
  );
};

function integer(value: Value): bigint | undefined {
  if (typeof value === "bigint") return value;
  return typeof value === "number" && typeNumber(value) === 16 ? BigInt(value) : undefined;
}

const bit: Build = (operand, path) => {
  if (!(operand instanceof Map))
    throw badValue(
      `The $bit modifier is not compatible with a ${typeName(operand)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  if (operand.size === 0)
    throw badValue(`You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}`);
  const steps = [...operand].map(([name, value]) => {
    if (name !== "and" && name !== "or" && name !== "xor")
      throw badValue(
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${name}: ${showValue(value)}}`,
      );
    const mask = integer(value);
    if (mask === undefined)
      throw badValue(
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(value)}' is not supported here: {${path}: ${showValue(value)}}`,
      );
    return { name, mask, isLong: typeof value === "bigint" };
  });
  return (current, target) => {
    const start = current === MISSING ? 0n : integer(current);
    if (start === undefined) {
      throw badValue(
        `Cannot apply $bit to a value of non-integral type.{_id: ${showValue(target.id)}} has the field ${target.path} of non-integer type ${current === MISSING ? "" : typeName(current)}`,
      );
    }
    const result = steps.reduce(
      (bits, { name, mask }) => (name === "and" ? bits & mask : name === "or" ? bits | mask : bits ^ mask),
      start,
    );
    const isLong = typeof current === "bigint" || steps.some((step) => step.isLong);
    return keepIfSame(current, isLong ? result : Number(result));
  };
};

const BUILDERS = new Map<string, Build>([
  ["$set", set],
  ["$unset", unset],
  ["$setOnInsert", setOnInsert],
  ["$inc", arithmetic("$inc", "increment", addOrOverflow)],
  ["$mul", arithmetic("$mul", "multiply", multiplyOrOverflow)],
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
    if (!build && operator !== "$rename") {
      throw failedToParse(
        `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    if (!(fields instanceof Map)) {
      throw failedToParse(
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${showValue(fields)}}`,
      );
    }
    for (const [path, operand] of fields) {
      const parts = path.split(".");
      if (!build) modifiers.push(...renameModifiers(path, operand));
      else
        modifiers.push({
          operator,
          path,
          parts,
          isCreating: !NOT_CREATING.has(operator),
          apply: build(operand, path, collation),
        });
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
