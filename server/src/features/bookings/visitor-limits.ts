// How often somebody who is not signed in may try: by the link that is theirs alone, or else by network, so that a crowd
// of one does not keep others out, and by the address that is mailed, so that nobody's mailbox is flooded.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { tooManyRequests } from "../../core/errors.ts";
import { mailboxKey } from "@app/shared/email-address";
import { type Bucket, returnTokens, takeToken } from "../../core/token-bucket.ts";
import { countAttempt, describePause, type Limit, networkOf, widerNetworksOf } from "../../core/rate-limit.ts";

const quarter = { pauseMs: 15 * MINUTE_MS, longestPauseMs: 2 * HOUR_MS, memoryMs: 2 * HOUR_MS };
const LIMITS = {
  hold: { tries: 60, ...quarter },
  book: { tries: 10, ...quarter },
  change: { tries: 20, ...quarter },
  // Whoever moved too often can still say that they do not come.
  cancel: { tries: 20, ...quarter },
} satisfies Record<string, Limit>;
const LOOKED: Bucket = { size: 240, everyMs: SECOND_MS / 2 };
/** How much more a wider network may, where people share it. */
const WIDER = 10;
const OF_ADDRESS: Bucket = { size: 6, everyMs: HOUR_MS / 6 };

/** `ownId` is what only they have the link of; null where others may have it too. */
export async function countTry(ip: string, what: keyof typeof LIMITS, ownId: string | null): Promise<void> {
  const limit = LIMITS[what];
  if (ownId !== null) return count(`booking-${what}:${keyedHash(`link:${ownId}`)}`, limit);
  await count(`booking-${what}:${keyedHash(`ip:${networkOf(ip)}`)}`, limit);
  for (const network of widerNetworksOf(ip))
    await count(`booking-${what}:${keyedHash(`ip:${network}`)}`, { ...limit, tries: limit.tries * WIDER });
}

/**
 * Around what a mail to this address tells of: where nothing came of it nothing is counted, so that nobody uses up what
 * another may have by naming their address.
 */
export async function countingMailTo<Result>(email: string, work: () => Promise<Result>): Promise<Result> {
  const key = `booking-mail:${keyedHash(mailboxKey(email))}`;
  const { isTaken, waitMs } = await takeToken(key, OF_ADDRESS);
  if (!isTaken) throw tooMany(waitMs);
  try {
    return await work();
  } catch (error) {
    await returnTokens([[key, OF_ADDRESS]]);
    throw error;
  }
}

/** Before a page, or what is free, is looked up. */
export async function countLook(ip: string): Promise<void> {
  const { isTaken, waitMs } = await takeToken(`booking-look:${keyedHash(`ip:${networkOf(ip)}`)}`, LOOKED);
  if (!isTaken)
    throw tooManyRequests(`This was looked at very often from here. Try again in ${describePause(waitMs)}.`);
}

async function count(key: string, limit: Limit): Promise<void> {
  const { isAllowed, pauseMs } = await countAttempt(key, limit);
  if (!isAllowed) throw tooMany(pauseMs);
}

const tooMany = (pauseMs: number) =>
  tooManyRequests(`There were many tries lately. Try again in ${describePause(pauseMs)}, or phone us.`);
