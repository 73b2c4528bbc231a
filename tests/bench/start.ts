import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Figure, median } from "./figure.ts";

const ROUNDS = 3;
const LIMIT_MS = 30_000;
const POLL_MS = 10;
const ROOT = path.resolve(import.meta.dirname, "../..");

/** `start.warm`: from the README's command on an installed checkout to the first good answer of /ready. */
export async function benchStart(): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) times.push(await timeStart(dataDir, 41_300 + round));
  rmSync(dataDir, { recursive: true, force: true });
  // The first round makes the data directory and warms the disk cache.
  return [{ name: "start.warm", value: median(times.slice(1)), unit: "s", goal: "<=", limit: 1.5 }];
}

async function timeStart(dataDir: string, port: number): Promise<number> {
  const startedAt = performance.now();
  // A process group of its own, because npm does not pass a signal on to what it started.
  const child = spawn("npm", ["start"], {
    cwd: ROOT,
    detached: true,
    stdio: "ignore",
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "silent" },
  });
  try {
    while (performance.now() - startedAt < LIMIT_MS) {
      const isReady = await fetch(`http://127.0.0.1:${port}/ready`).then(
        (reply) => reply.ok,
        () => false,
      );
      if (isReady) return (performance.now() - startedAt) / 1000;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return Infinity;
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.pid) process.kill(-child.pid, "SIGTERM");
    await ended;
  }
}
