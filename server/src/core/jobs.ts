import { setTimeout as sleep } from "node:timers/promises";
import { MongoBackend } from "@agendajs/mongo-backend";
import { Agenda, exponential, InMemoryNotificationChannel, type JobRepository } from "agenda";
import mongoose from "mongoose";
import type { z } from "zod";
import { withoutCaller } from "./caller.ts";
import { MINUTE_MS, now, SECOND_MS } from "./clock.ts";
import { counted, DiedOverError, excuseUnderWay, forgetDeaths } from "./deaths.ts";
import { bringBackDueTimes, TOLERANCE_MS } from "./due-times.ts";
import { showLife } from "./holding.ts";
import { lookForLateJobs } from "./late-jobs.ts";
import type { Logger } from "./logger.ts";
import { lookAtClock } from "./sure-clock.ts";

const POLL_MS = 3 * SECOND_MS;
const LEASE_MS = 5 * MINUTE_MS;
const STOP_LIMIT_MS = 5 * SECOND_MS;
const CHECK_MS = 5 * SECOND_MS;
/** Jobs of one name side by side. Of all together as many as that makes: none waits because others are many. */
const AT_ONCE = 5;
// Ten seconds, then twice as long each time: a database or a provider that is away for some minutes loses no job.
const RETRY_MAX_MS = 10 * MINUTE_MS;
const RETRY = exponential({ delay: 10 * SECOND_MS, maxDelay: RETRY_MAX_MS, maxRetries: 6 });

interface JobOptions<Data> {
  name: string;
  /** What a job of this name carries; anything else in the store is refused. */
  data: z.ZodType<Data>;
  run: (data: Data, log: Logger) => Promise<void>;
}

interface RepeatedOptions {
  name: string;
  everyMs: number;
  /** After how long another process takes it over from one that died; five minutes where left out. */
  takenOverAfterMs?: number;
  run: (log: Logger) => Promise<void>;
}

export interface Job<Data> {
  enqueue(data: Data): Promise<void>;
}

/** Work that this process does beside its jobs, from when they start until they stop. */
interface Worker {
  start: (log: Logger) => void;
  stop: () => Promise<void>;
}

const workers: Worker[] = [];
const runners = new Map<string, (data: unknown, log: Logger) => Promise<void>>();
const repeated = new Map<string, { everyMs: number; lockLifetime: number }>();
let queue: Agenda | undefined;
let checking: NodeJS.Timeout | undefined;

/**
 * Work that outlives the request and the process: stored first, done by whichever server process comes first. After
 * five minutes another may begin it too, so what must not be done twice is held by itself (`core/holding.ts`).
 */
export function defineJob<Data>({ name, data, run }: JobOptions<Data>): Job<Data> {
  runners.set(name, async (stored, log) => run(data.parse(stored), log));
  return {
    async enqueue(input) {
      queue ??= createQueue();
      await queue.now(name, input);
    },
  };
}

/** Work that comes round, mostly in one process at a time: two beside each other must do no harm. */
export function defineRepeatedJob({ name, everyMs, takenOverAfterMs = LEASE_MS, run }: RepeatedOptions): void {
  runners.set(name, (_stored, log) => run(log));
  repeated.set(name, { everyMs, lockLifetime: takenOverAfterMs });
}

export const defineWorker = (worker: Worker): void => void workers.push(worker);

function createQueue(): Agenda {
  const { db } = mongoose.connection;
  if (!db) throw new Error("jobs need an open database");
  const backend = new MongoBackend({ mongo: db, collection: "jobs", ensureIndex: true });
  lockByOneClock(backend.repository);
  return new Agenda({
    backend,
    // Jobs of this process start at once; those of others, and those that are due later, within a poll.
    notificationChannel: new InMemoryNotificationChannel(),
    processEvery: POLL_MS,
    defaultLockLifetime: LEASE_MS,
    defaultConcurrency: AT_ONCE,
    maxConcurrency: AT_ONCE * runners.size,
    removeOnComplete: true,
  });
}

