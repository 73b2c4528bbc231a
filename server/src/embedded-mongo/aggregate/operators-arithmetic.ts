import { Decimal128, Double } from "../values.ts";
import type { Value } from "../values.ts";
import { add, divide, multiply, negative, remainder, roundAt } from "../bson/arithmetic.ts";
import { badValue, located, typeMismatch, unsupported } from "../bson/fail.ts";
import { compareNumbers, isNumber, toNumber } from "../bson/numbers.ts";
import type { NumberValue } from "../bson/numbers.ts";
import { double, isInt32, typeName } from "../bson/types.ts";
import type { Found } from "../query/paths.ts";
import { MISSING } from "../query/paths.ts";
import { isNullish, operator } from "./expression-types.ts";
import type { Operator } from "./expression-types.ts";

export const nameOf = (value: Found): string => (value === MISSING ? "missing" : typeName(value));

/** An operator over numbers, null when any argument is. */
const numeric = (least: number, most: number, apply: (values: NumberValue[], name: string) => Value): Operator =>
  operator(least, most, (values, _context, name) => {
    const numbers: NumberValue[] = [];
    for (const value of values) {
      if (isNullish(value)) return null;
      if (!isNumber(value)) throw located(28765, `${name} only supports numeric types, not ${nameOf(value)}`);
      numbers.push(value);
    }
    return apply(numbers, name);
  });

const real = (apply: (first: number, second: number) => number, least = 1): Operator =>
  numeric(least, least, (values, name) => {
    if (values.some((value) => value instanceof Decimal128)) throw unsupported(`${name} of a decimal`);
    const [first = 0, second = 0] = values.map(toNumber);
    return double(apply(first, second));
  });

const addAll = operator(0, Infinity, (values) => {
  let total: NumberValue = 0;
  let date = false;
  for (const value of values) {
    if (isNullish(value)) return null;
    if (value instanceof Date) {
      if (date) throw located(16612, "only one date allowed in an $add expression");
      date = true;
      total = add(total, BigInt(value.getTime()));
    } else if (isNumber(value)) total = add(total, value);
    else throw typeMismatch(`$add only supports numeric or date types, not ${nameOf(value)}`);
  }
  return date ? toDate(total) : total;
});

function toDate(value: NumberValue): Date {
  const date = new Date(Math.round(toNumber(value)));
  if (Number.isNaN(date.getTime())) throw badValue("date overflow");
  return date;
}

const subtract = operator(2, 2, ([left, right]) => {
  if (isNullish(left) || isNullish(right)) return null;
  if (left instanceof Date && right instanceof Date) return BigInt(left.getTime() - right.getTime());
  if (left instanceof Date && isNumber(right)) return toDate(add(BigInt(left.getTime()), negative(right)));
  if (isNumber(left) && isNumber(right)) return add(left, negative(right));
  throw typeMismatch(`can't $subtract ${nameOf(right ?? null)} from ${nameOf(left ?? null)}`);
});

const isZero = (value: NumberValue | undefined): boolean => value === undefined || toNumber(value) === 0;

const divideTwo = numeric(2, 2, ([left = 0, right = 0]) => {
  if (isZero(right)) throw badValue("can't $divide by zero");
  return divide(left, right);
});

const modulo = numeric(2, 2, ([left = 0, right = 0]) => {
  if (isZero(right)) throw located(16610, "can't $mod by zero");
  return remainder(left, right);
});

const absolute = numeric(1, 1, ([value = 0]) => {
  if (value === -(2n ** 63n)) throw located(28680, "can't take $abs of long long min");
  return toNumber(value) < 0 || Object.is(toNumber(value), -0) ? negative(value) : value;
});

const toward = (isUp: boolean): Operator =>
  numeric(1, 1, ([value = 0]) => {
    const truncated = roundAt(value, 0, true);
    const order = compareNumbers(truncated, value);
    if (isUp ? order >= 0 : order <= 0) return truncated;
    return add(truncated, isUp ? 1 : -1);
  });

const rounding = (isTruncating: boolean): Operator =>
  numeric(1, 2, ([value = 0, place = 0], name) => {
    const places = toNumber(place);
    if (!Number.isInteger(places) || places < -20 || places > 100)
      throw located(51083, `cannot apply ${name} with precision value ${places} value must be in [-20, 100]`);
    return roundAt(value, places, isTruncating);
  });

