// Whose mail is next at the fallback service, which takes one in a second. In a process turns go round over practices, and
// every second one at least is the product's own, so that nobody's many mails keep back a new password. Of each process
// only the next one asks for the turn of all processes.
import { setTimeout as sleep } from "node:timers/promises";
import { EmailJSResponseStatus } from "@emailjs/nodejs";
import { busy, isBusy } from "../../../core/errors.ts";
import { type Asker, fairTurns, inTurn } from "../../../core/fair-turns.ts";
import { countAttempt } from "../../../core/rate-limit.ts";

const THROTTLE_KEY = "emailjs";
const ONE = { atOnce: 1, ofOne: 1 };
const WAITING = { inAll: 2000, ofGroup: 200, ofOne: 50 };

const lines = {
  product: fairTurns({ ...ONE, waiting: WAITING }),
  people: fairTurns({ ...ONE, waiting: WAITING }),
};
const takeFirst = fairTurns(ONE);

export interface ServiceTurn {
  /** The product's own mail, or that of people. */
  line: keyof typeof lines;
  /** The practice that it is of, and whose there. */
  asker: Asker;
  /** Waits so long for its turn, in place of a refusal at once. */
  patienceMs: number;
}

/** In the words of the service's own package. Nothing was handed over. */
export class NoTurnError extends EmailJSResponseStatus {
  constructor() {
    super(429, "Too Many Requests");
  }
}

/** Waits until the service takes one. Throws NoTurnError where that takes longer than whoever asks can wait. */
export async function takeTurn(throttleMs: number, { line, asker, patienceMs }: ServiceTurn): Promise<void> {
  if (throttleMs === 0) return;
  const until = performance.now() + patienceMs;
  const gone = AbortSignal.timeout(patienceMs);
  const head = { group: line, one: "" };
  try {
    await inTurn(lines[line], asker, () => inTurn(takeFirst, head, () => untilFree(throttleMs, until), gone), gone);
  } catch (error) {
    if (isBusy(error)) throw new NoTurnError();
    throw error;
  }
}

async function untilFree(throttleMs: number, until: number): Promise<void> {
  const limit = { tries: 1, pauseMs: throttleMs, longestPauseMs: throttleMs, memoryMs: throttleMs };
  for (;;) {
    const { isAllowed, pauseMs } = await countAttempt(THROTTLE_KEY, limit);
    if (isAllowed) return;
    if (performance.now() + pauseMs > until) throw busy();
    await sleep(pauseMs);
  }
}
