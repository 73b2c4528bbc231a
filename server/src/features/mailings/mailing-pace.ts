import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "../../core/clock.ts";

/** Whoever has to wait longer for the next mail leaves the place to others meanwhile. */
const WAIT_MAX_MS = 2 * SECOND_MS;
const READ_MAX = 200;

export interface Pace {
  /** Gives each mail its turn, one after the other: false where that is not soon, or where the signal ended the wait. */
  turn: () => Promise<boolean>;
  /** In how many milliseconds the next mail may go. */
  nextInMs: () => number;
  /** How many mails it makes sense to have ready, and to read at once. */
  lanesMax: number;
  readMax: number;
}

/** So many mails a minute; 0 lets all go at once. */
export function paced(perMinute: number, signal: AbortSignal): Pace {
  if (perMinute === 0)
    return {
      turn: () => Promise.resolve(!signal.aborted),
      nextInMs: () => 0,
      lanesMax: Number.POSITIVE_INFINITY,
      readMax: READ_MAX,
    };
  const everyMs = MINUTE_MS / perMinute;
  const isSlow = everyMs > WAIT_MAX_MS;
  let nextAt = 0;
  const nextInMs = () => Math.max(0, nextAt - performance.now());
  const next = async () => {
    if (signal.aborted || nextInMs() > WAIT_MAX_MS) return false;
    const at = Math.max(nextAt, performance.now());
    nextAt = at + everyMs;
    await sleep(Math.max(0, at - performance.now()), undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    return !signal.aborted;
  };
  let last = Promise.resolve(true);
  return {
    turn: () => (last = last.then(next)),
    nextInMs,
    lanesMax: isSlow ? 1 : Number.POSITIVE_INFINITY,
    readMax: isSlow ? 1 : READ_MAX,
  };
}
