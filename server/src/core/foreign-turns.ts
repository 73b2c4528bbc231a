// Who is next, where many want what few can have at once: every practice has its turn, however much another asks for.
import { TRPCError } from "@trpc/server";

interface Limits {
  atOnce: number;
  waiting: number;
  waitingOfOne: number;
}

export const busy = () =>
  new TRPCError({
    code: "SERVICE_UNAVAILABLE",
    message: "The server is still busy with other files and messages. Try again in a minute.",
  });

/** Runs work of one after another, of those who wait in turns; throws SERVICE_UNAVAILABLE where too many wait. */
export function takingTurns({ atOnce, waiting, waitingOfOne }: Limits) {
  // In the order in which they are next.
  const queues = new Map<string, (() => void)[]>();
  let running = 0;

  function turnOf(who: string): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return Promise.resolve();
    }
    const own = queues.get(who) ?? [];
    const all = [...queues.values()].reduce((sum, queue) => sum + queue.length, 0);
    if (own.length >= waitingOfOne || all >= waiting) throw busy();
    queues.set(who, own);
    return new Promise((resolve) => own.push(resolve));
  }

  function handOn(): void {
    const [next] = queues;
    if (!next) {
      running -= 1;
      return;
    }
    const [who, [start, ...others]] = next;
    queues.delete(who);
    if (others.length > 0) queues.set(who, others);
    start?.();
  }

  return async function inTurn<Result>(who: string, run: () => Promise<Result>): Promise<Result> {
    await turnOf(who);
    try {
      return await run();
    } finally {
      handOn();
    }
  };
}
