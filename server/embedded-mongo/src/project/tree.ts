// The tree of fields behind find projections, $project, $addFields and $unset.
import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import type { Expression } from "../expressions/expression-types.ts";
import { fieldNames, MISSING } from "../fields/paths.ts";

export type Leaf =
  | { kind: "include" }
  | { kind: "exclude" }
  /** The field stays, changed in place. */
  | { kind: "change"; change(value: Value): Value }
  | { kind: "compute"; expression: Expression };
export type Branch = { kind: "branch"; children: Map<string, Leaf | Branch>; isComputing: boolean };
export type Mode = "include" | "exclude" | "add";

export const newBranch = (): Branch => ({ kind: "branch", children: new Map(), isComputing: false });

export function addLeaf(root: Branch, path: string, leaf: Leaf): void {
  const parts = fieldNames(path, 40352);
  let branch = root;
  for (const [at, part] of parts.entries()) {
    branch.isComputing ||= leaf.kind === "compute";
    const child = branch.children.get(part);
    if (at === parts.length - 1) {
      if (child) throw located(31250, `Path collision at ${path}`);
      branch.children.set(part, leaf);
    } else if (!child) {
      const next = newBranch();
      branch.children.set(part, next);
      branch = next;
    } else if (child.kind === "branch") branch = child;
    else throw located(31249, `Path collision at ${path} remaining portion ${parts.slice(at + 1).join(".")}`);
  }
}

/** Applies the tree: first what stays of the document, then what is computed from the whole of it. */
export function applyTree(tree: Branch, mode: Mode, doc: Doc): Doc {
  const kept = mode === "add" ? new Map(doc) : keepFields(tree, mode === "include", doc);
  return tree.isComputing ? computeFields(tree, kept, doc) : kept;
}

function keepFields(branch: Branch, isInclusion: boolean, doc: Doc): Doc {
  const kept: Doc = new Map();
  for (const [name, value] of doc) {
    const child = branch.children.get(name);
    if (!child) {
      if (!isInclusion) kept.set(name, value);
    } else if (child.kind === "branch") {
      const inner = keepInside(child, isInclusion, value);
      if (inner !== MISSING) kept.set(name, inner);
    } else if (child.kind === "include") kept.set(name, value);
    else if (child.kind === "change") kept.set(name, child.change(value));
  }
  return kept;
}

function keepInside(branch: Branch, isInclusion: boolean, value: Value): Value | typeof MISSING {
  if (value instanceof Map) return keepFields(branch, isInclusion, value);
  if (Array.isArray(value))
    return value.map((item) => keepInside(branch, isInclusion, item)).filter((item) => item !== MISSING);
  return isInclusion ? MISSING : value;
}

/** Writes computed fields into `out`, which the caller owns. */
function computeFields(branch: Branch, out: Doc, root: Doc): Doc {
  for (const [name, child] of branch.children) {
    if (child.kind === "compute") {
      const value = child.expression(root);
      if (value === MISSING) out.delete(name);
      else out.set(name, value);
    } else if (child.kind === "branch" && child.isComputing) out.set(name, computeInside(child, out.get(name), root));
  }
  return out;
}

function computeInside(branch: Branch, value: Value, root: Doc): Value {
  if (Array.isArray(value)) return value.map((item) => computeInside(branch, item, root));
  return computeFields(branch, value instanceof Map ? new Map(value) : new Map(), root);
}
