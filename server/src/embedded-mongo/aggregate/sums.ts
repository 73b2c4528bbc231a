import { Decimal128 } from "../values.ts";
import type { Value } from "../values.ts";
import { add, divide } from "../bson/arithmetic.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import type { NumberValue } from "../bson/numbers.ts";
import { double, isInt32 } from "../bson/types.ts";
import type { Found } from "../query/paths.ts";
import { MISSING } from "../query/paths.ts";

export type Sum = { add: (value: Found) => void; total: () => NumberValue; mean: () => Value };

/**
 * A running sum that ignores what is not a number. Integers are added exactly, doubles with Neumaier's correction, so
 * that ten times 0.1 gives 1, and decimals as decimals.
 */
export function newSum(): Sum {
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
  const whole = (): bigint => integers + BigInt(small);
  const total = (): NumberValue => {
    const sum = whole();
    const real = doubles + correction;
    if (decimals) return add(add(decimals, BigInt.asIntN(64, sum)), hasDouble ? double(real) : 0);
    if (hasDouble) return double(real + Number(sum));
    if (!hasLong && isInt32(Number(sum))) return Number(sum);
    return BigInt.asIntN(64, sum) === sum ? sum : double(Number(sum));
  };
  return {
    add(value) {
      if (value === MISSING || !isNumber(value)) return;
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
    total,
    mean() {
      if (count === 0) return null;
      if (decimals) return divide(total(), count);
      return double((Number(whole()) + doubles + correction) / count);
    },
  };
}

export type Deviation = { add: (value: Found) => void; result: (isSample: boolean) => Value };

/** Standard deviation by Welford's method; what is not a number is ignored. */
export function newDeviation(): Deviation {
  let count = 0;
  let mean = 0;
  let squares = 0;
  return {
    add(value) {
      if (value === MISSING || !isNumber(value)) return;
      const number = toNumber(value);
      count += 1;
      const delta = number - mean;
      mean += delta / count;
      squares += delta * (number - mean);
    },
    result(isSample) {
      const divisor = isSample ? count - 1 : count;
      if (divisor <= 0) return null;
      const deviation = Math.sqrt(squares / divisor);
      return Number.isNaN(deviation) ? null : double(deviation);
    },
  };
}
