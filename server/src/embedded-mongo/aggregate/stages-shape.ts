// Stages that change the shape of each document by itself.
import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { typeName } from "../bson/types.ts";
import { compileProjectStage } from "../project/project.ts";
import { addLeaf, applyTree, newBranch } from "../project/tree.ts";
import type { Branch } from "../project/tree.ts";
import { isOperatorDoc } from "../query/field-operators.ts";
import { MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";
import { compileExpression, readPath } from "./expressions.ts";
import type { Expression } from "./expression-types.ts";
import { requireDoc, requireString } from "./stage-types.ts";
import type { Stage, StageCompiler, StageContext } from "./stage-types.ts";

const mapDocs = (change: (doc: Doc) => Doc): Stage =>
  function* (input) {
    for (const doc of input) yield change(doc);
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

function addComputed(tree: Branch, path: string, spec: Doc, context: StageContext): void {
  for (const [name, value] of spec) {
    const full = path === "" ? name : `${path}.${name}`;
    if (value instanceof Map && value.size > 0 && !isOperatorDoc(value)) addComputed(tree, full, value, context);
    else addLeaf(tree, full, { kind: "compute", expression: compileExpression(value, context) });
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

export const replaceWith: StageCompiler = (argument, context) => {
  const expression = compileExpression(argument, context);
  return mapDocs((doc) => {
    const root = expression(doc);
    if (root instanceof Map) return root;
    throw located(
      40228,
      `'newRoot' expression must evaluate to an object, but resulting value was of type: '${root === MISSING ? "missing" : typeName(root)}'`,
    );
  });
};

export const redact: StageCompiler = (argument, context) => {
  const cells = ["DESCEND", "PRUNE", "KEEP"].map((name): [string, { value: Found }] => [name, { value: name }]);
  const expression = compileExpression(argument, { ...context, variables: new Map([...context.variables, ...cells]) });
  return function* (input) {
    for (const doc of input) {
      const kept = redactDoc(doc, expression);
      if (kept) yield kept;
    }
  };
};

function redactDoc(doc: Doc, expression: Expression): Doc | undefined {
  const decision = expression(doc);
  if (decision === "KEEP") return doc;
  if (decision === "PRUNE") return undefined;
  if (decision !== "DESCEND")
    throw located(
      17053,
      "$redact's expression should not return anything aside from the variables $$KEEP, $$DESCEND, and $$PRUNE",
    );
  const kept: Doc = new Map();
  for (const [name, value] of doc) {
    const inner = redactValue(value, expression);
    if (inner !== MISSING) kept.set(name, inner);
  }
  return kept;
}

function redactValue(value: Value, expression: Expression): Found {
  if (value instanceof Map) return redactDoc(value, expression) ?? MISSING;
  if (!Array.isArray(value)) return value;
  return value.map((item) => redactValue(item, expression)).filter((item) => item !== MISSING);
}

export const unwind: StageCompiler = (argument) => {
  const spec: Doc = argument instanceof Map ? argument : new Map([["path", argument]]);
  for (const name of spec.keys()) {
    if (!["path", "includeArrayIndex", "preserveNullAndEmptyArrays"].includes(name))
      throw located(28811, `unrecognized option to $unwind stage: ${name}`);
  }
  const path = requireString(spec.get("path"), "$unwind path");
  if (!path.startsWith("$"))
    throw located(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  const parts = path.slice(1).split(".");
  const keepsEmpty = spec.get("preserveNullAndEmptyArrays") === true;
  const indexField = spec.has("includeArrayIndex")
    ? requireString(spec.get("includeArrayIndex"), "includeArrayIndex")
    : undefined;
  const withIndex = (doc: Doc, index: Value): Doc =>
    indexField === undefined ? doc : setAt(doc, indexField.split("."), index);
  return function* (input) {
    for (const doc of input) {
      const value = valueAt(doc, parts);
      if (Array.isArray(value) && value.length > 0) {
        for (let index = 0; index < value.length; index++)
          yield withIndex(setAt(doc, parts, value[index]), BigInt(index));
      } else if (!Array.isArray(value) && value !== MISSING && value !== null && value !== undefined)
        yield withIndex(doc, null);
      else if (keepsEmpty) yield withIndex(Array.isArray(value) ? setAt(doc, parts, MISSING) : doc, null);
    }
  };
};

/** $unwind looks through documents only; an array on the way hides what is in it. */
function valueAt(doc: Doc, parts: string[]): Found {
  let value: Found = doc;
  for (let at = 0; at < parts.length; at++) {
    if (!(value instanceof Map)) return MISSING;
    value = readPath(value, parts.slice(at, at + 1), 0);
  }
  return value;
}

export function setAt(doc: Doc, parts: string[], value: Found): Doc {
  const [name = "", ...rest] = parts;
  const copy = new Map(doc);
  if (rest.length > 0) {
    const inner = doc.get(name);
    copy.set(name, setAt(inner instanceof Map ? inner : new Map(), rest, value));
  } else if (value === MISSING) copy.delete(name);
  else copy.set(name, value);
  return copy;
}
