import { turnsComeWithin } from "./core/call-turns.ts";
import { SECOND_MS } from "./core/clock.ts";
import { countResting } from "./core/deaths.ts";
import { isDatabaseReady } from "./core/database.ts";
import { lateJobs } from "./core/late-jobs.ts";
import type { RawRoute } from "./core/raw-route.ts";
import { countAside } from "./core/set-aside.ts";
import { isClockSure } from "./core/sure-clock.ts";

/** Turns go round many times in it, also on a busy machine. */
const TURN_MS = 3 * SECOND_MS;

/** GET /health: the process lives. */
export const health: RawRoute = {
  access: "public",
  isProbe: true,
  answer: ({ res }) => void res.json({ ok: true }),
};

/**
 * GET /ready: the database answers, and a call that came now would be worked on. What is late or set aside is told, and
 * no reason to send people elsewhere.
 */
export const readiness: RawRoute = {
  access: "public",
  isProbe: true,
  async answer({ res }) {
    const { isReady, calls, setAside } = await lately();
    const late = lateJobs();
    // Late jobs are late for every process of this database.
    const jobs = late.length === 0 ? "on time" : "late";
    const clock = isClockSure() ? "sure" : "unsure";
    res.status(isReady ? 200 : 503).json({ ok: isReady, calls, jobs, late, clock, setAside });
  },
};

let asked: { at: number; answer: ReturnType<typeof look> } | null = null;

/** It is looked once in a second, however many want to know. */
function lately(): ReturnType<typeof look> {
  const at = performance.now();
  if (!asked || at - asked.at >= SECOND_MS) asked = { at, answer: look() };
  return asked.answer;
}

async function look() {
  const [answers, inTurn] = await Promise.all([isDatabaseReady(), turnsComeWithin(TURN_MS)]);
  const calls = inTurn ? "in turn" : "waiting";
  return { isReady: answers && inTurn, calls, setAside: answers ? await setAside() : {} };
}

async function setAside() {
  const resting = await countResting();
  return { ...(await countAside()), ...(resting > 0 ? { resting } : {}) };
}
