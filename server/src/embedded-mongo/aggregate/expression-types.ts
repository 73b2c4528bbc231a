import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import type { Collation } from "../keys/collation.ts";
import { MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";

/** Where a variable's value lives; an operator such as $map writes it before it runs its body. */
export type Variable = { value: Found };
export type Variables = ReadonlyMap<string, Variable>;

/** What an expression is evaluated on: the document that $$ROOT names. */
export type ExpressionScope = Doc;
export type Expression = (root: ExpressionScope) => Found;

/** The top-level fields that something looks at, or `all`. */
export type Reads = { fields: Set<string>; all: boolean };
export const newReads = (): Reads => ({ fields: new Set(), all: false });

export type ExpressionContext = { variables: Variables; collation?: Collation | undefined; reads?: Reads };
export type Compile = (spec: Value, context: ExpressionContext) => Expression;
export type Operator = (argument: Value, context: ExpressionContext, compile: Compile, name: string) => Expression;

export const toVariables = (vars: Iterable<[string, Found]> = []): Variables =>
  new Map([...vars].map(([name, value]) => [name, { value }]));

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
export function compileArguments(argument: Value, context: ExpressionContext, compile: Compile): Expression[] {
  return (Array.isArray(argument) ? argument : [argument]).map((item) => compile(item, context));
}

type Apply = (values: Found[], context: ExpressionContext, name: string) => Found;

/** An operator over evaluated arguments, of which it takes between `least` and `most`. */
export function operator(least: number, most: number, apply: Apply): Operator {
  return (argument, context, compile, name) => {
    const list = compileArguments(argument, context, compile);
    if (list.length < least || list.length > most) throw wrongCount(name, least, most, list.length);
    const [first, second, third] = list;
    if (list.length === 1 && first) return (root) => apply([first(root)], context, name);
    if (list.length === 2 && first && second) return (root) => apply([first(root), second(root)], context, name);
    if (list.length === 3 && first && second && third) {
      return (root) => apply([first(root), second(root), third(root)], context, name);
    }
    return (root) =>
      apply(
        list.map((item) => item(root)),
        context,
        name,
      );
  };
}

function wrongCount(name: string, least: number, most: number, passed: number): Error {
  if (least === most) {
    return located(16020, `Expression ${name} takes exactly ${least} arguments. ${passed} were passed in.`);
  }
  if (most === Infinity)
    return located(28667, `Expression ${name} takes at least ${least} arguments, but was passed ${passed}.`);
  return located(
    28667,
    `Expression ${name} takes at least ${least} arguments, and at most ${most}, but ${passed} were passed in.`,
  );
}

/** The named arguments of an operator, refusing unknown ones; a missing optional one is undefined. */
export function namedArguments(
  argument: Value,
  name: string,
  required: string[],
  optional: string[] = [],
): Map<string, Value> {
  if (!(argument instanceof Map)) throw located(40065, `${name} requires an object as an argument`);
  for (const key of argument.keys()) {
    if (!required.includes(key) && !optional.includes(key))
      throw located(40066, `${name} found an unknown argument: ${key}`);
  }
  for (const key of required) if (!argument.has(key)) throw located(40067, `Missing '${key}' parameter to ${name}`);
  return argument;
}

/** The `n` of $firstN and its kind. */
export function readN(value: Found, name: string): number {
  const number = value !== MISSING && isNumber(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(number) || number < 1)
    throw located(5787908, `${name}: 'n' must be greater than 0 and an integer`);
  return number;
}
