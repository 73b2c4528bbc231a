// What changed, in order, written in the same commit as the change. Change streams read it.
import { decode } from "../bson/decode.ts";
import { encode } from "../bson/encode.ts";
import { type Bytes, type Doc, Timestamp } from "../values.ts";
import { sumOf } from "./checksum.ts";
import { blob, type Connection, type Row } from "./sqlite-file.ts";

const DOCUMENT_KINDS = ["insert", "update", "replace", "delete"] as const;
const SHAPE_KINDS = ["create", "createIndexes", "dropIndexes", "modify", "rename", "drop", "dropDatabase"] as const;
const KINDS = [...DOCUMENT_KINDS, ...SHAPE_KINDS];

export type ChangeKind = (typeof KINDS)[number];

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
const INSERT = "INSERT INTO oplog(seq, ts, db, coll, op, b, d, pre, total, s) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

const secondsNow = (): number => Math.floor(Date.now() / 1_000);

export function createOplog(main: Connection, limits: Partial<OplogLimits> = {}) {
  const { maxRows, maxBytes } = { ...DEFAULT_LIMITS, ...limits };
  let seq = 0;
  let seconds = 0;
  let total = 0;
  let committed = 0;
  const wakers = new Set<() => void>();

  const load = (): void => {
    const last = main.get("SELECT ts, total FROM oplog ORDER BY seq DESC LIMIT 1");
    seq = main.number(
      "SELECT MAX(COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'oplog'), 0), COALESCE((SELECT MAX(seq) FROM oplog), 0))",
    );
    seconds = Number(last?.["ts"] ?? secondsNow());
    total = Number(last?.["total"] ?? 0);
    committed = seq;
  };

  load();
  return {
    load,
    append({ db, coll, kind, about, document, before }: Change): void {
      const bytes = encode(about);
      seconds = Math.max(seconds, secondsNow());
      seq += 1;
      total += bytes.length + (document?.length ?? 0) + (before?.length ?? 0);
      const row = [seq, seconds, db, coll, kind, bytes, document ?? null, before ?? null, total];
      main.run(INSERT, ...row, sumOf(row));
      if (seq % TRIM_EVERY === 0) trim(main, seq - maxRows, total - maxBytes);
    },
    /** Changes after a position that are safely committed. */
    readAfter: (position: number, limit: number): LoggedChange[] =>
      main
        .all("SELECT * FROM oplog WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?", position, committed, limit)
        .map(loggedChange),
    /** The oldest position from which nothing is missing. */
    oldestPosition: (): number =>
      Number(main.get("SELECT seq FROM oplog ORDER BY seq LIMIT 1")?.["seq"] ?? seq + 1) - 1,
    committedPosition: (): number => committed,
    /** The position just before everything at or after a time; undefined when the log does not reach back that far. */
    positionBefore: (time: Timestamp): number | undefined => positionBefore(main, time, committed),
    operationTime: (): Timestamp => new Timestamp({ t: seconds, i: committed }),
    nextTimestamp: stampsOfNow(),
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

/** One batch from the old end at a time, so that no single write pays for all of it. */
function trim(main: Connection, oldestSeq: number, leastTotal: number): void {
  const rows = main.all("SELECT seq, total FROM oplog ORDER BY seq LIMIT ?", TRIM_EVERY * 2);
  const drop = rows.findLast((row) => Number(row["seq"]) <= oldestSeq || Number(row["total"]) < leastTotal);
  if (drop) main.run("DELETE FROM oplog WHERE seq <= ?", Number(drop["seq"]));
}

function positionBefore(main: Connection, { t, i }: Timestamp, committed: number): number | undefined {
  const reach = "SELECT seq = 1 OR (ts, seq) <= (?, ?) AS reaches FROM oplog ORDER BY seq LIMIT 1";
  if (main.get(reach, t, i)?.["reaches"] === 0) return undefined;
  const row = main.get("SELECT seq FROM oplog WHERE (ts, seq) >= (?, ?) ORDER BY seq LIMIT 1", t, i);
  return row ? Number(row["seq"]) - 1 : committed;
}

/** Gives each time a value that no other update has been given. */
function stampsOfNow(): () => Timestamp {
  let last = { seconds: 0, number: 0 };
  return () => {
    const now = Math.max(last.seconds, secondsNow());
    last = { seconds: now, number: now === last.seconds ? last.number + 1 : 1 };
    return new Timestamp({ t: last.seconds, i: last.number });
  };
}

const optional = (value: Row[string] | undefined): Uint8Array | undefined =>
  value instanceof Uint8Array ? value : undefined;

function loggedChange(row: Row): LoggedChange {
  const kind = KINDS.find((known) => known === row["op"]);
  if (!kind) throw new Error(`oplog holds an unknown change ${String(row["op"])}`);
  return {
    seq: Number(row["seq"]),
    seconds: Number(row["ts"]),
    db: String(row["db"]),
    coll: String(row["coll"]),
    kind,
    about: decode(blob(row, "b")),
    document: optional(row["d"]),
    before: optional(row["pre"]),
  };
}
