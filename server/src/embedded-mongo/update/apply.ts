import { MongoError } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { badValue } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import { arrayPosition, getField, MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";
import type { Modifier, UpdateContext } from "./modifier.ts";

export type ArrayFilters = Map<string, (value: Value) => boolean>;

/** What one modifier changed: the path to report, shortened to the first part that was newly created. */
export type Change = { parts: string[]; isRemoved: boolean; appendedFrom?: number };

type Run = {
  modifier: Modifier;
  filters: ArrayFilters;
  context: UpdateContext;
  id: Value;
  /** Containers already copied by this update, which may be written in place. */
  fresh: Set<Doc | Value[]>;
  visited: string[][];
  changes: Change[];
};

const MOST_PADDING = 1_500_000;

export const isArrayUpdatePart = (part: string): boolean => part.startsWith("$[") && part.endsWith("]");
const isDynamic = (part: string): boolean => part === "$" || isArrayUpdatePart(part);

/** Applies the modifiers to a copy that shares all it can with the document, which stays as it is. */
export function applyModifiers(
  doc: Doc,
  modifiers: Modifier[],
  filters: ArrayFilters,
  context: UpdateContext,
): { doc: Doc; changes: Change[] } {
  const root: Doc = new Map(doc);
  const shared = {
    filters,
    context,
    id: doc.get("_id"),
    fresh: new Set<Doc | Value[]>([root]),
    visited: [],
    changes: [],
  };
  const isAnyDynamic = modifiers.some((modifier) => modifier.parts.some(isDynamic));
  const values = new Map<Modifier, Found>(
    modifiers.filter((modifier) => modifier.source).map((modifier) => [modifier, readRenamed(doc, modifier)]),
  );
  const run = (modifier: Modifier): Run => ({ ...shared, modifier });
  for (const modifier of modifiers) {
    if (modifier.operator === "$setOnInsert" && !context.isInsert) continue;
    const renamed = values.get(modifier);
    if (renamed === MISSING) continue;
    const effective = modifier.source ? { ...modifier, apply: () => renamed } : modifier;
    stepInto(run(effective), root, effective.parts, 0);
  }
  if (isAnyDynamic) checkConflicts(shared.visited);
  return { doc: root, changes: shared.changes };
}

function readRenamed(doc: Doc, modifier: Modifier): Found {
  let value: Found = doc;
  for (const part of modifier.source ?? []) {
    if (Array.isArray(value))
      throw badValue(
        `The source field cannot be an array element, '${modifier.source?.join(".") ?? ""}' in doc with _id: ${showValue(doc.get("_id"))}`,
      );
    if (!(value instanceof Map)) return MISSING;
    value = getField(value, part);
  }
  let target: Found = doc;
  for (const part of modifier.parts) {
    if (Array.isArray(target))
      throw badValue(
        `The destination field cannot be an array element, '${modifier.path}' in doc with _id: ${showValue(doc.get("_id"))}`,
      );
    target = target instanceof Map ? getField(target, part) : MISSING;
  }
  return value;
}

/** Throws when two paths are the same or one leads to the other. */
export function checkConflicts(paths: string[][]): void {
  const taken = new Set<string>();
  const prefixes = new Set<string>();
  const conflict = (path: string, at: string) =>
    new MongoError(40, "ConflictingUpdateOperators", `Updating the path '${path}' would create a conflict at '${at}'`);
  for (const parts of paths) {
    const path = parts.join(".");
    if (taken.has(path) || prefixes.has(path)) throw conflict(path, path);
    for (let length = 1; length < parts.length; length++) {
      const prefix = parts.slice(0, length).join(".");
      if (taken.has(prefix)) throw conflict(path, prefix);
      prefixes.add(prefix);
    }
    taken.add(path);
  }
}

/** Goes on from `container` with the part at `at`, which positional operators may turn into several. */
function step(run: Run, container: Doc | Value[], parts: string[], at: number): void {
  const part = parts[at] ?? "";
  if (isArrayUpdatePart(part)) {
    const where = parts.slice(0, at).join(".");
    if (!Array.isArray(container)) {
      throw badValue(`Cannot apply array updates to non-array element ${parts[at - 1] ?? ""}: ${showValue(container)}`);
    }
    const id = part.slice(2, -1);
    const filter = id === "" ? () => true : run.filters.get(id);
    if (!filter) throw badValue(`No array filter found for identifier '${id}' in path '${where}.${part}'`);
    for (let index = 0; index < container.length; index++) {
      if (filter(container[index])) stepInto(run, container, parts.with(at, String(index)), at);
    }
    return;
  }
  stepInto(run, container, part === "$" ? parts.with(at, positionalPart(run)) : parts, at);
}

function positionalPart(run: Run): string {
  if (run.context.arrayIndex === undefined) {
    throw badValue("The positional operator did not find the match needed from the query.");
  }
  return String(run.context.arrayIndex);
}

function notViable(part: string, name: string, value: Value): MongoError {
  return new MongoError(28, "PathNotViable", `Cannot create field '${part}' in element {${name}: ${showValue(value)}}`);
}

function stepInto(run: Run, container: Doc | Value[], parts: string[], at: number): void {
  const part = parts[at] ?? "";
  const position = Array.isArray(container) ? arrayPosition(part) : -1;
  if (Array.isArray(container) && position < 0) {
    if (!run.modifier.isCreating) return;
    throw notViable(part, parts[at - 1] ?? "", container);
  }
  const current = Array.isArray(container)
    ? position < container.length
      ? container[position]
      : MISSING
    : getField(container, part);
  if (at === parts.length - 1) {
    run.visited.push(parts);
    const value = run.modifier.apply(current, { context: run.context, path: parts.join("."), id: run.id });
    if (value === current) return;
    write(container, part, position, value);
    record(run, parts, current, value);
  } else if (current instanceof Map || Array.isArray(current)) {
    step(run, copyInto(run, container, part, position, current), parts, at + 1);
  } else if (current === MISSING) {
    createBelow(run, container, position, parts, at);
  } else if (isDynamic(parts[at + 1] ?? "")) {
    throw badValue(`Cannot apply array updates to non-array element ${part}: ${showValue(current)}`);
  } else if (run.modifier.isCreating) throw notViable(parts[at + 1] ?? "", part, current);
}

function createBelow(run: Run, container: Doc | Value[], position: number, parts: string[], at: number): void {
  const rest = parts.slice(at + 1);
  const dynamicAt = rest.findIndex(isDynamic);
  if (dynamicAt >= 0) {
    if (rest[dynamicAt] === "$") positionalPart(run);
    throw badValue(
      `The path '${parts.slice(0, at + 1 + dynamicAt).join(".")}' must exist in the document in order to apply array updates.`,
    );
  }
  run.visited.push(parts);
  if (!run.modifier.isCreating) return;
  let value = run.modifier.apply(MISSING, { context: run.context, path: parts.join("."), id: run.id });
  if (value === MISSING) return;
  for (const name of rest.toReversed()) value = new Map([[name, value]]);
  write(container, parts[at] ?? "", position, value);
  run.changes.push({ parts: parts.slice(0, at + 1), isRemoved: false });
}

function copyInto(
  run: Run,
  container: Doc | Value[],
  part: string,
  position: number,
  child: Doc | Value[],
): Doc | Value[] {
  if (run.fresh.has(child)) return child;
  const copy = Array.isArray(child) ? [...child] : new Map(child);
  run.fresh.add(copy);
  write(container, part, position, copy);
  return copy;
}

function write(container: Doc | Value[], part: string, position: number, value: Found): void {
  if (!Array.isArray(container)) {
    if (value === MISSING) container.delete(part);
    else container.set(part, value);
    return;
  }
  if (position - container.length > MOST_PADDING) throw badValue(`can't backfill more than ${MOST_PADDING} elements`);
  while (container.length < position) container.push(null);
  // An element cannot be taken out of an array by its position; it becomes null.
  container[position] = value === MISSING ? null : value;
}

function record(run: Run, parts: string[], before: Found, after: Found): void {
  const change: Change = { parts, isRemoved: after === MISSING };
  const isPush = run.modifier.operator === "$push" && Array.isArray(before) && Array.isArray(after);
  if (isPush && after.length > before.length && before.every((item, index) => item === after[index])) {
    change.appendedFrom = before.length;
  }
  run.changes.push(change);
}
