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
