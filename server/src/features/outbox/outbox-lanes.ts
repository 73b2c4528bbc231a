// Whose mail may be taken next: one mail of a practice at a time, and no practice whose server is slow, nor several of
// them together, keeps the mail of others waiting.
import { MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";

/** So many mails are begun side by side. */
export const LANES = 8;
/** So many of them by practices that are known to be slow. */
const SLOW_AT_ONCE = LANES / 2;
// With those that took so long that their lane went on without them.
const AT_ONCE_MAX = 3 * LANES;
const LATE_AFTER_MS = 5 * SECOND_MS;
const SLOW_FOR_MS = 5 * MINUTE_MS;

/** The practices whose mail this process is sending just now. */
const busy = new Set<string>();
/** Those whose last mail took long, or failed for now, and until when that counts. */
const slowUntil = new Map<string, number>();

/** Whose mail must wait; null where everybody's must. */
export function waitingOwners(): string[] | null {
  if (busy.size >= AT_ONCE_MAX) return null;
  const at = performance.now();
  for (const [ownerId, until] of slowUntil) if (until < at) slowUntil.delete(ownerId);
  const slow = [...slowUntil.keys()];
  const isFull = slow.filter((ownerId) => busy.has(ownerId)).length >= SLOW_AT_ONCE;
  return isFull ? [...new Set([...busy, ...slow])] : [...busy];
}

export const begin = (ownerId: string): void => void busy.add(ownerId);

const noteSlow = (ownerId: string) => slowUntil.set(ownerId, performance.now() + SLOW_FOR_MS);

/**
 * Resolves when the mail of this practice is done with, or as soon as it takes long: then it goes on by itself, and its
 * lane takes the next. The work tells whether it failed for now.
 */
export async function inLane(ownerId: string, work: () => Promise<boolean>, log: Logger): Promise<void> {
  let isLate = false;
  const done = work()
    .then((isTemporary) => {
      if (isLate || isTemporary) noteSlow(ownerId);
      else slowUntil.delete(ownerId);
    })
    .finally(() => busy.delete(ownerId));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      noteSlow(ownerId);
      // Nobody waits for it any more.
      done.catch((error: unknown) => log.error({ err: error, ownerId }, "case mail failed"));
      resolve();
    }, LATE_AFTER_MS);
  });
  await Promise.race([done, late]).finally(() => clearTimeout(timer));
}
