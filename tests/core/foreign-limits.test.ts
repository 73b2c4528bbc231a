// Whatever foreign content does to the process that reads it, the server goes on and the next one is read.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { defineForeign } from "@app/server/core/foreign";
import { foreignProcess } from "@app/server/core/foreign-process";
import { z } from "zod";
import { expect, test, vi } from "vitest";
import { only } from "../support/server/assessments.ts";
import { readSlowly } from "../support/hostile/slow-content.ts";
import { LOADING_MS } from "../support/hostile/late.foreign.ts";
import { growingSchema, type work } from "../support/hostile/growing.foreign.ts";

const READING_SERVER = fileURLToPath(new URL("../support/hostile/reading-server.ts", import.meta.url));

const reading = (limitMs: number) =>
  defineForeign<typeof work>({
    file: new URL("../support/hostile/growing.foreign.ts", import.meta.url),
    output: z.number(),
    limitMs,
    refuse: (why, reason) => new Error(`${why}: ${reason}`),
  });
const meekSchema = z.object({ value: z.object({ niceness: z.number(), pid: z.number() }) });
const readForLong = reading(30_000);
const readShortly = reading(300);

test.each(growingSchema.exclude(["never"]).options)(
  "S74 foreign content: it grows by %s, then it is refused, and the next is read",
  async (way) => {
    const asker = { group: way, one: "" };
    await expect(readForLong(asker, way)).rejects.toThrow("too-much: took too much memory");
    expect(await readSlowly(asker, 1)).toBe(1);
  },
  90_000,
);

test("S74 foreign content: it never ends, then it is refused, and the next is read", async () => {
  const asker = { group: "never", one: "" };
  // Where the machine leaves it hardly any time, whoever asked is told that instead.
  await expect(readShortly(asker, "never")).rejects.toThrow(/too-much: took too long|still busy/);
  expect(await readSlowly(asker, 1)).toBe(1);
});

test("S74 foreign content: the time in which its process starts and loads is none of its own", async () => {
  const startedAt = performance.now();
  let waited = 0;
  const task = { file: new URL("../support/hostile/late.foreign.ts", import.meta.url).href, input: 1, limitMs: 5000 };
  const onBegun = () => (waited = performance.now() - startedAt);
  expect(await foreignProcess(64).run(task, { signal: new AbortController().signal, onBegun })).toEqual({ value: 1 });
  expect(waited).toBeGreaterThan(LOADING_MS);
});

test("S74 foreign content: whoever waits for the start of its process goes, then it starts for the next one all the same", async () => {
  const opener = foreignProcess(64);
  const going = (signal: AbortSignal) => ({ signal, onBegun: () => undefined });
  const task = { file: new URL("../support/hostile/late.foreign.ts", import.meta.url).href, input: 1, limitMs: 5000 };
  const before = childrenOf(process.pid);
  await expect(opener.run(task, going(AbortSignal.timeout(LOADING_MS / 4)))).rejects.toThrow("timeout");
  const starting = only(childrenOf(process.pid).filter((pid) => !before.includes(pid)));
  const meek = { ...task, file: new URL("../support/hostile/meek.foreign.ts", import.meta.url).href, input: null };
  const { value } = meekSchema.parse(await opener.run(meek, going(new AbortController().signal)));
  expect(value.pid).toBe(Number(starting));
  expect(await opener.run(task, going(new AbortController().signal))).toEqual({ value: 1 });
});

test("S74 foreign content: its process stands behind the one that serves everybody, and is there before it is needed", async () => {
  const before = childrenOf(process.pid);
  const opener = foreignProcess(64);
  opener.warm();
  opener.warm();
  const started = only(childrenOf(process.pid).filter((pid) => !before.includes(pid)));
  const task = {
    file: new URL("../support/hostile/meek.foreign.ts", import.meta.url).href,
    input: null,
    limitMs: 5000,
  };
  const going = { signal: new AbortController().signal, onBegun: () => undefined };
  const { value } = meekSchema.parse(await opener.run(task, going));
  expect(value.pid).toBe(Number(started));
  expect(value.niceness).toBeGreaterThan(getPriority());
});

test("S74 foreign content: the server is killed while it is read, then its reader ends as well", async () => {
  const server = spawn(process.execPath, [READING_SERVER], { stdio: "ignore" });
  const reader = await vi.waitFor(() => only(childrenOf(server.pid)), 20_000);
  server.kill("SIGKILL");
  await vi.waitFor(() => expect(existsSync(`/proc/${reader}`)).toBe(false), 10_000);
});

const childrenOf = (pid = 0): string[] =>
  readdirSync("/proc").filter((entry) => /^\d+$/.test(entry) && parentOf(entry) === String(pid));

function parentOf(pid: string): string | undefined {
  try {
    return /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
