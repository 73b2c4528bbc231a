import { Binary, type Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { PAUSE, type Pause } from "../pace.ts";

const MOST_BYTES = 100 * 1024 * 1024;

export type MemoryUse = { hold(value: Value): void };

/** Counts roughly what a stage keeps in memory and refuses to go past the limit. */
export function newMemoryUse(name: string): MemoryUse {
  let used = 0;
  const hold = (value: Value): void => {
    used += 16;
    if (typeof value === "string") used += value.length;
    else if (value instanceof Map) for (const item of value.values()) hold(item);
    else if (Array.isArray(value)) for (const item of value) hold(item);
    else if (value instanceof Binary) used += value.position;
    if (used > MOST_BYTES) throw located(146, `${name} used too much memory: the limit is ${MOST_BYTES} bytes`);
  };
  return { hold };
}

/** The array of everything in the input, within the memory limit. */
export function* collect<T extends Value>(input: Iterable<T | Pause>, name: string): Generator<Pause, T[]> {
  const memory = newMemoryUse(name);
  const items: T[] = [];
  for (const item of input) {
    if (item === PAUSE) {
      yield item;
      continue;
    }
    memory.hold(item);
    items.push(item);
  }
  return items;
}
