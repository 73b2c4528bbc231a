// While so many guess at an account that all of them wait, places that hardly tried are heard all the same.
import { DAY_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { networkOf, widerNetworksOf } from "../../core/rate-limit.ts";
import { type Bucket, leftIn, type NamedBucket, returnTokens, takeTokens } from "../../core/token-bucket.ts";

const aWeek = (size: number): Bucket => ({ size, everyMs: (7 * DAY_MS) / size });

/** What one network may take of an account's lane, and what all within a wider one may take together. */
const OF_NETWORK = aWeek(2);
const OF_48 = aWeek(8);
const OF_32 = aWeek(250);

/** 4,000 networks are heard twice each before the lane is empty, and 2,600 go on at their pace without emptying it. */
export const PASSWORD_LANE: Bucket = { size: 8000, everyMs: DAY_MS / 750 };
/** A code is one of a million, and only who knows the password may enter one: so far fewer. */
export const CODE_LANE: Bucket = { size: 500, everyMs: DAY_MS / 100 };

export interface SlowTry {
  /** Tries that this network has left. */
  left: number;
  giveBack(): Promise<void>;
}

/**
 * Takes a try of a network that hardly tried at this account within a week; null where it, what it lies in, or the
 * account has none left. No place takes another's: what a network may take is kept by network, and no /48 of IPv6, no
 * /32 and no /16 of IPv4 empties what is for all.
 */
export async function takeSlowLane(count: string, ip: string, lane: Bucket): Promise<SlowTry | null> {
  const buckets = bucketsOf(count, ip, lane);
  const { isTaken } = await takeTokens(buckets);
  return isTaken ? { left: await leftIn(buckets[0]), giveBack: () => returnTokens(buckets) } : null;
}

/** The narrowest first: what it has left is what this network has. */
function bucketsOf(count: string, ip: string, lane: Bucket): [NamedBucket, ...NamedBucket[]] {
  const [wide = "", wider] = widerNetworksOf(ip);
  const keyOf = (network: string) => `${count}:slow:${keyedHash(`ip:${network}`)}`;
  const around: NamedBucket[] =
    wider === undefined
      ? // Half of all for each /16: there are few, and much of a country may sign in from one.
        [[keyOf(wide), { size: lane.size / 2, everyMs: lane.everyMs * 2 }]]
      : [
          [keyOf(wide), OF_48],
          [keyOf(wider), OF_32],
        ];
  return [[keyOf(networkOf(ip)), OF_NETWORK], ...around, [`${count}:slow`, lane]];
}
