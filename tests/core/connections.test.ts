import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { type ClientRequest, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createHttpServer } from "@app/server/core/connections";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import express from "express";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { ProductProcess } from "../../scripts/product-process.ts";
import { aClient } from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp, setUp } from "../support/server/product.ts";
import { send } from "../support/server/raw-http.ts";
import { holdSockets, slowBody, slowHead } from "../support/server/slow-sockets.ts";

/** Twice as many as one address may have. SOCKETS=2000 for the whole. */
const SOCKETS = Number(process.env["SOCKETS"] ?? 1000);
/** Far less than a body may rest for. */
const ANSWERED_MS = 5000;
const ATTACKER = "127.0.0.2";
const NO_PROXY = { TRUSTED_PROXIES: "192.0.2.1" };
const BEHIND_PROXY = { TRUSTED_PROXIES: "loopback" };
const createdSchema = z.object({ result: z.object({ data: z.object({ id: z.string() }) }) });

interface Installation {
  product: ProductProcess;
  url: string;
  cookie: string;
}

let direct: Installation;
let proxied: Installation;
beforeAll(async () => {
  direct = await install(NO_PROXY);
  proxied = await install(BEHIND_PROXY);
}, 120_000);
afterAll(cleanUp);

async function install(environment: Record<string, string>): Promise<Installation> {
  const product = await aProduct({ DATA_DIR: aPlace(), ...environment });
  return { product, url: product.url, cookie: await setUp(product) };
}

