import type { Doc, Value } from "../values.ts";
import {
  type ExpressionContext,
  isTruthy,
  newReads,
  type Reads,
  toVariables,
} from "../expressions/expression-types.ts";
import { compileExpression } from "../expressions/expressions.ts";
import { sliceItems } from "../expressions/operators-array.ts";
import { located, unsupported } from "../bson/fail.ts";
import { asNumber, isNumber } from "../bson/numbers.ts";
import { typeName } from "../bson/types.ts";
import type { Collation } from "../keys/collation.ts";
import { compileElementFilter } from "../query/matcher.ts";
import { firstPart, getField, MISSING } from "../fields/paths.ts";
import { isOperatorDoc } from "../fields/value-tests.ts";
import { addLeaf, applyTree, type Branch, type Leaf, newBranch } from "./tree.ts";

export type Projection = ((doc: Doc, positional?: number) => Doc) & { fields?: ReadonlySet<string> };
export type ProjectionOptions = { collation?: Collation | undefined; vars?: Map<string, Value> };

type State = {
  tree: Branch;
  context: ExpressionContext & { reads: Reads };
  isInclusion: boolean | undefined;
  isFind: boolean;
  hasSlice: boolean;
  hasElemMatch: boolean;
  /** The path before the `.$` of a positional projection. */
  positionalPath?: string;
};

/** Compiles the projection of a find. The result is given the position that the filter matched, for `.$`. */
export function compileProjection(spec: Doc, options: ProjectionOptions = {}): Projection {
  if (spec.size === 0) return (doc: Doc) => doc;
  const context = { variables: toVariables(options.vars), collation: options.collation };
  return compileSpec(spec, context, true);
}

/** Compiles $project, which knows neither $slice, $elemMatch nor `.$` as projections. */
export function compileProjectStage(spec: Doc, context: ExpressionContext): Projection {
  if (spec.size === 0)
    throw located(51272, "Invalid $project :: caused by :: projection specification must have at least one field");
  return compileSpec(spec, context, false);
}

function compileSpec(spec: Doc, given: ExpressionContext, isFind: boolean): Projection {
  const context = { ...given, reads: newReads() };
  const state: State = {
    tree: newBranch(),
    context,
    isInclusion: undefined,
    isFind,
    hasSlice: false,
    hasElemMatch: false,
  };
  const idFlag = isFlag(spec.get("_id")) ? isTruthy(spec.get("_id")) : undefined;
  for (const [path, value] of spec) if (path !== "_id" || idFlag === undefined) readField(state, path, value);
  // Beside a $slice, which leaves everything else as it is, an $elemMatch does so too.
  const isInclusion = state.isInclusion ?? (idFlag === true || (state.hasElemMatch && !state.hasSlice));
  const tree = withId(state.tree, isInclusion, idFlag ?? true);
  const position = state.positionalPath?.split(".");
  const project = (doc: Doc, positional?: number): Doc => {
    const result = applyTree(tree, isInclusion ? "include" : "exclude", doc);
    return position ? takePosition(result, position, positional) : result;
  };
  if (!isInclusion || context.reads.all) return project;
  for (const name of tree.children.keys()) context.reads.fields.add(name);
  return Object.assign(project, { fields: context.reads.fields });
}

const isFlag = (value: Value): boolean => isNumber(value) || typeof value === "boolean";

/** In an inclusion the _id stays unless told otherwise; in an exclusion it goes only when told. */
function withId(tree: Branch, isInclusion: boolean, keepsId: boolean): Branch {
  if (isInclusion !== keepsId || tree.children.has("_id")) return tree;
  const leaf: Leaf = { kind: keepsId ? "include" : "exclude" };
  return { ...tree, children: new Map([["_id", leaf], ...tree.children]) };
}

