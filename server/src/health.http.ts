import { SECOND_MS } from "./core/clock.ts";
import { countResting } from "./core/deaths.ts";
import { isDatabaseReady } from "./core/database.ts";
import { lateJobs } from "./core/late-jobs.ts";
import type { RawRoute } from "./core/raw-route.ts";
import { countAside } from "./core/set-aside.ts";
import { isClockSure } from "./core/sure-clock.ts";

/** GET /health: the process lives. */
export const health: RawRoute = {
  access: "public",
  isProbe: true,
  answer: ({ res }) => void res.json({ ok: true }),
};

/** GET /ready: the database answers; what is late or set aside is told, and no reason to send people elsewhere. */
export const readiness: RawRoute = {
  access: "public",
  isProbe: true,
  async answer({ res }) {
    const { isReady, setAside } = await lately();
    const late = lateJobs();
    // Late jobs are late for every process of this database.
    const jobs = late.length === 0 ? "on time" : "late";
    const clock = isClockSure() ? "sure" : "unsure";
    res.status(isReady ? 200 : 503).json({ ok: isReady, jobs, late, clock, setAside });
  },
};

let asked: { at: number; answer: ReturnType<typeof askDatabase> } | null = null;

/** The database is asked once in a second, however many want to know. */
function lately(): ReturnType<typeof askDatabase> {
  const at = performance.now();
  if (!asked || at - asked.at >= SECOND_MS) asked = { at, answer: askDatabase() };
  return asked.answer;
}

async function askDatabase() {
  const isReady = await isDatabaseReady();
  if (!isReady) return { isReady, setAside: {} };
  const resting = await countResting();
  return { isReady, setAside: { ...(await countAside()), ...(resting > 0 ? { resting } : {}) } };
}
