import mongoose from "mongoose";
import { MINUTE_MS } from "./clock.ts";
import type { Logger } from "./logger.ts";

/** A job is late when it did not come round in so many times its interval, and a minute. */
const ROUNDS_MISSED = 3;

/** How each repeated job stood when it last moved on, in whichever process, and when that was seen here. */
const seen = new Map<string, { state: string; at: number }>();
let late: string[] = [];

/** The repeated jobs that should have run and did not. */
export const lateJobs = (): readonly string[] => late;

/** Asks no clock that somebody can set: only whether they move on while this process looks. */
export async function lookForLateJobs(repeated: ReadonlyMap<string, { everyMs: number }>, log: Logger): Promise<void> {
  const stored = await mongoose.connection.collection("jobs").find({ type: "single" }).toArray();
  const at = performance.now();
  const states = new Map(
    stored.map(({ name, lastRunAt, lastFinishedAt }) => [String(name), JSON.stringify([lastRunAt, lastFinishedAt])]),
  );
  for (const name of repeated.keys()) {
    const state = states.get(name) ?? "not there";
    if (seen.get(name)?.state !== state) seen.set(name, { state, at });
  }
  const before = late;
  late = [...repeated].flatMap(([name, { everyMs }]) => {
    const waitedMs = at - (seen.get(name)?.at ?? at);
    return waitedMs > ROUNDS_MISSED * everyMs + MINUTE_MS ? [name] : [];
  });
  for (const job of late) if (!before.includes(job)) log.error({ job }, "a job is late");
}
