// Answers one query over one collection: plan, candidates, what a transaction changed, filter, order, window.
import { decode, decodeFields } from "../bson/decode.ts";
import type { Collation } from "../keys/collation.ts";
import { compileSort, sortItems } from "../project/sort.ts";
import { compileFilter, type Filter } from "../query/matcher.ts";
import type { Collection } from "../store/catalogue.ts";
import type { StoredRow } from "../store/documents.ts";
import type { Connection } from "../store/sqlite-file.ts";
import type { Overlay } from "../transactions/overlay.ts";
import { type Bytes, type Doc, MongoError, type Value } from "../values.ts";
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

function checkDeadline(deadline: Deadline | undefined): void {
  if (deadline !== undefined && Date.now() > deadline.at)
    throw new MongoError(50, "MaxTimeMSExpired", "operation exceeded time limit");
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

export const compileQueryFilter = (collection: Collection, query: Query): Filter => {
  const collation = queryCollation(collection, query);
  return compileFilter(query.filter, {
    ...(collation ? { collation } : {}),
    ...(query.vars ? { vars: query.vars } : {}),
  });
};

export const decodeFor = (filter: { fields?: ReadonlySet<string> | undefined }, bytes: Bytes): Doc =>
  filter.fields ? decodeFields(bytes, filter.fields) : decode(bytes);

export function* findRows(view: ReadView, collection: Collection, query: Query): Generator<StoredRow> {
  const filter = compileQueryFilter(collection, query);
  const overlay = view.overlayOf(collection);
  const isStored = hasTable(collection);
  const plan: Plan = isStored
    ? planFor(collection, query)
    : { kind: "scan", isReversed: false, isSorted: !query.sort, isExact: false };
  const isOrdered =
    !isStored || overlay
      ? query.sort === undefined || query.sort.has("$natural")
      : plan.kind !== "union" && plan.isSorted;
  const needsSort = query.sort !== undefined && query.sort.size > 0 && !isOrdered;
  const wanted = query.limit && !needsSort ? query.limit + (query.skip ?? 0) : undefined;
  const base = isStored
    ? rowsOf(view.connection, collection, plan, wanted)
    : numbered(collection.view ? (view.viewRows?.(collection) ?? []) : []);
  const candidates = overlay ? overlaid(base, overlay) : base;
  const rows = matching(candidates, filter, overlay === undefined && isExact(plan), query.deadline);
  const ordered = needsSort && query.sort ? sorted(rows, query.sort, query, queryCollation(collection, query)) : rows;
  yield* windowed(ordered, query.skip ?? 0, query.limit ?? 0);
}

/** Not so for a view, nor for what a transaction has just created. */
const hasTable = (collection: Collection): boolean => collection.id > 0 && !collection.view;

function* numbered(documents: Iterable<Bytes>): Generator<StoredRow> {
  let rid = 0;
  for (const bytes of documents) yield { rid: rid++, bytes };
}

const isExact = (plan: Plan): boolean => plan.kind !== "union" && plan.isExact;

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

function* sorted(
  rows: Iterable<StoredRow>,
  spec: Doc,
  query: Query,
  collation: Collation | undefined,
): Generator<StoredRow> {
  const sort = compileSort(spec, collation);
  const wanted = query.limit ? query.limit + (query.skip ?? 0) : undefined;
  const bounded = wanted === undefined ? withinMemory(rows) : rows;
  yield* sortItems(bounded, sort, (row) => decodeFields(row.bytes, sort.fields), wanted);
}

function* withinMemory(rows: Iterable<StoredRow>): Generator<StoredRow> {
  let bytes = 0;
  for (const row of rows) {
    bytes += row.bytes.length;
    if (bytes > SORT_MEMORY_BYTES) {
      throw new MongoError(
        292,
        "QueryExceededMemoryLimitNoDiskUseAllowed",
        `Sort exceeded memory limit of ${SORT_MEMORY_BYTES} bytes`,
      );
    }
    yield row;
  }
}

function* windowed(rows: Iterable<StoredRow>, skip: number, limit: number): Generator<StoredRow> {
  let seen = 0;
  for (const row of rows) {
    seen += 1;
    if (seen <= skip) continue;
    yield row;
    if (limit > 0 && seen >= skip + limit) return;
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
