// Rows in pages. No SQLite iterator stays open, so writes may happen between two rows.
import { located } from "../bson/fail.ts";
import type { Collection } from "../store/collection.ts";
import { type StoredRow, storedRow } from "../store/documents.ts";
import { type Pace, PAUSE, type Pause } from "../pace.ts";
import { blob, type Connection, type Row } from "../store/sqlite-file.ts";
import type { KeyRange } from "./intervals.ts";
import type { IndexScan, Plan } from "./planner.ts";

const USUAL_FIRST_PAGE = 16;
const LARGEST_FIRST_PAGE = 64;
const LARGEST_PAGE = 512;
const PAGE_BYTES = 1024 * 1024;
/** How many ids one statement takes; few different numbers, because each makes a statement of its own. */
const IDS_AT_ONCE = [64, 8, 1] as const;
const FIRST_IDS = 8;

type Source = { connection: Connection; collection: Collection; firstPage: number; pace: Pace | undefined };
type Reading = {
  /** How many rows will do, if that is known. */
  wanted?: number | undefined;
  pace?: Pace | undefined;
};

/** May pause also where it finds nothing for long. */
export function* rowsOf(
  connection: Connection,
  collection: Collection,
  plan: Plan,
  { wanted = USUAL_FIRST_PAGE, pace }: Reading = {},
): Generator<StoredRow | Pause> {
  const source = { connection, collection, firstPage: Math.min(wanted, LARGEST_FIRST_PAGE), pace };
  switch (plan.kind) {
    case "scan":
      return yield* scanCollection(source, plan.isReversed);
    case "index":
      return yield* plan.mayRepeat || plan.ranges.length > 1
        ? distinct(scanIndex(source, plan))
        : scanIndex(source, plan);
    case "union":
      return yield* distinct(plan.branches.values().flatMap((branch) => scanIndex(source, branch)));
  }
}

function* distinct(rows: Iterable<StoredRow | Pause>): Generator<StoredRow | Pause> {
  const seen = new Set<number>();
  for (const row of rows) {
    if (row !== PAUSE) {
      if (seen.has(row.rid)) continue;
      seen.add(row.rid);
    }
    yield row;
  }
}

/** How many rows such as these make a page. */
function fittingRows(rows: Row[]): number {
  const bytes = rows.reduce((sum, row) => sum + blob(row, "d").length, 0);
  return Math.floor((PAGE_BYTES * rows.length) / Math.max(bytes, 1));
}

const nextPageSize = (rows: Row[], size: number): number =>
  Math.max(1, Math.min(size * 4, fittingRows(rows), LARGEST_PAGE));

function checkUsable(collection: Collection, scan?: IndexScan): void {
  if (collection.isDropped) throw located(175, `collection dropped: ${collection.ns}`);
  if (scan && !collection.indexes.some((index) => index.table === scan.index.table)) {
    throw located(175, `index '${scan.index.name}' dropped`);
  }
}

function* scanCollection({ connection, collection, firstPage }: Source, isReversed: boolean): Generator<StoredRow> {
  const [comparison, order] = isReversed ? ["<", "DESC"] : [">", "ASC"];
  const sql = `SELECT rid, d, s FROM c${collection.id} WHERE rid ${comparison} ? ORDER BY rid ${order} LIMIT ?`;
  let position = isReversed ? Number.MAX_SAFE_INTEGER : -1;
  for (let size = firstPage; ;) {
    checkUsable(collection);
    const rows = connection.all(sql, position, size);
    for (const row of rows) yield storedRow(collection, row);
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    position = Number(last["rid"]);
    size = nextPageSize(rows, size);
  }
}

/** Quicker than all there are, where there can be no second one. */
const oneOf = (row: Row | undefined): Row[] => (row ? [row] : []);

