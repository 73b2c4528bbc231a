// Short work on each of many items, such as a reminder, in turns of practices: some of one, then some of the next.
import type { Logger } from "./logger.ts";
import { openQueue } from "./set-aside.ts";
import { defineWorkTurns, type Turn } from "./work-turns.ts";

const READ_MAX = 50;

interface DueItems<Item> {
  /** Of the job, and of its queue of what was set aside. */
  name: string;
  everyMs: number;
  takenOverAfterMs?: number;
  /** Whose items are due. */
  owners: () => Promise<string[]>;
  /** The first that are due of one practice, without those that were set aside. */
  next: (ownerId: string, besides: string[], max: number) => Promise<Item[]>;
  /** Once for each item, in whichever process: it claims what it changes. */
  work: (item: Item) => Promise<unknown>;
  /** Tells whoever can act that it could not be done. */
  tell: (item: Item) => Promise<unknown>;
}

/** Gives the way to do here and now all that is due. */
export function defineDueItems<Item extends { _id: string }>(due: DueItems<Item>): (log: Logger) => Promise<void> {
  const { name, everyMs, takenOverAfterMs, owners, next, work, tell } = due;
  const turns = defineWorkTurns({
    name,
    everyMs,
    ...(takenOverAfterMs === undefined ? {} : { takenOverAfterMs }),
    atOnce: 2,
    ofPractice: 1,
    setAside: "its items",
    find: async () => (await owners()).map((ownerId) => ({ ownerId, id: "" })),
    async work({ ownerId }, turn, log) {
      const queue = await openQueue(name);
      const items = await next(ownerId, queue.held, READ_MAX);
      const count = await queue.each(untilOver(items, turn), { log, keyOf: ({ _id }) => _id, work, tell });
      if (count > 0) log.info({ job: name, count }, "due items done");
      // Where none could be done the next look tries again.
      return count > 0 && (items.length === READ_MAX || count < items.length) ? 0 : null;
    },
  });
  return turns.onAllDue;
}

/** One at least, so that every turn gets something done. */
function* untilOver<Item>(items: readonly Item[], { isOver }: Turn): Generator<Item> {
  for (const [at, item] of items.entries()) {
    if (at > 0 && isOver()) return;
    yield item;
  }
}
