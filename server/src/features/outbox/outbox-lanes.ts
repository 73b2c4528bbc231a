// How much is under way: one mail of a carrier at a time for each practice, and neither a carrier that is slow, nor several
// of them together, nor all of one practice keep the mail of others waiting.
import { MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { type Carrier, carrierName } from "../mail/mail-from.service.ts";

/** So many mails are begun side by side. */
export const LANES = 8;
/** So many of them by carriers that are known to be slow. */
const SLOW_AT_ONCE = LANES / 2;
// With those that took so long that their place went on without them.
const AT_ONCE_MAX = 3 * LANES;
const OF_PRACTICE_MAX = LANES;
const LATE_AFTER_MS = 5 * SECOND_MS;
const SLOW_FOR_MS = 5 * MINUTE_MS;
// Longer than any pause of a carrier.
const ON_TRIAL_MS = 30 * MINUTE_MS;

/** What of a practice leaves one after the other. */
export interface Lane {
  ownerId: string;
  carrier: string;
  key: string;
}

/** What a try showed of its carrier. */
export type Shown = "took it" | "failed for now" | "no answer" | "nothing";

/** Practices that have no mailbox do not wait for each other. */
export function laneOf(ownerId: string, carrier: Carrier): Lane {
  const name = carrierName(carrier);
  return { ownerId, carrier: name, key: `${ownerId} ${name}` };
}

/** Those in which this process is sending just now. */
const busy = new Map<string, Lane>();
/** Those whose last mail took long, or failed for now, and until when that counts. */
const slowUntil = new Map<string, number>();
/** Carriers that did not answer last time: one mail at a time tries them, whoever wrote it. */
const onTrialUntil = new Map<string, number>();

const underWay = (isSo: (lane: Lane) => boolean): number => [...busy.values()].filter(isSo).length;

export const underWayOf = (ownerId: string): number => underWay((lane) => lane.ownerId === ownerId);

export const hasRoom = (): boolean => busy.size < AT_ONCE_MAX;

export function mayBegin({ ownerId, carrier, key }: Lane): boolean {
  forgetOld();
  if (!hasRoom() || busy.has(key) || underWayOf(ownerId) >= OF_PRACTICE_MAX) return false;
  if (onTrialUntil.has(carrier) && underWay((lane) => lane.carrier === carrier) > 0) return false;
  return !slowUntil.has(key) || underWay((lane) => slowUntil.has(lane.key)) < SLOW_AT_ONCE;
}

function forgetOld(): void {
  const at = performance.now();
  for (const known of [slowUntil, onTrialUntil]) for (const [key, until] of known) if (until < at) known.delete(key);
}

export const begin = (lane: Lane): void => void busy.set(lane.key, lane);

const noteSlow = ({ key }: Lane) => slowUntil.set(key, performance.now() + SLOW_FOR_MS);

function note(lane: Lane, shown: Shown, isLate: boolean): void {
  if (shown === "no answer") onTrialUntil.set(lane.carrier, performance.now() + ON_TRIAL_MS);
  if (shown === "took it") onTrialUntil.delete(lane.carrier);
  if (isLate || shown === "failed for now" || shown === "no answer") noteSlow(lane);
  else slowUntil.delete(lane.key);
}

/**
 * Resolves when the mail of this lane is done with, or as soon as it takes long: then it goes on by itself, and its
 * place takes the next. The work tells what it showed of the carrier.
 */
export async function inLane(lane: Lane, work: () => Promise<Shown>, log: Logger): Promise<void> {
  let isLate = false;
  const done = work()
    .then((shown) => note(lane, shown, isLate))
    .finally(() => busy.delete(lane.key));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      noteSlow(lane);
      // Nobody waits for it any more.
      done.catch((error: unknown) => log.error({ err: error, ownerId: lane.ownerId }, "case mail failed"));
      resolve();
    }, LATE_AFTER_MS);
  });
  await Promise.race([done, late]).finally(() => clearTimeout(timer));
}
