import type { Doc, Value } from "../values.ts";
import { badValue, located, unsupported } from "../bson/fail.ts";
import { asNumber } from "../bson/numbers.ts";
import type { Collation } from "../keys/collation.ts";
import { compareValues } from "../keys/compare.ts";
import { type Pace, PAUSE, type Pause, withoutPauses } from "../pace.ts";
import { fieldNames, firstPart, sortValuesAtPath } from "./paths.ts";

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
type Order<T> = (left: Keyed<T>, right: Keyed<T>) => number;
type Sorting<T> = { docOf: (item: T) => Doc; limit?: number | undefined; pace?: Pace | undefined };

/** How many are sorted in one go; more are merged out of such runs. */
const RUN = 2_048;
const LOOK_EVERY = 256;

/** Sorts stably, keeping only the first `limit`; never holds many more than twice that many. */
export const sortItems = <T>(items: Iterable<T>, sort: Sort, docOf: (item: T) => Doc, limit = Infinity): T[] => [
  ...withoutPauses(sortInSlices(items, sort, { docOf, limit })),
];

/** The same, and others are heard while it is done. */
export function* sortInSlices<T>(
  items: Iterable<T | Pause>,
  sort: Sort,
  { docOf, limit = Infinity, pace }: Sorting<T>,
): Generator<T | Pause> {
  const order: Order<T> = (left, right) => sort.compareKeys(left.key, right.key);
  const most = Math.min(RUN, Math.max(limit * 2, limit + 100));
  let runs: Keyed<T>[][] = [];
  let next: Keyed<T>[] = [];
  let worst: Keyed<T> | undefined;
  for (const item of items) {
    if (item === PAUSE) {
      yield item;
      continue;
    }
    const entry = { key: sort.keyOf(docOf(item)), item };
    if (worst && order(entry, worst) >= 0) continue;
    next.push(entry);
    if (next.length < most) continue;
    runs = yield* withRun(runs, next.sort(order).slice(0, limit), { order, limit, pace });
    next = [];
    worst = runs[0]?.[limit - 1];
  }
  let sorted = next.sort(order).slice(0, limit);
  for (const earlier of runs.toReversed()) sorted = yield* merged(earlier, sorted, { order, limit, pace });
  for (const { item } of sorted) {
    yield item;
    if (pace?.isOver()) yield PAUSE;
  }
}

type Merging<T> = { order: Order<T>; limit: number; pace: Pace | undefined };

/** Adds a run, merged with those before it that are not much longer, so that each item is merged only a few times. */
function* withRun<T>(runs: Keyed<T>[][], run: Keyed<T>[], merging: Merging<T>): Generator<Pause, Keyed<T>[][]> {
  const last = runs.at(-1);
  if (!last || last.length >= run.length * 2) return [...runs, run];
  return yield* withRun(runs.slice(0, -1), yield* merged(last, run, merging), merging);
}

/** What came earlier stands before its equals. */
function* merged<T>(
  earlier: Keyed<T>[],
  later: Keyed<T>[],
  { order, limit, pace }: Merging<T>,
): Generator<Pause, Keyed<T>[]> {
  const result: Keyed<T>[] = [];
  let [at, other] = [0, 0];
  while (result.length < limit) {
    const [one, two] = [earlier[at], later[other]];
    if (!one && !two) break;
    if (one && (!two || order(one, two) <= 0)) {
      result.push(one);
      at += 1;
    } else if (two) {
      result.push(two);
      other += 1;
    }
    if (result.length % LOOK_EVERY === 0 && pace?.isOver()) yield PAUSE;
  }
  return result;
}
