// Which process works on what. No clock that somebody can set is asked: a process shows that it lives by a number that
// rises, and whoever sees it stand still for long enough, on a clock that only counts, takes it for dead.
import mongoose, { Schema } from "mongoose";
import { hearTime, now, SECOND_MS } from "./clock.ts";
import { newId } from "./ids.ts";
import type { Logger } from "./logger.ts";

const BEAT_MS = SECOND_MS;
const SILENT_MS = 8 * SECOND_MS;
// Whoever stood still themselves has not watched the others meanwhile.
const WATCHED_MAX_MS = 2 * BEAT_MS;

const processSchema = new Schema(
  {
    _id: { type: String, required: true },
    pid: { type: Number, required: true },
    beats: { type: Number, required: true },
    /** By the database's clock. */
    at: { type: Date, required: true },
  },
  { collection: "processes", versionKey: false },
);
const ProcessModel = mongoose.model("Process", processSchema);

interface Self {
  id: string;
  /** When it last asked to be known as living, and was. */
  shownAt: number;
  timer: NodeJS.Timeout;
  isOver: boolean;
}

let self: Promise<Self> | undefined;
const held = new Set<string>();
const others = new Map<string, { beats: number; seenAt: number; silentMs: number }>();

export interface Hold {
  /** Stands in what is held. Nobody else ever has the same, so a change that names it fails once another holds it. */
  by: string;
  /** Whether this process may still take itself for the holder. */
  isHeld: () => boolean;
  release: () => void;
}

/** Makes this process known as living, and keeps its time right. */
export async function showLife(log?: Logger): Promise<void> {
  self ??= enter(log);
  await self;
}

/** For one piece of work: `by` is stored in it by a change that another can not make as well. */
export async function hold(): Promise<Hold> {
  self ??= enter();
  const me = await self;
  const by = `${me.id}.${newId()}`;
  held.add(by);
  return {
    by,
    isHeld: () => held.has(by) && performance.now() - me.shownAt < SILENT_MS,
    release: () => void held.delete(by),
  };
}

/** Does what nobody else does meanwhile. */
export async function whileHeld<Result>(work: (hold: Hold) => Promise<Result>): Promise<Result> {
  const mine = await hold();
  try {
    return await work(mine);
  } finally {
    mine.release();
  }
}

/** Those that nobody works on any more, or never did. Read them before this is asked. */
export async function abandonedAmong<Thing extends { heldBy: string }>(things: readonly Thing[]): Promise<Thing[]> {
  if (things.every(({ heldBy }) => heldBy === "")) return [...things];
  self ??= enter();
  const { id } = await self;
  const living = new Set(await ProcessModel.distinct("_id"));
  return things.filter(({ heldBy }) => {
    const [holder = ""] = heldBy.split(".");
    return holder === id ? !held.has(heldBy) : !living.has(holder);
  });
}

/** Whether another process had it that is gone; what this one let go of is no such thing. */
export async function isOfGoneProcess(heldBy: string): Promise<boolean> {
  self ??= enter();
  const [holder = ""] = heldBy.split(".");
  return holder !== "" && holder !== (await self).id && !(await ProcessModel.exists({ _id: holder }));
}

/** Lets others go on at once with whatever this process still holds. */
export async function endHolds(): Promise<void> {
  const ending = self;
  self = undefined;
  held.clear();
  others.clear();
  if (!ending) return;
  const me = await ending;
  end(me);
  await ProcessModel.deleteOne({ _id: me.id });
}

function end(me: Self): void {
  me.isOver = true;
  me.shownAt = -SILENT_MS;
  clearInterval(me.timer);
}

async function enter(log?: Logger): Promise<Self> {
  const me = { id: newId(), shownAt: performance.now() };
  try {
    await ProcessModel.create([{ _id: me.id, pid: process.pid, beats: 0, at: now() }]);
  } catch (error) {
    self = undefined;
    throw error;
  }
  let isBeating = false;
  const beat = async () => {
    if (isBeating) return;
    isBeating = true;
    try {
      if (await isKnown(known)) await watchOthers(known.id, log);
      else startAnew(known, log);
    } catch (error) {
      log?.warn({ err: error }, "this process could not show that it lives");
    } finally {
      isBeating = false;
    }
  };
  const known: Self = { ...me, timer: setInterval(() => void beat(), BEAT_MS).unref(), isOver: false };
  await beat();
  return known;
}

/** Shows that this process lives; false where others took it for dead. */
async function isKnown(me: Self): Promise<boolean> {
  const askedAt = performance.now();
  const life = await ProcessModel.findOneAndUpdate(
    { _id: me.id },
    { $inc: { beats: 1 }, $currentDate: { at: true } },
    { returnDocument: "after", lean: true },
  );
  if (!life) return false;
  me.shownAt = askedAt;
  hearTime(life.at, askedAt);
  return true;
}

/** Under another name: whatever it held may be with others by now. */
function startAnew(me: Self, log?: Logger): void {
  if (me.isOver) return;
  end(me);
  self = enter(log);
  self.catch((error: unknown) => log?.warn({ err: error }, "this process could not show that it lives"));
}

async function watchOthers(id: string, log?: Logger): Promise<void> {
  const living = await ProcessModel.find({ _id: mongoose.trusted({ $ne: id }) }).lean();
  const at = performance.now();
  for (const { _id, pid, beats } of living) {
    const seen = others.get(_id);
    const isMoving = seen?.beats !== beats;
    const silentMs = isMoving || !seen ? 0 : seen.silentMs + Math.min(at - seen.seenAt, WATCHED_MAX_MS);
    others.set(_id, { beats, seenAt: at, silentMs });
    if (silentMs < SILENT_MS) continue;
    others.delete(_id);
    const { deletedCount } = await ProcessModel.deleteOne({ _id, beats });
    if (deletedCount > 0) log?.warn({ pid }, "a process is gone, and others go on with its work");
  }
  const ids = new Set(living.map(({ _id }) => _id));
  for (const known of others.keys()) if (!ids.has(known)) others.delete(known);
}

/** For what was stored before it was kept who works on it. */
export const heldByNobody = (collection: string) => async (): Promise<void> => {
  const of = mongoose.connection.collection(collection);
  await of.updateMany({ heldBy: { $exists: false } }, { $set: { heldBy: "" } });
};
