// Work on many things in this thread, which would keep everybody else waiting if it were done in one piece.
import { setImmediate as nextTurn } from "node:timers/promises";

const SLICE_MS = 5;

/** What `work` makes of each; others are heard every few milliseconds. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const done: Result[] = [];
  let startedAt = performance.now();
  for (const item of items) {
    if (performance.now() - startedAt > SLICE_MS) {
      await nextTurn();
      startedAt = performance.now();
    }
    done.push(work(item));
  }
  return done;
}

const PIECE_BYTES = 512 * 1024;

/** Bytes in pieces; others are heard in between. */
export async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    yield bytes.subarray(from, from + PIECE_BYTES);
    await nextTurn();
  }
}
