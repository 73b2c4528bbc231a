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

/** Each of them, one after the other; others are heard every few milliseconds. */
export async function* inSlices<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  let startedAt = performance.now();
  for (const item of items) {
    if (performance.now() - startedAt > SLICE_MS) {
      await nextTurn();
      startedAt = performance.now();
    }
    yield item;
  }
}

/** Of documents that may be large: the driver opens a reply of the database in one piece. */
const BATCH_SIZE = 4;

/** A query that was not sent yet. */
export interface Asked<Doc> {
  cursor(options: { batchSize: number }): AsyncIterable<Doc>;
}

/** What a query finds, a few documents at a time; others are heard in between. */
export async function* fewAtATime<Doc>(query: Asked<Doc>): AsyncGenerator<Doc> {
  let startedAt = performance.now();
  for await (const doc of query.cursor({ batchSize: BATCH_SIZE })) {
    if (performance.now() - startedAt > SLICE_MS) {
      await nextTurn();
      startedAt = performance.now();
    }
    yield doc;
  }
}

/** What `work` makes of each document that a query finds, none of which is kept. */
export async function mapFewAtATime<Doc, Result>(
  query: Asked<Doc>,
  work: (doc: Doc) => Result | Promise<Result>,
): Promise<Result[]> {
  const done: Result[] = [];
  for await (const doc of fewAtATime(query)) done.push(await work(doc));
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
