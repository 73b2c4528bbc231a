// The tables of a data file, and what makes one of an earlier version such a file.
import { sumOf } from "./checksum.ts";
import type { Connection } from "./sqlite-file.ts";

const FORMAT_VERSION = 2;
/** Before it rows had no sums. */
const FIRST_WITH_SUMS = 2;

/** `s` is the sum of a row. One that was written before there were any has none until it is given one. */
const TABLES = {
  _meta: "(k TEXT PRIMARY KEY, v) WITHOUT ROWID",
  _coll:
    "(id INTEGER PRIMARY KEY AUTOINCREMENT, db TEXT NOT NULL, name TEXT NOT NULL, opts BLOB NOT NULL, uuid BLOB NOT NULL, s INTEGER, UNIQUE(db, name))",
  _idx: "(id INTEGER PRIMARY KEY AUTOINCREMENT, coll INT NOT NULL, name TEXT NOT NULL, spec BLOB NOT NULL, multikey TEXT NOT NULL, s INTEGER, UNIQUE(coll, name))",
  _retry:
    "(lsid BLOB PRIMARY KEY, n INTEGER NOT NULL, reply BLOB NOT NULL, at INTEGER NOT NULL, s INTEGER) WITHOUT ROWID",
  oplog:
    "(seq INTEGER PRIMARY KEY AUTOINCREMENT, ts INTEGER NOT NULL, db TEXT NOT NULL, coll TEXT NOT NULL, op TEXT NOT NULL, b BLOB NOT NULL, d BLOB, pre BLOB, total INTEGER NOT NULL, s INTEGER)",
} as const;

/** What the sum of each row is of. */
export const SUMMED_COLUMNS = {
  _coll: ["id", "db", "name", "opts", "uuid"],
  _idx: ["id", "coll", "name", "spec", "multikey"],
  _retry: ["lsid", "n", "reply", "at"],
  oplog: ["seq", "ts", "db", "coll", "op", "b", "d", "pre", "total"],
} as const;
export type SummedTable = keyof typeof SUMMED_COLUMNS;
export const SUMMED_TABLES = ["_coll", "_idx", "_retry", "oplog"] as const;

const COLLECTION_BODY = "(rid INTEGER PRIMARY KEY, k BLOB NOT NULL UNIQUE, d BLOB NOT NULL, s INTEGER)";
const INDEX_BODY = "(k BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY(k, rid)) WITHOUT ROWID";
const SUM_COLUMN = ", s INTEGER";

/** How a table has to be defined, if it is one of ours. */
export function definitionOf(name: string, format: number): string | undefined {
  if (name === "sqlite_sequence") return "CREATE TABLE sqlite_sequence(name,seq)";
  const body = /^c\d+$/.test(name) ? COLLECTION_BODY : /^i\d+$/.test(name) ? INDEX_BODY : bodyOf(name);
  return body && `CREATE TABLE ${name}${format < FIRST_WITH_SUMS ? body.replace(SUM_COLUMN, "") : body}`;
}

const bodyOf = (name: string): string | undefined => Object.entries(TABLES).find(([table]) => table === name)?.[1];

export const collectionTable = (id: number): string => `CREATE TABLE c${id}${COLLECTION_BODY}`;
export const indexTable = (id: number): string => `CREATE TABLE i${id}${INDEX_BODY}`;

export const formatOf = (connection: Connection): number =>
  Number(connection.get("SELECT v FROM _meta WHERE k = 'format'")?.["v"] ?? 0);
export const hasSums = (connection: Connection): boolean => formatOf(connection) >= FIRST_WITH_SUMS;

/** From then on a row without a sum is a damaged one. */
export const SUMS_ARE_WHOLE = "INSERT OR REPLACE INTO _meta(k, v) VALUES('sums', 'all')";
export const areSumsWhole = (connection: Connection): boolean =>
  connection.get("SELECT v FROM _meta WHERE k = 'sums'")?.["v"] === "all";

/** Makes the tables of a new file, or makes a file of an earlier version one of this version, all at once or not at all. */
export function prepareSchema(main: Connection, path: string): void {
  const isNew = main.number("SELECT COUNT(*) FROM sqlite_master WHERE name = '_meta'") === 0;
  const format = isNew ? 0 : formatOf(main);
  if (format > FORMAT_VERSION) {
    throw new Error(`${path} was written by a newer version (format ${format}, this one reads ${FORMAT_VERSION})`);
  }
  if (format === FORMAT_VERSION) return;
  main.exec("BEGIN IMMEDIATE");
  try {
    if (isNew) createTables(main);
    else addSums(main);
    main.run("INSERT OR REPLACE INTO _meta(k, v) VALUES('format', ?)", FORMAT_VERSION);
    main.exec("COMMIT");
  } catch (error) {
    main.exec("ROLLBACK");
    throw error;
  }
}

function createTables(main: Connection): void {
  for (const [name, body] of Object.entries(TABLES)) main.exec(`CREATE TABLE ${name}${body}`);
  main.exec(SUMS_ARE_WHOLE);
}

/** The sums of documents and of the log of changes come later (`summing.ts`): there may be very many. */
function addSums(main: Connection): void {
  const ids = main.all("SELECT id FROM _coll");
  for (const table of [...SUMMED_TABLES, ...ids.map(({ id }) => `c${Number(id)}`)])
    main.exec(`ALTER TABLE ${table} ADD COLUMN s INTEGER`);
  main.forgetStatements();
  for (const table of ["_coll", "_idx"] as const)
    for (const { id } of main.all(`SELECT id FROM ${table}`)) sumRow(main, table, Number(id));
  // Nobody waits for an answer over a restart with another version.
  main.exec("DELETE FROM _retry");
}

/** Gives a row of the catalogue the sum of what it holds now. */
export function sumRow(main: Connection, table: "_coll" | "_idx", id: number): void {
  const columns = SUMMED_COLUMNS[table];
  const row = main.get(`SELECT ${columns.join()} FROM ${table} WHERE id = ?`, id);
  if (row) main.run(`UPDATE ${table} SET s = ? WHERE id = ?`, sumOf(columns.map((column) => row[column])), id);
}
