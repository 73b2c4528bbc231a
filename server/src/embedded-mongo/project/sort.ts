import type { Doc, Value } from "../values.ts";
import { badValue, located, unsupported } from "../bson/fail.ts";
import { asNumber } from "../bson/numbers.ts";
import type { Collation } from "../keys/collation.ts";
import { compareValues } from "../keys/compare.ts";
import { fieldNames, firstPart, sortValuesAtPath } from "../query/paths.ts";

export type SortPart = { path: string; descending: boolean };
export type Sort = {
  compare(left: Doc, right: Doc): number;
  fields: ReadonlySet<string>;
  parts: SortPart[];
  /** The values that decide a document's place, to be taken once when many documents are sorted. */
  keyOf(doc: Doc): Value[];
  compareKeys(left: Value[], right: Value[]): number;
};

const MOST_PARTS = 32;

export function compileSort(spec: Doc, collation?: Collation): Sort {
  if (spec.size > MOST_PARTS) throw badValue(`too many keys in sort: ${spec.size}`);
  const parts = [...spec].map(([path, direction]) => readPart(path, direction));
  const split = parts.map((part) => part.path.split("."));
  const keyOf = (doc: Doc): Value[] =>
    split.map((path, index) => chooseValue(sortValuesAtPath(doc, path), parts[index]?.descending === true, collation));
  const compareKeys = (left: Value[], right: Value[]): number => {
    for (let index = 0; index < parts.length; index++) {
      const order = compareValues(left[index], right[index], collation);
      if (order !== 0) return parts[index]?.descending ? -order : order;
    }
    return 0;
  };
  return {
    parts,
    fields: new Set(parts.map((part) => firstPart(part.path))),
    keyOf,
    compareKeys,
    compare: (left, right) => compareKeys(keyOf(left), keyOf(right)),
  };
}

function readPart(path: string, direction: Value): SortPart {
  if (direction instanceof Map)
    throw direction.has("$meta")
      ? unsupported("$meta in a sort")
      : located(17312, "$meta is the only expression supported by $sort right now");
  const sign = asNumber(direction);
  if (sign !== 1 && sign !== -1)
    throw located(15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
  fieldNames(path, 15992);
  return { path, descending: sign === -1 };
}

/** An array sorts by its least element when ascending and by its greatest when descending. */
function chooseValue(values: Value[], isDescending: boolean, collation?: Collation): Value {
  let chosen = values[0];
  for (let index = 1; index < values.length; index++) {
    const order = compareValues(values[index], chosen, collation);
    if (isDescending ? order > 0 : order < 0) chosen = values[index];
  }
  return chosen;
}

/** The order of the items of an array: 1 or -1 by their whole values, a document by their fields. */
export function compileItemSort(spec: Value, collation: Collation | undefined): (left: Value, right: Value) => number {
  if (spec instanceof Map) {
    if (spec.size === 0) throw badValue("The $sort pattern is empty when it should be a set of fields.");
    const byFields = compileSort(spec, collation);
    const asDoc = (value: Value): Doc => (value instanceof Map ? value : new Map());
    return (left, right) => byFields.compare(asDoc(left), asDoc(right));
  }
  const direction = asNumber(spec);
  if (direction !== 1 && direction !== -1) throw badValue("The $sort element value must be either 1 or -1");
  return (left, right) => direction * compareValues(left, right, collation);
}

type Keyed<T> = { key: Value[]; item: T };

/** Sorts stably, keeping only the first `limit`; never holds more than twice that many. */
export function sortItems<T>(items: Iterable<T>, sort: Sort, docOf: (item: T) => Doc, limit = Infinity): T[] {
  const order = (left: Keyed<T>, right: Keyed<T>) => sort.compareKeys(left.key, right.key);
  const most = Math.max(limit * 2, limit + 100);
  let kept: Keyed<T>[] = [];
  let worst: Keyed<T> | undefined;
  for (const item of items) {
    const entry = { key: sort.keyOf(docOf(item)), item };
    if (worst && order(entry, worst) >= 0) continue;
    kept.push(entry);
    if (kept.length < most) continue;
    // What came earlier stands earlier in the list, so a sort that is stable keeps it before its equals.
    kept = kept.sort(order).slice(0, limit);
    worst = kept.at(-1);
  }
  const sorted = kept.sort(order).slice(0, limit);
  return sorted.map((entry) => entry.item);
}
