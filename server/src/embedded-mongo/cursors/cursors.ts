import { randomInt } from "node:crypto";
import { located } from "../bson/fail.ts";
import { type Bytes, type Doc, MongoError } from "../values.ts";

export type CursorOwner = { sessionKey: string | undefined; transaction: bigint | undefined };

export type Cursor = CursorOwner & {
  id: bigint;
  ns: string;
  rows: Iterator<Bytes>;
  /** Read from `rows` but not yet sent. */
  waiting: Bytes | undefined;
  usedAt: number;
  neverExpires: boolean;
  isBusy: boolean;
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
const FIRST_BATCH = 101;
const BATCH_BYTES = 16 * 1024 * 1024;
/** As large as a document may be, and a little for what a query adds to it. */
const LARGEST_RESULT = BATCH_BYTES + 16 * 1024;

const notFound = (id: bigint): MongoError => new MongoError(43, "CursorNotFound", `cursor id ${id} not found`);
const unauthorised = (message: string): MongoError => new MongoError(13, "Unauthorized", message);

/** Takes rows up to a count and the size of one message. Undefined as `rest` means that there is no more. */
export function takeBatch(
  cursor: Pick<Cursor, "rows" | "waiting">,
  count: number,
): { batch: Bytes[]; isDone: boolean } {
  const batch: Bytes[] = [];
  let bytes = 0;
  for (;;) {
    if (batch.length >= count) return { batch, isDone: false };
    const next = cursor.waiting ? { value: cursor.waiting, done: false } : cursor.rows.next();
    cursor.waiting = undefined;
    if (next.done) return { batch, isDone: true };
    if (next.value.byteLength > LARGEST_RESULT) {
      throw new MongoError(
        10334,
        "BSONObjectTooLarge",
        `BSONObj size: ${next.value.byteLength} is invalid, a result may have ${LARGEST_RESULT} bytes`,
      );
    }
    bytes += next.value.byteLength;
    if (batch.length > 0 && bytes > BATCH_BYTES) {
      cursor.waiting = next.value;
      return { batch, isDone: false };
    }
    batch.push(next.value);
  }
}

export function createCursors() {
  const cursors = new Map<bigint, Cursor>();

  const close = (cursor: Cursor): void => {
    cursors.delete(cursor.id);
    cursor.rows.return?.();
  };

  return {
    firstBatchSize: (asked: number | undefined): number => asked ?? FIRST_BATCH,
    open(details: Pick<Cursor, "ns" | "rows" | "waiting" | "neverExpires" | "stream"> & CursorOwner): Cursor {
      let id = 0n;
      while (id === 0n || cursors.has(id)) id = (BigInt(randomInt(2 ** 31)) << 32n) | BigInt(randomInt(2 ** 32));
      const cursor: Cursor = { ...details, id, usedAt: Date.now(), isBusy: false };
      cursors.set(id, cursor);
      return cursor;
    },
    /** Finds the cursor for a getMore of this namespace, session and transaction, or says what does not fit. */
    find(id: bigint, ns: string, owner: CursorOwner): Cursor {
      const cursor = cursors.get(id);
      if (!cursor) throw notFound(id);
      if (cursor.ns !== ns)
        throw unauthorised(
          `Requested getMore on namespace '${ns}', but cursor belongs to a different namespace ${cursor.ns}`,
        );
      if (cursor.sessionKey !== owner.sessionKey)
        throw unauthorised(`Cannot run getMore on cursor ${id}, which was created in another session`);
      if (cursor.transaction !== owner.transaction) {
        throw located(50738, `Cannot run getMore on cursor ${id}, which was created in another transaction`);
      }
      if (cursor.isBusy) throw new MongoError(12051, "CursorInUse", `cursor id ${id} is already in use`);
      cursor.usedAt = Date.now();
      return cursor;
    },
    close,
    isOpen: (cursor: Cursor): boolean => cursors.has(cursor.id),
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
      for (const cursor of cursors.values()) {
        if (!cursor.neverExpires && !cursor.isBusy && now - cursor.usedAt > IDLE_MS) close(cursor);
      }
    },
    count: (): number => cursors.size,
  };
}
