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

const squareRoot = numeric(1, 1, ([value = 0], name) => {
  if (value instanceof Decimal128) throw unsupported(`${name} of a decimal`);
  if (toNumber(value) < 0)
    throw located(28714, `the argument of ${name} must not be negative, but is ${toNumber(value)}`);
  return double(Math.sqrt(toNumber(value)));
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
  ["$sqrt", squareRoot],
  ["$rand", () => () => double(Math.random())],
];
