import { Binary } from "../values.ts";
import type { Value } from "../values.ts";
import { badValue, failedToParse } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import { MISSING } from "./paths.ts";
import type { LeafTest } from "./paths.ts";

type BitOperator = "$bitsAllSet" | "$bitsAnySet" | "$bitsAllClear" | "$bitsAnyClear";

/** Tests bits of integers (as 64-bit two's complement) and of binary data (bit 0 is the lowest of the first byte). */
export function compileBitTest(name: BitOperator, operand: Value, path: string): LeafTest {
  const positions = readPositions(operand, `${path}: `);
  return (found) => {
    const isSet = found === MISSING ? undefined : bitReader(found);
    if (!isSet) return false;
    switch (name) {
      case "$bitsAllSet":
        return positions.every(isSet);
      case "$bitsAnySet":
        return positions.some(isSet);
      case "$bitsAllClear":
        return !positions.some(isSet);
      case "$bitsAnyClear":
        return !positions.every(isSet);
    }
  };
}

function bitReader(value: Value): ((position: number) => boolean) | undefined {
  if (value instanceof Binary) {
    const bytes = value.value();
    return (position) => ((bytes[position >> 3] ?? 0) & (1 << (position & 7))) !== 0;
  }
  if (!isNumber(value)) return undefined;
  const number = toNumber(value);
  if (typeof value !== "bigint" && (!Number.isInteger(number) || Math.abs(number) > 2 ** 63)) return undefined;
  const bits = typeof value === "bigint" ? value : BigInt(number);
  if (BigInt.asIntN(64, bits) !== bits) return undefined;
  return (position) => ((bits >> BigInt(position)) & 1n) === 1n;
}

function readPositions(operand: Value, where: string): number[] {
  if (Array.isArray(operand)) {
    return operand.map((item) => {
      const position = isNumber(item) ? toNumber(item) : Number.NaN;
      if (!Number.isInteger(position)) throw badValue(`${where}bit positions must be integers`);
      if (position < 0) throw badValue(`${where}bit positions must be >= 0`);
      return position;
    });
  }
  if (operand instanceof Binary) {
    const isSet = bitReader(operand);
    return Array.from({ length: operand.position * 8 }, (_, position) => position).filter((position) =>
      isSet?.(position),
    );
  }
  if (!isNumber(operand))
    throw badValue(`${where}takes an Array, a number, or a BinData but received: ${typeof operand}`);
  const number = toNumber(operand);
  if (!Number.isInteger(number)) throw failedToParse(`Expected an integer: ${number}`);
  if (number < 0) throw failedToParse(`Expected a non-negative number in: ${number}`);
  const bits = typeof operand === "bigint" ? operand : BigInt(number);
  return Array.from({ length: 64 }, (_, position) => position).filter(
    (position) => ((bits >> BigInt(position)) & 1n) === 1n,
  );
}
