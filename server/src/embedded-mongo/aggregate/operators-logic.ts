// Comparison, Boolean logic, conditions and variables.
import type { Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { compareValues } from "../keys/compare.ts";
import { MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";
import { compileArguments, isNullish, isTruthy, namedArguments, operator } from "./expression-types.ts";
import type { Expression, ExpressionContext, Operator, Variable } from "./expression-types.ts";

/** A missing value sorts with undefined, below null. */
export const comparable = (value: Found | undefined): Value => (value === MISSING ? undefined : value);

const comparison = (isWanted: (order: number) => boolean): Operator =>
  operator(2, 2, ([left, right], { collation }) =>
    isWanted(compareValues(comparable(left), comparable(right), collation)),
  );

const compare = operator(2, 2, ([left, right], { collation }) =>
  Math.sign(compareValues(comparable(left), comparable(right), collation)),
);

const and: Operator = (argument, context, compile) => {
  const list = compileArguments(argument, context, compile);
  return (root) => list.every((item) => isTruthy(item(root)));
};

const or: Operator = (argument, context, compile) => {
  const list = compileArguments(argument, context, compile);
  return (root) => list.some((item) => isTruthy(item(root)));
};

const condition: Operator = (argument, context, compile, name) => {
  let parts: Value[];
  if (Array.isArray(argument)) {
    if (argument.length !== 3)
      throw located(16020, `Expression $cond takes exactly 3 arguments. ${argument.length} were passed in.`);
    parts = argument;
  } else {
    const spec = namedArguments(argument, name, ["if", "then", "else"]);
    parts = [spec.get("if"), spec.get("then"), spec.get("else")];
  }
  const test = compile(parts[0], context);
  const yes = compile(parts[1], context);
  const no = compile(parts[2], context);
  return (root) => (isTruthy(test(root)) ? yes(root) : no(root));
};

const ifNull: Operator = (argument, context, compile) => {
  const list = compileArguments(argument, context, compile);
  const last = list.pop();
  if (!last || list.length === 0) throw located(1257300, "$ifNull needs at least two arguments");
  return (root) => {
    for (const item of list) {
      const value = item(root);
      if (!isNullish(value)) return value;
    }
    return last(root);
  };
};

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
    for (const branch of branches) if (isTruthy(branch.test(root))) return branch.result(root);
    if (!other)
      throw located(40066, "$switch could not find a matching branch for an input, and no default was specified.");
    return other(root);
  };
};

/** A context in which further names can be used as `$$name`; the operator sets the variables before it runs the body. */
export function withVariables(
  context: ExpressionContext,
  names: Value[],
): { inner: ExpressionContext; cells: Variable[] } {
  const cells = names.map((name): [string, Variable] => {
    if (typeof name !== "string") throw located(16866, "the name of a variable must be a string");
    if (!/^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name) && name !== "CURRENT")
      throw located(16867, `'${name}' starts with an invalid character for a user variable name`);
    if (name === "CURRENT") throw located(16867, "CURRENT cannot be rebound in the embedded database");
    return [name, { value: MISSING }];
  });
  return {
    inner: { ...context, variables: new Map([...context.variables, ...cells]) },
    cells: cells.map(([, cell]) => cell),
  };
}

const letIn: Operator = (argument, context, compile, name) => {
  const spec = namedArguments(argument, name, ["vars", "in"]);
  const vars = spec.get("vars");
  if (!(vars instanceof Map)) throw located(10065, "invalid parameter: expected an object (vars)");
  const values = [...vars.values()].map((value) => compile(value, context));
  const { inner, cells } = withVariables(context, [...vars.keys()]);
  const body = compile(spec.get("in"), inner);
  return (root) => {
    const found = values.map((value) => value(root));
    for (const [index, cell] of cells.entries()) cell.value = found[index];
    return body(root);
  };
};

const literal: Operator = (argument) => () => argument;

const refused: Operator = (_argument, _context, _compile, name): Expression => {
  throw located(168, `${name} is not supported by the embedded database`);
};

export const LOGIC_OPERATORS: [string, Operator][] = [
  ["$cmp", compare],
  ["$eq", comparison((order) => order === 0)],
  ["$ne", comparison((order) => order !== 0)],
  ["$gt", comparison((order) => order > 0)],
  ["$gte", comparison((order) => order >= 0)],
  ["$lt", comparison((order) => order < 0)],
  ["$lte", comparison((order) => order <= 0)],
  ["$and", and],
  ["$or", or],
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
