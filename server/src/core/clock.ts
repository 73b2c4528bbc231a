export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** By how much this machine's clock may differ from the database's before it is not believed. */
const APART_MS = SECOND_MS / 2;

/** What the database last said, and when that was on the clock that nobody sets. */
let heard: { time: number; at: number } | undefined;

export const clock = { now: presentTime };

/** The only source of the present time, and the same in all processes. Tests fix it through `clock.now`. */
export const now = (): Date => clock.now();

function presentTime(): Date {
  const own = Date.now();
  if (!heard) return new Date(own);
  const theirs = heard.time + performance.now() - heard.at;
  return new Date(Math.abs(own - theirs) <= APART_MS ? own : theirs);
}

/** The database's time, as it answered to what was asked at `askedAt` of `performance.now()`. */
export function hearTime(time: Date, askedAt: number): void {
  const at = performance.now();
  // It may be from anywhere in between.
  if (at - askedAt <= APART_MS) heard = { time: time.getTime() + (at - askedAt) / 2, at };
}
