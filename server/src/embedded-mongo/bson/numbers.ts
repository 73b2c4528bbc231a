// Numbers of all four BSON types, compared and computed exactly where a JS number would round.
import { Decimal128, Double } from "../values.ts";
import type { Value } from "../values.ts";

export type NumberValue = number | bigint | Double | Decimal128;

export const isNumber = (value: unknown): value is NumberValue =>
  typeof value === "number" || typeof value === "bigint" || value instanceof Double || value instanceof Decimal128;

/** coefficient x 10^exponent, without rounding. */
export type Exact = { coefficient: bigint; exponent: number };

/** The nearest JS number. */
export function toNumber(value: NumberValue): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  return value instanceof Double ? value.value : decimalToNumber(value);
}

function decimalToNumber(value: Decimal128): number {
  const text = value.toString();
  return text.includes("Inf") ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text);
}

export const isNaNValue = (value: Value): boolean => isNumber(value) && Number.isNaN(toNumber(value));

/** Undefined for NaN and the infinities. */
export function toExact(value: NumberValue): Exact | undefined {
  if (typeof value === "bigint") return { coefficient: value, exponent: 0 };
  if (value instanceof Decimal128) return decimalToExact(value);
  const number = toNumber(value);
  if (!Number.isFinite(number)) return undefined;
  if (Number.isInteger(number)) return { coefficient: BigInt(number), exponent: 0 };
  // number = coefficient / 2^shift, and 1 / 2^shift = 5^shift / 10^shift.
  let scaled = number;
  let shift = 0;
  while (!Number.isInteger(scaled)) {
    const step = Math.min(1000, Math.abs(scaled) < 1 ? 52 : 1);
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

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

export function subtractExact(left: Exact, right: Exact): Exact {
  const exponent = Math.min(left.exponent, right.exponent);
  const align = (value: Exact) => value.coefficient * 10n ** BigInt(value.exponent - exponent);
  return { coefficient: align(left) - align(right), exponent };
}

function compareExact(left: Exact, right: Exact): number {
  const leftSign = left.coefficient === 0n ? 0 : left.coefficient < 0n ? -1 : 1;
  const rightSign = right.coefficient === 0n ? 0 : right.coefficient < 0n ? -1 : 1;
  if (leftSign !== rightSign || leftSign === 0) return leftSign - rightSign;
  const digits = (value: Exact) => magnitude(value.coefficient).toString().length + value.exponent;
  const difference = digits(left) - digits(right);
  if (difference !== 0) return difference > 0 ? leftSign : -leftSign;
  const rest = subtractExact(left, right).coefficient;
  return rest === 0n ? 0 : rest < 0n ? -1 : 1;
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
