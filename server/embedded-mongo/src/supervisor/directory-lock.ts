// One engine per data directory. The lock is SQLite's own file lock, which the system frees when its process dies.
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The engine, the process it works for (itself, on the command line) and where it listens. */
export type OwnerRecord = { pid: number; server: number; address: string };
export type DirectoryLock = {
  /** Whether there has been a data file here. */
  hasHadData: boolean;
  noteData(): void;
  publish(address: string): void;
  release(): void;
};

export const LOCK_FILE = "engine.lock";
const OWNER_FILE = "engine.json";

/** Thrown when another engine has the directory. */
export class DirectoryInUse extends Error {}

const recordPath = (dir: string): string => join(dir, OWNER_FILE);

export function readOwner(dir: string): OwnerRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(recordPath(dir), "utf8"));
    if (typeof record !== "object" || record === null || !("pid" in record) || !("address" in record)) return undefined;
    // A copied directory brings the record of another engine with it.
    if (!("dir" in record) || record.dir !== realpathSync(dir)) return undefined;
    const server = "server" in record ? Number(record.server) : Number(record.pid);
    return { pid: Number(record.pid), server, address: String(record.address) };
  } catch (error) {
    // No engine has ever run here, or one is just writing its record.
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error && error.code === "ENOENT"))
      return undefined;
    throw error;
  }
}

/** Creates the directory if need be. Waits a moment, for an engine that is just going down. */
export function lockDirectory(dir: string, patienceMs: number): DirectoryLock {
  let database: DatabaseSync;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    database = new DatabaseSync(join(dir, LOCK_FILE), { timeout: patienceMs });
    database.exec("PRAGMA journal_mode=DELETE; CREATE TABLE IF NOT EXISTS owner(pid INTEGER)");
  } catch (error) {
    if (isBusy(error)) throw inUse(dir);
    throw notWritable(dir, error);
  }
  let hasHadData: boolean;
  try {
    // Kept over a commit.
    database.exec("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS data(is_here INTEGER)");
    hasHadData = database.prepare("SELECT 1 FROM data").get() !== undefined;
    database.exec("COMMIT");
  } catch (error) {
    database.close();
    if (isBusy(error)) throw inUse(dir);
    throw error;
  }
  return {
    hasHadData,
    noteData() {
      if (!hasHadData) database.exec("INSERT INTO data VALUES(1)");
    },
    publish(address) {
      const record: OwnerRecord = { pid: process.pid, server: process.connected ? process.ppid : process.pid, address };
      try {
        writeFileSync(recordPath(dir), JSON.stringify({ ...record, dir: realpathSync(dir) }), { mode: 0o600 });
      } catch (error) {
        throw notWritable(dir, error);
      }
    },
    release() {
      rmSync(recordPath(dir), { force: true });
      database.close();
    },
  };
}

const isBusy = (error: unknown): boolean => error instanceof Error && "errcode" in error && Number(error.errcode) === 5;

const notWritable = (dir: string, cause: unknown): Error =>
  new Error(`the data directory ${dir} is not writable: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  });

function inUse(dir: string): DirectoryInUse {
  const owner = readOwner(dir);
  return new DirectoryInUse(`the data directory ${dir} is already in use${owner ? ` by process ${owner.server}` : ""}`);
}
