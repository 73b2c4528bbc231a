// Comparison, Boolean logic, conditions and variables.
import type { Value } from "../values.ts";
import { located, unsupported } from "../bson/fail.ts";
import { compareValues } from "../keys/compare.ts";
import { type Found, MISSING } from "../fields/paths.ts";
import {
  compileArguments,
  type Expression,
  isNullish,
  isTruthy,
  namedArguments,
  type Operator,
  operator,
  withVariable,
  wrongCount,
} from "./expression-types.ts";

/** A missing value sorts with undefined, below null. */
export const comparable = (value: Found): Value => (value === MISSING ? undefined : value);

const comparison = (toResult: (order: number) => Value): Operator =>
  operator(2, 2, ([left, right], _name, { collation }) =>
    toResult(compareValues(comparable(left), comparable(right), collation)),
  );

/** An operator that evaluates no more of its arguments than it has to. */
const lazily =
  (apply: (list: Expression[]) => Expression): Operator =>
  (argument, context, compile) =>
    apply(compileArguments(argument, context, compile));

const condition: Operator = (argument, context, compile, name) => {
  const spec = Array.isArray(argument) ? undefined : namedArguments(argument, name, ["if", "then", "else"]);
  const parts = Array.isArray(argument) ? argument : ["if", "then", "else"].map((key) => spec?.get(key));
  const [test, yes, no] = parts.map((part) => compile(part, context));
  if (!test || !yes || !no || parts.length > 3) throw wrongCount(name, 3, 3, parts.length);
  return (root) => (isTruthy(test(root)) ? yes(root) : no(root));
};

const ifNull = lazily((list) => {
  const last = list.pop();
  if (!last || list.length === 0) throw located(1257300, "$ifNull needs at least two arguments");
  return (root) => {
    for (const item of list) {
      const value = item(root);
      if (!isNullish(value)) return value;
    }
    return last(root);
  };
});

const switchCase: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["branches"], ["default"]);
  const list = spec.get("branches");
  if (!Array.isArray(list) || list.length === 0) throw located(40068, "$switch requires at least one branch.");
  const branches = list.map((item) => {
    const branch = namedArguments(item, "$switch branch", ["case", "then"]);
    return { test: compile(branch.get("case"), context), result: compile(branch.get("then"), context) };
  });
  const other = spec.has("default") ? compile(spec.get("default"), context) : undefined;
  return (root) => {
    const result = branches.find(({ test }) => isTruthy(test(root)))?.result ?? other;
    if (result) return result(root);
    throw located(40066, "$switch could not find a matching branch for an input, and no default was specified.");
  };
};

const letIn: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["vars", "in"]);
  const vars = spec.get("vars");
  if (!(vars instanceof Map)) throw located(10065, "invalid parameter: expected an object (vars)");
  let scope = context;
  const bindings = [...vars].map(([variable, value]) => {
    const { inner, cell } = withVariable(scope, variable);
    scope = inner;
    return { cell, expression: compile(value, context) };
  });
  const body = compile(spec.get("in"), scope);
  return (root) => {
    for (const { cell, expression } of bindings) cell.value = expression(root);
    return body(root);
  };
};

const literal: Operator = (argument) => () => argument;

const refused: Operator = (_argument, _context, _compile, name) => {
  throw located(168, unsupported(name).message);
};

export const LOGIC_OPERATORS: [string, Operator][] = [
  ["$cmp", comparison(Math.sign)],
  ["$eq", comparison((order) => order === 0)],
  ["$ne", comparison((order) => order !== 0)],
  ["$gt", comparison((order) => order > 0)],
  ["$gte", comparison((order) => order >= 0)],
  ["$lt", comparison((order) => order < 0)],
  ["$lte", comparison((order) => order <= 0)],
  ["$and", lazily((list) => (root) => list.every((item) => isTruthy(item(root))))],
  ["$or", lazily((list) => (root) => list.some((item) => isTruthy(item(root))))],
  ["$not", operator(1, 1, ([value]) => !isTruthy(value))],
  ["$cond", condition],
  ["$ifNull", ifNull],
  ["$switch", switchCase],
  ["$let", letIn],
  ["$literal", literal],
  ["$const", literal],
  ["$function", refused],
  ["$accumulator", refused],
  ["$meta", refused],
];