function setMode(state: State, isInclusion: boolean, path: string): void {
  state.isInclusion ??= isInclusion;
  if (state.isInclusion === isInclusion && (isInclusion || !state.hasElemMatch)) return;
  throw isInclusion
    ? located(31253, `Cannot do inclusion on field ${path} in exclusion projection`)
    : located(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
}

function readField(state: State, path: string, value: Value): void {
  if (isFlag(value)) return readFlag(state, path, isTruthy(value));
  if (value instanceof Map && isOperatorDoc(value)) {
    const [name = ""] = value.keys();
    if (name === "$meta") throw unsupported("$meta");
    const isFind = state.isFind && value.size === 1;
    if (isFind && name === "$slice" && readSlice(state, path, value.get("$slice"))) return;
    if (isFind && name === "$elemMatch") return readElemMatch(state, path, value.get("$elemMatch"));
  } else if (value instanceof Map) {
    if (value.size === 0)
      throw located(51270, `An empty sub-projection is not a valid value. Found empty object at path ${path}`);
    for (const [name, inner] of value) readField(state, `${path}.${name}`, inner);
    return;
  }
  if (state.isInclusion === false)
    throw located(31252, "Cannot use expression other than $meta in exclusion projection");
  state.isInclusion = true;
  addLeaf(state.tree, path, { kind: "compute", expression: compileExpression(value, state.context) });
}

function readFlag(state: State, path: string, isInclusion: boolean): void {
  setMode(state, isInclusion, path);
  if (!state.isFind || !path.endsWith(".$"))
    return addLeaf(state.tree, path, { kind: isInclusion ? "include" : "exclude" });
  if (!isInclusion) throw located(31395, "positional projection cannot be used with exclusion");
  if (state.positionalPath !== undefined)
    throw located(31276, "Cannot specify more than one positional projection per query.");
  state.positionalPath = path.slice(0, -2);
  addLeaf(state.tree, state.positionalPath, { kind: "include" });
}

function takePosition(doc: Doc, path: string[], position: number | undefined): Doc {
  const [name = "", ...rest] = path;
  const value = getField(doc, name);
  if (value instanceof Map && rest.length > 0) return new Map(doc).set(name, takePosition(value, rest, position));
  if (!Array.isArray(value)) return doc;
  if (position !== undefined && position < value.length) return new Map(doc).set(name, [value[position]]);
  throw located(51246, "positional operator '.$' couldn't find a matching element in the array");
}

/** A $slice of numbers; one whose first argument is an expression is the aggregation operator of that name. */
function readSlice(state: State, path: string, value: Value): boolean {
  const isPair = Array.isArray(value);
  const [first = Number.NaN, count, ...more] = (isPair ? value : [value]).map((item) => Math.trunc(asNumber(item)));
  if (Number.isNaN(first) && isPair) return false;
  if (Number.isNaN(first) || isPair !== (count !== undefined) || more.length > 0)
    throw located(28667, `Invalid $slice syntax: it takes a number or two, but was given ${typeName(value)}`);
  if (count !== undefined && !(count > 0))
    throw located(28724, "First argument to $slice must be an number, second a positive one");
  const change = (items: Value): Value => (Array.isArray(items) ? sliceItems(items, first, count) : items);
  addLeaf(state.tree, path, { kind: "change", change });
  state.hasSlice = true;
  return true;
}

function readElemMatch(state: State, path: string, condition: Value): void {
  if (!(condition instanceof Map))
    throw located(31274, `elemMatch: Invalid argument, object required, but got ${typeName(condition)}`);
  if (path.includes(".")) throw located(31275, "Cannot use $elemMatch projection on a nested field.");
  if (state.isInclusion === false) setMode(state, true, path);
  state.hasElemMatch = true;
  const isMatch = compileElementFilter(condition, state.context.collation);
  state.context.reads.fields.add(firstPart(path));
  addLeaf(state.tree, path, {
    kind: "compute",
    expression: (root) => {
      const items = getField(root, path);
      const at = Array.isArray(items) ? items.findIndex(isMatch) : -1;
      return Array.isArray(items) && at >= 0 ? [items[at]] : MISSING;
    },
  });
}
