// What a job could not work on: kept apart so that it stops nothing, and tried again by the next release of the product.
import mongoose from "mongoose";
import { apart, PUT_BACK_MS } from "./apart.ts";
import { DAY_MS, now } from "./clock.ts";
import { defineDueTime } from "./due-times.ts";
import type { Logger } from "./logger.ts";
import { release } from "./release.ts";
import { defineRemoval, removeFrom } from "./removals.ts";

const KEPT_MS = 180 * DAY_MS;
/** No queue rests longer. */
const AGAIN_AFTER_MAX_MS = DAY_MS;
const LISTED_MAX = 1000;

interface Place {
  /** The job, for ever. */
  queue: string;
  /** Whose it is, where the queue is not everybody's: the person of a mailbox. */
  of?: string;
  /** Names the item in it. */
  key: string;
}

export interface SetAside extends Required<Place> {
  _id: string;
  /** By what a person finds it, such as who wrote a mail. */
  name: string;
  /** When it came, as far as a person knows it by that. */
  at: Date;
  since: Date;
  /** The code that could not work on it. */
  release: string;
  /** When the same code tries again; null for never. */
  againAt: Date | null;
  /** Nothing is wrong with it: the server was busy. */
  isPutBack?: boolean;
}

const required = { type: String, required: true };
const setAsideSchema = new mongoose.Schema<SetAside>(
  {
    _id: required,
    queue: required,
    of: { type: String, default: "" },
    key: required,
    name: { type: String, default: "" },
    at: { type: Date, required: true },
    since: { type: Date, required: true },
    release: required,
    againAt: { type: Date, default: null },
    isPutBack: Boolean,
  },
  { collection: "set_aside", versionKey: false },
);
setAsideSchema.index({ queue: 1, of: 1, at: -1 });
setAsideSchema.index({ since: 1, _id: 1 });
defineRemoval({ of: "what was set aside", keptMs: KEPT_MS, remove: removeFrom("set_aside", "since") });
const SetAsideModel = mongoose.model("SetAside", setAsideSchema);

defineDueTime({
  of: "what was set aside",
  times: ["SetAside.againAt"],
  aheadMs: AGAIN_AFTER_MAX_MS,
  bringBack: (latest, at) =>
    SetAsideModel.updateMany({ againAt: mongoose.trusted({ $gt: latest }) }, { $set: { againAt: at } }),
});

const idOf = ({ queue, of = "", key }: Place): string => `${queue}:${of}:${key}`;

interface Further {
  name?: string;
  at?: Date;
  againAfterMs?: number;
}

/** Sets it aside for the code that runs now. */
export async function keepAside(place: Place, { name = "", at = now(), againAfterMs }: Further = {}): Promise<void> {
  const againAt = againAfterMs === undefined ? null : new Date(now().getTime() + againAfterMs);
  await write(place, { name, at, againAt, isPutBack: false });
}

/** Keeps it for some minutes where its queue has gone on behind it. What was set aside before stays so. */
export async function putBack(
  place: Place,
  { name = "", at = now() }: Pick<Further, "name" | "at"> = {},
): Promise<void> {
  const isAside = await SetAsideModel.exists({ _id: idOf(place), isPutBack: mongoose.trusted({ $ne: true }) });
  const againAt = new Date(now().getTime() + PUT_BACK_MS);
  if (isAside) await SetAsideModel.updateOne({ _id: idOf(place) }, { $set: { againAt } });
  else await write(place, { name, at, againAt, isPutBack: true });
}

async function write(place: Place, how: Pick<SetAside, "name" | "at" | "againAt" | "isPutBack">): Promise<void> {
  const change = { ...place, ...how, since: now(), release: release() };
  await SetAsideModel.updateOne({ _id: idOf(place) }, { $set: change }, { upsert: true });
}

/** It was worked on, or there is no such thing any more. */
export async function forgetAside(place: Place): Promise<void> {
  await SetAsideModel.deleteOne({ _id: idOf(place) });
}

/** Nothing of a person's is in this queue any more. */
export async function emptyAside(queue: string, of: string): Promise<void> {
  await SetAsideModel.deleteMany({ queue, of });
}

/** Those with which something is wrong, as far as anybody knows; the newest first. */
export const listUnfit = async (queue: string, of = ""): Promise<SetAside[]> =>
  (await listAside(queue, of)).filter(({ isPutBack }) => isPutBack !== true);

/** Those and what was put back. */
export const listAside = (queue: string, of = ""): Promise<SetAside[]> =>
  SetAsideModel.find({ queue, of }).sort({ at: -1 }).limit(LISTED_MAX).lean();

/** How much is set aside in each queue that has any, for whoever runs the installation. */
export async function countAside(): Promise<Record<string, number>> {
  const counts = await SetAsideModel.aggregate<{ _id: string; count: number }>([
    { $match: { isPutBack: mongoose.trusted({ $ne: true }) } },
    { $group: { _id: "$queue", count: { $sum: 1 } } },
    { $sort: { _id: 1 } },
  ]);
  return Object.fromEntries(counts.map(({ _id, count }) => [_id, count]));
}

/** Whether the code that runs now need not try it. */
export const isHeld = ({ release: by, againAt }: SetAside): boolean =>
  by === release() && (againAt === null || againAt > now());

interface Round<Item> {
  log: Logger;
  keyOf: (item: Item) => string;
  work: (item: Item) => Promise<unknown>;
  /** Tells whoever can act, the first time. */
  tell?: (item: Item) => Promise<unknown>;
  /** Where what failed may be well later without a new release. */
  againAfterMs?: number;
}

/** It is still where the next round looks. */
const nothing = () => Promise.resolve();

/** The items of a queue that its job may look for, and the way to work through what it found. */
export async function openQueue(queue: string) {
  const before = new Map((await listAside(queue)).map((one) => [one.key, one]));
  return {
    /** Those not to be looked for: they would take the place of others in a round. */
    held: [...before.values()].filter(isHeld).map(({ key }) => key),
    /** Works on each apart, and says how many were done; what fails is set aside. */
    async each<Item>(items: Iterable<Item>, { log, keyOf, work, tell, againAfterMs }: Round<Item>): Promise<number> {
      let count = 0;
      for (const item of items) {
        const place = { queue, key: keyOf(item) };
        const named = { item: place, log };
        const counted = { ...named, place: idOf(place) };
        const setAside = async () => {
          await keepAside(place, againAfterMs === undefined ? {} : { againAfterMs });
          if (tell && !before.has(place.key))
            await apart(() => tell(item), { ...named, setAside: nothing, putBack: nothing });
        };
        const isDone = await apart(() => work(item), { ...counted, setAside, putBack: nothing });
        if (isDone && before.has(place.key)) await forgetAside(place);
        if (isDone) count += 1;
      }
      return count;
    },
  };
}
