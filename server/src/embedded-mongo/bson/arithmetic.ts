// Sums, products and quotients with MongoDB's result types: int grows to long, doubles win over integers, and a
// decimal makes everything decimal, to 34 digits.
import { Decimal128, Double } from "../values.ts";
import { toExact, toNumber } from "./numbers.ts";
import type { Exact, NumberValue } from "./numbers.ts";
import { double, isInt32 } from "./types.ts";

export const DECIMAL_DIGITS = 34;
const MAX_EXPONENT = 6111;
const MIN_EXPONENT = -6176;

const digitsOf = (value: bigint): number => (value < 0n ? -value : value).toString().length;

/** Divides by a power of ten, halves to the even neighbour unless truncating. */
function dropDigits(coefficient: bigint, count: number, isTruncating = false): bigint {
  const divisor = 10n ** BigInt(count);
  const quotient = coefficient / divisor;
  if (isTruncating) return quotient;
  const rest = coefficient % divisor;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  const isUp = twice > divisor || (twice === divisor && quotient % 2n !== 0n);
  return isUp ? quotient + (coefficient < 0n ? -1n : 1n) : quotient;
}

export function toDecimal(exact: Exact): Decimal128 {
  let { coefficient, exponent } = exact;
  const excess = Math.max(digitsOf(coefficient) - DECIMAL_DIGITS, MIN_EXPONENT - exponent);
  if (excess > 0) {
    coefficient = dropDigits(coefficient, Math.min(excess, digitsOf(coefficient) + 1));
    exponent += excess;
    if (digitsOf(coefficient) > DECIMAL_DIGITS) return toDecimal({ coefficient, exponent });
  }
  if (coefficient === 0n) return Decimal128.fromString(`0E${Math.max(MIN_EXPONENT, Math.min(MAX_EXPONENT, exponent))}`);
  if (digitsOf(coefficient) + exponent > MAX_EXPONENT + DECIMAL_DIGITS)
    return infinite(coefficient < 0n ? -Infinity : Infinity);
  if (exponent > MAX_EXPONENT) {
    coefficient *= 10n ** BigInt(exponent - MAX_EXPONENT);
    exponent = MAX_EXPONENT;
  }
  return Decimal128.fromString(`${coefficient}E${exponent}`);
}

