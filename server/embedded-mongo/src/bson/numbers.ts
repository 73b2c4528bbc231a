// Numbers of all four BSON types, compared and computed exactly where a JS number would round.
import { Decimal128, Double, type Value } from "../values.ts";

export type NumberValue = number | bigint | Double | Decimal128;

export const isNumber = (value: unknown): value is NumberValue =>
  typeof value === "number" || typeof value === "bigint" || value instanceof Double || value instanceof Decimal128;

/** The nearest JS number. */
export function toNumber(value: NumberValue): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  return value instanceof Double ? value.value : Number(value.toString());
}

/** The nearest JS number; NaN for what is no number. */
export const asNumber = (value: unknown): number => (isNumber(value) ? toNumber(value) : Number.NaN);

export const isNaNValue = (value: Value): boolean => isNumber(value) && Number.isNaN(toNumber(value));

/** coefficient x 10^exponent, without rounding. */
export type Exact = { coefficient: bigint; exponent: number };

/** Undefined for NaN and the infinities. */
export function toExact(value: NumberValue): Exact | undefined {
  if (typeof value === "bigint") return { coefficient: value, exponent: 0 };
  if (value instanceof Decimal128) return decimalToExact(value);
  const number = toNumber(value);
  if (!Number.isFinite(number)) return undefined;
  // number = coefficient / 2^shift, and 1 / 2^shift = 5^shift / 10^shift.
  let scaled = number;
  let shift = 0;
  while (!Number.isInteger(scaled)) {
    const step = Math.abs(scaled) < 1 ? 52 : 1;
    scaled *= 2 ** step;
    shift += step;
  }
  return { coefficient: BigInt(scaled) * 5n ** BigInt(shift), exponent: -shift };
}

function decimalToExact(value: Decimal128): Exact | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/.exec(value.toString());
  if (!match) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  return { coefficient: BigInt(sign + whole + fraction), exponent: Number(exponent) - fraction.length };
}

export const digitsOf = (coefficient: bigint): number =>
  (coefficient < 0n ? -coefficient : coefficient).toString().length;

/** The coefficients of two numbers when both have the smaller one's exponent. */
export function align(left: Exact, right: Exact): { a: bigint; b: bigint; exponent: number } {
  const exponent = Math.min(left.exponent, right.exponent);
  const scale = (value: Exact) => value.coefficient * 10n ** BigInt(value.exponent - exponent);
  return { a: scale(left), b: scale(right), exponent };
}

function compareExact(left: Exact, right: Exact): number {
  const leftSign = compareNumbers(left.coefficient, 0);
  const rightSign = compareNumbers(right.coefficient, 0);
  if (leftSign !== rightSign || leftSign === 0) return leftSign - rightSign;
  // Only numbers of like size are aligned: the exponents may lie thousands of digits apart.
  const difference = digitsOf(left.coefficient) + left.exponent - digitsOf(right.coefficient) - right.exponent;
  if (difference !== 0) return difference * leftSign;
  const { a, b } = align(left, right);
  return compareNumbers(a, b);
}

/** BSON order of two numbers: NaN is lowest, and equal amounts of different types are equal. */
export function compareNumbers(left: NumberValue, right: NumberValue): number {
  if (left instanceof Decimal128 || right instanceof Decimal128) return compareDecimals(left, right);
  const a = left instanceof Double ? left.value : left;
  const b = right instanceof Double ? right.value : right;
  // JS compares a number with a bigint exactly.
  if (a < b) return -1;
  if (a > b) return 1;
  return (Number.isNaN(b) ? 1 : 0) - (Number.isNaN(a) ? 1 : 0);
}

function compareDecimals(left: NumberValue, right: NumberValue): number {
  const a = toExact(left);
  const b = toExact(right);
  if (a && b) return compareExact(a, b);
  // The nearest double of a huge decimal is infinite too, so what is finite counts as 0 beside what is not.
  return compareNumbers(a ? 0 : toNumber(left), b ? 0 : toNumber(right));
}
