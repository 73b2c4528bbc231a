// Values built up from many: by an accumulator over the documents of a group, or by an operator over its arguments.
import { Decimal128, type Doc, type Value } from "../values.ts";
import { add, divide } from "../bson/arithmetic.ts";
import { located } from "../bson/fail.ts";
import { isNumber, type NumberValue, toNumber } from "../bson/numbers.ts";
import { double, isInt32, typeName } from "../bson/types.ts";
import type { Collation } from "../keys/collation.ts";
import { compareValues } from "../keys/compare.ts";
import { groupKey } from "../keys/encode-key.ts";
import { type Found, MISSING } from "../fields/paths.ts";
import { isNullish, orNull } from "./expression-types.ts";
import type { MemoryUse } from "./memory.ts";

export type Fold = { add: (value: Found) => void; result: () => Value };
export type FoldContext = { collation: Collation | undefined; memory: MemoryUse };

/**
 * A running sum that ignores what is not a number. Integers are added exactly, doubles with Neumaier's correction, so
 * that ten times 0.1 gives 1, and decimals as decimals.
 */
function newSum(isMean: boolean): Fold {
  let count = 0;
  let small = 0;
  let integers = 0n;
  let doubles = 0;
  let correction = 0;
  let decimals: Decimal128 | undefined;
  let hasDouble = false;
  let hasLong = false;

  const addDouble = (value: number): void => {
    hasDouble = true;
    const next = doubles + value;
    if (Number.isFinite(next))
      correction += Math.abs(doubles) >= Math.abs(value) ? doubles - next + value : value - next + doubles;
    doubles = next;
  };
  const total = (): NumberValue => {
    const sum = integers + BigInt(small);
    const real = doubles + correction;
    if (decimals) return add(add(decimals, BigInt.asIntN(64, sum)), hasDouble ? double(real) : 0);
    if (hasDouble) return double(real + Number(sum));
    if (!hasLong && isInt32(Number(sum))) return Number(sum);
    return BigInt.asIntN(64, sum) === sum ? sum : double(Number(sum));
  };
  const mean = (): Value => {
    if (count === 0) return null;
    return decimals ? divide(total(), count) : double((Number(integers) + small + doubles + correction) / count);
  };
  return {
    add(value) {
      if (!isNumber(value)) return;
      count += 1;
      if (typeof value === "number" && isInt32(value)) {
        small += value;
        if (Math.abs(small) > 2 ** 52) {
          integers += BigInt(small);
          small = 0;
        }
      } else if (typeof value === "bigint") {
        hasLong = true;
        integers += value;
      } else if (value instanceof Decimal128) {
        const sum = decimals ? add(decimals, value) : value;
        if (sum instanceof Decimal128) decimals = sum;
      } else addDouble(toNumber(value));
    },
    result: isMean ? mean : total,
  };
}

/** Standard deviation by Welford's method; what is not a number is ignored. */
function newDeviation(isSample: boolean): Fold {
  let count = 0;
  let mean = 0;
  let squares = 0;
  return {
    add(value) {
      if (!isNumber(value)) return;
      const number = toNumber(value);
      count += 1;
      const delta = number - mean;
      mean += delta / count;
      squares += delta * (number - mean);
    },
    result() {
      const divisor = isSample ? count - 1 : count;
      if (divisor <= 0) return null;
      const deviation = Math.sqrt(squares / divisor);
      return Number.isNaN(deviation) ? null : double(deviation);
    },
  };
}

function newExtreme(sign: number, collation: Collation | undefined): Fold {
  let best: Value = null;
  return {
    add(value) {
      if (!isNullish(value) && (best === null || sign * compareValues(value, best, collation) > 0)) best = value;
    },
    result: () => best,
  };
}

function newMerge(): Fold {
  const merged: Doc = new Map();
  return {
    add(value) {
      if (isNullish(value)) return;
      if (!(value instanceof Map))
        throw located(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(value)}`);
      for (const [name, item] of value) merged.set(name, item);
    },
    result: () => merged,
  };
}

/** What is both an accumulator and an operator. */
export const FOLDS: [string, (context: FoldContext) => Fold][] = [
  ["$sum", () => newSum(false)],
  ["$avg", () => newSum(true)],
  ["$min", ({ collation }) => newExtreme(-1, collation)],
  ["$max", ({ collation }) => newExtreme(1, collation)],
  ["$stdDevPop", () => newDeviation(false)],
  ["$stdDevSamp", () => newDeviation(true)],
  ["$mergeObjects", newMerge],
];

/** The first or the last value. */
export function newEnd(isFirst: boolean): Fold {
  let kept: Value = null;
  let isSet = false;
  return {
    add(value) {
      if (isFirst && isSet) return;
      isSet = true;
      kept = orNull(value);
    },
    result: () => kept,
  };
}

/** All values, or with `isSet` those that differ. */
export function newList(isSet: boolean, { collation, memory }: FoldContext): Fold {
  const items: Value[] = [];
  const seen = new Set<string>();
  return {
    add(value) {
      if (value === MISSING) return;
      if (isSet) {
        const key = groupKey(value, collation);
        if (seen.has(key)) return;
        seen.add(key);
      }
      memory.hold(value);
      items.push(value);
    },
    result: () => items,
  };
}

export type Choice = "first" | "last" | "min" | "max";

/** The `n` values that come first or last, or are least or greatest. */
export function newSeveral(choice: Choice, n: number, { collation, memory }: FoldContext): Fold {
  const isByAmount = choice === "min" || choice === "max";
  const sign = choice === "min" ? 1 : -1;
  let items: Value[] = [];
  const trim = (): Value[] => {
    if (isByAmount) items.sort((left, right) => sign * compareValues(left, right, collation));
    items = choice === "last" ? items.slice(-n) : items.slice(0, n);
    return items;
  };
  return {
    add(value) {
      if (choice === "first" && items.length >= n) return;
      if (isByAmount && isNullish(value)) return;
      if (items.length < n) memory.hold(orNull(value));
      items.push(orNull(value));
      if (items.length > n * 2 + 100) trim();
    },
    result: trim,
  };
}
