// How dotted paths reach into documents and arrays, for everything that asks a document a question.
import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";

/** Stands for "no such field" where a value is expected; it is never stored. */
export const MISSING: unique symbol = Symbol("missing");
export type Found = Value | typeof MISSING;

/** The outcome of a match: none, a match outside of arrays, or (from 0) the position of the outermost element. */
export const NO_MATCH = -2;
export const MATCH = -1;

export type LeafTest = (value: Found) => boolean;

export const firstPart = (path: string): string => {
  const dot = path.indexOf(".");
  return dot === -1 ? path : path.slice(0, dot);
};

/** The names in the path of an expression, a projection or a sort. */
export function fieldNames(path: string, codeIfEmpty: number): string[] {
  if (path === "") throw located(codeIfEmpty, "FieldPath cannot be constructed with empty string");
  const names = path.split(".");
  if (names.includes("")) throw located(15998, "FieldPath field names may not be empty strings.");
  for (const name of names) checkFieldName(name);
  return names;
}

export function checkFieldName(name: string): void {
  if (name.startsWith("$"))
    throw located(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
}

/** The array position that a path component names, or -1. */
export const arrayPosition = (part = ""): number => (/^(?:0|[1-9]\d*)$/.test(part) ? Number(part) : -1);

export function getField(doc: Doc, name: string): Found {
  const value = doc.get(name);
  return value === undefined && !doc.has(name) ? MISSING : value;
}

/**
 * Compiles "does any value at this path pass the test?". Arrays on the way are searched, and so is an array at the
 * end, whose elements are tried before the array itself, unless `isWhole` asks for the array alone.
 */
export function compilePathTest(path: string, test: LeafTest, isWhole = false): (doc: Doc) => number {
  const parts = path.split(".");
  const [name = ""] = parts;
  const leaf = (value: Found): number => {
    if (Array.isArray(value) && !isWhole) {
      for (let index = 0; index < value.length; index++) if (test(value[index])) return index;
    }
    return test(value) ? MATCH : NO_MATCH;
  };
  if (parts.length === 1) return (doc) => leaf(getField(doc, name));
  return (doc) => search(doc, parts, 0, leaf, test);
}

/** The same for values that are taken as they are, arrays included. */
export const wholePathTest: typeof compilePathTest = (path, test) => compilePathTest(path, test, true);

function search(doc: Doc, parts: string[], at: number, leaf: (value: Found) => number, test: LeafTest): number {
  const value = getField(doc, parts[at] ?? "");
  if (at === parts.length - 1) return leaf(value);
  if (value instanceof Map) return search(value, parts, at + 1, leaf, test);
  if (Array.isArray(value)) return searchArray(value, parts, at + 1, leaf, test);
  return test(MISSING) ? MATCH : NO_MATCH;
}

function searchArray(
  items: Value[],
  parts: string[],
  at: number,
  leaf: (value: Found) => number,
  test: LeafTest,
): number {
  const position = arrayPosition(parts[at]);
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item instanceof Map && search(item, parts, at, leaf, test) !== NO_MATCH) return index;
    if (index !== position) continue;
    // The path names this element. When it ends here the element is taken as it is, even if it is an array.
    if (at === parts.length - 1) {
      if (test(item)) return MATCH;
    } else if (item instanceof Map) {
      const found = search(item, parts, at + 1, leaf, test);
      if (found !== NO_MATCH) return found;
    } else if (Array.isArray(item)) {
      const found = searchArray(item, parts, at + 1, leaf, test);
      if (found !== NO_MATCH) return found;
    }
  }
  return NO_MATCH;
}

/** Every value at the path, as `distinct` lists them: arrays on the way and at the end give their elements. */
export function valuesAtPath(doc: Doc, path: string): Value[] {
  const values: Value[] = [];
  const parts = path.split(".");
  const collect = (value: Found): boolean => {
    if (value !== MISSING) values.push(value);
    return false;
  };
  const leaf = (value: Found): number => {
    if (!Array.isArray(value)) collect(value);
    else for (const item of value) values.push(item);
    return NO_MATCH;
  };
  if (parts.length === 1) leaf(getField(doc, path));
  else search(doc, parts, 0, leaf, collect);
  return values;
}

/**
 * The values a sort or a single-field index sees: a missing field counts as null, and an empty array at the end of
 * the path as undefined, which sorts before null.
 */
export function sortValuesAtPath(doc: Doc, parts: string[], at = 0): Value[] {
  const value = getField(doc, parts[at] ?? "");
  return at === parts.length - 1 ? leafSortValues(value) : innerSortValues(value, parts, at + 1);
}

function leafSortValues(value: Found): Value[] {
  if (value === MISSING) return [null];
  if (!Array.isArray(value)) return [value];
  return value.length === 0 ? [undefined] : value;
}

function innerSortValues(value: Found, parts: string[], at: number): Value[] {
  if (value instanceof Map) return sortValuesAtPath(value, parts, at);
  if (!Array.isArray(value)) return [null];
  const position = arrayPosition(parts[at]);
  if (position >= 0) {
    const item = position < value.length ? value[position] : MISSING;
    return at === parts.length - 1 ? leafSortValues(item) : innerSortValues(item, parts, at + 1);
  }
  if (value.length === 0) return [null];
  return value.flatMap((item) => (item instanceof Map ? sortValuesAtPath(item, parts, at) : [null]));
}

/** A copy in which the value stands at the path; documents on the way are made, and MISSING removes the field. */
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
