// Whatever comes from outside is opened in one of few workers, never in the thread that serves everybody: what takes too
// long or too much there is ended with its worker, and whoever asked is told.
import { Piscina } from "piscina";
import { z } from "zod";
import { outOfTurn } from "./call-turns.ts";
import { callerGone } from "./caller.ts";
import { badField, busy } from "./errors.ts";
import { type Asker, fairTurns, inTurn } from "./fair-turns.ts";

const WORKER = new URL("./foreign-worker.ts", import.meta.url).href;
const YOUNG_HEAP_MB = 16;
const IDLE_MS = 60_000;
const WATCH_MS = 50;
/** How many times as long it may last where the machine has other work. */
const WAITED_MAX = 5;
/** Of a lane: what takes long occupies one of them, and the other goes on. */
const WORKERS = 2;
// A browser has six requests under way to one server.
const TURNS = { atOnce: WORKERS, ofOne: 1, waiting: { inAll: 200, ofGroup: 40, ofOne: 8 } };

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

/** One worker, with which it can be counted what it works. */
function workers(heapMb: number): Pool {
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

type Pool = Piscina<unknown, unknown>;
interface Task {
  file: string;
  input: unknown;
}

/** Workers with a limit on memory each, which start at first use and end when nobody has used them for a while. */
function startLane(heapMb: number) {
  const idle: Pool[] = [];
  const take = fairTurns(TURNS);
  return (asker: Asker, task: Task, limitMs: number): Promise<unknown> => {
    const gone = callerGone();
    const work = async () => {
      const pool = idle.pop() ?? workers(heapMb);
      try {
        return await withinTime(pool, task, { limitMs, gone });
      } finally {
        idle.push(pool);
      }
    };
    return outOfTurn(() => inTurn(take, asker, work, gone));
  };
}

interface Bounds {
  limitMs: number;
  gone: AbortSignal | undefined;
}

/**
 * Counts what the worker works, not what it waits for: a busy machine makes nobody's mail hostile. It is ended where
 * nobody waits for it any more.
 */
async function withinTime(pool: Pool, task: Task, { limitMs, gone }: Bounds): Promise<unknown> {
  const ended = new AbortController();
  const workedBefore = await workedMs(pool);
  const watch = setInterval(() => {
    void workedMs(pool).then((worked) => worked - workedBefore > limitMs && ended.abort());
  }, WATCH_MS);
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(WAITED_MAX * limitMs), ...(gone ? [gone] : [])]);
  try {
    return await pool.run(task, { signal });
  } catch (error) {
    throw signal.aborted && !ended.signal.aborted ? busy() : error;
  } finally {
    clearInterval(watch);
  }
}

async function workedMs({ threads: [worker] }: Pool): Promise<number> {
  // One that ends meanwhile cannot tell any more.
  const { user, system } = (await worker?.cpuUsage().catch(() => null)) ?? { user: 0, system: 0 };
  return (user + system) / 1000;
}

const LANES = { short: startLane(64), long: startLane(128), drawing: startLane(256) };

/** How a kind of foreign content is opened, in the turn of whoever asks for it or whose mailbox it came to. */
export function defineForeign<Done extends Work>({ file, output, limitMs, lane = "short", refuse }: Options<Done>) {
  const run = LANES[lane];
  return async (asker: Asker, input: Parameters<Done>[0]): Promise<Awaited<ReturnType<Done>>> => {
    const done = doneSchema.parse(
      await run(asker, { file: file.href, input }, limitMs).catch((error: unknown) => endedBy(error)),
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
