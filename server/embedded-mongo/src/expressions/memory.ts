import { Binary, type Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { pipelineValues } from "../held-memory.ts";
import { PAUSE, type Pause } from "../pace.ts";

/** Room is asked for in such parts. */
const AT_ONCE_BYTES = 64 * 1024;
const MOST_BYTES = 100 * 1024 * 1024;

export type MemoryUse = { hold(value: Value): void };
export type StageMemory = MemoryUse & { release(): void };

/** Counts roughly what is kept in memory and refuses to go past the limit. */
export function newMemoryUse(name: string): MemoryUse {
  return counted(name, () => true);
}

/** The same for a stage, which also counts for all stages together until it is released. */
export function newStageMemory(name: string): StageMemory {
  const part = pipelineValues.newPart();
  return { ...counted(name, (bytes) => part.hold(bytes)), release: () => part.release() };
}

function counted(name: string, isRoomFor: (bytes: number) => boolean): MemoryUse {
  let used = 0;
  let granted = 0;
  const hold = (value: Value): void => {
    used += 16;
    if (typeof value === "string") used += value.length;
    else if (value instanceof Map) for (const item of value.values()) hold(item);
    else if (Array.isArray(value)) for (const item of value) hold(item);
    else if (value instanceof Binary) used += value.position;
    if (used <= granted) return;
    if (used > MOST_BYTES) throw located(146, `${name} used too much memory: the limit is ${MOST_BYTES} bytes`);
    const wanted = used - granted + AT_ONCE_BYTES;
    if (!isRoomFor(wanted)) throw located(146, `${name} found no memory left: others use it, so try again`);
    granted += wanted;
  };
  return { hold };
}

/** The array of everything in the input, within the memory limit. */
export function* collect<T extends Value>(input: Iterable<T | Pause>, memory: MemoryUse): Generator<Pause, T[]> {
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
