import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { located } from "../bson/fail.ts";
import { MongoError } from "../values.ts";
import { prepareSchema } from "./schema.ts";

export type Row = Record<string, SQLOutputValue>;

/** One connection to the file, with its prepared statements kept. */
export type Connection = {
  path: string;
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

const KEPT_STATEMENTS = 400;

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
    path,
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
    main.exec(
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536; PRAGMA temp_store=memory; PRAGMA journal_size_limit=16777216;",
    );
    prepareSchema(main, path);
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

export const OUT_OF_DISK_SPACE = 14031;
/** With less the log of writes cannot be made longer, nor its index. */
const LEAST_FREE_BYTES = 256 * 1024;

/** A full disk is also met as a file that cannot be made, made longer or brought to the disk. */
function isDiskFull(code: number, path: string): boolean {
  if (code === 13) return true;
  if (code !== 10 && code !== 14) return false;
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize < LEAST_FREE_BYTES;
}

/** What a client is told when SQLite could not do its part. */
export function storageError(error: unknown, path: string): MongoError {
  if (error instanceof MongoError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = errorCode(error);
  if (isDiskFull(code, path)) return located(OUT_OF_DISK_SPACE, `nothing was written: ${message}`);
  if (code === 11 || code === 26) return located(8, `the data file is damaged: ${message}`);
  return located(8, `storage: ${message}`);
}

/** A BLOB column. */
export function blob(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new Error(`column ${column} holds no bytes`);
  return value;
}
