// What storing a document takes: its checked bytes, its id, and its keys in each index as a MongoDB server makes them.
import { decode } from "../bson/decode.ts";
import { located } from "../bson/fail.ts";
import { encodeKey } from "../keys/encode-key.ts";
import { arrayPosition } from "../fields/paths.ts";
import { BSONRegExp, type Bytes, type Doc, isDoc, type Value } from "../values.ts";
import { withIdFirst } from "../bson/raw-document.ts";
import type { Collection } from "./collection.ts";
import type { Index } from "./index-spec.ts";

type IndexKeys = { keys: Buffer[]; /** Paths that held an array. */ arrays: string[] };
export type IndexEntry = IndexKeys & { index: Index };

/** A document with everything that storing it needs. */
export type PreparedDocument = { bytes: Buffer; id: Value; key: Buffer; fields: Doc; entries: IndexEntry[] };

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

export const idKey = (collection: Collection, id: Value): Buffer => encodeKey([id], [false], collection.collation);

/** `known`: what the bytes say, where somebody has just read them or made them of it. */
export function prepareDocument(collection: Collection, document: Bytes, known?: Doc): PreparedDocument {
  const bytes = withIdFirst(document);
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw located(10334, `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}`);
  }
  // Read whole, although few fields are needed: what cannot be read must never be stored.
  const fields = known ?? decode(bytes);
  const id = fields.get("_id");
  checkId(id);
  const entries: IndexEntry[] = [];
  for (const index of collection.indexes) if (!index.isId) entries.push({ index, ...indexKeys(index, fields) });
  return { bytes, id, key: idKey(collection, id), fields, entries };
}

function checkId(id: Value): void {
  if (id === undefined) throw located(53, "The '_id' value cannot be of type undefined");
  if (Array.isArray(id)) throw located(53, "The '_id' value cannot be of type array");
  if (id instanceof BSONRegExp) throw located(53, "The '_id' value cannot be of type regex");
  const reserved = isDoc(id) ? id.keys().find((name) => name.startsWith("$")) : undefined;
  if (reserved !== undefined)
    throw located(52, `_id fields may not contain '$'-prefixed fields: ${reserved} is not valid for storage.`);
}

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
      const [name = "", ...later] = rest.split(".");
      const position = arrayPosition(name);
      if (position === -1) return { value, isMissing: false, path, rest };
      if (position >= value.length) return { value: null, isMissing: true, path, rest: "" };
      value = value[position];
      path = join(path, name);
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
      throw located(171, `cannot index parallel arrays ${paths}`);
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
