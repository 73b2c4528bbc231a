import type { Doc, Value } from "../values.ts";
import { located, unsupported } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import { typeName } from "../bson/types.ts";
import { compileExpression } from "../aggregate/expressions.ts";
import { newReads, toVariables } from "../aggregate/expression-types.ts";
import type { ExpressionContext, Reads } from "../aggregate/expression-types.ts";
import type { Collation } from "../keys/collation.ts";
import { isElementCondition, isOperatorDoc } from "../query/field-operators.ts";
import { compileFilter, compileValueFilter } from "../query/matcher.ts";
import { firstPart, getField, MISSING } from "../query/paths.ts";
import { addLeaf, applyTree, newBranch } from "./tree.ts";
import type { Branch, Leaf } from "./tree.ts";

export type Projection = ((doc: Doc, positional?: number) => Doc) & { fields?: ReadonlySet<string> };
export type ProjectionOptions = { collation?: Collation | undefined; vars?: Map<string, Value> };

type State = {
  tree: Branch;
  context: ExpressionContext & { reads: Reads };
  isInclusion: boolean | undefined;
  isFind: boolean;
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

function compileSpec(spec: Doc, context: ExpressionContext, isFind: boolean): Projection {
  const state: State = {
    tree: newBranch(),
    context: { ...context, reads: newReads() },
    isInclusion: undefined,
    isFind,
  };
  const id = spec.get("_id");
  for (const [path, value] of spec) {
    if (path === "_id" && isFlag(id)) continue;
    readField(state, path, value);
  }
  const keepsId = spec.has("_id") && isFlag(id) ? isOn(id) : true;
  const isInclusion = state.isInclusion ?? (spec.has("_id") && isFlag(id) && keepsId);
  if (isInclusion === keepsId && !state.tree.children.has("_id")) state.tree = idFirst(state.tree, keepsId);
  const { tree } = state;
  const mode = isInclusion ? "include" : "exclude";
  const {
    positionalPath,
    context: { reads },
  } = state;
  const project = (doc: Doc, positional?: number) => {
    const result = applyTree(tree, mode, doc);
    return positionalPath === undefined ? result : takePosition(result, positionalPath.split("."), positional);
  };
  if (!isInclusion || reads.all) return project;
  for (const name of tree.children.keys()) reads.fields.add(name);
  return Object.assign(project, { fields: reads.fields });
}

const isFlag = (value: Value): boolean => isNumber(value) || typeof value === "boolean";
const isOn = (value: Value): boolean => (isNumber(value) ? toNumber(value) !== 0 : value === true);

/** In an inclusion the _id stays unless told otherwise; in an exclusion it goes only when told. */
function idFirst(tree: Branch, keepsId: boolean): Branch {
  const leaf: Leaf = { kind: keepsId ? "include" : "exclude" };
  return { ...tree, children: new Map([["_id", leaf], ...tree.children]) };
}

function setMode(state: State, isInclusion: boolean, path: string): void {
  state.isInclusion ??= isInclusion;
  if (state.isInclusion === isInclusion) return;
  throw isInclusion
    ? located(31253, `Cannot do inclusion on field ${path} in exclusion projection`)
    : located(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
}

function readField(state: State, path: string, value: Value): void {
  if (isFlag(value)) {
    const isInclusion = isOn(value);
    setMode(state, isInclusion, path);
    if (state.isFind && path.endsWith(".$")) return readPositional(state, path, isInclusion);
    return addLeaf(state.tree, path, { kind: isInclusion ? "include" : "exclude" });
  }
  if (value instanceof Map && isOperatorDoc(value)) {
    const [name = ""] = value.keys();
    if (name === "$meta") throw unsupported("$meta");
    if (state.isFind && name === "$slice" && readSlice(state, path, value.get("$slice"))) return;
    if (state.isFind && name === "$elemMatch") return readElemMatch(state, path, value.get("$elemMatch"));
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

function readPositional(state: State, path: string, isInclusion: boolean): void {
  if (!isInclusion) throw located(31395, "positional projection cannot be used with exclusion");
  if (state.positionalPath !== undefined)
    throw located(31276, "Cannot specify more than one positional projection per query.");
  state.positionalPath = path.slice(0, -2);
  addLeaf(state.tree, state.positionalPath, { kind: "include" });
}

function takePosition(doc: Doc, path: string[], position: number | undefined): Doc {
  const [name = "", ...rest] = path;
  const value = getField(doc, name);
  if (Array.isArray(value)) {
    if (position === undefined || position >= value.length) {
      throw located(
        51246,
        "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
      );
    }
    return new Map(doc).set(name, [value[position]]);
  }
  return value instanceof Map && rest.length > 0 ? new Map(doc).set(name, takePosition(value, rest, position)) : doc;
}

/** A $slice of numbers; one whose first argument is an expression is the aggregation operator of that name. */
function readSlice(state: State, path: string, value: Value): boolean {
  const list = Array.isArray(value) ? value : [value];
  const numbers = list.map((item) => (isNumber(item) ? Math.trunc(toNumber(item)) : Number.NaN));
  const [first = 0, count] = numbers;
  if (Number.isNaN(first)) {
    if (Array.isArray(value)) return false;
    throw located(
      28667,
      `Invalid $slice syntax. The given syntax { $slice: ${typeName(value)} } did not match the find() syntax`,
    );
  }
  if (numbers.length > 2 || (Array.isArray(value) && count === undefined))
    throw located(28667, "Invalid $slice syntax: it takes a number or two");
  if (count !== undefined && !(count > 0))
    throw located(28724, "First argument to $slice must be an number, second a positive one");
  const cut = (items: Value[]): Value[] => {
    if (count === undefined) return first >= 0 ? items.slice(0, first) : items.slice(first);
    const start = first >= 0 ? first : Math.max(0, items.length + first);
    return items.slice(start, start + count);
  };
  addLeaf(state.tree, path, { kind: "change", change: (item) => (Array.isArray(item) ? cut(item) : item) });
  return true;
}

function readElemMatch(state: State, path: string, condition: Value): void {
  if (!(condition instanceof Map))
    throw located(31274, `elemMatch: Invalid argument, object required, but got ${typeName(condition)}`);
  if (path.includes(".")) throw located(31275, "Cannot use $elemMatch projection on a nested field.");
  setMode(state, true, path);
  const { collation } = state.context;
  const isOnElements = isElementCondition(condition);
  const test = isOnElements ? compileValueFilter(condition, { collation }) : compileFilter(condition, { collation });
  const isMatch = (item: Value): boolean =>
    typeof test === "function" ? test(item) : item instanceof Map && test.matches(item);
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
