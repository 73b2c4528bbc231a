import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger } from "@app/server/core/logger";
import { startEmbeddedMongo } from "@app/embedded-mongo/start";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ProductProcess } from "../../scripts/product-process.ts";
import { PASSWORD } from "../support/server/people.ts";
import {
  aPlace,
  aProduct,
  cleanUp,
  EMAIL,
  enginePid,
  exitOf,
  failToStart,
  MAIN,
  post,
  profileStatus,
  setUp,
} from "../support/server/product.ts";
import { send } from "../support/server/raw-http.ts";

const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const check = `require("fs").accessSync(${JSON.stringify(MAIN)})`;
const canNobodyRead = spawnSync(process.execPath, ["-e", check], NOBODY).status === 0;

const dataDir = aPlace();
let running: ProductProcess;
let cookie: string;
beforeAll(async () => {
  running = await aProduct({ DATA_DIR: dataDir });
  cookie = await setUp(running);
});
afterAll(cleanUp);

function readOnly(): string {
  const place = aPlace();
  chmodSync(place, 0o555);
  return place;
}

function aFile(): string {
  const file = path.join(aPlace(), "file");
  writeFileSync(file, "");
  return file;
}

const NO_DATABASE = "mongodb://127.0.0.1:1/x?directConnection=true";

