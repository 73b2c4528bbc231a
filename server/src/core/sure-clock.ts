// How far the clock is to be believed. What is removed for its age is gone for good, so a clock that is wrong for a
// moment, ahead or behind, must not decide it. The newest time that this installation has seen stands in its database:
// a time that goes back from there, or leaps further ahead than a machine is off over some days, begins a new stretch,
// and nothing is removed before the product has run in it for a day.
import mongoose, { Schema } from "mongoose";
import { DAY_MS, HOUR_MS, MINUTE_MS, now } from "./clock.ts";
import { isDuplicateKey } from "./database.ts";
import type { Logger } from "./logger.ts";

/** Machines sleep at night and over a weekend, so such a leap is not told from a wrong clock; all is kept so much longer. */
export const LEAP_MAX_MS = 3 * DAY_MS;
const BACK_MAX_MS = MINUTE_MS;
const STEADY_MS = DAY_MS;
/** Between two looks of a product that runs. */
const RUN_MAX_MS = HOUR_MS;
/** What was stored between the looks before a leap and after it. */
const AROUND_MS = HOUR_MS;
const DOUBTFUL_MAX = 100;
const LOOKS_MAX = 5;

/** Times that may have been stored by a clock that was behind: such things are as old as `rightAt`. */
export interface Doubtful {
  from: Date;
  to: Date;
  rightAt: Date;
}

interface ClockDoc {
  _id: string;
  newest: Date;
  /** When this stretch began, and whether that was a step back. */
  from: Date;
  wentBack: boolean;
  /** How long the product ran in it. */
  steadyMs: number;
  doubtful: Doubtful[];
}

const date = { type: Date, required: true };
const clockSchema = new Schema<ClockDoc>(
  {
    _id: { type: String, required: true },
    newest: date,
    from: date,
    wentBack: { type: Boolean, required: true },
    steadyMs: { type: Number, required: true },
    doubtful: [{ _id: false, from: date, to: date, rightAt: date }],
  },
  { collection: "clock", versionKey: false },
);
const ClockModel = mongoose.model("Clock", clockSchema);
const ID = "clock";

let isSure = false;

/** Whether the time has been steady for a day, when this process last looked. */
export const isClockSure = (): boolean => isSure;

/** Call it often: how long the clock is steady is counted from look to look, whichever process looks. */
export async function lookAtClock(log: Logger): Promise<ClockDoc | null> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const seen = await lookOnce(log);
    if (!seen) continue;
    isSure = seen.steadyMs >= STEADY_MS;
    return seen;
  }
  isSure = false;
  return null;
}

/** Null where another process looked at the same moment. */
async function lookOnce(log: Logger): Promise<ClockDoc | null> {
  const before = await ClockModel.findById(ID).lean();
  // Only now: a time from before the question could be behind one that was stored meanwhile.
  const at = now();
  if (!before) return firstLook(at);
  const aheadMs = at.getTime() - before.newest.getTime();
  if (aheadMs <= 0 && aheadMs >= -BACK_MAX_MS) return before;
  const isLeap = aheadMs < 0 || aheadMs > LEAP_MAX_MS;
  const change = isLeap ? afterLeap(before, at) : { newest: at, steadyMs: before.steadyMs + countedMs(aheadMs) };
  const after = await ClockModel.findOneAndUpdate(
    { _id: ID, newest: before.newest },
    { $set: change },
    { returnDocument: "after", lean: true },
  );
  if (after && isLeap)
    log.warn({ from: before.newest, to: at }, "the clock leapt: nothing is removed for its age for a day");
  return after;
}

async function firstLook(at: Date): Promise<ClockDoc | null> {
  const first: ClockDoc = { _id: ID, newest: at, from: at, wentBack: false, steadyMs: 0, doubtful: [] };
  try {
    await ClockModel.create([first]);
    return first;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return null;
  }
}

const countedMs = (aheadMs: number): number => (aheadMs > RUN_MAX_MS ? 0 : aheadMs);

/** Before a leap ahead the clock may have been behind: where it had gone back, or not run for a day. */
function afterLeap(before: ClockDoc, at: Date): Omit<ClockDoc, "_id"> {
  const wentBack = at < before.newest;
  const isDoubtful = !wentBack && (before.wentBack || before.steadyMs < STEADY_MS);
  const doubt = {
    from: new Date(before.from.getTime() - AROUND_MS),
    to: new Date(before.newest.getTime() + AROUND_MS),
    rightAt: at,
  };
  const doubtful = [...before.doubtful, ...(isDoubtful ? [doubt] : [])].slice(-DOUBTFUL_MAX);
  return { newest: at, from: at, wentBack, steadyMs: 0, doubtful };
}

export type DueTimes = [after: Date, before: Date][];

/**
 * The stored times of what was stored at least so long ago; null while the clock is not sure. Ask for it in the round
 * that removes, and remove by it alone.
 */
export async function surelyBefore(ageMs: number, log: Logger): Promise<DueTimes | null> {
  const seen = await lookAtClock(log);
  if (!seen || !isSure) return null;
  return timesBefore(new Date(seen.newest.getTime() - ageMs - LEAP_MAX_MS), seen.doubtful);
}

/** The times before this one, but for what may be younger than its time. */
export function timesBefore(limit: Date, doubtful: readonly Doubtful[]): DueTimes {
  const young = doubtful.filter(({ from, rightAt }) => from < limit && rightAt >= limit);
  const times: DueTimes = [];
  let after = new Date(0);
  for (const { from, to } of young.toSorted((one, other) => one.from.getTime() - other.from.getTime())) {
    if (after < from) times.push([after, from]);
    if (after < to) after = to;
  }
  if (after < limit) times.push([after, limit]);
  return times;
}
