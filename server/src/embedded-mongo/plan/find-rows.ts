// Answers one query over one collection: plan, candidates, what a transaction changed, filter, order, window.
import { decode, decodeFields } from "../bson/decode.ts";
import { located } from "../bson/fail.ts";
import type { Collation } from "../keys/collation.ts";
import { compileSort, type Sort, sortItems } from "../project/sort.ts";
import { compileFilter, type Filter } from "../query/matcher.ts";
import type { Collection } from "../store/collection.ts";
import type { StoredRow } from "../store/documents.ts";
import type { Connection } from "../store/sqlite-file.ts";
import type { Overlay } from "../transactions/overlay.ts";
import { type Bytes, type Doc, type Value } from "../values.ts";
import { type Plan, planQuery } from "./planner.ts";
import { countRows, rowsOf } from "./scan.ts";

/** What a reader sees: the newest state, or a snapshot with a transaction's own changes on top. */
export type ReadView = {
  connection: Connection;
  overlayOf(collection: Collection): Overlay | undefined;
  /** The documents that a view shows. */
  viewRows?: (collection: Collection) => Iterable<Bytes>;
};

export type Query = {
  filter: Doc;
  sort?: Doc | undefined;
  skip?: number;
  /** 0 or absent means all. */
  limit?: number;
  /** Null stands for the simple one, whatever the collection's own may be. */
  collation?: Collation | null | undefined;
  hint?: Value;
  vars?: Map<string, Value> | undefined;
  deadline?: Deadline | undefined;
};

/** When to give up. Mutable, because it is lifted once the first batch is on its way. */
export type Deadline = { at: number };

const SORT_MEMORY_BYTES = 256 * 1024 * 1024;
const CHECK_EVERY = 256;
const NO_VARIABLES = new Map<string, Value>();

function checkDeadline(deadline: Deadline | undefined): void {
  if (deadline !== undefined && Date.now() > deadline.at) throw located(50, "operation exceeded time limit");
}

export const queryCollation = (
  collection: Collection,
  query: { collation?: Collation | null | undefined },
): Collation | undefined => (query.collation === null ? undefined : (query.collation ?? collection.collation));

export function planFor(collection: Collection, query: Query): Plan {
  const sort = query.sort && query.sort.size > 0 ? query.sort : undefined;
  const natural = sort?.get("$natural");
  const parts =
    natural === undefined ? sort && compileSort(sort).parts : [{ path: "$natural", descending: natural === -1 }];
  return planQuery(collection, {
    filter: query.filter,
    sort: parts,
    collation: queryCollation(collection, query),
    hint: query.hint,
  });
}

export const compileQueryFilter = (collection: Collection, query: Query): Filter =>
  compileFilter(query.filter, { collation: queryCollation(collection, query), vars: query.vars ?? NO_VARIABLES });

export const decodeFor = (filter: { fields?: ReadonlySet<string> | undefined }, bytes: Bytes): Doc =>
  filter.fields ? decodeFields(bytes, filter.fields) : decode(bytes);

export function* findRows(view: ReadView, collection: Collection, query: Query): Generator<StoredRow> {
  const { skip = 0, limit = 0, deadline } = query;
  const sort = query.sort && query.sort.size > 0 ? query.sort : undefined;
  const filter = compileQueryFilter(collection, query);
  const overlay = view.overlayOf(collection);
  const plan = hasTable(collection) ? planFor(collection, query) : undefined;
  const isOrdered = !sort || (plan && !overlay ? isSorted(plan) : sort.has("$natural"));
  const wanted = limit > 0 ? limit + skip : undefined;
  const base = plan
    ? rowsOf(view.connection, collection, plan, isOrdered ? wanted : undefined)
    : numbered(collection.view ? (view.viewRows?.(collection) ?? []) : []);
  const candidates = overlay ? overlaid(base, overlay) : base;
  const rows = matching(candidates, filter, !overlay && plan !== undefined && isExact(plan), deadline);
  const ordered = isOrdered ? rows : sorted(rows, compileSort(sort, queryCollation(collection, query)), wanted);
  yield* skip > 0 || limit > 0 ? windowed(ordered, skip, limit) : ordered;
}

/** Twice as fast as the iterator's own `drop` and `take`. */
function* windowed(rows: Iterable<StoredRow>, skip: number, limit: number): Generator<StoredRow> {
  let seen = 0;
  for (const row of rows) {
    seen += 1;
    if (seen <= skip) continue;
    yield row;
    if (limit > 0 && seen >= skip + limit) return;
  }
}

/** Not so for a view, nor for what a transaction has just created. */
const hasTable = (collection: Collection): boolean => collection.id > 0 && !collection.view;

function* numbered(documents: Iterable<Bytes>): Generator<StoredRow> {
  let rid = 0;
  for (const bytes of documents) yield { rid: rid++, bytes };
}

const isExact = (plan: Plan): boolean => plan.kind !== "union" && plan.isExact;
const isSorted = (plan: Plan): boolean => plan.kind !== "union" && plan.isSorted;

function* overlaid(base: Iterable<StoredRow>, overlay: Overlay): Generator<StoredRow> {
  for (const row of base) if (!overlay.byRid.has(row.rid)) yield row;
  for (const entry of overlay.entries.values()) if (entry.current) yield { rid: entry.rid, bytes: entry.current.bytes };
}

function* matching(
  rows: Iterable<StoredRow>,
  filter: Filter,
  isAllMatching: boolean,
  deadline: Deadline | undefined,
): Generator<StoredRow> {
  let seen = 0;
  for (const row of rows) {
    seen += 1;
    if (seen % CHECK_EVERY === 0) checkDeadline(deadline);
    if (isAllMatching || filter.matches(decodeFor(filter, row.bytes))) yield row;
  }
}

function* sorted(rows: Iterable<StoredRow>, sort: Sort, wanted: number | undefined): Generator<StoredRow> {
  const bounded = wanted === undefined ? withinMemory(rows) : rows;
  yield* sortItems(bounded, sort, (row) => decodeFields(row.bytes, sort.fields), wanted);
}

function* withinMemory(rows: Iterable<StoredRow>): Generator<StoredRow> {
  let bytes = 0;
  for (const row of rows) {
    bytes += row.bytes.length;
    if (bytes > SORT_MEMORY_BYTES) {
      throw located(292, `Sort exceeded memory limit of ${SORT_MEMORY_BYTES} bytes`);
    }
    yield row;
  }
}

export function countMatching(view: ReadView, collection: Collection, query: Query): number {
  const overlay = view.overlayOf(collection);
  const quick =
    overlay || !hasTable(collection) ? undefined : countRows(view.connection, collection, planFor(collection, query));
  const { skip = 0, limit = 0 } = query;
  if (quick !== undefined) {
    const left = Math.max(0, quick - skip);
    return limit > 0 ? Math.min(left, limit) : left;
  }
  let count = 0;
  for (const _row of findRows(view, collection, { ...query, sort: undefined })) count += 1;
  return count;
}
