// What others meet while somebody attacks a server: its longest stop, its memory, and how long their pages take.
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ProductProcess, startProduct } from "../../scripts/product-process.ts";
import { type Figure, percentile } from "./figure.ts";

const AT_ONCE = 4;
const PAUSE_MS = 20;
const MEMORY_PAUSE_MS = 100;
const LIMITS = { loop: 100, memory: 300, list: 300, health: 300, ready: 1000, file: 1000, mail: 2000 };
const UNITS = { loop: "ms", memory: "MB", list: "ms", health: "ms", ready: "ms", file: "ms", mail: "ms" };
export type Measure = keyof typeof LIMITS;

export const figureOf = (kind: string, measure: Measure, value: number): Figure => ({
  name: `hold.${kind}.${measure}`,
  value,
  unit: UNITS[measure],
  goal: "<=",
  limit: LIMITS[measure],
});

/** A product whose event loop is watched; its database is its own where no other is given. */
export const startWatched = (dir: string, environment: Record<string, string> = {}): Promise<ProductProcess> =>
  startProduct({
    DATA_DIR: dir,
    MAIL_ALLOW_PRIVATE_HOSTS: "true",
    LOOP_WATCH_FILE: path.join(dir, "loop"),
    NODE_OPTIONS: `--import ${path.resolve(import.meta.dirname, "loop-watch.ts")}`,
    ...environment,
  });

/** What others do meanwhile. */
export type Look = Record<"list" | "health", Ask> & { ready?: Ask; file?: Ask; mail?: Ask };
type Ask = () => Promise<unknown>;

/** The worst while four at once attack. */
export async function measured(product: ProductProcess, dir: string, look: Look, attack: () => Promise<unknown>) {
  // Once before, so that what is loaded at first use is not counted as theirs.
  await Promise.all([look.list(), look.health(), look.ready?.(), look.file?.(), look.mail?.()]);
  const pid = product.process.pid ?? 0;
  await longestStop(pid, dir);
  const before = memoryMb(pid);
  let most = before;
  let isOver = false;
  const attacks = Promise.all(Array.from({ length: AT_ONCE }, attack)).finally(() => (isOver = true));
  const timesOf = async (one: Ask) => {
    const times: number[] = [];
    while (!isOver) {
      const startedAt = performance.now();
      // Whoever is refused, or gets no answer in time, has waited for ever.
      const isAnswered = await one().then(
        () => true,
        () => false,
      );
      times.push(isAnswered ? performance.now() - startedAt : Infinity);
      await sleep(PAUSE_MS);
    }
    return percentile(times, 0.95);
  };
  const watchMemory = async () => {
    for (; !isOver; await sleep(MEMORY_PAUSE_MS)) most = Math.max(most, memoryMb(pid));
  };
  const nobody = () => Promise.resolve();
  const watching = watchMemory();
  const looks = [look.list, look.health, look.ready ?? nobody, look.file ?? nobody, look.mail ?? nobody];
  const [[list, health, ready, file, mail]] = await Promise.all([Promise.all(looks.map(timesOf)), attacks, watching]);
  return {
    loop: await longestStop(pid, dir),
    memory: most - before,
    list: list ?? Number.NaN,
    health: health ?? Number.NaN,
    ready: ready ?? Number.NaN,
    file: file ?? Number.NaN,
    mail: mail ?? Number.NaN,
  };
}

/** Of the server, and of the processes in which it opens foreign content. */
function memoryMb(server: number): number {
  const pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  const readers = pids.filter(
    (pid) =>
      procFile(pid, "cmdline").includes("foreign-opener") && numberIn(procFile(pid, "status"), "PPid") === server,
  );
  const kilobytes = [String(server), ...readers].map((pid) => numberIn(procFile(pid, "status"), "VmRSS"));
  return kilobytes.reduce((sum, part) => sum + part, 0) / 1024;
}

const numberIn = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);

function procFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}

/** In milliseconds, since it was last asked. */
async function longestStop(pid: number, dir: string): Promise<number> {
  const file = path.join(dir, "loop");
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  while (!existsSync(file)) await sleep(PAUSE_MS);
  return Number(readFileSync(file, "utf8"));
}
