// Answers one query over one collection: plan, candidates, what a transaction changed, filter, order, window.
import { decode, decodeFields } from "../bson/decode.ts";
import { located } from "../bson/fail.ts";
import type { Collation } from "../keys/collation.ts";
import { sortedDocuments, sortedKeys } from "../held-memory.ts";
import { type Pace, PAUSE, type Pause, withoutPauses } from "../pace.ts";
import { compileSort, type Sort, sortInSlices } from "../fields/sort.ts";
import { compileFilter, type Filter } from "../query/matcher.ts";
import type { Collection } from "../store/collection.ts";
import { rowByNumber, type StoredRow } from "../store/documents.ts";
import type { Connection } from "../store/sqlite-file.ts";
import type { Overlay } from "../transactions/overlay.ts";
import type { Bytes, Doc, MongoError, Value } from "../values.ts";
import { type Plan, planQuery } from "./planner.ts";
import { countRows, rowsOf } from "./scan.ts";

/** What a reader sees: the newest state, or a snapshot with a transaction's own changes on top. */
export type ReadView = {
  connection: Connection;
  overlayOf(collection: Collection): Overlay | undefined;
  /** The documents that a view shows. */
  viewRows?: (collection: Collection) => Iterable<Bytes | Pause>;
  /** Of whoever can wait between two rows. */
  pace?: Pace | undefined;
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

type Rows = Iterable<StoredRow | Pause>;

const SORT_MEMORY_BYTES = 256 * 1024 * 1024;
/** What a row takes beside its document: its key and its place. */
const ROW_BYTES = 256;
const FEW_ROWS = 2_048;
const NO_BYTES = new Uint8Array();
const CHECK_EVERY = 256;
const NO_VARIABLES = new Map<string, Value>();

/** Why it has to be given up, if so. */
export const timeIsUp = (deadline: Deadline | undefined): MongoError | undefined =>
  deadline !== undefined && Date.now() > deadline.at ? located(50, "operation exceeded time limit") : undefined;

function checkDeadline(deadline: Deadline | undefined): void {
  const problem = timeIsUp(deadline);
  if (problem) throw problem;
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

/** For whoever must have all of it at once. */
export const findRows = (view: ReadView, collection: Collection, query: Query): Generator<StoredRow> =>
  withoutPauses(pacedRows({ ...view, pace: undefined }, collection, query));

/** Pauses whenever a slice is over. */
export function* pacedRows(view: ReadView, collection: Collection, query: Query): Generator<StoredRow | Pause> {
  const { pace } = view;
  const { skip = 0, limit = 0, deadline } = query;
  const sort = query.sort && query.sort.size > 0 ? query.sort : undefined;
  const filter = compileQueryFilter(collection, query);
  const overlay = view.overlayOf(collection);
  const plan = hasTable(collection) ? planFor(collection, query) : undefined;
  const isOrdered = !sort || (plan && !overlay ? isSorted(plan) : sort.has("$natural"));
  const wanted = limit > 0 ? limit + skip : undefined;
  const base = plan
    ? rowsOf(view.connection, collection, plan, { wanted: isOrdered ? wanted : undefined, pace })
    : numbered(collection.view ? (view.viewRows?.(collection) ?? []) : []);
  const candidates = overlay ? overlaid(base, overlay) : base;
  const isAllMatching = !overlay && plan !== undefined && isExact(plan);
  const rows = matching(candidates, isAllMatching ? undefined : filter, { deadline, pace });
  const inOrder = () => {
    const readAgain = plan && !overlay ? rereading(view.connection, collection, filter) : undefined;
    return sorted(rows, {
      sort: compileSort(sort ?? new Map(), queryCollation(collection, query)),
      wanted,
      pace,
      readAgain,
    });
  };
  // What is found in its order, such as that in which it was stored, has no keys to sort by.
  const ordered = isOrdered ? rows : inOrder();
  yield* skip > 0 || limit > 0 ? windowed(ordered, skip, limit) : ordered;
}

/** Twice as fast as the iterator's own `drop` and `take`. */
function* windowed(rows: Rows, skip: number, limit: number): Generator<StoredRow | Pause> {
  let seen = 0;
  for (const row of rows) {
    if (row !== PAUSE) seen += 1;
    if (row !== PAUSE && seen <= skip) continue;
    yield row;
    if (limit > 0 && seen >= skip + limit) return;
  }
}

/** Not so for a view, nor for what a transaction has just created. */
const hasTable = (collection: Collection): boolean => collection.id > 0 && !collection.view;

function* numbered(documents: Iterable<Bytes | Pause>): Generator<StoredRow | Pause> {
  let rid = 0;
  for (const bytes of documents) yield bytes === PAUSE ? bytes : { rid: rid++, bytes };
}

const isExact = (plan: Plan): boolean => plan.kind !== "union" && plan.isExact;
const isSorted = (plan: Plan): boolean => plan.kind !== "union" && plan.isSorted;

function* overlaid(base: Rows, overlay: Overlay): Generator<StoredRow | Pause> {
  for (const row of base) if (row === PAUSE || !overlay.byRid.has(row.rid)) yield row;
  for (const entry of overlay.entries.values()) if (entry.current) yield { rid: entry.rid, bytes: entry.current.bytes };
}

/** Without a filter all of them match. */
function* matching(
  rows: Rows,
  filter: Filter | undefined,
  { deadline, pace }: { deadline: Deadline | undefined; pace: Pace | undefined },
): Generator<StoredRow | Pause> {
  let seen = 0;
  for (const row of rows) {
    seen += 1;
    if (seen % CHECK_EVERY === 0) checkDeadline(deadline);
    if (row === PAUSE || !filter || filter.matches(decodeFor(filter, row.bytes))) yield row;
    if (pace?.isOver()) yield PAUSE;
  }
}

/** A row as it is now, if it still matches. */
type ReadAgain = (rid: number) => StoredRow | undefined;

function rereading(connection: Connection, collection: Collection, filter: Filter): ReadAgain {
  return (rid) => {
    const row = rowByNumber(connection, collection, rid);
    return row && filter.matches(decodeFor(filter, row.bytes)) ? row : undefined;
  };
}

type Sorting = {
  sort: Sort;
  wanted: number | undefined;
  pace: Pace | undefined;
  /** Absent where rows stand in no table, or the transaction has changed some. */
  readAgain: ReadAgain | undefined;
};
type Held = { rid: number; bytes: Bytes | undefined };

/** Keeps the documents while there is room for them, and else reads them again in their order. */
function* sorted(rows: Rows, { sort, wanted, pace, readAgain }: Sorting): Generator<StoredRow | Pause> {
  const [part, keys] = [sortedDocuments.newPart(), sortedKeys.newPart()];
  const bounded = withinMemory(rows, wanted, () => keys.hold(ROW_BYTES));
  const isFew = wanted !== undefined && wanted <= FEW_ROWS;
  const docOf = (held: Held): Doc => {
    const { bytes = NO_BYTES } = held;
    const doc = decodeFields(bytes, sort.fields);
    if (isFew || part.hold(bytes.length + ROW_BYTES)) return doc;
    if (!readAgain) throw tooMuch();
    held.bytes = undefined;
    return doc;
  };
  try {
    for (const held of sortInSlices<Held>(bounded, sort, { docOf, limit: wanted, pace })) {
      if (held === PAUSE) {
        yield held;
        continue;
      }
      const { rid, bytes } = held;
      const row = bytes ? { rid, bytes } : readAgain?.(rid);
      if (row) yield row;
    }
  } finally {
    part.release();
    keys.release();
  }
}

const tooMuch = (): MongoError => located(292, `Sort exceeded memory limit of ${SORT_MEMORY_BYTES} bytes`);

/** No more keys are kept than rows are wanted, but for a few. */
function* withinMemory(rows: Rows, wanted: number | undefined, holdKey: () => boolean): Generator<StoredRow | Pause> {
  let [bytes, left] = [0, (wanted ?? Infinity) + FEW_ROWS];
  for (const row of rows) {
    if (row !== PAUSE && wanted === undefined) bytes += row.bytes.length;
    if (bytes > SORT_MEMORY_BYTES) throw tooMuch();
    if (row !== PAUSE && left-- > 0 && !holdKey())
      throw located(292, "Sort found no memory left: others use it, so try again");
    yield row;
  }
}

export function* countMatching(view: ReadView, collection: Collection, query: Query): Generator<Pause, number> {
  const overlay = view.overlayOf(collection);
  const { skip = 0, limit = 0 } = query;
  const plan = { ...planFor(collection, query), most: limit > 0 ? skip + limit : 2 ** 31 - 1 };
  const quick = overlay || !hasTable(collection) ? undefined : countRows(view.connection, collection, plan);
  if (quick !== undefined) {
    const left = Math.max(0, quick - skip);
    return limit > 0 ? Math.min(left, limit) : left;
  }
  let count = 0;
  for (const row of pacedRows(view, collection, { ...query, sort: undefined })) {
    if (row === PAUSE) yield row;
    else count += 1;
  }
  return count;
}
