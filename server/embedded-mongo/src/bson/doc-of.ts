import type { Doc, Value } from "../values.ts";

/** A document written down like an object. Not for names from outside: objects reorder names that look like numbers. */
export const docOf = (fields: Record<string, Value>): Doc => new Map(Object.entries(fields));
