// Whatever comes from outside is opened in one of few workers, never in the thread that serves everybody: what takes too
// long or too much there is ended with its worker, and whoever asked is told.
import { Piscina } from "piscina";
import { z } from "zod";
import { badField } from "./errors.ts";
import { busy, takingTurns } from "./foreign-turns.ts";

const WORKER = new URL("./foreign-worker.ts", import.meta.url).href;
const YOUNG_HEAP_MB = 16;
const IDLE_MS = 60_000;
const WATCH_MS = 50;
/** How many times as long it may last where the machine has other work. */
const WAITED_MAX = 5;
const WAITING = { waiting: 100, waitingOfOne: 20 };

export type Refusal = "too-much" | "unreadable";

type Work = (input: never) => Promise<unknown>;

interface Options<Done extends Work> {
  /** A file that exports `work`, which `foreignWork` made. */
  file: URL;
  output: z.ZodType<Awaited<ReturnType<Done>>>;
  /** Of the worker's own time. */
  limitMs: number;
  /** Whole files take long, and so do documents that are drawn: they wait for their own kind, in nobody else's way. */
  lane?: keyof typeof LANES;
  /** In words, what whoever asked is told. */
  refuse: (why: Refusal, reason: string) => Error;
}

const doneSchema = z.union([
  z.object({ value: z.unknown() }),
  z.object({ why: z.enum(["too-much", "unreadable"]), reason: z.string() }),
  z.object({ field: z.string(), message: z.string() }),
]);

function workers(heapMb: number): Piscina<unknown, unknown> {
  const pool = new Piscina<unknown, unknown>({
    filename: WORKER,
    name: "openForeign",
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    env: {},
  });
  // A worker may reach its memory's end at the very moment when its time is over: whoever asked has been told by then,
  // and without a listener that would end the process.
  pool.on("error", () => undefined);
  return pool;
}

/** One worker with its own limit on memory, which starts at first use and ends when nobody has used it for a while. */
function startLane(heapMb: number) {
  let pool: Piscina<unknown, unknown> | undefined;
  const inTurn = takingTurns({ atOnce: 1, ...WAITING });
  return (who: string, task: { file: string; input: unknown }, limitMs: number): Promise<unknown> =>
    inTurn(who, () => {
      pool ??= workers(heapMb);
      return withinTime(pool, task, limitMs);
    });
}

/** Counts what the worker works, not what it waits for: a busy machine makes nobody's mail hostile. */
async function withinTime(pool: Piscina<unknown, unknown>, task: unknown, limitMs: number): Promise<unknown> {
  const ended = new AbortController();
  const workedBefore = await workedMs(pool);
  const watch = setInterval(() => {
    void workedMs(pool).then((worked) => worked - workedBefore > limitMs && ended.abort());
  }, WATCH_MS);
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(WAITED_MAX * limitMs)]);
  try {
    return await pool.run(task, { signal });
  } catch (error) {
    throw signal.aborted && !ended.signal.aborted ? busy() : error;
  } finally {
    clearInterval(watch);
  }
}

async function workedMs({ threads: [worker] }: Piscina<unknown, unknown>): Promise<number> {
  // One that ends meanwhile cannot tell any more.
  const { user, system } = (await worker?.cpuUsage().catch(() => null)) ?? { user: 0, system: 0 };
  return (user + system) / 1000;
}

const LANES = { short: startLane(64), long: startLane(128), drawing: startLane(256) };

/** How a kind of foreign content is opened, for a practice or whoever else asks for it. */
export function defineForeign<Done extends Work>({ file, output, limitMs, lane = "short", refuse }: Options<Done>) {
  const run = LANES[lane];
  return async (who: string, input: Parameters<Done>[0]): Promise<Awaited<ReturnType<Done>>> => {
    const done = doneSchema.parse(
      await run(who, { file: file.href, input }, limitMs).catch((error: unknown) => endedBy(error)),
    );
    if ("why" in done) throw refuse(done.why, done.reason);
    if ("field" in done) throw badField(done.field, done.message);
    return output.parse(done.value);
  };
}

/** The worker reached a limit and is gone; any other failure is none of the content's. */
function endedBy(error: unknown): z.input<typeof doneSchema> {
  const isLate = error instanceof Error && error.name === "AbortError";
  const isFull = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  if (!isLate && !isFull) throw error;
  return { why: "too-much", reason: isLate ? "took too long" : "took too much memory" };
}