describe.concurrent("main", () => {
  test.each<[string, () => Record<string, string>, RegExp]>([
    ["a port in use", () => ({ DATA_DIR: aPlace(), PORT: new URL(running.url).port }), /^Port \d+ is in use/],
    ["data in use", () => ({ DATA_DIR: dataDir }), /^Evenhand cannot start: .* already in use by process \d+/],
    ["a port that is none", () => ({ PORT: "eighty" }), /^Evenhand cannot start: PORT must be a port number/],
    ["two wrong settings", () => ({ PORT: "-1", SECRET_KEY: "short" }), /: SECRET_KEY must have .*; PORT must be /],
    ["another machine's address", () => ({ DATA_DIR: aPlace(), HOST: "192.0.2.1" }), /cannot listen at 192\.0\.2\.1/],
    ["no database", () => ({ DATA_DIR: aPlace(), MONGODB_URI: NO_DATABASE }), /^Evenhand cannot start: .*ECONNREFUSED/],
    ["a file as data directory", () => ({ DATA_DIR: aFile() }), /cannot be written by this user/],
  ])("main: %s is told in one line, with exit code 1", async (_what, environment, expected) => {
    const { code, complaint } = await failToStart(environment());
    expect(complaint).toMatch(expected);
    expect(complaint.trimEnd().split("\n")).toHaveLength(1);
    expect(code).toBe(1);
  });

  test("main: a data directory that may not be written is told in one line, with exit code 1", async ({ skip }) => {
    if (!canNobodyRead) skip("this checkout can be read by root only");
    const { code, complaint } = await failToStart({ DATA_DIR: readOnly() }, NOBODY);
    expect(complaint).toMatch(/cannot be written by this user/);
    expect(complaint.trimEnd().split("\n")).toHaveLength(1);
    expect(code).toBe(1);
  });

  test("main: a start that failed late leaves its data directory free", async () => {
    const place = aPlace();
    await failToStart({ DATA_DIR: place, PORT: new URL(running.url).port });
    const product = await aProduct({ DATA_DIR: place });
    expect((await send(`${product.url}/ready`)).status).toBe(200);
  });

  test("main: a restart forgets neither sign-ins nor failed tries", async () => {
    const environment = { DATA_DIR: aPlace() };
    const first = await aProduct(environment);
    const owner = await setUp(first);
    for (let guess = 0; guess < 5; guess += 1) await post(first, "auth.signIn", { email: EMAIL, password: "wrong" });
    await first.stop();
    const second = await aProduct(environment);
    expect((await post(second, "auth.signIn", { email: EMAIL, password: PASSWORD })).status).toBe(429);
    expect(await profileStatus(second, owner)).toBe(200);
  });

  test("main: 300 connections that never finish their request are closed, and delay nobody", async () => {
    const { port } = new URL(running.url);
    const slow = await Promise.all(Array.from({ length: 300 }, () => openSlowly(Number(port))));
    const startedAt = performance.now();
    expect((await send(`${running.url}/trpc/auth.status`)).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(2000);
    await vi.waitFor(() => expect(slow.filter(({ closed }) => !closed)).toEqual([]), {
      timeout: 16_000,
      interval: 200,
    });
  });

  test("the embedded database: while it hangs calls are refused after a while, and go on with it", async () => {
    const place = aPlace();
    const product = await aProduct({ DATA_DIR: place });
    const owner = await setUp(product);
    const pid = enginePid(place);
    process.kill(pid, "SIGSTOP");
    try {
      const [answer, ready, health] = await Promise.all([
        timedStatus(product, owner),
        send(`${product.url}/ready`),
        send(`${product.url}/health`),
      ]);
      expect({ call: answer.status, ready: ready.status, health: health.status }).toEqual({
        call: 503,
        ready: 503,
        health: 200,
      });
      expect(answer.tookMs).toBeLessThan(13_000);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await expectWell(product, owner);
  });

  test("MONGODB_URI: while that database is away calls are refused within seconds, and the process lives", async () => {
    const engine = await startEmbeddedMongo({ dir: aPlace(), log: createLogger("silent") });
    const other = await aProduct({ DATA_DIR: aPlace(), MONGODB_URI: engine.uri.replace("/?", "/away?") });
    const owner = await setUp(other);
    expect(await profileStatus(other, owner)).toBe(200);
    await engine.stop();
    const askedAt = performance.now();
    expect(await profileStatus(other, owner)).toBe(503);
    expect((await send(`${other.url}/ready`)).status).toBe(503);
    expect(performance.now() - askedAt).toBeLessThan(6000);
    await sleep(3500);
    expect(await profileStatus(other, owner)).toBe(503);
    expect((await send(`${other.url}/health`)).status).toBe(200);
  });
});

test("the embedded database: while it is killed calls are refused at most, none hangs, and they soon go on", async () => {
  process.kill(enginePid(dataDir), "SIGKILL");
  const answers = [];
  const stopAt = performance.now() + 2000;
  while (performance.now() < stopAt) answers.push(await timedStatus(running, cookie));
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  // A machine that is busy with other tests may take some seconds to start the engine; nobody waits past the deadline.
  expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(12_000);
  await expectWell(running, cookie);
  expect((await send(`${running.url}/ready`)).status).toBe(200);
  expect(running.process.exitCode).toBeNull();
});

test("SIGTERM: what is under way is answered, open streams end, and the exit code is 0", async () => {
  const headers = { accept: "text/event-stream", cookie };
  const stream = await fetch(`${running.url}/trpc/access.onChange`, { headers });
  const reader = stream.body?.getReader();
  await reader?.read();
  const half = await openHalf();
  const stoppedAt = performance.now();
  running.process.kill("SIGTERM");
  await sleep(300);
  await expect(send(`${running.url}/health`)).rejects.toThrow(/ECONNREFUSED/);
  expect(await half.finish()).toMatch(/^HTTP\/1\.1 200/);
  expect(await exitOf(running.process)).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(10_000);
  await expect(reader?.read()).rejects.toThrow();
});

async function timedStatus(product: ProductProcess, owner: string): Promise<{ status: number; tookMs: number }> {
  const askedAt = performance.now();
  const status = await profileStatus(product, owner);
  return { status, tookMs: performance.now() - askedAt };
}

const expectWell = (product: ProductProcess, owner: string) =>
  vi.waitFor(async () => expect(await profileStatus(product, owner)).toBe(200), { timeout: 10_000, interval: 100 });

function openSlowly(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
      socket.resume();
      resolve(socket);
    });
    socket.once("error", reject);
  });
}

/** A change of which only the first half has been sent. */
async function openHalf() {
  const { port, host } = new URL(running.url);
  const socket = connect(Number(port), "127.0.0.1");
  const body = JSON.stringify({ email: "nobody@example.org" });
  const head = ["POST /trpc/auth.requestPasswordReset HTTP/1.1", `Host: ${host}`, `Origin: ${running.url}`];
  const type = "Content-Type: application/json";
  socket.write([...head, type, `Content-Length: ${body.length}`, "", body.slice(0, 9)].join("\r\n"));
  await sleep(100);
  return {
    finish() {
      socket.write(body.slice(9));
      return text(socket);
    },
  };
}
