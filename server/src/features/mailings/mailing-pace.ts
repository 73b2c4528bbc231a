import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../../core/clock.ts";

/** Gives each mail its turn where so many a minute are allowed; 0 lets all go at once. */
export function paced(perMinute: number): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    if (perMinute === 0) return;
    const at = Math.max(nextAt, Date.now());
    nextAt = at + MINUTE_MS / perMinute;
    await sleep(at - Date.now());
  };
}
