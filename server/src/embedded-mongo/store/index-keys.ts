// The keys one document has in one index: one per array element, as a MongoDB server makes them.
import { encodeKey } from "../keys/encode-key.ts";
import { type Doc, isDoc, MongoError, type Value } from "../values.ts";
import type { Index } from "./index-spec.ts";

export type IndexKeys = { keys: Buffer[]; /** Paths that held an array. */ arrays: string[] };

type Pending = { path: string; rest: string };
type State = { index: Index; descending: boolean[]; keys: Map<string, Buffer>; arrays: Set<string>; found: boolean };

/** Keys are unique within the answer; a document that the index does not cover has none. */
export function indexKeys(index: Index, doc: Doc): IndexKeys {
  if (index.partial && !index.partial.matches(doc)) return { keys: [], arrays: [] };
  const descending = index.fields.map((field) => field.descending);
  const state: State = { index, descending, keys: new Map(), arrays: new Set(), found: false };
  const pending = index.fields.map((field) => ({ path: "", rest: field.path }));
  expand(state, pending, [], doc);
  if (index.sparse && !state.found) return { keys: [], arrays: [] };
  return { keys: [...state.keys.values()], arrays: [...state.arrays] };
}

const NUMERIC = /^(0|[1-9]\d*)$/;
const join = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

/** Follows one path through embedded documents until it ends or meets an array. */
function walk(start: Value, pending: Pending): { value: Value; isMissing: boolean; path: string; rest: string } {
  let { path, rest } = pending;
  let value = start;
  while (rest !== "") {
    if (!isDoc(value)) return { value: null, isMissing: true, path, rest: "" };
    const dot = rest.indexOf(".");
    const name = dot === -1 ? rest : rest.slice(0, dot);
    if (!value.has(name)) return { value: null, isMissing: true, path, rest: "" };
    value = value.get(name);
    path = join(path, name);
    rest = dot === -1 ? "" : rest.slice(dot + 1);
    while (Array.isArray(value) && rest !== "") {
      const [position = "", ...later] = rest.split(".");
      if (!NUMERIC.test(position)) return { value, isMissing: false, path, rest };
      if (Number(position) >= value.length) return { value: null, isMissing: true, path, rest: "" };
      value = value[Number(position)];
      path = join(path, position);
      rest = later.join(".");
    }
  }
  return { value, isMissing: false, path, rest };
}

function expand(state: State, pending: (Pending | undefined)[], fixed: Value[], start: Value): void {
  const values = [...fixed];
  const open: { at: number; path: string; rest: string }[] = [];
  let array: Value[] | undefined;
  for (const [at, entry] of pending.entries()) {
    if (!entry) continue;
    const reached = walk(start, entry);
    if (!reached.isMissing) state.found = true;
    if (!Array.isArray(reached.value)) {
      values[at] = reached.value;
      continue;
    }
    if (array && array !== reached.value) {
      const paths = `[${reached.path}] [${open[0]?.path ?? ""}]`;
      throw new MongoError(171, "CannotIndexParallelArrays", `cannot index parallel arrays ${paths}`);
    }
    array = reached.value;
    state.arrays.add(reached.path);
    open.push({ at, path: reached.path, rest: reached.rest });
  }
  if (!array) {
    const key = encodeKey(values, state.descending, state.index.collation);
    state.keys.set(key.toString("latin1"), key);
    return;
  }
  if (array.length === 0) {
    for (const entry of open) values[entry.at] = entry.rest === "" ? undefined : null;
    return expand(state, [], values, null);
  }
  for (const element of array) expandElement(state, open, values, element);
}

function expandElement(
  state: State,
  open: { at: number; path: string; rest: string }[],
  fixed: Value[],
  element: Value,
) {
  const values = [...fixed];
  const pending: (Pending | undefined)[] = [];
  for (const entry of open) {
    // An array directly inside an array is one value; paths do not reach into it.
    if (entry.rest === "") values[entry.at] = element;
    else if (!isDoc(element)) values[entry.at] = null;
    else pending[entry.at] = { path: entry.path, rest: entry.rest };
  }
  expand(state, pending, values, element);
}
