import type { Doc, Timestamp, Value } from "../values.ts";
import { badValue, located } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import { arrayPosition, type Found, getField, MISSING } from "../fields/paths.ts";

export type UpdateContext = {
  /** The position that the positional `$` stands for. */
  arrayIndex?: number | undefined;
  isInsert: boolean;
  now: Date;
  nextTimestamp(): Timestamp;
};

/** Where a modifier is at work, for its error messages among others. */
export type Target = { context: UpdateContext; path: string; id: Value };

/** The new value; MISSING removes the field, and the very value that came in means "no change". */
export type Apply = (current: Found, target: Target) => Found;

/** One operator on one path. */
export type Modifier = {
  operator: string;
  path: string;
  parts: string[];
  /** Whether it makes the field, and what leads to it, when there is none. */
  isCreating: boolean;
  apply: Apply;
  /** For $rename: where the value comes from. */
  source?: string[];
};

export type ArrayFilters = Map<string, (value: Value) => boolean>;

/** What one modifier changed: the path to report, shortened to the first part that was newly created. */
export type Change = { parts: string[]; isRemoved: boolean; appendedFrom?: number };

type Container = Doc | Value[];

type Run = {
  modifier: Modifier;
  filters: ArrayFilters;
  context: UpdateContext;
  id: Value;
  /** Containers already copied by this update, which may be written in place. */
  fresh: Set<Container>;
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
  const visited: string[][] = [];
  const changes: Change[] = [];
  const shared = { filters, context, id: doc.get("_id"), fresh: new Set<Container>([root]), visited, changes };
  for (const modifier of modifiers) {
    if (modifier.operator === "$setOnInsert" && !context.isInsert) continue;
    const renamed = modifier.source ? readRenamed(doc, modifier.source, modifier.parts) : undefined;
    if (renamed === MISSING) continue;
    const effective = modifier.source ? { ...modifier, apply: () => renamed } : modifier;
    stepInto({ ...shared, modifier: effective }, root, modifier.parts, 0);
  }
  if (modifiers.some(({ parts }) => parts.some(isDynamic))) checkConflicts(visited);
  return { doc: root, changes };
}

function readRenamed(doc: Doc, source: string[], destination: string[]): Found {
  const value = readOutsideArrays(doc, source, "source");
  if (value !== MISSING) readOutsideArrays(doc, destination, "destination");
  return value;
}

function readOutsideArrays(doc: Doc, parts: string[], role: string): Found {
  let value: Found = doc;
  for (const part of parts) {
    if (Array.isArray(value))
      throw badValue(
        `The ${role} field cannot be an array element, '${parts.join(".")}' in doc with _id: ${showValue(doc.get("_id"))}`,
      );
    if (role === "source" && value !== MISSING && !(value instanceof Map))
      throw located(28, `Cannot use the part (${part}) of (${parts.join(".")}) to traverse ${showValue(value)}`);
    value = value instanceof Map ? getField(value, part) : MISSING;
  }
  return value;
}

const conflict = (path: string, at: string) =>
  located(40, `Updating the path '${path}' would create a conflict at '${at}'`);

/** Throws when two paths are the same or one leads to the other. */
export function checkConflicts(paths: string[][]): void {
  const taken = new Set<string>();
  const prefixes = new Set<string>();
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
function step(run: Run, container: Container, parts: string[], at: number): void {
  const part = parts[at] ?? "";
  if (part === "$") return stepInto(run, container, parts.with(at, positionalPart(run)), at);
  if (!isArrayUpdatePart(part)) return stepInto(run, container, parts, at);
  if (!Array.isArray(container)) throw notAnArray(parts[at - 1] ?? "", container);
  const filter = run.filters.get(part.slice(2, -1));
  for (const [index, item] of container.entries()) {
    if (!filter || filter(item)) stepInto(run, container, parts.with(at, String(index)), at);
  }
}

function positionalPart({ context }: Run): string {
  if (context.arrayIndex !== undefined) return String(context.arrayIndex);
  throw badValue("The positional operator did not find the match needed from the query.");
}

const notAnArray = (part: string, value: Value) =>
  badValue(`Cannot apply array updates to non-array element ${part}: ${showValue(value)}`);

const notViable = (part: string, name: string, value: Value) =>
  located(28, `Cannot create field '${part}' in element {${name}: ${showValue(value)}}`);

function stepInto(run: Run, container: Container, parts: string[], at: number): void {
  const part = parts[at] ?? "";
  const next = parts[at + 1];
  const { isCreating } = run.modifier;
  if (Array.isArray(container) && arrayPosition(part) < 0) {
    if (isCreating) throw notViable(part, parts[at - 1] ?? "", container);
    return;
  }
  const current = childOf(container, part);
  if (next === undefined) changeField(run, container, parts, current);
  else if (current instanceof Map || Array.isArray(current))
    step(run, ownCopy(run, container, part, current), parts, at + 1);
  else if (current === MISSING) createBelow(run, container, parts, at);
  else if (isDynamic(next)) throw notAnArray(part, current);
  else if (isCreating) throw notViable(next, part, current);
}

function childOf(container: Container, part: string): Found {
  if (!Array.isArray(container)) return getField(container, part);
  const position = arrayPosition(part);
  return position < container.length ? container[position] : MISSING;
}

function modified(run: Run, parts: string[], current: Found): Found {
  run.visited.push(parts);
  return run.modifier.apply(current, { context: run.context, path: parts.join("."), id: run.id });
}

function changeField(run: Run, container: Container, parts: string[], before: Found): void {
  const after = modified(run, parts, before);
  if (after === before) return;
  write(container, parts.at(-1) ?? "", after);
  const change: Change = { parts, isRemoved: after === MISSING };
  const isPush = run.modifier.operator === "$push" && Array.isArray(before) && Array.isArray(after);
  if (isPush && after.length > before.length && before.every((item, index) => item === after[index]))
    change.appendedFrom = before.length;
  run.changes.push(change);
}

function createBelow(run: Run, container: Container, parts: string[], at: number): void {
  const dynamicAt = parts.findIndex((part, index) => index > at && isDynamic(part));
  if (parts[dynamicAt] === "$") positionalPart(run);
  if (dynamicAt >= 0) {
    const path = parts.slice(0, dynamicAt).join(".");
    throw badValue(`The path '${path}' must exist in the document in order to apply array updates.`);
  }
  if (!run.modifier.isCreating) return void run.visited.push(parts);
  let value = modified(run, parts, MISSING);
  if (value === MISSING) return;
  for (const name of parts.slice(at + 1).toReversed()) value = new Map([[name, value]]);
  write(container, parts[at] ?? "", value);
  run.changes.push({ parts: parts.slice(0, at + 1), isRemoved: false });
}

function ownCopy(run: Run, container: Container, part: string, child: Container): Container {
  if (run.fresh.has(child)) return child;
  const copy = Array.isArray(child) ? [...child] : new Map(child);
  run.fresh.add(copy);
  write(container, part, copy);
  return copy;
}

function write(container: Container, part: string, value: Found): void {
  if (Array.isArray(container)) {
    const position = arrayPosition(part);
    if (position - container.length > MOST_PADDING) throw badValue(`can't backfill more than ${MOST_PADDING} elements`);
    while (container.length < position) container.push(null);
    // An element cannot be taken out of an array by its position; it becomes null.
    container[position] = value === MISSING ? null : value;
  } else if (value === MISSING) container.delete(part);
  else container.set(part, value);
}
