// Plain literals for the engine's values: objects become documents, and back.
import { type Doc, isDoc, type Value } from "../src/values.ts";

type Literal = Value | { [name: string]: Literal } | readonly Literal[];
export type Fields = { [name: string]: Literal };

const isPlain = (value: Literal): value is Fields =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const isList = (value: Literal): value is readonly Literal[] => Array.isArray(value);

export function toValue(literal: Literal): Value {
  if (isList(literal)) return literal.map(toValue);
  if (isPlain(literal)) return toDoc(literal);
  return literal;
}

export const toDoc = (fields: Fields): Doc =>
  new Map(Object.entries(fields).map(([name, value]) => [name, toValue(value)]));

/** Documents as ordered lists of pairs would be hard to read in a failure, so they become objects. */
export function toPlain(value: Value | symbol): unknown {
  if (typeof value === "symbol") return "(missing)";
  if (isDoc(value)) return Object.fromEntries([...value].map(([name, item]) => [name, toPlain(item)]));
  return Array.isArray(value) ? value.map(toPlain) : value;
}
