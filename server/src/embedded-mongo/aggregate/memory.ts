import { Binary, MongoError } from "../values.ts";
import type { Value } from "../values.ts";

const MOST_BYTES = 100 * 1024 * 1024;

export type MemoryUse = { hold(value: Value): void };

/** Counts roughly what a stage keeps in memory and refuses to go past the limit. */
export function newMemoryUse(name: string): MemoryUse {
  let used = 0;
  return {
    hold(value) {
      used += roughSize(value);
      if (used > MOST_BYTES)
        throw new MongoError(
          146,
          "ExceededMemoryLimit",
          `${name} used too much memory: the limit is ${MOST_BYTES} bytes`,
        );
    },
  };
}

export function roughSize(value: Value): number {
  if (typeof value === "string") return 16 + value.length;
  if (typeof value !== "object" || value === null) return 16;
  let size = 32;
  if (value instanceof Map) for (const item of value.values()) size += 16 + roughSize(item);
  else if (Array.isArray(value)) for (const item of value) size += roughSize(item);
  else if (value instanceof Binary) size += value.position;
  return size;
}

/** The array of everything in the input, within the memory limit. */
export function collect<T extends Value>(input: Iterable<T>, name: string): T[] {
  const memory = newMemoryUse(name);
  const items: T[] = [];
  for (const item of input) {
    memory.hold(item);
    items.push(item);
  }
  return items;
}
