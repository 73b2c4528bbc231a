// Where no mail can leave, whoever registers need not prove an address: nobody opens very many practices from one place.
import { HOUR_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { tooManyRequests } from "../../core/errors.ts";
import {
  countAttempt,
  describePause,
  giveBackTry,
  type Limit,
  networkOf,
  widerNetworksOf,
} from "../../core/rate-limit.ts";

const pauses = { pauseMs: HOUR_MS, longestPauseMs: 24 * HOUR_MS, memoryMs: 24 * HOUR_MS };
const OF_NETWORK: Limit = { tries: 5, ...pauses };
const OF_WIDER: Limit = { tries: 20, ...pauses };

/** Counts a practice before it is opened, and takes it back where it is not. Throws where so many were opened from there. */
export async function countingOpening<Result>(ip: string, open: () => Promise<Result>): Promise<Result> {
  const counted: string[] = [];
  const giveBack = () => Promise.all(counted.map(giveBackTry));
  const places = [
    { network: networkOf(ip), limit: OF_NETWORK },
    ...widerNetworksOf(ip).map((network) => ({ network, limit: OF_WIDER })),
  ];
  for (const { network, limit } of places) {
    const key = `practices-opened:${keyedHash(`ip:${network}`)}`;
    const { isAllowed, pauseMs } = await countAttempt(key, limit);
    if (!isAllowed) {
      await giveBack();
      throw tooManyRequests(
        `Several practices were opened from your network lately. Try again in ${describePause(pauseMs)}, or ask whoever runs this installation to open yours.`,
      );
    }
    counted.push(key);
  }
  try {
    return await open();
  } catch (error) {
    await giveBack();
    throw error;
  }
}
