// When something is to be tried next, or ends, is counted from now. A time further ahead than that was stored by a clock
// that was wrong, and would keep it from being tried, or open, until the right one comes there.
import mongoose from "mongoose";
import { MINUTE_MS, now } from "./clock.ts";
import type { Logger } from "./logger.ts";

/** Clocks of processes may differ by as much before what one of them stored looks wrong to another. */
export const TOLERANCE_MS = MINUTE_MS;

interface DueTime {
  /** In words, for the log. */
  of: string;
  /** Where it stands: the model and the path. `tests/core/due-times-known.test.ts` finds the times that are not named. */
  times: readonly string[];
  /** So far ahead and no further may it be stored. */
  aheadMs: number;
  /** Sets what is later than `latest` to `at`; never a time that a person chose. */
  bringBack: (latest: Date, at: Date) => PromiseLike<{ modifiedCount: number }>;
}

const dueTimes: DueTime[] = [];

/** For what a link or the like is looked up by: it is open, and was not made at a time that has not come yet. */
export function openFor(aheadMs: number) {
  const at = now();
  return mongoose.trusted({ $gt: at, $lte: new Date(at.getTime() + aheadMs + TOLERANCE_MS) });
}

export const namedTimes = (): string[] => dueTimes.flatMap(({ times }) => times);

export const defineDueTime = (dueTime: DueTime): void => void dueTimes.push(dueTime);

/** At start, and again and again: a clock may be set right at any moment. */
export async function bringBackDueTimes(log: Logger): Promise<void> {
  const at = now();
  for (const { of, aheadMs, bringBack } of dueTimes) {
    const { modifiedCount } = await bringBack(new Date(at.getTime() + aheadMs + TOLERANCE_MS), at);
    if (modifiedCount > 0) log.warn({ of, count: modifiedCount }, "times that a wrong clock stored were set right");
  }
}