/** Many documents by their ids: half the time of one statement for each. */
function* scanIds(
  { connection, collection, pace }: Source,
  scan: IndexScan,
  ranges: KeyRange[],
): Generator<StoredRow | Pause> {
  const order = scan.isReversed ? "DESC" : "ASC";
  let size: number = ranges.length === 1 ? 1 : FIRST_IDS;
  for (let at = 0; at < ranges.length;) {
    checkUsable(collection, scan);
    const keys = ranges.slice(at, at + size).map(({ from }) => from);
    at += keys.length;
    const places = Array.from({ length: size }, (_, place) => keys[place] ?? null);
    const sql = `SELECT rid, d, s FROM c${collection.id} WHERE k IN (${places.map(() => "?").join()}) ORDER BY k ${order}`;
    const rows = size === 1 ? oneOf(connection.get(sql, ...places)) : connection.all(sql, ...places);
    for (const row of rows) yield storedRow(collection, row);
    if (pace?.isOver()) yield PAUSE;
    const fitting = fittingRows(rows);
    size = IDS_AT_ONCE.find((number) => number <= fitting) ?? (rows.length === 0 ? size : 1);
  }
}

/** Row numbers lie close together: a bit for each costs a tenth of a set. */
function newRowNumbers() {
  let bits = new Uint8Array(0);
  return {
    has: (rid: number): boolean => ((bits[Math.floor(rid / 8)] ?? 0) & (1 << (rid % 8))) > 0,
    add(rid: number): void {
      const at = Math.floor(rid / 8);
      if (at >= bits.length) {
        const more = new Uint8Array(at * 2 + 64);
        more.set(bits);
        bits = more;
      }
      bits[at] = (bits[at] ?? 0) | (1 << (rid % 8));
    },
  };
}

function* scanIndex(source: Source, scan: IndexScan): Generator<StoredRow | Pause> {
  const ranges = scan.isReversed ? [...scan.ranges].reverse() : scan.ranges;
  if (scan.index.isId && ranges.every(({ isPoint }) => isPoint)) return yield* scanIds(source, scan, ranges);
  for (const range of ranges) yield* scanRange(source, scan, range);
}

function* scanRange(
  { connection, collection, firstPage, pace }: Source,
  scan: IndexScan,
  range: KeyRange,
): Generator<StoredRow | Pause> {
  const table = `c${collection.id}`;
  const tables = scan.index.isId ? `${table} i` : `${scan.index.table} i CROSS JOIN ${table} c ON c.rid = i.rid`;
  const order = scan.isReversed ? "ORDER BY i.k DESC, i.rid DESC LIMIT ?" : "ORDER BY i.k, i.rid LIMIT ?";
  const columns = `SELECT i.k AS k, i.rid AS rid, d, s FROM ${tables}`;
  const later = scan.isReversed ? "(i.k, i.rid) < (?, ?) AND i.k >= ?" : "(i.k, i.rid) > (?, ?) AND i.k < ?";
  // A document whose key was changed in between must not come again under the new one.
  const seen = newRowNumbers();
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
    for (const row of rows) {
      const stored = storedRow(collection, row);
      if (!seen.has(stored.rid)) yield stored;
    }
    if (pace?.isOver()) yield PAUSE;
    last = rows.at(-1);
    if (!last || rows.length < size) return;
    for (const row of rows) seen.add(Number(row["rid"]));
    size = nextPageSize(rows, size);
  }
}

type Counted = Plan & { most: number };
/** How many documents an exact plan finds, without reading them; from `most` on it does not count. */
export function countRows(connection: Connection, collection: Collection, plan: Counted): number | undefined {
  if (plan.kind === "scan")
    return plan.isExact ? connection.number(`SELECT COUNT(*) FROM c${collection.id}`) : undefined;
  if (plan.kind !== "index" || !plan.isExact || plan.ranges.length > LARGEST_PAGE) return undefined;
  const [only] = plan.ranges;
  if (!only) return 0;
  if (plan.mayRepeat && plan.ranges.length > 1) return undefined;
  const what = plan.mayRepeat ? "DISTINCT rid" : "1";
  const count = `SELECT COUNT(*) FROM (SELECT ${what} FROM ${plan.index.table} WHERE k >= ? AND k < ? LIMIT ?)`;
  return plan.ranges.reduce((sum, { from, to }) => sum + connection.number(count, from, to, plan.most - sum), 0);
}
