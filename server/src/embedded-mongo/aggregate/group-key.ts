import type { Value } from "../values.ts";
import { compareNumbers, isNumber, toNumber } from "../bson/numbers.ts";
import type { Collation } from "../keys/collation.ts";
import { encodeValue } from "../keys/encode-key.ts";

/** A string that two values share exactly when they are equal, for use as the key of a Map or Set. */
export function groupKey(value: Value, collation?: Collation): string {
  if (typeof value === "string") return `s${collation ? collation.fold(value) : value}`;
  if (isNumber(value)) {
    const number = toNumber(value);
    if (typeof value === "number" || compareNumbers(value, number) === 0) return `n${number === 0 ? 0 : number}`;
  }
  return `e${encodeValue(value, collation).toString("latin1")}`;
}
