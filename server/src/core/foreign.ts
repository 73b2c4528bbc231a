// Whatever comes from outside is opened in one of few processes, never in the one that serves everybody: what takes too
// long or too much there is ended with its process, and whoever asked is told.
import { z } from "zod";
import { outOfTurn } from "./call-turns.ts";
import { callerGone } from "./caller.ts";
import { badField, busy } from "./errors.ts";
import { type Asker, fairTurns, inTurn } from "./fair-turns.ts";
import { count } from "./giving-way.ts";
import { type ForeignProcess, foreignProcess, LimitReached, type Task } from "./foreign-process.ts";

/** How many times as long it may last where the machine has other work, which comes first. */
const WAITED_MAX = 12;
/** Of a lane: what takes long occupies one of them, and the other goes on. */
const PROCESSES = 2;
// A browser has six requests under way to one server.
const TURNS = { atOnce: PROCESSES, ofOne: 1, waiting: { inAll: 200, ofGroup: 40, ofOne: 8 } };
/** Whoever is new, and burns what they can, keeps nobody for longer than that. */
const QUICK_MS = 500;
/** The same where whole files are read: most lists are by then. */
const LONG_QUICK_MS = 1000;
const LOOK_MS = 50;
/** Whoever uses a lane for long, again and again, does so beside all others who do. */
const FOR_LIGHT = { turns: 1, lightMs: 1000 };
/** Where whatever comes is long, whoever used least of late comes first. */
const BY_USE = { turns: 0, lightMs: Infinity };

export type Refusal = "too-much" | "unreadable";

type Work = (input: never) => Promise<unknown>;

interface Options<Done extends Work> {
  /** A file that exports `work`, which `foreignWork` made: ended in its midst and begun again it does the same. */
  file: URL;
  output: z.ZodType<Awaited<ReturnType<Done>>>;
  /** Of the process's own time. */
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
  z.object({ failed: z.string() }),
]);

type Turns = Parameters<typeof fairTurns>[0];

/** Its process was needed for others. */
class MadeRoom extends Error {}

/** Processes with a limit on memory each. Work of more than `quickMs` is ended there once others wait. */
function startLane(heapMb: number, turns: Turns, quickMs = Infinity) {
  const idle: ForeignProcess[] = [];
  const takeIdle = () => idle.pop() ?? foreignProcess(heapMb);
  const warmNext = () => {
    const next = takeIdle();
    next.warm();
    idle.push(next);
  };
  const take = fairTurns(turns);
  const waiting = new Map<string, number>();
  const doOthersWait = (group: string) => [...waiting.keys()].some((one) => one !== group);
  return async (asker: Asker, task: Task): Promise<unknown> => {
    const gone = callerGone();
    let isWaiting = true;
    const leaveLine = () => {
      if (isWaiting) count(waiting, asker.group, -1);
      isWaiting = false;
    };
    const work = async () => {
      leaveLine();
      const worker = takeIdle();
      const room = new AbortController();
      // Not while a process starts, which takes long on a busy machine, whatever it is to open.
      let began = Infinity;
      const onBegun = () => (began = performance.now());
      const looking = setInterval(() => {
        const lastedMs = performance.now() - began;
        if (lastedMs < quickMs / 2 || !doOthersWait(asker.group)) return;
        // Whoever is next does not wait for the start of a process as well.
        warmNext();
        if (lastedMs > quickMs) room.abort(new MadeRoom());
      }, LOOK_MS);
      const late = AbortSignal.timeout(WAITED_MAX * task.limitMs);
      const signal = AbortSignal.any([late, room.signal, ...(gone ? [gone] : [])]);
      try {
        const said = await worker.run(task, { signal, onBegun });
        idle.push(worker);
        return said;
      } catch (error) {
        // It may have ended: those that are up are taken first.
        idle.unshift(worker);
        throw signal.aborted && !(error instanceof MadeRoom) ? busy() : error;
      } finally {
        clearInterval(looking);
      }
    };
    count(waiting, asker.group, 1);
    return outOfTurn(() => inTurn(take, asker, work, gone)).finally(leaveLine);
  };
}

/** Nobody knows before whether it is quick: what turns out not to be, while others wait, is begun anew among its like. */
function startLaneOfQuick(heapMb: number, turns: Pick<Turns, "atOnce" | "forLight">, quickMs: number) {
  const quick = startLane(heapMb, { ...TURNS, ...turns }, quickMs);
  const slow = startLane(heapMb, { ...TURNS, atOnce: 1, forLight: BY_USE });
  return (asker: Asker, task: Task): Promise<unknown> =>
    quick(asker, task).catch((error: unknown) => {
      if (error instanceof MadeRoom) return slow(asker, task);
      throw error;
    });
}

const LANES = {
  short: startLaneOfQuick(64, { atOnce: PROCESSES, forLight: FOR_LIGHT }, QUICK_MS),
  // Of two one is for what takes long even among its like.
  long: startLaneOfQuick(128, { atOnce: 1, forLight: BY_USE }, LONG_QUICK_MS),
  drawing: startLaneOfQuick(256, { atOnce: 1, forLight: BY_USE }, LONG_QUICK_MS),
};

/** How a kind of foreign content is opened, in the turn of whoever asks for it or whose mailbox it came to. */
export function defineForeign<Done extends Work>({ file, output, limitMs, lane = "short", refuse }: Options<Done>) {
  const run = LANES[lane];
  return async (asker: Asker, input: Parameters<Done>[0]): Promise<Awaited<ReturnType<Done>>> => {
    const done = doneSchema.parse(await run(asker, { file: file.href, input, limitMs }).catch(endedBy));
    if ("failed" in done) throw new Error(done.failed);
    if ("why" in done) throw refuse(done.why, done.reason);
    if ("field" in done) throw badField(done.field, done.message);
    return output.parse(done.value);
  };
}

/** The process reached a limit and is gone; any other failure is none of the content's. */
function endedBy(error: unknown): z.input<typeof doneSchema> {
  if (!(error instanceof LimitReached)) throw error;
  return { why: "too-much", reason: error.message };
}
