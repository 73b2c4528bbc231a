// Rows in pages. No SQLite iterator stays open, so writes may happen between two rows.
import type { Collection } from "../store/catalogue.ts";
import type { StoredRow } from "../store/documents.ts";
import { blob, type Connection, type Row } from "../store/sqlite-file.ts";
import { MongoError } from "../values.ts";
import { type KeyRange, prefixEnd } from "./key-ranges.ts";
import type { IndexScan, Plan } from "./planner.ts";

const USUAL_FIRST_PAGE = 16;
const LARGEST_FIRST_PAGE = 64;
const LARGEST_PAGE = 512;
const PAGE_BYTES = 1024 * 1024;
/** How many ids one statement takes; few different numbers, because each makes a statement of its own. */
const IDS_AT_ONCE = [64, 8, 1] as const;
const FIRST_IDS = 8;

type Source = { connection: Connection; collection: Collection; firstPage: number };

/** `wanted`: how many rows will do, if that is known. */
export function* rowsOf(
  connection: Connection,
  collection: Collection,
  plan: Plan,
  wanted?: number,
): Generator<StoredRow> {
  const source: Source = {
    connection,
    collection,
    firstPage: Math.min(wanted ?? USUAL_FIRST_PAGE, LARGEST_FIRST_PAGE),
  };
  switch (plan.kind) {
    case "scan":
      return yield* scanCollection(source, plan.isReversed);
    case "index":
      return yield* plan.mayRepeat || plan.ranges.length > 1
        ? distinct(scanIndex(source, plan))
        : scanIndex(source, plan);
    case "union":
      return yield* distinct(scanBranches(source, plan.branches));
  }
}

function* scanBranches(source: Source, branches: IndexScan[]): Generator<StoredRow> {
  for (const branch of branches) yield* scanIndex(source, branch);
}

function* distinct(rows: Iterable<StoredRow>): Generator<StoredRow> {
  const seen = new Set<number>();
  for (const row of rows) {
    if (seen.has(row.rid)) continue;
    seen.add(row.rid);
    yield row;
  }
}

function nextPageSize(rows: Row[], size: number): number {
  const bytes = rows.reduce((sum, row) => sum + blob(row, "d").length, 0);
  const fitting = Math.floor((PAGE_BYTES * rows.length) / Math.max(bytes, 1));
  return Math.max(1, Math.min(size * 4, fitting, LARGEST_PAGE));
}

function checkUsable(collection: Collection, scan?: IndexScan): void {
  if (collection.isDropped) throw new MongoError(175, "QueryPlanKilled", `collection dropped: ${collection.ns}`);
  if (scan && !collection.indexes.some((index) => index.table === scan.index.table)) {
    throw new MongoError(175, "QueryPlanKilled", `index '${scan.index.name}' dropped`);
  }
}

function* scanCollection({ connection, collection, firstPage }: Source, isReversed: boolean): Generator<StoredRow> {
  const [comparison, order] = isReversed ? ["<", "DESC"] : [">", "ASC"];
  const sql = `SELECT rid, d FROM c${collection.id} WHERE rid ${comparison} ? ORDER BY rid ${order} LIMIT ?`;
  let position = isReversed ? Number.MAX_SAFE_INTEGER : -1;
  for (let size = firstPage; ;) {
    checkUsable(collection);
    const rows = connection.all(sql, position, size);
    for (const row of rows) yield { rid: Number(row["rid"]), bytes: blob(row, "d") };
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    position = Number(last["rid"]);
    size = nextPageSize(rows, size);
  }
}

/** Many documents by their ids: half the time of one statement for each. */
function* scanIds({ connection, collection }: Source, scan: IndexScan, ranges: KeyRange[]): Generator<StoredRow> {
  const order = scan.isReversed ? "DESC" : "ASC";
  let size: number = FIRST_IDS;
  for (let at = 0; at < ranges.length;) {
    checkUsable(collection, scan);
    const keys = ranges.slice(at, at + size).map(({ from }) => from);
    at += keys.length;
    const places = Array.from({ length: size }, (_, place) => keys[place] ?? null);
    const sql = `SELECT rid, d FROM c${collection.id} WHERE k IN (${places.map(() => "?").join()}) ORDER BY k ${order}`;
    const rows = connection.all(sql, ...places);
    for (const row of rows) yield { rid: Number(row["rid"]), bytes: blob(row, "d") };
    const bytes = rows.reduce((sum, row) => sum + blob(row, "d").length, 0);
    const fitting = (PAGE_BYTES * rows.length) / Math.max(bytes, 1);
    size = IDS_AT_ONCE.find((number) => number <= fitting) ?? (rows.length === 0 ? size : 1);
  }
}

const isOneKey = ({ from, to }: KeyRange): boolean => to.equals(prefixEnd(from));

function* scanIndex(source: Source, scan: IndexScan): Generator<StoredRow> {
  const ranges = scan.isReversed ? [...scan.ranges].reverse() : scan.ranges;
  if (scan.index.isId && ranges.length > 1 && ranges.every(isOneKey)) return yield* scanIds(source, scan, ranges);
  for (const range of ranges) yield* scanRange(source, scan, range);
}

function* scanRange(
  { connection, collection, firstPage }: Source,
  scan: IndexScan,
  range: KeyRange,
): Generator<StoredRow> {
  const table = `c${collection.id}`;
  const tables = scan.index.isId ? `${table} i` : `${scan.index.table} i CROSS JOIN ${table} c ON c.rid = i.rid`;
  const order = scan.isReversed ? "ORDER BY i.k DESC, i.rid DESC LIMIT ?" : "ORDER BY i.k, i.rid LIMIT ?";
  const columns = `SELECT i.k AS k, i.rid AS rid, d FROM ${tables}`;
  const later = scan.isReversed ? "(i.k, i.rid) < (?, ?) AND i.k >= ?" : "(i.k, i.rid) > (?, ?) AND i.k < ?";
  let last: Row | undefined;
  for (let size = firstPage; ;) {
    checkUsable(collection, scan);
    const rows = last
      ? connection.all(
          `${columns} WHERE ${later} ${order}`,
          blob(last, "k"),
          Number(last["rid"]),
          scan.isReversed ? range.from : range.to,
          size,
        )
      : connection.all(`${columns} WHERE i.k >= ? AND i.k < ? ${order}`, range.from, range.to, size);
    for (const row of rows) yield { rid: Number(row["rid"]), bytes: blob(row, "d") };
    last = rows.at(-1);
    if (!last || rows.length < size) return;
    size = nextPageSize(rows, size);
  }
}

/** How many documents an exact plan finds, without reading them. */
export function countRows(connection: Connection, collection: Collection, plan: Plan): number | undefined {
  if (plan.kind === "scan")
    return plan.isExact ? Number(connection.get(`SELECT COUNT(*) AS n FROM c${collection.id}`)?.["n"]) : undefined;
  if (plan.kind !== "index" || !plan.isExact || plan.ranges.length > LARGEST_PAGE) return undefined;
  const [only] = plan.ranges;
  if (!only) return 0;
  if (plan.mayRepeat && plan.ranges.length > 1) return undefined;
  const what = plan.mayRepeat ? "COUNT(DISTINCT rid)" : "COUNT(*)";
  const table = plan.index.isId ? `c${collection.id}` : plan.index.table;
  const count = `SELECT ${what} AS n FROM ${table} WHERE k >= ? AND k < ?`;
  return plan.ranges.reduce((sum, range) => sum + Number(connection.get(count, range.from, range.to)?.["n"]), 0);
}
