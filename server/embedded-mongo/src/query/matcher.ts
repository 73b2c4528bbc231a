import type { Doc, Value } from "../values.ts";
import { isTruthy, newReads, toVariables, type Variables } from "../expressions/expression-types.ts";
import { compileExpression } from "../expressions/expressions.ts";
import { badValue, failedToParse, unsupported } from "../bson/fail.ts";
import { asNumber } from "../bson/numbers.ts";
import type { Collation } from "../keys/collation.ts";
import {
  ALWAYS,
  combineAll,
  compileField,
  isElementCondition,
  type MatchContext,
  type MatchNode,
  negate,
} from "./field-operators.ts";
import { compilePathTest, firstPart, MATCH, NO_MATCH } from "../fields/paths.ts";
import { isOperatorName } from "../fields/value-tests.ts";

export type Filter = {
  matches(doc: Doc): boolean;
  /** The top-level fields the filter looks at; undefined when it may look at any. */
  fields: ReadonlySet<string> | undefined;
  /** The position in its array of the element that matched, to which the positional `$` refers. */
  arrayIndex(doc: Doc): number | undefined;
};

export type FilterOptions = { collation?: Collation | undefined; vars?: Map<string, Value>; variables?: Variables };

/** Compiles a query document to closures. Every mistake in it is reported here, none while matching. */
export function compileFilter(filter: Doc, options: FilterOptions = {}): Filter {
  const context: MatchContext = {
    collation: options.collation,
    variables: options.variables ?? toVariables(options.vars),
    reads: newReads(),
    pathTest: compilePathTest,
    compileNested: (nested) =>
      compileClauses(nested, { ...context, reads: newReads(), pathTest: compilePathTest }, false),
  };
  const node = compileClauses(filter, context, true);
  return {
    matches: (doc) => node(doc) !== NO_MATCH,
    fields: context.reads.all ? undefined : context.reads.fields,
    arrayIndex(doc) {
      const position = node(doc);
      return position >= 0 ? position : undefined;
    },
  };
}

function compileClauses(filter: Doc, context: MatchContext, isTop: boolean): MatchNode {
  const nodes: MatchNode[] = [];
  for (const [name, value] of filter) nodes.push(compileClause(name, value, context, isTop));
  return combineAll(nodes);
}

function compileClause(name: string, value: Value, context: MatchContext, isTop: boolean): MatchNode {
  if (!isOperatorName(name)) {
    context.reads.fields.add(firstPart(name));
    return compileField(name, value, context);
  }
  switch (name) {
    case "$and":
      return combineAll(compileList(name, value, context, isTop));
    case "$or":
      return combineAny(compileList(name, value, context, isTop));
    case "$nor":
      return negate(combineAny(compileList(name, value, context, isTop)));
    case "$expr":
      return compileExpr(value, context, isTop);
    case "$comment":
    case "$alwaysTrue":
      return ALWAYS;
    case "$alwaysFalse":
      return () => NO_MATCH;
    case "$sampleRate":
      return compileSampleRate(value);
    case "$jsonSchema":
    case "$where":
    case "$text":
      throw unsupported(name);
  }
  throw badValue(
    `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
  );
}

function compileList(name: string, value: Value, context: MatchContext, isTop: boolean): MatchNode[] {
  if (!Array.isArray(value)) throw badValue(`${name} must be an array`);
  if (value.length === 0) throw badValue(`${name} argument must be a non-empty array`);
  return value.map((item) => {
    if (!(item instanceof Map)) throw badValue(`${name} argument's entries must be objects`);
    return compileClauses(item, context, isTop);
  });
}

function combineAny(nodes: MatchNode[]): MatchNode {
  return (doc) => {
    for (const node of nodes) {
      const position = node(doc);
      if (position !== NO_MATCH) return position;
    }
    return NO_MATCH;
  };
}

function compileExpr(value: Value, context: MatchContext, isTop: boolean): MatchNode {
  if (!isTop) throw badValue("$expr can only be applied to the top-level document");
  const expression = compileExpression(value, context);
  return (doc) => (isTruthy(expression(doc)) ? MATCH : NO_MATCH);
}

function compileSampleRate(value: Value): MatchNode {
  const rate = asNumber(value);
  if (!(rate >= 0 && rate <= 1)) throw failedToParse("numeric argument to $sampleRate must be in [0, 1]");
  return () => (Math.random() < rate ? MATCH : NO_MATCH);
}

/**
 * What $pull and the projection $elemMatch look for in an array: elements that meet a condition of operators, or
 * documents that match a query.
 */
export function compileElementFilter(condition: Doc, collation: Collation | undefined): (item: Value) => boolean {
  if (isElementCondition(condition)) {
    const filter = compileFilter(new Map([["v", condition]]), { collation });
    return (item) => filter.matches(new Map([["v", item]]));
  }
  const filter = compileFilter(condition, { collation });
  return (item) => item instanceof Map && filter.matches(item);
}
