// What changed, in order, written in the same commit as the change. Change streams read it.
import { decode } from "../bson/decode.ts";
import { encode } from "../bson/encode.ts";
import { type Bytes, type Doc, Timestamp } from "../values.ts";
import { type Connection, type Row } from "./sqlite-file.ts";

export type ChangeKind =
  | "insert"
  | "update"
  | "replace"
  | "delete"
  | "create"
  | "createIndexes"
  | "dropIndexes"
  | "modify"
  | "rename"
  | "drop"
  | "dropDatabase";

export type Change = {
  db: string;
  coll: string;
  kind: ChangeKind;
  /** documentKey, updateDescription, transaction and the like: fields of the event to come. */
  about: Doc;
  document?: Bytes | undefined;
  before?: Bytes | undefined;
};
export type LoggedChange = Change & { seq: number; seconds: number };
export type Oplog = ReturnType<typeof createOplog>;

export type OplogLimits = { maxRows: number; maxBytes: number };
const DEFAULT_LIMITS: OplogLimits = { maxRows: 200_000, maxBytes: 64 * 1024 * 1024 };
const TRIM_EVERY = 256;

const bytesOf = (value: Row[string] | undefined): Uint8Array | undefined =>
  value instanceof Uint8Array ? value : undefined;

export function createOplog(main: Connection, limits: Partial<OplogLimits> = {}) {
  const { maxRows, maxBytes } = { ...DEFAULT_LIMITS, ...limits };
  let seq = 0;
  let seconds = 0;
  let total = 0;
  let committed = 0;
  let lastStamp = { seconds: 0, number: 0 };
  const wakers = new Set<() => void>();

  const load = (): void => {
    const last = main.get("SELECT seq, ts, total FROM oplog ORDER BY seq DESC LIMIT 1");
    seq = Number(main.get("SELECT seq FROM sqlite_sequence WHERE name = 'oplog'")?.["seq"] ?? 0);
    seconds = Number(last?.["ts"] ?? Math.floor(Date.now() / 1_000));
    total = Number(last?.["total"] ?? 0);
    committed = seq;
  };
  // One batch from the old end at a time, so that no single write pays for all of it.
  const trim = (): void => {
    const rows = main.all("SELECT seq, total FROM oplog ORDER BY seq LIMIT ?", TRIM_EVERY * 2);
    const drop = rows.findLast((row) => Number(row["seq"]) <= seq - maxRows || Number(row["total"]) < total - maxBytes);
    if (drop) main.run("DELETE FROM oplog WHERE seq <= ?", Number(drop["seq"]));
  };

  load();
  return {
    load,
    append(change: Change): void {
      const about = encode(change.about);
      seconds = Math.max(seconds, Math.floor(Date.now() / 1_000));
      seq += 1;
      total += about.length + (change.document?.length ?? 0) + (change.before?.length ?? 0);
      main.run(
        "INSERT INTO oplog(seq, ts, db, coll, op, b, d, pre, total) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
        seq,
        seconds,
        change.db,
        change.coll,
        change.kind,
        about,
        change.document ?? null,
        change.before ?? null,
        total,
      );
      if (seq % TRIM_EVERY === 0) trim();
    },
    /** Changes after a position that are safely committed. */
    readAfter(position: number, limit: number): LoggedChange[] {
      const rows = main.all(
        "SELECT * FROM oplog WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
        position,
        committed,
        limit,
      );
      return rows.map((row) => ({
        seq: Number(row["seq"]),
        seconds: Number(row["ts"]),
        db: String(row["db"]),
        coll: String(row["coll"]),
        kind: kindOf(String(row["op"])),
        about: decode(bytesOf(row["b"]) ?? new Uint8Array()),
        document: bytesOf(row["d"]),
        before: bytesOf(row["pre"]),
      }));
    },
    /** The oldest position from which nothing is missing. */
    oldestPosition: (): number =>
      Number(main.get("SELECT seq FROM oplog ORDER BY seq LIMIT 1")?.["seq"] ?? seq + 1) - 1,
    committedPosition: (): number => committed,
    /** The position just before everything at or after a time; undefined when the log does not reach back that far. */
    positionBefore(time: Timestamp): number | undefined {
      const first = main.get("SELECT seq, ts FROM oplog ORDER BY seq LIMIT 1");
      const isCovered =
        !first ||
        Number(first["seq"]) === 1 ||
        Number(first["ts"]) < time.t ||
        (Number(first["ts"]) === time.t && Number(first["seq"]) <= time.i);
      if (!isCovered) return undefined;
      const row = main.get(
        "SELECT seq FROM oplog WHERE ts > ? OR (ts = ? AND seq >= ?) ORDER BY seq LIMIT 1",
        time.t,
        time.t,
        time.i,
      );
      return row ? Number(row["seq"]) - 1 : committed;
    },
    operationTime: (): Timestamp => new Timestamp({ t: seconds, i: committed }),
    /** A value no other update has been given. */
    nextTimestamp(): Timestamp {
      const now = Math.max(lastStamp.seconds, Math.floor(Date.now() / 1_000));
      lastStamp = { seconds: now, number: now === lastStamp.seconds ? lastStamp.number + 1 : 1 };
      return new Timestamp({ t: lastStamp.seconds, i: lastStamp.number });
    },
    markCommitted(): void {
      if (committed === seq) return;
      committed = seq;
      for (const wake of wakers) wake();
    },
    /** Calls back after the next commits until it is told to stop. */
    onCommit(wake: () => void): () => void {
      wakers.add(wake);
      return () => wakers.delete(wake);
    },
  };
}

const KINDS: ChangeKind[] = [
  "insert",
  "update",
  "replace",
  "delete",
  "create",
  "createIndexes",
  "dropIndexes",
  "modify",
  "rename",
  "drop",
  "dropDatabase",
];

function kindOf(text: string): ChangeKind {
  const kind = KINDS.find((known) => known === text);
  if (!kind) throw new Error(`oplog holds an unknown change ${text}`);
  return kind;
}
