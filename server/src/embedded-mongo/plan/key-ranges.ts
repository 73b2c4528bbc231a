// From bounds on the components of a key to ranges of whole keys.
import type { Bounds, Interval } from "./intervals.ts";

/** Keys from `from` up to but not including `to`. */
export type KeyRange = { from: Buffer; to: Buffer };

export const MAX_RANGES = 20_000;
const NO_LIMIT = Buffer.from([0xff]);

/** The end of all keys that begin with these bytes. */
export function prefixEnd(bytes: Buffer): Buffer {
  let last = bytes.length - 1;
  while (last >= 0 && bytes[last] === 0xff) last -= 1;
  if (last < 0) return NO_LIMIT;
  const end = Buffer.from(bytes.subarray(0, last + 1));
  end.writeUInt8((end[last] ?? 0) + 1, last);
  return end;
}

const inverted = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0xff));

function rangeOf(prefix: Buffer, interval: Interval, isDescending: boolean): KeyRange {
  const { low, high, isLowOpen, isHighOpen } = interval;
  const [first, isFirstOpen] = isDescending ? [inverted(high), isHighOpen] : [low, isLowOpen];
  const [last, isLastOpen] = isDescending ? [inverted(low), isLowOpen] : [high, isHighOpen];
  const from = Buffer.concat([prefix, first]);
  const to = Buffer.concat([prefix, last]);
  return { from: isFirstOpen ? prefixEnd(from) : from, to: isLastOpen ? to : prefixEnd(to) };
}

/** In key order; undefined when there would be too many. */
export function rangesOf(used: Bounds[], descending: boolean[]): KeyRange[] | undefined {
  let prefixes: Buffer[] = [Buffer.alloc(0)];
  for (const [at, bounds] of used.entries()) {
    const isDescending = descending[at] ?? false;
    if (prefixes.length * bounds.intervals.length > MAX_RANGES) return undefined;
    const isLast = at === used.length - 1;
    if (isLast) {
      const ranges = prefixes.flatMap((prefix) =>
        bounds.intervals.map((interval) => rangeOf(prefix, interval, isDescending)),
      );
      return ranges
        .filter((range) => Buffer.compare(range.from, range.to) < 0)
        .sort((a, b) => Buffer.compare(a.from, b.from));
    }
    prefixes = prefixes.flatMap((prefix) =>
      bounds.intervals.map(({ low }) => Buffer.concat([prefix, isDescending ? inverted(low) : low])),
    );
  }
  return [{ from: Buffer.alloc(0), to: NO_LIMIT }];
}
