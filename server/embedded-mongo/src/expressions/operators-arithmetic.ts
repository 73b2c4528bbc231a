import { Decimal128, Double, type Value } from "../values.ts";
import { add, divide, multiply, negative, remainder, roundAt } from "../bson/arithmetic.ts";
import { badValue, located, typeMismatch, unsupported } from "../bson/fail.ts";
import { compareNumbers, isNumber, type NumberValue, toNumber } from "../bson/numbers.ts";
import { double, isInt32, typeName } from "../bson/types.ts";
import { isNullish, type Operator, operator } from "./expression-types.ts";

/** An operator over numbers, null when any argument is. */
const numeric = (least: number, most: number, apply: (values: NumberValue[], name: string) => Value): Operator =>
  operator(least, most, (values, name) => {
    const numbers: NumberValue[] = [];
    for (const value of values) {
      if (isNullish(value)) return null;
      if (!isNumber(value)) throw located(28765, `${name} only supports numeric types, not ${typeName(value)}`);
      numbers.push(value);
    }
    return apply(numbers, name);
  });

/** A function of one or two doubles. */
const real = (apply: (first: number, second: number) => number, count = 1): Operator =>
  numeric(count, count, (values, name) => {
    if (values.some((value) => value instanceof Decimal128)) throw unsupported(`${name} of a decimal`);
    const [first = 0, second = 0] = values.map(toNumber);
    return double(apply(first, second));
  });

/** A function of one double that has a value only between two bounds. */
const bounded = (apply: (value: number) => number, low: number, high: number, code = 50989): Operator =>
  real((value) => {
    if (value < low || value > high)
      throw located(code, `the argument must be within [${low},${high}], but is ${value}`);
    return apply(value);
  });

const addAll = operator(0, Infinity, (values) => {
  let total: NumberValue = 0;
  let isDate = false;
  for (const value of values) {
    if (isNullish(value)) return null;
    if (value instanceof Date) {
      if (isDate) throw located(16612, "only one date allowed in an $add expression");
      isDate = true;
      total = add(total, BigInt(value.getTime()));
    } else if (isNumber(value)) total = add(total, value);
    else throw typeMismatch(`$add only supports numeric or date types, not ${typeName(value)}`);
  }
  return isDate ? toDate(total) : total;
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
  throw typeMismatch(`can't $subtract ${typeName(right)} from ${typeName(left)}`);
});

const division = (apply: (left: NumberValue, right: NumberValue) => NumberValue, code: number): Operator =>
  numeric(2, 2, ([left = 0, right = 0], name) => {
    if (toNumber(right) === 0) throw located(code, `can't ${name} by zero`);
    return apply(left, right);
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

const logarithm = real((value, base) => {
  if (value <= 0) throw located(28758, `$log's argument must be a positive number, but is ${value}`);
  if (base <= 0 || base === 1)
    throw located(28759, `$log's base must be a positive number not equal to 1, but is ${base}`);
  return Math.log(value) / Math.log(base);
}, 2);

function integerOf(value: NumberValue, name: string): bigint {
  if (typeof value === "bigint" || (typeof value === "number" && isInt32(value))) return BigInt(value);
  throw typeMismatch(`${name} only supports int and long operands.`);
}

const bits = (start: bigint, combine: (left: bigint, right: bigint) => bigint, most = Infinity): Operator =>
  numeric(most === 1 ? 1 : 0, most, (values, name) => {
    const result = values.map((value) => integerOf(value, name)).reduce(combine, start);
    return values.some((value) => typeof value === "bigint") ? result : Number(result);
  });

export const ARITHMETIC_OPERATORS: [string, Operator][] = [
  ["$add", addAll],
  ["$subtract", subtract],
  ["$multiply", numeric(0, Infinity, (values) => values.reduce(multiply, 1))],
  ["$divide", division(divide, 2)],
  ["$mod", division(remainder, 16610)],
  ["$abs", absolute],
  ["$ceil", toward(true)],
  ["$floor", toward(false)],
  ["$round", rounding(false)],
  ["$trunc", rounding(true)],
  ["$pow", power],
  ["$sqrt", bounded(Math.sqrt, 0, Infinity, 28714)],
  ["$exp", real(Math.exp)],
  ["$ln", bounded(Math.log, Number.MIN_VALUE, Infinity, 28766)],
  ["$log10", bounded(Math.log10, Number.MIN_VALUE, Infinity, 28766)],
  ["$log", logarithm],
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
  ["$bitNot", bits(0n, (_start, value) => ~value, 1)],
  ["$rand", () => () => double(Math.random())],
];
