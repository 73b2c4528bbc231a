// Where no mail can leave, nothing but an answer can tell that an address has an account, so nobody hears many of them.
import { HOUR_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { tooManyRequests } from "../../core/errors.ts";
import { describePause, type Limit, networkOf, pauseLeftMs, countAttempt } from "../../core/rate-limit.ts";

const TAKEN: Limit = { tries: 10, pauseMs: HOUR_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: 4 * HOUR_MS };
const takenCount = (ip: string) => `register-taken:${keyedHash(`ip:${networkOf(ip)}`)}`;

export async function assertNotTrying(ip: string): Promise<void> {
  const left = await pauseLeftMs(takenCount(ip));
  if (left > 0) throw tooManyRequests(`Too many tries from your network. Try again in ${describePause(left)}.`);
}

/** Somebody there was told. */
export const countTaken = (ip: string): Promise<unknown> => countAttempt(takenCount(ip), TAKEN);