const infinite = (value: number): Decimal128 =>
  Decimal128.fromString(Number.isNaN(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");

/** Doubles become decimals with the 15 digits that they hold for certain. */
export function decimalOf(value: NumberValue): Decimal128 {
  if (value instanceof Decimal128) return value;
  if (typeof value === "bigint") return Decimal128.fromString(String(value));
  const number = toNumber(value);
  if (!Number.isFinite(number)) return infinite(number);
  return Decimal128.fromString(
    Number.isInteger(number) && typeof value === "number" && isInt32(value) ? String(number) : number.toPrecision(15),
  );
}

type Rules = {
  exact(left: Exact, right: Exact): Exact;
  double(left: number, right: number): number;
  integer(left: bigint, right: bigint): bigint;
};

const SUM: Rules = {
  exact(left, right) {
    const exponent = Math.min(left.exponent, right.exponent);
    const align = (value: Exact) => value.coefficient * 10n ** BigInt(value.exponent - exponent);
    return { coefficient: align(left) + align(right), exponent };
  },
  double: (left, right) => left + right,
  integer: (left, right) => left + right,
};

const PRODUCT: Rules = {
  exact: (left, right) => ({
    coefficient: left.coefficient * right.coefficient,
    exponent: left.exponent + right.exponent,
  }),
  double: (left, right) => left * right,
  integer: (left, right) => left * right,
};

const isIntegral = (value: NumberValue): value is number | bigint =>
  typeof value === "bigint" || (typeof value === "number" && isInt32(value));

/** Undefined when two 64-bit integers overflow. */
function combine(rules: Rules, left: NumberValue, right: NumberValue): NumberValue | undefined {
  if (left instanceof Decimal128 || right instanceof Decimal128) {
    const a = toExact(decimalOf(left));
    const b = toExact(decimalOf(right));
    return a && b ? toDecimal(rules.exact(a, b)) : infinite(rules.double(toNumber(left), toNumber(right)));
  }
  if (!isIntegral(left) || !isIntegral(right)) return double(rules.double(toNumber(left), toNumber(right)));
  if (typeof left === "number" && typeof right === "number") {
    const result = rules.double(left, right);
    // A product of two int32 may exceed what a double holds exactly.
    if (isInt32(result)) return result;
    if (Object.is(result, -0)) return 0;
  }
  const result = rules.integer(BigInt(left), BigInt(right));
  return BigInt.asIntN(64, result) === result ? result : undefined;
}

export const addOrOverflow = (left: NumberValue, right: NumberValue): NumberValue | undefined =>
  combine(SUM, left, right);
export const multiplyOrOverflow = (left: NumberValue, right: NumberValue): NumberValue | undefined =>
  combine(PRODUCT, left, right);

/** As in aggregation: 64-bit integers that overflow become a double. */
export const add = (left: NumberValue, right: NumberValue): NumberValue =>
  combine(SUM, left, right) ?? double(toNumber(left) + toNumber(right));
export const multiply = (left: NumberValue, right: NumberValue): NumberValue =>
  combine(PRODUCT, left, right) ?? double(toNumber(left) * toNumber(right));

export function negative(value: NumberValue): NumberValue {
  if (typeof value === "bigint" || value instanceof Decimal128) return multiply(value, -1);
  if (typeof value === "number")
    return value === 0
      ? Object.is(value, 0)
        ? 0
        : new Double(0)
      : isInt32(value) && value === -2147483648
        ? 2147483648n
        : isInt32(value)
          ? -value
          : double(-value);
  return double(-value.value);
}

/** A double, or a decimal to 34 digits when either side is one. The divisor is not zero. */
export function divide(left: NumberValue, right: NumberValue): NumberValue {
  if (!(left instanceof Decimal128) && !(right instanceof Decimal128)) return double(toNumber(left) / toNumber(right));
  const a = toExact(decimalOf(left));
  const b = toExact(decimalOf(right));
  if (!a || !b || b.coefficient === 0n) return infinite(toNumber(left) / toNumber(right));
  const scale = Math.max(0, DECIMAL_DIGITS + 3 + digitsOf(b.coefficient) - digitsOf(a.coefficient));
  const scaled = a.coefficient * 10n ** BigInt(scale);
  // One more digit stands for whatever is left over, so that the rounding that follows is not misled.
  const quotient =
    (scaled / b.coefficient) * 10n +
    (scaled % b.coefficient === 0n ? 0n : scaled < 0n === b.coefficient < 0n ? 1n : -1n);
  return toDecimal(
    trimZeros({ coefficient: quotient, exponent: a.exponent - b.exponent - scale - 1 }, a.exponent - b.exponent),
  );
}

/** Takes trailing zeros off until the exponent that the operation would ideally have. */
function trimZeros(exact: Exact, ideal: number): Exact {
  let { coefficient, exponent } = exact;
  while (exponent < ideal && coefficient !== 0n && coefficient % 10n === 0n) {
    coefficient /= 10n;
    exponent += 1;
  }
  return { coefficient, exponent };
}

/** The remainder with the sign of the dividend. The divisor is not zero. */
export function remainder(left: NumberValue, right: NumberValue): NumberValue {
  if (left instanceof Decimal128 || right instanceof Decimal128) {
    const a = toExact(decimalOf(left));
    const b = toExact(decimalOf(right));
    if (!a || !b || b.coefficient === 0n) return infinite(toNumber(left) % toNumber(right));
    const exponent = Math.min(a.exponent, b.exponent);
    const align = (value: Exact) => value.coefficient * 10n ** BigInt(value.exponent - exponent);
    return toDecimal({ coefficient: align(a) % align(b), exponent });
  }
  if (!isIntegral(left) || !isIntegral(right)) return double(toNumber(left) % toNumber(right));
  if (typeof left === "bigint" || typeof right === "bigint") return BigInt(left) % BigInt(right);
  const result = left % right;
  return result === 0 ? 0 : result;
}

/** Rounds to so many decimal places, which may be negative; the type stays. */
export function roundAt(value: NumberValue, place: number, isTruncating: boolean): NumberValue {
  const exact = toExact(value);
  if (!exact || exact.exponent >= -place) return value;
  const digits = -place - exact.exponent;
  const coefficient = digits > digitsOf(exact.coefficient) ? 0n : dropDigits(exact.coefficient, digits, isTruncating);
  const rounded = { coefficient, exponent: -place };
  if (value instanceof Decimal128) return toDecimal(rounded);
  const number = Number(`${coefficient}E${-place}`);
  if (!isIntegral(value)) return double(number === 0 && toNumber(value) < 0 ? -0 : number);
  const whole = coefficient * 10n ** BigInt(-place);
  return typeof value === "number" && isInt32(Number(whole)) ? Number(whole) : whole;
}