const power = numeric(2, 2, ([base = 0, exponent = 0], name) => {
  if (base instanceof Decimal128 || exponent instanceof Decimal128) throw unsupported(`${name} of a decimal`);
  const [left, right] = [toNumber(base), toNumber(exponent)];
  if (left === 0 && right < 0) throw located(28764, "$pow cannot take a base of 0 and a negative exponent");
  const result = left ** right;
  const isIntegral =
    !(base instanceof Double) && !(exponent instanceof Double) && Number.isInteger(left) && Number.isInteger(right);
  if (!isIntegral || right < 0 || !(Math.abs(result) < 2 ** 63)) return double(result);
  const exact = BigInt(base) ** BigInt(exponent);
  if (BigInt.asIntN(64, exact) !== exact) return double(result);
  return typeof base === "number" && typeof exponent === "number" && isInt32(Number(exact)) ? Number(exact) : exact;
});

const logarithm = (apply: (value: number) => number): Operator =>
  real((value) => {
    if (value <= 0) throw located(28766, "the argument of a logarithm must be a positive number");
    return apply(value);
  });

const logBase = real((value, base) => {
  if (value <= 0) throw located(28758, `$log's argument must be a positive number, but is ${value}`);
  if (base <= 0 || base === 1)
    throw located(28759, `$log's base must be a positive number not equal to 1, but is ${base}`);
  return Math.log(value) / Math.log(base);
}, 2);

const root = real((value) => {
  if (value < 0) throw located(28714, "$sqrt's argument must be greater than or equal to 0");
  return Math.sqrt(value);
});

const bounded = (apply: (value: number) => number, low: number, high: number): Operator =>
  real((value) => {
    if (value < low || value > high)
      throw located(50989, `cannot apply a trigonometric function to ${value}, value must be in [${low},${high}]`);
    return apply(value);
  });

const bits = (start: bigint, combine: (left: bigint, right: bigint) => bigint): Operator =>
  numeric(0, Infinity, (values, name) => {
    let result = start;
    let isLong = false;
    for (const value of values) {
      if (typeof value !== "bigint" && !(typeof value === "number" && isInt32(value)))
        throw typeMismatch(`${name} only supports int and long operands.`);
      isLong ||= typeof value === "bigint";
      result = combine(result, BigInt(value));
    }
    return isLong ? result : Number(result);
  });

const bitNot = numeric(1, 1, ([value = 0], name) => {
  if (typeof value === "bigint") return ~value;
  if (typeof value !== "number" || !isInt32(value))
    throw typeMismatch(`${name} only supports int and long, not: ${typeName(value)}.`);
  return ~value;
});

const random: Operator = () => () => double(Math.random());

export const ARITHMETIC_OPERATORS: [string, Operator][] = [
  ["$add", addAll],
  ["$subtract", subtract],
  ["$multiply", numeric(0, Infinity, (values) => values.reduce(multiply, 1))],
  ["$divide", divideTwo],
  ["$mod", modulo],
  ["$abs", absolute],
  ["$ceil", toward(true)],
  ["$floor", toward(false)],
  ["$round", rounding(false)],
  ["$trunc", rounding(true)],
  ["$pow", power],
  ["$sqrt", root],
  ["$exp", real(Math.exp)],
  ["$ln", logarithm(Math.log)],
  ["$log10", logarithm(Math.log10)],
  ["$log", logBase],
  ["$sin", bounded(Math.sin, -Number.MAX_VALUE, Number.MAX_VALUE)],
  ["$cos", bounded(Math.cos, -Number.MAX_VALUE, Number.MAX_VALUE)],
  ["$tan", bounded(Math.tan, -Number.MAX_VALUE, Number.MAX_VALUE)],
  ["$asin", bounded(Math.asin, -1, 1)],
  ["$acos", bounded(Math.acos, -1, 1)],
  ["$atan", real(Math.atan)],
  ["$atan2", real(Math.atan2, 2)],
  ["$sinh", real(Math.sinh)],
  ["$cosh", real(Math.cosh)],
  ["$tanh", real(Math.tanh)],
  ["$asinh", real(Math.asinh)],
  ["$acosh", bounded(Math.acosh, 1, Infinity)],
  ["$atanh", bounded(Math.atanh, -1, 1)],
  ["$degreesToRadians", real((degrees) => (degrees * Math.PI) / 180)],
  ["$radiansToDegrees", real((radians) => (radians * 180) / Math.PI)],
  ["$bitAnd", bits(-1n, (left, right) => left & right)],
  ["$bitOr", bits(0n, (left, right) => left | right)],
  ["$bitXor", bits(0n, (left, right) => left ^ right)],
  ["$bitNot", bitNot],
  ["$rand", random],
];
