// What expressions are made of, and what their operators share.
import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { asNumber, isNumber, toNumber } from "../bson/numbers.ts";
import { typeName } from "../bson/types.ts";
import type { Collation } from "../keys/collation.ts";
import { type Found, MISSING } from "../fields/paths.ts";

/** Where a variable's value lives; an operator such as $map writes it before it runs its body. */
export type Variable = { value: Found };
export type Variables = ReadonlyMap<string, Variable>;

/** Evaluated on the document that $$ROOT names. */
export type Expression = (root: Doc) => Found;

/** The top-level fields that something looks at, or `all`. */
export type Reads = { fields: Set<string>; all: boolean };
export const newReads = (): Reads => ({ fields: new Set(), all: false });

export type ExpressionContext = { variables: Variables; collation?: Collation | undefined; reads?: Reads };
export type Compile = (spec: Value, context: ExpressionContext) => Expression;
export type Operator = (argument: Value, context: ExpressionContext, compile: Compile, name: string) => Expression;

export const toVariables = (vars: Iterable<[string, Found]> = []): Variables =>
  new Map([...vars].map(([name, value]) => [name, { value }]));

/** A context in which one more name can be used as `$$name`; the operator sets its value before it runs the body. */
export function withVariable(context: ExpressionContext, name: Value): { inner: ExpressionContext; cell: Variable } {
  if (typeof name !== "string") throw located(16866, "the name of a variable must be a string");
  if (!/^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name))
    throw located(16867, `'${name}' is not the name of a user variable: it has to start with a lower-case letter`);
  const cell: Variable = { value: MISSING };
  return { inner: { ...context, variables: new Map([...context.variables, [name, cell]]) }, cell };
}

export const isNullish = (value: Found): value is null | undefined | typeof MISSING =>
  value === null || value === undefined || value === MISSING;

export function isTruthy(value: Found): boolean {
  if (typeof value === "boolean") return value;
  if (isNullish(value)) return false;
  return !isNumber(value) || toNumber(value) !== 0;
}

/** In documents and arrays that an expression builds, a missing value becomes null. */
export const orNull = (value: Found): Value => (value === MISSING ? null : value);

/** The arguments of an operator that takes a list, where a single one may stand without brackets. */
export const compileArguments = (argument: Value, context: ExpressionContext, compile: Compile): Expression[] =>
  (Array.isArray(argument) ? argument : [argument]).map((item) => compile(item, context));

type Apply = (values: Found[], name: string, context: ExpressionContext) => Found;

/** An operator over evaluated arguments, of which it takes between `least` and `most`. */
export function operator(least: number, most: number, apply: Apply): Operator {
  return (argument, context, compile, name) => {
    const list = compileArguments(argument, context, compile);
    if (list.length < least || list.length > most) throw wrongCount(name, least, most, list.length);
    const [first, second] = list;
    // Most operators take one or two arguments, and `map` costs more than the operator itself.
    if (list.length === 1 && first) return (root) => apply([first(root)], name, context);
    if (list.length === 2 && first && second) return (root) => apply([first(root), second(root)], name, context);
    const evaluate = (root: Doc) => list.map((item) => item(root));
    return (root) => apply(evaluate(root), name, context);
  };
}

export function wrongCount(name: string, least: number, most: number, passed: number): Error {
  if (least === most)
    return located(16020, `Expression ${name} takes exactly ${least} arguments. ${passed} were passed in.`);
  const limit = most === Infinity ? "" : `, and at most ${most}`;
  return located(28667, `Expression ${name} takes at least ${least} arguments${limit}, but ${passed} were passed in.`);
}

/** The named arguments of an operator, not yet evaluated; a missing required one and an unknown one are refused. */
export function namedArguments(argument: Value, name: string, required: string[], optional: string[] = []): Doc {
  if (!(argument instanceof Map)) throw located(40065, `${name} requires an object as an argument`);
  const unknown = argument.keys().find((key) => !required.includes(key) && !optional.includes(key));
  if (unknown !== undefined) throw located(40066, `${name} found an unknown argument: ${unknown}`);
  const missing = required.find((key) => !argument.has(key));
  if (missing !== undefined) throw located(40067, `Missing '${missing}' parameter to ${name}`);
  return argument;
}

/** Values by the names of their arguments; one that was not given is undefined. */
export type Named = Record<string, Found>;

/** An operator over evaluated named arguments. */
export function named(
  required: string[],
  optional: string[],
  apply: (values: Named, name: string, context: ExpressionContext) => Found,
): Operator {
  return (argument, context, compile, name) => {
    const spec = namedArguments(argument, name, required, optional);
    const parts = [...spec].map(([key, value]) => ({ key, expression: compile(value, context) }));
    return (root) => {
      const values: Named = {};
      for (const { key, expression } of parts) values[key] = expression(root) ?? null;
      return apply(values, name, context);
    };
  };
}

export function requireArray(value: Found, name: string, code = 2): Value[] {
  if (Array.isArray(value)) return value;
  throw located(code, `The argument to ${name} must be an array, but was of type: ${typeName(value)}`);
}

export function requireText(value: Found, name: string, code: number): string {
  if (typeof value === "string") return value;
  throw located(code, `${name} requires a string argument, found: ${typeName(value)}`);
}

export function requireInteger(value: Found, name: string, code: number): number {
  const number = asNumber(value);
  if (Math.abs(number) <= 0x7fffffff && Number.isInteger(number)) return number;
  throw located(code, `${name} requires a number representable as a 32-bit integer, found: ${typeName(value)}`);
}

/** The `n` of $firstN and its kind. */
export function readN(value: Found, name: string): number {
  const number = asNumber(value);
  if (Number.isInteger(number) && number > 0) return number;
  throw located(5787908, `${name}: 'n' must be greater than 0 and an integer`);
}

/** What an operator makes of small arguments may be large: its size is checked before it is made. */
export function checkSize(size: number, most: number, name: string): void {
  if (size > most) throw located(146, `${name} would make a value of size ${size}; the limit is ${most}`);
}
