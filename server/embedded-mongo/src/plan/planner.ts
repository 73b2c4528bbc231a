import { encode } from "../bson/encode.ts";
import { badValue } from "../bson/fail.ts";
import type { Collation } from "../keys/collation.ts";
import type { Collection } from "../store/collection.ts";
import { hasKey, type Index, type IndexField } from "../store/index-spec.ts";
import { type Doc, isDoc, type MongoError, type Value } from "../values.ts";
import { type Bounds, boundsOf, intersect, type KeyRange, MAX_RANGES, rangesOf } from "./intervals.ts";
import { isImplied, needsNoNull } from "./partial.ts";
import { type Conjunction, conjunctionOf } from "./predicates.ts";

export type IndexScan = {
  kind: "index";
  index: Index;
  ranges: KeyRange[];
  isReversed: boolean;
  isSorted: boolean;
  /** The ranges hold the matching keys and no others, so nothing has to be checked again. */
  isExact: boolean;
  /** A document can turn up under several keys. */
  mayRepeat: boolean;
  score: number;
};
/** One scan for each alternative of an `$or`. */
type Union = { kind: "union"; branches: IndexScan[] };
export type Plan = { kind: "scan"; isReversed: boolean; isSorted: boolean; isExact: boolean } | Union | IndexScan;

export type PlanRequest = {
  filter: Doc;
  sort?: IndexField[] | undefined;
  collation?: Collation | undefined;
  hint?: Value;
};

const ID_SCORE = 100;
/** Some ids find at most as many documents, which no order or range of another index is likely to undercut. */
const IDS_SCORE = 45;
const NUMERIC_PART = /(^|\.)\d+(\.|$)/;

export function planQuery(collection: Collection, request: PlanRequest): Plan {
  const { filter, sort, hint } = request;
  const isNaturalSort = sort?.[0]?.path === "$natural";
  const naturalHint = isDoc(hint) ? hint.get("$natural") : undefined;
  const isReversed = isNaturalSort ? sort[0]?.descending === true : naturalHint === -1;
  const scan: Plan = { kind: "scan", isReversed, isSorted: !sort || isNaturalSort, isExact: filter.size === 0 };
  if (isNaturalSort || naturalHint !== undefined) return scan;
  const conjunction = conjunctionOf(filter);
  if (hint !== undefined) {
    const best = bestScan([hintedIndex(collection, hint)], conjunction, request, true);
    if (!best) throw badHint();
    return best;
  }
  const usable = collection.indexes.filter((index) => !index.hidden);
  const best = bestScan(usable, conjunction, request, false);
  if (best?.index.isId && best.score >= ID_SCORE) return best;
  const union = unionOf(usable, conjunction, request, best?.score ?? 0);
  return union ?? (best && best.score > 0 ? best : scan);
}

const badHint = (): MongoError =>
  badValue("error processing query: planner returned error: hint provided does not correspond to an existing index");

function hintedIndex(collection: Collection, hint: Value): Index {
  const found = collection.indexes.find((index) => (isDoc(hint) ? hasKey(index, hint) : index.name === hint));
  if (!found || found.hidden) throw badHint();
  return found;
}

function bestScan(
  indexes: Index[],
  conjunction: Conjunction,
  request: PlanRequest,
  isHinted: boolean,
): IndexScan | undefined {
  let best: IndexScan | undefined;
  for (const index of indexes) {
    const scan = scanOf(index, conjunction, request, isHinted);
    if (scan && (!best || scan.score > best.score)) best = scan;
    // Nothing finds less than one document.
    if (best && best.index.isId && best.score >= ID_SCORE) return best;
  }
  return best;
}

/** A union each of whose scans narrows more than one scan for the whole would. */
function unionOf(usable: Index[], conjunction: Conjunction, request: PlanRequest, score: number): Union | undefined {
  for (const alternatives of conjunction.alternatives) {
    const branches: IndexScan[] = [];
    for (const branch of alternatives) {
      const own = conjunctionOf(branch);
      const both = { predicates: [...own.predicates, ...conjunction.predicates], alternatives: [], isComplete: false };
      const scan = bestScan(usable, both, { ...request, sort: undefined }, false);
      if (!scan || scan.score < 4 || scan.score <= score) break;
      branches.push(scan);
    }
    if (branches.length > 0 && branches.length === alternatives.length) return { kind: "union", branches };
  }
  return undefined;
}

const isUnder = (path: string, root: string): boolean => path === root || path.startsWith(`${root}.`);
const isMultikey = (index: Index, path: string): boolean => [...index.arrays].some((root) => isUnder(path, root));
const shareArray = (index: Index, a: string, b: string): boolean =>
  [...index.arrays].some((root) => isUnder(a, root) && isUnder(b, root));

