import { MongoError } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { badValue, located, unsupported } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import type { Collation } from "../keys/collation.ts";
import { compareValues } from "../keys/compare.ts";
import { firstPart, sortValuesAtPath } from "../query/paths.ts";

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
  const sign = isNumber(direction) ? toNumber(direction) : 0;
  if (sign !== 1 && sign !== -1)
    throw located(15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
  if (path === "") throw located(15992, "FieldPath cannot be constructed with empty string");
  if (path.split(".").some((part) => part === ""))
    throw located(15998, "FieldPath field names may not be empty strings.");
  if (path.startsWith("$"))
    throw new MongoError(
      16410,
      "Location16410",
      `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
    );
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

type Keyed<T> = { key: Value[]; at: number; item: T };

/** Sorts stably, keeping only the first `limit`; never holds more than twice that many. */
export function sortItems<T>(items: Iterable<T>, sort: Sort, docOf: (item: T) => Doc, limit = Infinity): T[] {
  const order = (left: Keyed<T>, right: Keyed<T>) => sort.compareKeys(left.key, right.key) || left.at - right.at;
  let kept: Keyed<T>[] = [];
  let worst: Keyed<T> | undefined;
  let at = 0;
  for (const item of items) {
    const entry = { key: sort.keyOf(docOf(item)), at: at++, item };
    if (worst && sort.compareKeys(entry.key, worst.key) >= 0) continue;
    kept.push(entry);
    if (limit === Infinity || kept.length < Math.max(limit * 2, limit + 100)) continue;
    kept.sort(order);
    kept = kept.slice(0, limit);
    worst = kept.at(-1);
  }
  return kept
    .sort(order)
    .slice(0, limit)
    .map((entry) => entry.item);
}
