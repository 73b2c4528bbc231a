// Where was asked of late to compare passwords, and how often: whoever asks again and again stands behind whoever hardly
// did.
import { isIPv4Address, networkOf, widerNetworksOf } from "../../core/rate-limit.ts";

/** Where an ask comes from, and how many asks of all of it weigh as much as one of a single network. */
interface Place {
  name: string;
  share: number;
}

const GENERATION_MS = 5 * 60_000;
/** Of places: what is beyond, is forgotten earlier. */
const PLACES_MAX = 100_000;
const SHARE_OF_16 = 32;
// In the proportion in which `slow-lane.ts` hears them.
const SHARE_OF_48 = 4;
const SHARE_OF_32 = 125;

interface Generation {
  asks: Map<string, number>;
  /** Accounts that were signed in to. */
  served: Set<string>;
}

const newGeneration = (): Generation => ({ asks: new Map(), served: new Set() });
let current = newGeneration();
let former = newGeneration();
let since = performance.now();

function renew(): void {
  const age = performance.now() - since;
  if (age < GENERATION_MS && current.asks.size < PLACES_MAX) return;
  former = age < 2 * GENERATION_MS ? current : newGeneration();
  current = newGeneration();
  since = performance.now();
}

/**
 * The narrowest first. Whoever has many addresses has them next to each other: a /24 of IPv4 and a /64 of IPv6 are one
 * network, and what these lie in is no more than some.
 */
export function placesAround(ip: string): Place[] {
  const [wide = "", wider = ""] = widerNetworksOf(ip);
  const own = { name: networkOf(ip), share: 1 };
  if (!isIPv4Address(ip)) return [own, { name: wide, share: SHARE_OF_48 }, { name: wider, share: SHARE_OF_32 }];
  const neighbours = ip.replace(/^.*:/, "").split(".").slice(0, 3).join(".");
  return [own, { name: `${neighbours}/24`, share: 1 }, { name: wide, share: SHARE_OF_16 }];
}

export function noteAsk(places: readonly Place[]): void {
  renew();
  for (const { name } of places) current.asks.set(name, (current.asks.get(name) ?? 0) + 1);
}

/** The right password was among them; of one account that counts once, for it may be whoever asks so often who has it. */
export function forgetAsk(places: readonly Place[], account: string): void {
  if (current.served.has(account) || former.served.has(account)) return;
  current.served.add(account);
  for (const { name } of places) {
    const kept = [current, former].find(({ asks }) => asks.has(name));
    if (kept) kept.asks.set(name, (kept.asks.get(name) ?? 1) - 1);
  }
}

const asksOf = (name: string): number => (current.asks.get(name) ?? 0) + (former.asks.get(name) ?? 0);

/** Negative where the first asked less. The place that asks most decides, and where it is the same, the narrower ones. */
export function compareAsks(one: readonly Place[], other: readonly Place[]): number {
  const [a, b] = [weightsOf(one), weightsOf(other)];
  const byMost = Math.max(...a) - Math.max(...b);
  if (byMost !== 0) return byMost;
  return a.map((weight, at) => weight - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

const weightsOf = (places: readonly Place[]): number[] => places.map(({ name, share }) => asksOf(name) / share);
