// Stages that change the shape of each document by itself.
import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { typeName } from "../bson/types.ts";
import { PAUSE } from "../pace.ts";
import { compileProjectStage } from "../project/project.ts";
import { addLeaf, applyTree, type Branch, newBranch } from "../project/tree.ts";
import { isOperatorDoc } from "../fields/value-tests.ts";
import { type Found, getField, MISSING, setAt } from "../fields/paths.ts";
import { isNullish } from "../expressions/expression-types.ts";
import { compileExpression } from "../expressions/expressions.ts";
import {
  checkOptions,
  requireDoc,
  requireString,
  type Stage,
  type StageCompiler,
  type StageContext,
} from "./stage-types.ts";

const mapDocs = (change: (doc: Doc) => Doc): Stage =>
  function* (input) {
    for (const doc of input) yield doc === PAUSE ? doc : change(doc);
  };

export const project: StageCompiler = (argument, context) => {
  const run = compileProjectStage(requireDoc(argument, "$project", 15969), context);
  return mapDocs((doc) => run(doc));
};

export const addFields: StageCompiler = (argument, context, name) => {
  const spec = requireDoc(argument, name, 40272);
  if (spec.size === 0)
    throw located(40177, `Invalid ${name} :: caused by :: specification must have at least one field`);
  const tree = newBranch();
  addComputed(tree, "", spec, context);
  return mapDocs((doc) => applyTree(tree, "add", doc));
};

function addComputed(tree: Branch, prefix: string, spec: Doc, context: StageContext): void {
  for (const [name, value] of spec) {
    const path = prefix + name;
    if (value instanceof Map && value.size > 0 && !isOperatorDoc(value)) addComputed(tree, `${path}.`, value, context);
    else addLeaf(tree, path, { kind: "compute", expression: compileExpression(value, context) });
  }
}

export const unset: StageCompiler = (argument) => {
  const paths = Array.isArray(argument) ? argument : [argument];
  if (paths.length === 0)
    throw located(31119, "$unset specification must be a string or an array with at least one field");
  const tree = newBranch();
  for (const path of paths) addLeaf(tree, requireString(path, "$unset specification"), { kind: "exclude" });
  return mapDocs((doc) => applyTree(tree, "exclude", doc));
};

export const replaceRoot: StageCompiler = (argument, context, name) => {
  const spec = requireDoc(argument, name, 40229);
  if (!spec.has("newRoot")) throw located(40231, "no newRoot specified for the $replaceRoot stage");
  return replaceWith(spec.get("newRoot"), context, name);
};

export const replaceWith: StageCompiler = (argument, context, name) => {
  const expression = compileExpression(argument, context);
  return mapDocs((doc) => {
    const root = expression(doc);
    if (root instanceof Map) return root;
    throw located(40228, `the new root of ${name} must be an object, but it was of type: '${typeName(root)}'`);
  });
};

export const unwind: StageCompiler = (argument, _context, name) => {
  const spec: Doc = argument instanceof Map ? argument : new Map([["path", argument]]);
  checkOptions(spec, ["path", "includeArrayIndex", "preserveNullAndEmptyArrays"], name, 28811);
  const path = requireString(spec.get("path"), "$unwind path");
  if (!path.startsWith("$"))
    throw located(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  const parts = path.slice(1).split(".");
  const keepsEmpty = spec.get("preserveNullAndEmptyArrays") === true;
  const indexPath = spec.has("includeArrayIndex")
    ? requireString(spec.get("includeArrayIndex"), "includeArrayIndex").split(".")
    : undefined;
  const withIndex = (doc: Doc, index: Value): Doc => (indexPath ? setAt(doc, indexPath, index) : doc);
  return function* (input) {
    for (const doc of input) {
      if (doc === PAUSE) {
        yield doc;
        continue;
      }
      const value = valueAt(doc, parts);
      if (Array.isArray(value) && value.length > 0) {
        for (const [index, item] of value.entries()) yield withIndex(setAt(doc, parts, item), BigInt(index));
      } else if (Array.isArray(value)) {
        if (keepsEmpty) yield withIndex(setAt(doc, parts, MISSING), null);
      } else if (keepsEmpty || !isNullish(value)) yield withIndex(doc, null);
    }
  };
};

/** $unwind looks through documents only; an array on the way hides what is in it. */
const valueAt = (doc: Doc, parts: string[]): Found =>
  parts.reduce<Found>((value, part) => (value instanceof Map ? getField(value, part) : MISSING), doc);