/** How long both answers take that somebody else waits for. */
async function waitOfOthers({ url, cookie }: Installation, headers: Record<string, string> = {}): Promise<number> {
  const startedAt = performance.now();
  const answers = await Promise.all([
    send(`${url}/health`, { headers }),
    send(`${url}/trpc/clients.list?input=%7B%7D`, { headers: { ...headers, cookie } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  return performance.now() - startedAt;
}

describe(`${SOCKETS} connections of one address`, () => {
  const cases: [string, (url: string) => string][] = [
    ["that say nothing", () => ""],
    ["with slow heads", slowHead],
    ["with slow bodies on an open route", (url) => slowBody(url, "/trpc/auth.signIn")],
    ["with slow bodies on a refused route", (url) => slowBody(url, "/files", { "content-type": OCTETS })],
    ["with slow bodies on a raw route", (url) => slowBody(url, "/webhooks/stripe", { "stripe-signature": SIGNED })],
    ["with slow bodies on the page", (url) => slowBody(url, "/clients")],
    ["with bodies where none belongs", (url) => slowBody(url, `/ical/${"x".repeat(43)}.ics`, {}, "GET")],
  ];
  const OCTETS = "application/octet-stream";
  const SIGNED = `t=${Math.floor(Date.now() / 1000)},v1=00`;

  /** `hold.slowSockets` measures the second in which they are answered; a machine busy with other tests takes longer. */
  async function expectRoom(attack: () => { release(): void }, wait: () => Promise<number>): Promise<void> {
    const calm = Math.max(await wait(), await wait(), await wait());
    const held = attack();
    try {
      const waits: number[] = [];
      for (let round = 0; round < 4; round += 1) {
        await sleep(300);
        waits.push(await wait());
      }
      expect(Math.max(...waits)).toBeLessThan(Math.max(ANSWERED_MS, 5 * calm));
    } finally {
      held.release();
    }
  }

  test.each(cases)("S75 connections: %s, then others are answered", { retry: 2 }, async (_, start) => {
    const attack = { count: SOCKETS, from: ATTACKER, start: start(direct.url) };
    await expectRoom(
      () => holdSockets(direct.url, attack),
      () => waitOfOthers(direct),
    );
  });

  test.each(cases)(
    "S75 connections behind a proxy: %s, then others by the same proxy are answered",
    { retry: 2 },
    async (_, start) => {
      const attack = { count: SOCKETS, from: ATTACKER, start: start(proxied.url) };
      await expectRoom(
        () => holdSockets(proxied.url, attack),
        () => waitOfOthers(proxied, { "x-forwarded-for": "203.0.113.7" }),
      );
    },
  );
});

test("S75 connections: twenty thousand requests on one connection, whose answers nobody reads, then it is closed and others are answered", async () => {
  const { hostname, port, host } = new URL(direct.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: ATTACKER });
  const closed = new Promise((resolve) => socket.on("error", () => undefined).once("close", resolve));
  socket.write(`GET /trpc/auth.status HTTP/1.1\r\nhost: ${host}\r\n\r\n`.repeat(20_000));
  expect(await waitOfOthers(direct)).toBeLessThan(ANSWERED_MS);
  socket.resume();
  await closed;
  expect(socket.bytesRead).toBeLessThan(100_000);
});

describe("a request that is refused", () => {
  const OTHERS = { origin: "https://evil.test" };
  const OCTETS = { "content-type": "application/octet-stream" };
  const FORM = { "content-type": "multipart/form-data; boundary=b" };
  const CHUNKED = { "transfer-encoding": "chunked", "content-length": "" };
  const upload = "/files?upload=%7B%7D";
  const cases: [string, number, string, Record<string, string>, string?][] = [
    ["a call without a sign-in", 401, "/trpc/clients.create", {}],
    ["a call without a sign-in, of no stated length", 401, "/trpc/clients.create", CHUNKED],
    ["a call that there is not", 404, "/trpc/clients.drop", {}],
    ["a call of another site", 403, "/trpc/auth.signIn", OTHERS],
    ["a call of another type", 415, "/trpc/auth.signIn", { "content-type": "text/plain" }],
    ["a compressed call", 415, "/trpc/auth.signIn", { "content-encoding": "gzip" }],
    ["a call that will be too large", 413, "/trpc/auth.signIn", { "content-length": "2000000" }],
    ["a file without a sign-in", 401, upload, OCTETS],
    ["a file of another type", 415, upload, {}],
    ["an import without a sign-in", 401, "/imports", OCTETS],
    ["a mail without a sign-in", 401, "/functions/imap-send", {}],
    ["a form without a sign-in", 401, "/functions/send-form", FORM],
    ["an event of payments", 503, "/webhooks/stripe", {}],
    ["a wish to leave that nobody knows", 404, `/u/${"x".repeat(30)}`, {}],
    ["a change of a calendar feed", 404, "/ical/x.ics", {}],
    ["a change of a page", 404, "/clients", {}],
    ["a change of a page by another site", 403, "/clients", OTHERS],
    ["a question with a body", 400, "/health", {}, "GET"],
  ];

  test.each(cases)(
    "S75 refusal: %s is answered with %d and closed at once",
    async (_, status, path, headers, method) => {
      const start = slowBody(direct.url, path, headers, method).replace(/content-length: \r\n/, "");
      const socket = await open(direct.url, start);
      const startedAt = performance.now();
      let answer = "";
      socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
      await once(socket, "end");
      expect(performance.now() - startedAt).toBeLessThan(ANSWERED_MS);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      const dribble = setInterval(() => socket.write("x"), 100);
      if (!socket.destroyed) await once(socket, "close");
      clearInterval(dribble);
      expect(performance.now() - startedAt).toBeLessThan(2 * ANSWERED_MS);
    },
  );

  test("S75 refusal: a file that says it is too large is told so, and nothing of it is read", async () => {
    const { url, cookie } = direct;
    const clientId = await aClientOf(direct);
    const socket = await open(
      url,
      slowBody(url, filePath(clientId), { ...OCTETS, cookie, "content-length": "900000000" }),
    );
    let answer = "";
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    await once(socket, "end");
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain("This file is over 250 MB. Send a smaller one.");
  });

  test("S75 refusal: somebody who goes on sending much of a refused body for seconds still reads why", async () => {
    const { url, cookie } = direct;
    const { hostname, port } = new URL(url);
    const headers = { cookie, "content-type": "application/json", "content-length": "5000000" };
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const failed = vi.fn();
    let answer = "";
    socket.on("error", failed).on("data", (chunk: Buffer) => (answer += chunk.toString()));
    socket.write(slowBody(url, "/trpc/clients.create", headers));
    for (let sent = 0; sent < 12; sent += 1) {
      socket.write(" ".repeat(100_000));
      await sleep(400);
    }
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(failed).not.toHaveBeenCalled();
    socket.destroy();
  });

  test("S75 refusal: somebody who sends all of a refused body fast still reads why", async () => {
    const { url, cookie } = direct;
    const headers = { origin: url, cookie, "content-type": "application/json" };
    const body = Buffer.alloc(5_000_000, " ");
    const { status, text } = await send(`${url}/trpc/clients.create`, { method: "POST", headers, body });
    expect({ status, text }).toMatchObject({ status: 413, text: expect.stringContaining("too large to send at once") });
  });
});

describe.concurrent("how fast a body has to come", () => {
  test("S75 rate: a body that rests is cut off, however it began", { timeout: 60_000 }, async () => {
    const path = filePath(await aClientOf(direct));
    const headers = { cookie: direct.cookie, "content-type": "application/octet-stream" };
    const socket = await open(direct.url, slowBody(direct.url, path, headers));
    const startedAt = performance.now();
    const dribble = setInterval(() => socket.write("x".repeat(100)), 1000);
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(dribble);
    expect(performance.now() - startedAt).toBeGreaterThan(15_000);
    expect(performance.now() - startedAt).toBeLessThan(35_000);
  });

  test("S75 rate: a file over a bad line of 20 kB a second arrives", { timeout: 60_000 }, async () => {
    const pieces = Array.from({ length: 22 }, () => Buffer.alloc(20_000, "a"));
    const sending = uploading(await aClientOf(direct), 440_000);
    const answered = once(sending, "response");
    for (const piece of pieces) {
      sending.write(piece);
      await sleep(1000);
    }
    sending.end();
    const [response] = await answered;
    expect(response).toMatchObject({ statusCode: 201 });
  });

  test("S75 rate: an event stream rests for longer than a body may", { timeout: 60_000 }, async () => {
    const headers = { accept: "text/event-stream", cookie: direct.cookie };
    const stream = await fetch(`${direct.url}/trpc/access.onChange`, { headers });
    const reader = stream.body?.getReader();
    let isOver = false;
    const reading = (async () => {
      for (;;) if ((await reader?.read())?.done !== false) break;
      isOver = true;
    })().catch(() => (isOver = true));
    await sleep(22_000);
    expect(isOver).toBe(false);
    await reader?.cancel();
    await reading;
  });
});

describe("the limits", () => {
  /** A server of ours in front of something that never answers. */
  function aServer(trusted: string) {
    const app = express();
    app.set("trust proxy", trusted);
    app.get("/never", () => {});
    app.get("/at-once", (_req, res) => void res.json({}));
    return aServerFor(app);
  }
  async function aServerFor(app: express.Express) {
    const server = createHttpServer(app, createLogger("silent"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address: AddressInfo | string | null = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const url = `http://127.0.0.1:${port}`;
    const close = () => {
      server.closeAllConnections();
      server.close();
    };
    return { url, close };
  }
  const SOON = { timeout: 10_000, interval: 100 };
  const never = "GET /never HTTP/1.1\r\nhost: x\r\n";

  test("S75 limit: the 501st connection of an address is refused, the first of another is not", async () => {
    const { url, close } = await aServer("192.0.2.1");
    const sockets = await Promise.all(Array.from({ length: 500 }, () => open(url, `${never}\r\n`, ATTACKER)));
    const late = await open(url, `${never}\r\n`, ATTACKER);
    await vi.waitFor(() => expect(late.destroyed).toBe(true), SOON);
    expect((await send(`${url}/at-once`)).status).toBe(200);
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
    sockets.pop()?.destroy();
    await vi.waitFor(async () => {
      const next = await open(url, "GET /at-once HTTP/1.1\r\nhost: x\r\n\r\n", ATTACKER);
      const [answer] = await Promise.race([once(next, "data"), once(next, "close")]);
      expect(String(answer)).toMatch(/^HTTP\/1.1 200/);
    }, SOON);
    close();
  });

  test("S75 limit: behind a proxy the 501st request of an address is refused, the first of another is not", async () => {
    const { url, close } = await aServer("loopback");
    const from = (address: string) => `${never}x-forwarded-for: 198.51.100.9, ${address}\r\n\r\n`;
    await Promise.all(Array.from({ length: 500 }, (_, index) => open(url, from(`2001:db8:1:2::${index + 1}`))));
    await vi.waitFor(async () => {
      const { status, text } = await send(`${url}/at-once`, { headers: { "x-forwarded-for": "2001:db8:1:2:ffff::1" } });
      expect(status).toBe(429);
      expect(text).toContain("Wait a moment and try again.");
    }, SOON);
    for (const other of ["2001:db8:1:3::1", "198.51.100.9"])
      expect((await send(`${url}/at-once`, { headers: { "x-forwarded-for": other } })).status).toBe(200);
    // A proxy that tells of nobody stands for everybody.
    expect((await send(`${url}/at-once`)).status).toBe(200);
    close();
  });

  test("S75 pipelining: of several requests on one connection each begins when the answer before it has ended, and none once it is gone", async () => {
    let begun = 0;
    const app = express();
    const resting: ServerResponse[] = [];
    app.get("/rests", (_req, res) => {
      begun += 1;
      resting.push(res);
    });
    const { url, close } = await aServerFor(app);
    const rests = "GET /rests HTTP/1.1\r\nhost: x\r\n\r\n";
    const socket = await open(url, rests.repeat(3));
    await vi.waitFor(() => expect(begun).toBe(1), SOON);
    await sleep(300);
    expect(begun).toBe(1);
    resting.shift()?.end();
    await vi.waitFor(() => expect(begun).toBe(2), SOON);
    socket.destroy();
    await vi.waitFor(() => expect(resting.every(({ closed }) => closed)).toBe(true), SOON);
    await sleep(300);
    expect(begun).toBe(2);
    close();
  });

  test("S75 slow readers: very many who take nothing of their answers give way, and whoever takes theirs does not", async () => {
    const app = express();
    const much = Buffer.alloc(8 * 1024 * 1024);
    let cut = 0;
    app.get("/much", (_req, res) => {
      res.once("close", () => (cut += res.writableFinished ? 0 : 1));
      res.end(much);
    });
    const { url, close } = await aServerFor(app);
    const ask = "GET /much HTTP/1.1\r\nhost: x\r\n\r\n";
    const slow = await Promise.all(Array.from({ length: 60 }, () => open(url, ask, ATTACKER)));
    for (const socket of slow) socket.pause();
    const reader = await open(url, ask);
    await vi.waitFor(() => expect(cut).toBe(10), SOON);
    expect(reader.destroyed).toBe(false);
    for (const socket of [...slow, reader]) socket.destroy();
    close();
  });
});

async function open(url: string, start: string, localAddress = "127.0.0.1"): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const host = hostname === "localhost" ? "127.0.0.1" : hostname;
  const socket = connect({ port: Number(port), host, localAddress });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(start);
  socket.resume();
  return socket;
}

const filePath = (clientId: string): string => {
  const upload = { id: newId(), clientId, caseId: null, name: "a.txt", visibility: PRACTICE_ONLY };
  return `/files?upload=${encodeURIComponent(JSON.stringify(upload))}`;
};

function uploading(clientId: string, bytes: number): ClientRequest {
  const { url, cookie } = direct;
  const headers = { origin: url, cookie, "content-type": "application/octet-stream", "content-length": bytes };
  return request(`${url}${filePath(clientId)}`, { method: "POST", headers });
}

async function aClientOf({ url, cookie }: Installation): Promise<string> {
  const headers = { origin: url, cookie, "content-type": "application/json" };
  const body = JSON.stringify(aClient());
  const { text } = await send(`${url}/trpc/clients.create`, { method: "POST", headers, body });
  return createdSchema.parse(JSON.parse(text)).result.data.id;
}
