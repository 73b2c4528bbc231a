import type { Socket } from "node:net";

export interface Limit {
  /** Of one IPv4 address or /64. */
  ofOne: number;
  inAll: number;
}

/** How often whoever holds something is looked at. */
export const LOOK_EVERY_MS = 1000;
/** Nobody younger than this gives way: so many may come at once. */
const YOUNG_MS = 1000;

interface Holder {
  network: string;
  socket: Socket;
  since: number;
}

/** Those who give way, so that the others fit: of those who are not new, the ones that are worth least. */
export function givingWay<One extends Holder>(
  all: Iterable<One>,
  { limit, worth }: { limit: Limit; worth: (one: One) => number },
): Socket[] {
  const oldest = performance.now() - YOUNG_MS;
  const kept = new Map<string, number>();
  let keptInAll = 0;
  const holding = [...all].filter(({ since }) => since < oldest).toSorted((a, b) => worth(b) - worth(a));
  return holding.flatMap(({ network, socket }) => {
    if (keptInAll >= limit.inAll || (kept.get(network) ?? 0) >= limit.ofOne) return [socket];
    keptInAll += 1;
    count(kept, network, 1);
    return [];
  });
}

/** Adds to a count that is not kept while it is nothing. */
export function count(counts: Map<string, number>, key: string, by: number): number {
  const value = (counts.get(key) ?? 0) + by;
  if (value > 0) counts.set(key, value);
  else counts.delete(key);
  return value;
}
