import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { located } from "../bson/fail.ts";
import { MongoError } from "../values.ts";

export type Row = Record<string, SQLOutputValue>;

/** One connection to the file, with its prepared statements kept. */
export type Connection = {
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  all(sql: string, ...values: SQLInputValue[]): Row[];
  /** Runs a change and answers with the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number;
  exec(sql: string): void;
  /** The first column of the first row. */
  number(sql: string, ...values: SQLInputValue[]): number;
  lastRowId(): number;
  /** Runs a change that leaves nothing behind when it is refused; a failure of the file undoes more than that anyway. */
  attempt(change: () => void): void;
  /** SQLite refuses statements that were prepared before a table was dropped. */
  forgetStatements(): void;
  close(): void;
};

const FORMAT_VERSION = 1;
const KEPT_STATEMENTS = 400;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS _meta(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS _coll(id INTEGER PRIMARY KEY AUTOINCREMENT, db TEXT NOT NULL, name TEXT NOT NULL, opts BLOB NOT NULL, uuid BLOB NOT NULL, UNIQUE(db, name));
CREATE TABLE IF NOT EXISTS _idx(id INTEGER PRIMARY KEY AUTOINCREMENT, coll INT NOT NULL, name TEXT NOT NULL, spec BLOB NOT NULL, multikey TEXT NOT NULL, UNIQUE(coll, name));
CREATE TABLE IF NOT EXISTS _retry(lsid BLOB PRIMARY KEY, n INTEGER NOT NULL, reply BLOB NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS oplog(seq INTEGER PRIMARY KEY AUTOINCREMENT, ts INTEGER NOT NULL, db TEXT NOT NULL, coll TEXT NOT NULL, op TEXT NOT NULL, b BLOB NOT NULL, d BLOB, pre BLOB, total INTEGER NOT NULL);`;

export function openConnection(path: string): Connection {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (!statement) {
      if (statements.size >= KEPT_STATEMENTS) statements.clear();
      statement = db.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  const number = (sql: string, ...values: SQLInputValue[]): number =>
    Number(Object.values(prepare(sql).get(...values) ?? {})[0]);
  return {
    get: (sql, ...values) => prepare(sql).get(...values),
    all: (sql, ...values) => prepare(sql).all(...values),
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    exec: (sql) => db.exec(sql),
    number,
    lastRowId: () => number("SELECT last_insert_rowid()"),
    attempt(change) {
      db.exec("SAVEPOINT attempt");
      try {
        change();
      } catch (error) {
        if (error instanceof MongoError) db.exec("ROLLBACK TO attempt; RELEASE attempt");
        statements.clear();
        throw error;
      }
      db.exec("RELEASE attempt");
    },
    forgetStatements: () => statements.clear(),
    close: () => {
      statements.clear();
      db.close();
    },
  };
}

/** Opens the one read-write connection and creates what a new file needs. Throws one-line errors fit for a person. */
export function openMainConnection(path: string, maxPages?: number): Connection {
  try {
    const main = openConnection(path);
    // FULL, because a write acknowledged with w:majority has to survive a power cut.
    main.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536; PRAGMA temp_store=memory;");
    main.exec(SCHEMA);
    const version = Number(main.get("SELECT v FROM _meta WHERE k='format'")?.["v"] ?? 0);
    if (version > FORMAT_VERSION) {
      throw new Error(`${path} was written by a newer version (format ${version}, this one reads ${FORMAT_VERSION})`);
    }
    if (version === 0) main.run("INSERT INTO _meta(k, v) VALUES('format', ?)", FORMAT_VERSION);
    if (maxPages) main.exec(`PRAGMA max_page_count=${Math.floor(maxPages)}`);
    return main;
  } catch (error) {
    throw new Error(openingFailure(path, error), { cause: error });
  }
}

const errorCode = (error: unknown): number => {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) : 0;
  return code & 0xff;
};

function openingFailure(path: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = errorCode(error);
  if (code === 11 || code === 26)
    return `${path} is damaged or not a database file (${message}); restore it from a backup`;
  if (code === 8 || code === 14) return `${path} cannot be opened for writing (${message})`;
  if (code === 13) return `${path} cannot be opened: the disk is full`;
  return code === 0 ? message : `${path} cannot be opened: ${message}`;
}

/** What a client is told when SQLite could not do its part. */
export function storageError(error: unknown): MongoError {
  if (error instanceof MongoError) return error;
  const message = error instanceof Error ? error.message : String(error);
  switch (errorCode(error)) {
    case 13:
      return located(14031, `nothing was written: ${message}`);
    case 11:
    case 26:
      return located(8, `the data file is damaged: ${message}`);
    default:
      return located(8, `storage: ${message}`);
  }
}

/** A BLOB column. */
export function blob(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new Error(`column ${column} holds no bytes`);
  return value;
}