const isSameCollation = (a: Collation | undefined, b: Collation | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && Buffer.compare(encode(a.spec), encode(b.spec)) === 0);

function scanOf(
  index: Index,
  conjunction: Conjunction,
  request: PlanRequest,
  isHinted: boolean,
): IndexScan | undefined {
  if (index.partialSpec && !isImplied(index.partialSpec, conjunction.predicates, index.collation, request.collation))
    return undefined;
  const sameCollation = isSameCollation(index.collation, request.collation);
  const used: Bounds[] = [];
  const bounded: string[] = [];
  let consumed = 0;
  for (const field of index.fields) {
    const found = fieldBounds(index, field, conjunction, { sameCollation, bounded });
    if (!found) break;
    used.push(found.bounds);
    bounded.push(field.path);
    consumed += found.consumed;
    if (!found.bounds.intervals.every((interval) => interval.isPoint)) break;
  }
  const isCovering = !index.sparse || isHinted || needsNoNull(conjunction.predicates, index.fields);
  if (!isCovering) return undefined;
  const descending = index.fields.map((field) => field.descending);
  const ranges = rangesOf(used, descending);
  if (!ranges) return undefined;
  const order = sortDirection(index, used, request, sameCollation);
  const isExact =
    conjunction.isComplete &&
    consumed === conjunction.predicates.length &&
    used.every((bounds) => bounds.isExact) &&
    !index.sparse;
  return {
    kind: "index",
    index,
    ranges,
    isReversed: order === "backward",
    isSorted: !request.sort || order !== undefined,
    isExact,
    mayRepeat: index.arrays.size > 0,
    score: scoreOf(index, used, request.sort !== undefined && order !== undefined),
  };
}

type FieldState = { sameCollation: boolean; bounded: string[] };

function fieldBounds(
  index: Index,
  field: IndexField,
  conjunction: Conjunction,
  state: FieldState,
): { bounds: Bounds; consumed: number } | undefined {
  if (NUMERIC_PART.test(field.path)) return undefined;
  // Two conditions on paths through one array may hold for different elements, which no single key shows.
  if (state.bounded.some((path) => shareArray(index, path, field.path))) return undefined;
  const multikey = isMultikey(index, field.path);
  const context = { collation: index.collation, isSameCollation: state.sameCollation, isMultikey: multikey };
  const all: Bounds[] = [];
  for (const predicate of conjunction.predicates) {
    const bounds = predicate.path === field.path ? boundsOf(predicate, context) : undefined;
    if (bounds) all.push(bounds);
  }
  const [first, ...others] = all.sort((a, b) => tightness(a) - tightness(b));
  if (!first) return undefined;
  if (multikey) return { bounds: first, consumed: 1 };
  return { bounds: others.reduce(intersect, first), consumed: all.length };
}

const tightness = (bounds: Bounds): number =>
  bounds.intervals.every((interval) => interval.isPoint) ? bounds.intervals.length : MAX_RANGES;

function sortDirection(
  index: Index,
  used: Bounds[],
  request: PlanRequest,
  sameCollation: boolean,
): "forward" | "backward" | undefined {
  const { sort } = request;
  // A collated key shows which strings are equal, not how they are ordered.
  if (!sort || index.collation || !sameCollation) return undefined;
  const isFixed = (at: number): boolean => used[at]?.intervals.length === 1 && used[at].intervals[0]?.isPoint === true;
  let direction: "forward" | "backward" | undefined;
  let at = 0;
  for (const part of sort) {
    const place = index.fields.findIndex((field) => field.path === part.path);
    if (place === -1 || isMultikey(index, part.path) || NUMERIC_PART.test(part.path)) return undefined;
    // All rows agree on this field, so it does not order them.
    if (isFixed(place)) continue;
    while (at < place && isFixed(at)) at += 1;
    if (at !== place) return undefined;
    const wanted = index.fields[place]?.descending === part.descending ? "forward" : "backward";
    if (direction && direction !== wanted) return undefined;
    direction = wanted;
    at += 1;
  }
  return direction ?? "forward";
}

function scoreOf(index: Index, used: Bounds[], isSorting: boolean): number {
  // One that holds no more than what can match beats reading all, and any condition on another beats it.
  let score = (isSorting ? 3 : 0) + (index.sparse || index.partialSpec ? 1 : 0);
  let points = 0;
  for (const bounds of used) {
    const isPoints = bounds.intervals.every((interval) => interval.isPoint);
    score += isPoints ? 10 : 4;
    if (isPoints && bounds.intervals.length === 1) points += 1;
    else if (isPoints && index.isId) score += IDS_SCORE;
  }
  if (points === index.fields.length) score += index.isId ? ID_SCORE : index.unique ? 50 : 0;
  return score;
}
