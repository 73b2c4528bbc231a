// Sums, products and quotients with MongoDB's result types: int grows to long, doubles win over integers, and a
// decimal makes everything decimal, to 34 digits.
import { Decimal128 } from "../values.ts";
import { align, digitsOf, type Exact, type NumberValue, toExact, toNumber } from "./numbers.ts";
import { double, isInt32 } from "./types.ts";

const DECIMAL_DIGITS = 34;
const MAX_EXPONENT = 6111;
const MIN_EXPONENT = -6176;

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

function toDecimal({ coefficient, exponent }: Exact): Decimal128 {
  const excess = Math.max(digitsOf(coefficient) - DECIMAL_DIGITS, MIN_EXPONENT - exponent);
  // Rounding may carry over into one more digit, so what comes out is looked at again.
  if (excess > 0)
    return toDecimal({
      coefficient: dropDigits(coefficient, Math.min(excess, digitsOf(coefficient) + 1)),
      exponent: exponent + excess,
    });
  if (coefficient === 0n) return Decimal128.fromString(`0E${Math.min(MAX_EXPONENT, exponent)}`);
  if (digitsOf(coefficient) + exponent > MAX_EXPONENT + DECIMAL_DIGITS) return inexact(Number(coefficient) * Infinity);
  const zeros = Math.max(0, exponent - MAX_EXPONENT);
  return Decimal128.fromString(`${coefficient}${"0".repeat(zeros)}E${exponent - zeros}`);
}

/** NaN or an infinity; of anything else only the sign counts. */
function inexact(value: number): Decimal128 {
  if (Number.isNaN(value)) return Decimal128.fromString("NaN");
  return Decimal128.fromString(value < 0 ? "-Infinity" : "Infinity");
}

/** Doubles become decimals with the 15 digits that they hold for certain. */
export function decimalOf(value: NumberValue): Decimal128 {
  if (value instanceof Decimal128) return value;
  if (isIntegral(value)) return Decimal128.fromString(String(value));
  const number = toNumber(value);
  return Number.isFinite(number) ? Decimal128.fromString(number.toPrecision(15)) : inexact(number);
}

/** One operation on numbers of each kind. */
type Rules = {
  exact(left: Exact, right: Exact): Exact;
  double(left: number, right: number): number;
  integer(left: bigint, right: bigint): bigint;
};

const SUM: Rules = {
  exact(left, right) {
    const { a, b, exponent } = align(left, right);
    return { coefficient: a + b, exponent };
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

const REMAINDER: Rules = {
  exact(left, right) {
    const { a, b, exponent } = align(left, right);
    return { coefficient: a % b, exponent };
  },
  double: (left, right) => left % right,
  integer: (left, right) => left % right,
};

const isIntegral = (value: NumberValue): value is number | bigint =>
  typeof value === "bigint" || (typeof value === "number" && isInt32(value));

function combineDecimals({ exact, double: inDoubles }: Omit<Rules, "integer">, left: NumberValue, right: NumberValue) {
  const a = toExact(decimalOf(left));
  const b = toExact(decimalOf(right));
  return a && b ? toDecimal(exact(a, b)) : inexact(inDoubles(toNumber(left), toNumber(right)));
}

const isDecimal = (value: NumberValue): value is Decimal128 => value instanceof Decimal128;

/** Undefined when two 64-bit integers overflow. */
function combine(rules: Rules, left: NumberValue, right: NumberValue): NumberValue | undefined {
  if (isDecimal(left) || isDecimal(right)) return combineDecimals(rules, left, right);
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
export const negative = (value: NumberValue): NumberValue => multiply(value, -1);

/** The remainder with the sign of the dividend. The divisor is not zero. */
export const remainder = (left: NumberValue, right: NumberValue): NumberValue => combine(REMAINDER, left, right) ?? 0;

/** A double, or a decimal to 34 digits when either side is one. The divisor is not zero. */
export function divide(left: NumberValue, right: NumberValue): NumberValue {
  if (!isDecimal(left) && !isDecimal(right)) return double(toNumber(left) / toNumber(right));
  return combineDecimals({ exact: divideExact, double: (a, b) => a / b }, left, right);
}

function divideExact(left: Exact, right: Exact): Exact {
  const scale = Math.max(0, DECIMAL_DIGITS + 3 + digitsOf(right.coefficient) - digitsOf(left.coefficient));
  const scaled = left.coefficient * 10n ** BigInt(scale);
  let coefficient = (scaled / right.coefficient) * 10n;
  // One more digit stands for whatever is left over, so that the rounding that follows is not misled.
  if (scaled % right.coefficient !== 0n) coefficient += scaled < 0n === right.coefficient < 0n ? 1n : -1n;
  // Trailing zeros go until the exponent is the one that the operation would ideally have.
  const ideal = left.exponent - right.exponent;
  let exponent = ideal - scale - 1;
  while (exponent < ideal && coefficient !== 0n && coefficient % 10n === 0n) {
    coefficient /= 10n;
    exponent += 1;
  }
  return { coefficient, exponent };
}

/** Rounds to so many decimal places, which may be negative; the type stays. */
export function roundAt(value: NumberValue, place: number, isTruncating: boolean): NumberValue {
  const exact = toExact(value);
  if (!exact || exact.exponent >= -place) return value;
  const digits = -place - exact.exponent;
  const coefficient = digits > digitsOf(exact.coefficient) ? 0n : dropDigits(exact.coefficient, digits, isTruncating);
  if (isDecimal(value)) return toDecimal({ coefficient, exponent: -place });
  const number = Number(`${coefficient}E${-place}`);
  if (!isIntegral(value)) return double(number === 0 && toNumber(value) < 0 ? -0 : number);
  const whole = coefficient * 10n ** BigInt(-place);
  return typeof value === "number" && isInt32(Number(whole)) ? Number(whole) : whole;
}
