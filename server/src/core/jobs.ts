import { MongoBackend } from "@agendajs/mongo-backend";
import { Agenda, exponential, InMemoryNotificationChannel } from "agenda";
import mongoose from "mongoose";
import type { z } from "zod";
import type { Logger } from "./logger.ts";

const POLL_MS = 3000;
const LEASE_MS = 5 * 60_000;
const STOP_LIMIT_MS = 5000;
// Ten seconds, then twice as long each time: a database or a provider that is away for some minutes loses no job.
const RETRY = exponential({ delay: 10_000, maxDelay: 10 * 60_000, maxRetries: 6 });

interface JobOptions<Data> {
  name: string;
  /** What a job of this name carries; anything else in the store is refused. */
  data: z.ZodType<Data>;
  run: (data: Data, log: Logger) => Promise<void>;
}

interface RepeatedOptions {
  name: string;
  /** For example "1 minute". */
  every: string;
  /** After how long another process takes it over from one that died; five minutes where left out. */
  takenOverAfterMs?: number;
  run: (log: Logger) => Promise<void>;
}

export interface Job<Data> {
  enqueue(data: Data): Promise<void>;
}

const runners = new Map<string, (data: unknown, log: Logger) => Promise<void>>();
const repeated = new Map<string, { every: string; lockLifetime: number }>();
let agenda: Agenda | undefined;

/** Work that outlives the request and the process: stored first, done by whichever server process comes first. */
export function defineJob<Data>({ name, data, run }: JobOptions<Data>): Job<Data> {
  runners.set(name, async (stored, log) => run(data.parse(stored), log));
  return {
    async enqueue(input) {
      agenda ??= createAgenda();
      await agenda.now(name, input);
    },
  };
}

/** Work that comes round, in one process at a time. */
export function defineRepeatedJob({ name, every, takenOverAfterMs = LEASE_MS, run }: RepeatedOptions): void {
  runners.set(name, (_stored, log) => run(log));
  repeated.set(name, { every, lockLifetime: takenOverAfterMs });
}

function createAgenda(): Agenda {
  const { db } = mongoose.connection;
  if (!db) throw new Error("jobs need an open database");
  return new Agenda({
    backend: new MongoBackend({ mongo: db, collection: "jobs", ensureIndex: true }),
    // Jobs of this process start at once; those of others, and those that are due later, within a poll.
    notificationChannel: new InMemoryNotificationChannel(),
    processEvery: POLL_MS,
    defaultLockLifetime: LEASE_MS,
    removeOnComplete: true,
  });
}

/** Starts working on every defined job; call it once the database is open. */
export async function startJobs(log: Logger): Promise<void> {
  agenda ??= createAgenda();
  agenda.on("error", (error: Error) => log.error({ err: error }, "job queue failed"));
  agenda.on("fail", (error: Error | string, job: { attrs?: { name: string }; jobName?: string }) =>
    log.error({ err: error, job: job.attrs?.name ?? job.jobName }, "job failed"),
  );
  for (const [name, run] of runners) {
    // The callback form, because the promise form of the package is typed as one that nobody waits for.
    const lockLifetime = repeated.get(name)?.lockLifetime;
    agenda.define(
      name,
      (job, done) =>
        void run(job.attrs.data, log).then(
          () => done(),
          (error: unknown) => done(toError(error)),
        ),
      // What comes round anyway needs no second try.
      lockLifetime ? { lockLifetime } : { backoff: RETRY },
    );
  }
  await agenda.start();
  for (const [name, { every }] of repeated) await agenda.every(every, name);
}

/** Takes no new work and lets what runs come to its end. */
export async function stopJobs(): Promise<void> {
  const running = agenda;
  agenda = undefined;
  await running?.drain({ timeout: STOP_LIMIT_MS });
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
