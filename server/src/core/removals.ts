// What is kept for some time and then removed, by nothing but a clock that is sure. What may vanish at any moment, such
// as the counters of a rate limit, has an index that expires instead.
import mongoose from "mongoose";
import { apart } from "./apart.ts";
import { HOUR_MS } from "./clock.ts";
import { counted, DiedOverError, restAfterDeaths } from "./deaths.ts";
import { defineRepeatedJob } from "./jobs.ts";
import type { Logger } from "./logger.ts";
import { type DueTimes, surelyBefore } from "./sure-clock.ts";

const BATCH = 500;
const BATCHES_MAX = 200;

interface Removal {
  /** In words, for the log. */
  of: string;
  keptMs: number;
  /** Removes what was stored at these times, and says how much that was. */
  remove: (times: DueTimes) => Promise<number>;
}

const removals: Removal[] = [];

export const defineRemoval = (removal: Removal): void => void removals.push(removal);

defineRepeatedJob({ name: "remove what is over", everyMs: HOUR_MS, run: removeWhatIsOver });

export async function removeWhatIsOver(log: Logger): Promise<void> {
  for (const { of, keptMs, remove } of removals) {
    const times = await surelyBefore(keptMs, log);
    if (!times) return;
    // The next round tries again, where no process died over it too often.
    const nothing = () => Promise.resolve();
    const place = `remove:${of}`;
    const work = async () => {
      const count = await remove(times);
      if (count > 0) log.info({ of, count }, "removed for its age");
    };
    await apart(() => counted(place, work), { item: { of }, log, setAside: restIfDied, putBack: nothing });
  }
}

const restIfDied = async (error: unknown): Promise<void> => {
  if (error instanceof DiedOverError) await restAfterDeaths(error);
};

export const atTimes = (field: string, times: DueTimes) => ({
  $or: times.map(([after, before]) => ({ [field]: mongoose.trusted({ $gte: after, $lt: before }) })),
});

/**
 * Goes once through every document that was stored at these times, and adds up how many `remove` took away; what is
 * still of use stays, and does not stand in the way of what comes after it.
 */
export const removeEach =
  <Doc extends { _id: string }>(
    model: Pick<mongoose.Model<Doc>, "find">,
    field: string,
    remove: (doc: Doc) => Promise<number>,
  ) =>
  async (times: DueTimes): Promise<number> => {
    if (times.length === 0) return 0;
    let count = 0;
    let after = "";
    for (;;) {
      const docs = await model
        .find()
        .where({ ...atTimes(field, times), _id: mongoose.trusted({ $gt: after }) })
        .setOptions({ anyOwner: true })
        .sort({ _id: 1 })
        .limit(BATCH)
        .lean<Doc[]>();
      for (const doc of docs) count += await remove(doc);
      after = docs.at(-1)?._id ?? "";
      if (docs.length < BATCH) return count;
    }
  };

/** Removes documents of which nothing else hangs. */
export const removeFrom =
  (collection: string, field: string, further: Record<string, unknown> = {}) =>
  async (times: DueTimes): Promise<number> => {
    if (times.length === 0) return 0;
    const documents = mongoose.connection.collection(collection);
    const due = { $and: [atTimes(field, times), further] };
    let count = 0;
    for (let batches = 0; batches < BATCHES_MAX; batches += 1) {
      const found = await documents
        .find(due, { projection: { _id: 1 } })
        .limit(BATCH)
        .toArray();
      const ids = found.map(({ _id }) => _id);
      count += (await documents.deleteMany({ $and: [{ _id: { $in: ids } }, due] })).deletedCount;
      if (ids.length < BATCH) break;
    }
    return count;
  };
