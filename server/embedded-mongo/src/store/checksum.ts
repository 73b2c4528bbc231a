// The sum of a row: a letter that changed on the disk is not taken for what was written.
import { crc32 } from "node:zlib";
import type { Bytes } from "../values.ts";

type Column = Bytes | string | number | bigint | null | undefined;

export const sumOfDocument = (bytes: Bytes): number => crc32(bytes);

/** Lengths and kinds count too, so that nothing can move from one column into the next. */
export function sumOf(values: readonly Column[]): number {
  let sum = 0;
  for (const value of values) {
    if (value instanceof Uint8Array) sum = crc32(value, crc32(`bytes ${value.length}\n`, sum));
    else sum = crc32(`${typeof value} ${String(value)}\n`, sum);
  }
  return sum;
}