/** The package stores and compares locks by the clock of each process; here it is the database's for all of them. */
function lockByOneClock(repository: JobRepository): void {
  const lockNext = repository.getNextJobToRun.bind(repository);
  const saveState = repository.saveJobState.bind(repository);
  repository.getNextJobToRun = async (name, nextScanAt, lockDeadline, _at, options) => {
    const lifetimeMs = Date.now() - lockDeadline.getTime();
    const at = now();
    const job = await lockNext(name, nextScanAt, new Date(at.getTime() - lifetimeMs), at, options);
    return job && { ...job, lockedAt: new Date() };
  };
  repository.saveJobState = (job, options) =>
    saveState({ ...job, ...(job.lockedAt ? { lockedAt: now() } : {}) }, options);
}

/** Starts working on every defined job; call it once the database is open. */
export async function startJobs(log: Logger): Promise<void> {
  await showLife(log);
  await lookAtClock(log);
  await setRight(log);
  queue ??= createQueue();
  queue.on("error", (error: Error) => log.error({ err: error }, "job queue failed"));
  queue.on("fail", (error: Error | string, job: { attrs?: { name: string }; jobName?: string }) =>
    log.error({ err: error, job: job.attrs?.name ?? job.jobName }, "job failed"),
  );
  for (const [name, run] of runners) {
    const work = repeated.has(name)
      ? run
      : (data: unknown, by: Logger, id: string) => runCounted(name, id, { run: () => run(data, by), log: by });
    // The callback form, because the promise form of the package is typed as one that nobody waits for.
    const lockLifetime = repeated.get(name)?.lockLifetime;
    queue.define(
      name,
      (job, done) =>
        // A request may have started it, and does not end it.
        void withoutCaller(() => work(job.attrs.data, log, String(job.attrs._id))).then(
          () => done(),
          (error: unknown) => done(toError(error)),
        ),
      // What comes round anyway needs no second try.
      lockLifetime ? { lockLifetime } : { backoff: RETRY },
    );
  }
  for (const { start } of workers) start(log);
  await queue.start();
  for (const [name, { everyMs }] of repeated) await queue.every(everyMs, name);
  checking = setInterval(() => void check(log), CHECK_MS).unref();
}

/** Where too many processes died over it, it is not done: whoever asked for it has to ask again. */
async function runCounted(
  name: string,
  id: string,
  { run, log }: { run: () => Promise<void>; log: Logger },
): Promise<void> {
  try {
    await counted(`job:${name}:${id}`, run);
  } catch (error) {
    if (!(error instanceof DiedOverError)) throw error;
    log.error({ err: error, job: name }, "set aside");
    await forgetDeaths(error);
  }
}

/** Takes no new work and lets what runs come to its end. */
export async function stopJobs(): Promise<void> {
  const running = queue;
  queue = undefined;
  clearInterval(checking);
  const limit = sleep(STOP_LIMIT_MS, undefined, { ref: false });
  const stopped = Promise.all(workers.map(({ stop }) => stop()));
  await Promise.all([running?.drain({ timeout: STOP_LIMIT_MS }), Promise.race([stopped, limit])]);
  await excuseUnderWay();
}

async function check(log: Logger): Promise<void> {
  try {
    await lookAtClock(log);
    await setRight(log);
    await lookForLateJobs(repeated, log);
  } catch (error) {
    log.warn({ err: error }, "jobs could not be looked at");
  }
}

/** What a clock that was wrong has stored waits no longer than it would have. */
async function setRight(log: Logger): Promise<void> {
  await bringBackDueTimes(log);
  const jobs = mongoose.connection.collection("jobs");
  const at = now();
  const later = (ms: number) => ({ $gt: new Date(at.getTime() + ms + TOLERANCE_MS) });
  const next = { $set: { nextRunAt: at } };
  const often = [...repeated].map(([name, { everyMs }]) => ({ name, nextRunAt: later(everyMs) }));
  const others = { name: { $nin: [...repeated.keys()] }, nextRunAt: later(RETRY_MAX_MS) };
  await jobs.bulkWrite([
    ...[...often, others].map((filter) => ({ updateMany: { filter, update: next } })),
    { updateMany: { filter: { lockedAt: later(0) }, update: { $set: { lockedAt: at } } } },
  ]);
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
