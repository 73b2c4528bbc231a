import type { Value } from "../values.ts";
import type { Timestamp } from "../values.ts";
import { encode } from "../bson/encode.ts";
import { MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";

export type UpdateContext = {
  /** The position that the positional `$` stands for. */
  arrayIndex?: number | undefined;
  isInsert: boolean;
  now: Date;
  nextTimestamp(): Timestamp;
};

/** What an error message says about the document under change. */
export type Target = { context: UpdateContext; path: string; id: Value };

/** One operator on one path. */
export type Modifier = {
  operator: string;
  path: string;
  parts: string[];
  /** Whether it makes the field, and what leads to it, when there is none. */
  isCreating: boolean;
  /** The new value; MISSING removes the field, and the very value that came in means "no change". */
  apply(current: Found, target: Target): Found;
  /** For $rename: where the value comes from. */
  source?: string[];
};

/** Whether two values are the same to the last byte, so that storing one for the other changes nothing. */
export function isIdentical(left: Found, right: Found): boolean {
  if (Object.is(left, right)) return true;
  if (left === MISSING || right === MISSING) return false;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  return Buffer.compare(encode(new Map([["v", left]])), encode(new Map([["v", right]]))) === 0;
}
