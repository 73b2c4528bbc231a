import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../../core/clock.ts";

/** Gives each mail its turn where so many a minute are allowed, or the signal ends the wait; 0 lets all go at once. */
export function paced(perMinute: number, signal: AbortSignal): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    if (perMinute === 0 || signal.aborted) return;
    const at = Math.max(nextAt, performance.now());
    nextAt = at + MINUTE_MS / perMinute;
    await sleep(at - performance.now(), undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  };
}
