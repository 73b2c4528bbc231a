import type { Engine } from "../engine.ts";
import { MongoError } from "../values.ts";

export const commitFailed = (): MongoError =>
  new MongoError(8, "UnknownError", "storage: a commit failed during this write");

/** Runs a write and waits until it is on the disk. Fails when a commit failed meanwhile, for part of it may be lost. */
export async function durably<T>({ store }: Engine, run: () => T | Promise<T>): Promise<T> {
  const failures = store.group.failures();
  const result = await run();
  await store.group.durable();
  if (store.group.failures() !== failures) throw commitFailed();
  return result;
}
