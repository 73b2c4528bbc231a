import { randomInt } from "node:crypto";
import { located } from "../bson/fail.ts";
import { type Pace, PAUSE, type Pause } from "../pace.ts";
import type { Bytes, Doc } from "../values.ts";

export type CursorOwner = { sessionKey: string | undefined; transaction: bigint | undefined };

export type Cursor = CursorOwner & {
  /** 0 while nobody can ask for more of it. */
  id: bigint;
  ns: string;
  rows: Iterator<Bytes | Pause>;
  pace: Pace | undefined;
  /** Read from `rows` but not yet sent. */
  waiting: Bytes | undefined;
  usedAt: number;
  neverExpires: boolean;
  isBusy: boolean;
  isClosed: boolean;
  /** A change stream waits for more instead of ending. */
  stream: TailableSource | undefined;
};

export type TailableSource = {
  /** Calls back once when there may be more. */
  onMore(wake: () => void): () => void;
  /** Whether a getMore waits until there is something. */
  isAwaiting: boolean;
  /** `hasMore`: something read from the stream has not been sent yet. */
  resumeToken?: (hasMore: boolean) => Doc;
  isOver(): boolean;
};

export type Cursors = ReturnType<typeof createCursors>;

const IDLE_MS = 10 * 60_000;
const BATCH_BYTES = 16 * 1024 * 1024;
/** As large as a document may be, and a little for what a query adds to it. */
const LARGEST_RESULT = BATCH_BYTES + 16 * 1024;

/** Takes rows up to a count and the size of one message, and says whether these were the last. */
export function* takeBatch(cursor: Cursor, count: number): Generator<Pause, { batch: Bytes[]; isFinished: boolean }> {
  const batch: Bytes[] = [];
  let bytes = 0;
  while (batch.length < count) {
    const row = peek(cursor);
    if (!row) break;
    if (row === PAUSE) {
      yield row;
      checkOpen(cursor);
      continue;
    }
    if (row.byteLength > LARGEST_RESULT)
      throw located(10334, `BSONObj size: ${row.byteLength} is invalid, a result may have ${LARGEST_RESULT} bytes`);
    bytes += row.byteLength;
    if (batch.length > 0 && bytes > BATCH_BYTES) break;
    batch.push(row);
    cursor.waiting = undefined;
  }
  if (cursor.stream) return { batch, isFinished: cursor.stream.isOver() && !cursor.waiting };
  // Looking one row ahead spares the client a round trip that would bring nothing.
  if (count === 0) return { batch, isFinished: false };
  for (;;) {
    const ahead = peek(cursor);
    if (ahead !== PAUSE) return { batch, isFinished: !ahead };
    yield ahead;
    checkOpen(cursor);
  }
}

function peek(cursor: Cursor): Bytes | Pause | undefined {
  if (!cursor.waiting) {
    const next = cursor.rows.next();
    if (next.done) return undefined;
    if (next.value === PAUSE) return PAUSE;
    cursor.waiting = next.value;
  }
  return cursor.waiting;
}

/** While a batch waits for its turn, the cursor may be killed. */
export function checkOpen(cursor: Cursor): void {
  if (cursor.isClosed) throw located(237, "the cursor was killed while it waited");
}

export function createCursors() {
  const cursors = new Map<bigint, Cursor>();

  const close = (cursor: Cursor): void => {
    cursors.delete(cursor.id);
    cursor.id = 0n;
    cursor.isClosed = true;
    cursor.rows.return?.();
  };

  return {
    /** Gives the cursor an id, under which the client may ask for more. */
    keep(cursor: Cursor): void {
      while (cursor.id === 0n || cursors.has(cursor.id))
        cursor.id = (BigInt(randomInt(2 ** 31)) << 32n) | BigInt(randomInt(2 ** 32));
      cursors.set(cursor.id, cursor);
    },
    /** Finds the cursor for a getMore of this namespace, session and transaction, or says what does not fit. */
    find(id: bigint, ns: string, owner: CursorOwner): Cursor {
      const cursor = cursors.get(id);
      if (!cursor) throw located(43, `cursor id ${id} not found`);
      if (cursor.ns !== ns)
        throw located(13, `Requested getMore on namespace '${ns}', but cursor belongs to another one, ${cursor.ns}`);
      if (cursor.sessionKey !== owner.sessionKey)
        throw located(13, `Cannot run getMore on cursor ${id}, which was created in another session`);
      if (cursor.transaction !== owner.transaction)
        throw located(50738, `Cannot run getMore on cursor ${id}, which was created in another transaction`);
      if (cursor.isBusy) throw located(12051, `cursor id ${id} is already in use`);
      cursor.usedAt = Date.now();
      return cursor;
    },
    close,
    kill(id: bigint, ns: string): boolean {
      const cursor = cursors.get(id);
      if (!cursor || cursor.ns !== ns) return false;
      close(cursor);
      return true;
    },
    killWhere(matches: (cursor: Cursor) => boolean): void {
      for (const cursor of cursors.values()) if (matches(cursor)) close(cursor);
    },
    reap(now: number): void {
      for (const cursor of cursors.values())
        if (!cursor.neverExpires && !cursor.isBusy && now - cursor.usedAt > IDLE_MS) close(cursor);
    },
    count: (): number => cursors.size,
  };
}
