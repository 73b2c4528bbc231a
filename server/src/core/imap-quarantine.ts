// Whose answers took too long to read. They are read apart for a while, where they end nobody else's; and where they take
// too long even there, not at all for a while. Longer each time.
import { HOUR_MS, MINUTE_MS } from "./clock.ts";

const APART_MS = 10 * MINUTE_MS;
const APART_MAX_MS = 12 * HOUR_MS;
const PAUSE_MS = MINUTE_MS;
const PAUSE_MAX_MS = HOUR_MS;
const FORGOTTEN_AFTER_MS = 24 * HOUR_MS;

interface Known {
  times: number;
  timesApart: number;
  apartUntil: number;
  pausedUntil: number;
}

export function newQuarantine() {
  const known = new Map<string, Known>();
  return {
    /** It happened again. */
    note(of: string, { wasApart }: { wasApart: boolean }): void {
      const now = performance.now();
      for (const [one, { apartUntil }] of known) if (now > apartUntil + FORGOTTEN_AFTER_MS) known.delete(one);
      const before = known.get(of) ?? { times: 0, timesApart: 0, apartUntil: 0, pausedUntil: 0 };
      const times = before.times + 1;
      const timesApart = before.timesApart + (wasApart ? 1 : 0);
      known.set(of, {
        times,
        timesApart,
        apartUntil: now + Math.min(APART_MAX_MS, APART_MS * 2 ** (times - 1)),
        pausedUntil: wasApart ? now + Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** (timesApart - 1)) : before.pausedUntil,
      });
    },
    isApart: (of: string): boolean => performance.now() < (known.get(of)?.apartUntil ?? 0),
    isPaused: (of: string): boolean => performance.now() < (known.get(of)?.pausedUntil ?? 0),
  };
}
