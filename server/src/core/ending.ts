// What a process that is told to end still writes down: what others took from it, and would else be handed a second time.
import { setTimeout as sleep } from "node:timers/promises";

const LIMIT_MS = 1000;
const unwritten = new Set<Promise<unknown>>();
let isOver = false;

/** From now on nothing new is handed to anybody. */
export const beginEnding = (): void => void (isOver = true);

export const isEnding = (): boolean => isOver;

/** For what hands something over and then notes that. */
export function writtenBeforeTheEnd<Result>(work: Promise<Result>): Promise<Result> {
  unwritten.add(work);
  return work.finally(() => unwritten.delete(work));
}

/** Waits a moment for whatever has to be written before the database closes. */
export async function untilWritten(): Promise<void> {
  await Promise.race([Promise.allSettled(unwritten), sleep(LIMIT_MS)]);
}
