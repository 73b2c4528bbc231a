// How often somebody who is not signed in may try: by network, so that a crowd of one does not keep others out, and by
// the address that is mailed, so that nobody's mailbox is flooded.
import { HOUR_MS, MINUTE_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { tooManyRequests } from "../../core/errors.ts";
import { countAttempt, describePause, type Limit, networkOf, widerNetworksOf } from "../../core/rate-limit.ts";

const quarter = { pauseMs: 15 * MINUTE_MS, longestPauseMs: 2 * HOUR_MS, memoryMs: 2 * HOUR_MS };
const LIMITS = {
  hold: { tries: 60, ...quarter },
  book: { tries: 30, ...quarter },
  change: { tries: 20, ...quarter },
} satisfies Record<string, Limit>;
/** How much more a wider network may, where people share it. */
const WIDER = 10;
const OF_ADDRESS: Limit = { tries: 6, pauseMs: HOUR_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: 4 * HOUR_MS };

export async function countTry(ip: string, what: keyof typeof LIMITS): Promise<void> {
  const limit = LIMITS[what];
  await count(`booking-${what}:${keyedHash(`ip:${networkOf(ip)}`)}`, limit);
  for (const network of widerNetworksOf(ip))
    await count(`booking-${what}:${keyedHash(`ip:${network}`)}`, { ...limit, tries: limit.tries * WIDER });
}

/** Before a mail to this address is written. */
export const countMailTo = (email: string): Promise<void> => count(`booking-mail:${keyedHash(email)}`, OF_ADDRESS);

async function count(key: string, limit: Limit): Promise<void> {
  const { isAllowed, pauseMs } = await countAttempt(key, limit);
  if (!isAllowed)
    throw tooManyRequests(
      `There were many tries from here lately. Try again in ${describePause(pauseMs)}, or phone us.`,
    );
}
