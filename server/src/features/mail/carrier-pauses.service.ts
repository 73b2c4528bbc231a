// A carrier whose server did not answer is left alone for a while, with all that waits for it, and each time for longer.
import { DAY_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { clearAttempts, countAttempt, type Limit, pauseLeftMs } from "../../core/rate-limit.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { type Carrier, carrierName } from "./mail-from.service.ts";

const PAUSES: Limit = { tries: 1, pauseMs: MINUTE_MS, longestPauseMs: 15 * MINUTE_MS, memoryMs: DAY_MS };
/** The installation's server is asked by a whole practice, and may be silent for one recipient's sake. */
const PAUSES_OF_INSTALLATION: Limit = { ...PAUSES, tries: 2 };

const keyOf = (carrier: Carrier) => `carrier:${carrierName(carrier)}`;

/** Its server did not answer. Several tries that began before the pause make one pause together. */
export async function pauseCarrier(carrier: Carrier): Promise<void> {
  await countAttempt(keyOf(carrier), carrier.isFallbackForced ? PAUSES_OF_INSTALLATION : PAUSES);
}

/** It took a mail: the pause is over, and the next one is short again. */
export const endPause = (carrier: Carrier): Promise<void> => clearAttempts(keyOf(carrier));

/** Until when it is left alone; null where it is not. */
export async function pausedUntil(carrier: Carrier): Promise<Date | null> {
  const leftMs = await pauseLeftMs(keyOf(carrier));
  return leftMs > 0 ? new Date(now().getTime() + leftMs) : null;
}

/**
 * Why mail waits, for people who may read it, whosever mailbox it is: with the minute after the next try's, which is
 * never too early.
 */
export async function pauseReason({ ownerId, address, isFallbackForced }: Carrier, nextTryAt: Date): Promise<string> {
  const whose = isFallbackForced ? "this installation" : address;
  const minute = new Date(Math.ceil(nextTryAt.getTime() / MINUTE_MS) * MINUTE_MS);
  return `The mail server of ${whose} does not answer. Next try at ${(await practiceDates(ownerId)).time(minute)}.`;
}
