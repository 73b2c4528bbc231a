// What everybody else waits while one address holds 2,000 connections that send next to nothing.
import { setTimeout as sleep } from "node:timers/promises";
import { holdSockets, slowBody, slowHead } from "../support/server/slow-sockets.ts";
import { aPlace, aProduct, cleanUp, setUp } from "../support/server/product.ts";
import { send } from "../support/server/raw-http.ts";
import type { Figure } from "./figure.ts";

const SOCKETS = 2000;
const ATTACKER = "127.0.0.2";
const ROUNDS = 20;
const PAUSE_MS = 250;
const LONGEST_MS = 10_000;

/** The longest wait for `/health` and for a signed-in list, beside slow heads, slow bodies and silence. */
export async function benchSlowSockets(): Promise<Figure[]> {
  // Whether connections are counted by their own address, or all of them are a proxy's.
  const settings = [{ TRUSTED_PROXIES: "192.0.2.1" }, { TRUSTED_PROXIES: "loopback" }];
  const waits: number[] = [];
  try {
    for (const environment of settings) {
      const product = await aProduct({ DATA_DIR: aPlace(), ...environment });
      const cookie = await setUp(product);
      const { url } = product;
      const feed = slowBody(url, `/ical/${"x".repeat(43)}.ics`, {}, "GET");
      for (const start of ["", slowHead(url), slowBody(url, "/trpc/auth.signIn"), slowBody(url, "/files"), feed]) {
        const held = holdSockets(url, { count: SOCKETS, from: ATTACKER, start });
        for (let round = 0; round < ROUNDS; round += 1) {
          waits.push(await waitFor(url, cookie));
          await sleep(PAUSE_MS);
        }
        held.release();
      }
      await product.stop();
    }
  } finally {
    await cleanUp();
  }
  return [{ name: "hold.slowSockets", value: Math.max(...waits) / 1000, unit: "s", goal: "<=", limit: 1 }];
}

async function waitFor(url: string, cookie: string): Promise<number> {
  const startedAt = performance.now();
  const list = `${url}/trpc/clients.list?input=${encodeURIComponent(JSON.stringify({ page: 1 }))}`;
  const answers = Promise.all([send(`${url}/health`), send(list, { headers: { cookie } })]);
  const areGood = await Promise.race([
    answers.then(
      (both) => both.every(({ status }) => status === 200),
      () => false,
    ),
    sleep(LONGEST_MS, false),
  ]);
  return areGood ? performance.now() - startedAt : Infinity;
}
