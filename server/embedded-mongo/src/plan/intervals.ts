// What predicates mean for the components of an index key, and which ranges of keys they leave together.
import { isNaNValue, isNumber } from "../bson/numbers.ts";
import type { Collation } from "../keys/collation.ts";
import { typeTag } from "../bson/types.ts";
import { encodeValue } from "../keys/encode-key.ts";
import { BSONRegExp, isDoc, MaxKey, MinKey, ObjectId, Timestamp, type Value } from "../values.ts";
import { NO_LIMIT, prefixEnd } from "../keys/prefix-end.ts";
import type { Predicate } from "./predicates.ts";

/** Bounds of an ascending component; both count as prefixes, so a type tag alone stands for its whole type. */
export type Interval = { low: Buffer; isLowOpen: boolean; high: Buffer; isHighOpen: boolean; isPoint: boolean };

/** `isExact`: the interval holds the matching keys and no others. */
export type Bounds = { intervals: Interval[]; isExact: boolean };

export type ComponentContext = { collation: Collation | undefined; isSameCollation: boolean; isMultikey: boolean };

const point = (bytes: Buffer): Interval => ({
  low: bytes,
  isLowOpen: false,
  high: bytes,
  isHighOpen: false,
  isPoint: true,
});

const dependsOnCollation = (value: Value): boolean => typeof value === "string" || isDoc(value) || Array.isArray(value);

export function boundsOf(predicate: Predicate, context: ComponentContext): Bounds | undefined {
  const { value } = predicate;
  switch (predicate.kind) {
    case "eq":
      return pointsOf([value], context);
    case "in":
      return Array.isArray(value) ? pointsOf(value, context) : undefined;
    case "regex":
      return regexBounds(value, context);
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return rangeBounds(predicate.kind, value, context);
    case "exists":
    case "other":
      return undefined;
  }
}

function pointsOf(values: Value[], context: ComponentContext): Bounds | undefined {
  const points = new Map<string, Buffer>();
  let isExact = context.collation === undefined;
  const add = (value: Value) => {
    const bytes = encodeValue(value, context.collation);
    points.set(bytes.toString("latin1"), bytes);
  };
  for (const value of values) {
    if (value instanceof BSONRegExp || value === undefined) return undefined;
    // A missing field inside an array of documents leaves no null key of its own to find.
    if (value === null && context.isMultikey) return undefined;
    if (dependsOnCollation(value) && !context.isSameCollation) return undefined;
    if (value === null || isDoc(value) || Array.isArray(value) || value instanceof MinKey || value instanceof MaxKey)
      isExact = false;
    // An array matches as an element and as the whole, whose first element is among the keys.
    if (Array.isArray(value)) add(value[0]);
    add(value);
  }
  const sorted = [...points.values()].sort((a, b) => a.compare(b));
  return { intervals: sorted.map(point), isExact };
}

function rangeBounds(kind: "gt" | "gte" | "lt" | "lte", value: Value, context: ComponentContext): Bounds | undefined {
  const isString = typeof value === "string";
  if (isString && (context.collation || !context.isSameCollation)) return undefined;
  const isRangeable =
    isString || isNumber(value) || value instanceof Date || value instanceof ObjectId || value instanceof Timestamp;
  if (!isRangeable || isNaNValue(value)) return undefined;
  const bytes = encodeValue(value);
  const type = Buffer.from([typeTag(value)]);
  // NaN sorts below every number and is not less than any of them.
  const lowest = isNumber(value) ? encodeValue(-Infinity) : type;
  const isUpper = kind === "gt" || kind === "gte";
  const interval = isUpper
    ? { low: bytes, isLowOpen: kind === "gt", high: type, isHighOpen: false, isPoint: false }
    : { low: lowest, isLowOpen: false, high: bytes, isHighOpen: kind === "lt", isPoint: false };
  return { intervals: [interval], isExact: true };
}

/** The text every match of a `^literal` pattern begins with. */
function literalPrefix(pattern: string): string {
  if (!pattern.startsWith("^") || pattern.includes("|")) return "";
  let prefix = "";
  for (let at = 1; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (/[?*{]/.test(character)) return prefix.slice(0, -1);
    if (character === "\\" && /[^\p{L}\p{N}]/u.test(pattern.charAt(at + 1))) {
      at += 1;
      prefix += pattern.charAt(at);
    } else if (/[\\^$.[\]()+]/.test(character)) {
      return prefix;
    } else {
      prefix += character;
    }
  }
  return prefix;
}

function regexBounds(value: Value, context: ComponentContext): Bounds | undefined {
  if (!(value instanceof BSONRegExp) || context.collation || /[^s]/.test(value.options)) return undefined;
  const prefix = literalPrefix(value.pattern);
  if (prefix === "" || /[\0\ud800-\udfff]/.test(prefix)) return undefined;
  const start = encodeValue(prefix).subarray(0, -2);
  const strings: Interval = { low: start, isLowOpen: false, high: start, isHighOpen: false, isPoint: false };
  return { intervals: [strings, point(encodeValue(value))], isExact: false };
}

/** Both conditions at once, for a path that holds one value. */
export function intersect(left: Bounds, right: Bounds): Bounds {
  const intervals: Interval[] = [];
  for (const a of left.intervals) {
    for (const b of right.intervals) {
      const both = intersectPair(a, b);
      if (both) intervals.push(both);
    }
  }
  return { intervals, isExact: left.isExact && right.isExact };
}

const startsWith = (bytes: Buffer, prefix: Buffer): boolean => bytes.subarray(0, prefix.length).equals(prefix);

function intersectPair(a: Interval, b: Interval): Interval | undefined {
  const lowOrder = Buffer.compare(a.low, b.low);
  const lower = lowOrder > 0 || (lowOrder === 0 && a.isLowOpen) ? a : b;
  // A bound that is a prefix of the other one reaches to the end of everything beginning with it.
  const isANarrower = startsWith(a.high, b.high)
    ? !a.high.equals(b.high) || a.isHighOpen
    : !startsWith(b.high, a.high) && Buffer.compare(a.high, b.high) < 0;
  const upper = isANarrower ? a : b;
  const isEmpty = Buffer.compare(lower.low, upper.high) > 0 && !startsWith(lower.low, upper.high);
  if (isEmpty) return undefined;
  const isOneValue = lower.low.equals(upper.high);
  if (isOneValue && (lower.isLowOpen || upper.isHighOpen)) return undefined;
  const isPoint = isOneValue && (a.isPoint || b.isPoint);
  return { low: lower.low, isLowOpen: lower.isLowOpen, high: upper.high, isHighOpen: upper.isHighOpen, isPoint };
}

/** Keys from `from` up to but not including `to`; `isPoint`: of one value, not of all that begin alike. */
export type KeyRange = { from: Buffer; to: Buffer; isPoint: boolean };

export const MAX_RANGES = 20_000;

const inverted = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0xff));

function rangeOf(prefix: Buffer, interval: Interval, isDescending: boolean): KeyRange {
  const { low, high, isLowOpen, isHighOpen, isPoint } = interval;
  const [first, isFirstOpen] = isDescending ? [inverted(high), isHighOpen] : [low, isLowOpen];
  const [last, isLastOpen] = isDescending ? [inverted(low), isLowOpen] : [high, isHighOpen];
  const from = Buffer.concat([prefix, first]);
  const to = Buffer.concat([prefix, last]);
  return { from: isFirstOpen ? prefixEnd(from) : from, to: isLastOpen ? to : prefixEnd(to), isPoint };
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
  return [{ from: Buffer.alloc(0), to: NO_LIMIT, isPoint: false }];
}
