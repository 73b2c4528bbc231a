// In whose turn calls are worked on: asked over HTTP, of a router whose calls last until they are told to end.
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { withCaller } from "@app/server/core/caller";
import { outOfTurn } from "@app/server/core/call-turns";
import { asTransaction } from "@app/server/core/open-transaction";
import { createHttpServer } from "@app/server/core/connections";
import { createLogger } from "@app/server/core/logger";
import { type Context, publicProcedure, router } from "@app/server/core/trpc";
import { trpcHandler } from "@app/server/core/trpc-http";
import express from "express";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { actorOf } from "../support/access/actor.ts";
import { type RawAnswer, send } from "../support/server/raw-http.ts";

const SOON = { timeout: 5000, interval: 10 };
const BUSY_MS = 2;

/** What has begun and what runs, by name; each lasts until it is let go. */
const begun: string[] = [];
const running = new Map<string, () => void>();
let most = 0;
/** Requests whose caller is known, so that they stand in line. */
let arrived = 0;

async function last(name: string): Promise<string> {
  begun.push(name);
  const { promise, resolve } = Promise.withResolvers<void>();
  running.set(name, resolve);
  most = Math.max(most, running.size);
  await promise;
  running.delete(name);
  return name;
}

const named = publicProcedure.input(z.string()).output(z.string());
const calls = router({
  look: named.query(({ input }) => last(input)),
  change: named.mutation(({ input }) => last(input)),
  /** Holds the thread for some milliseconds. */
  work: named.query(({ input }) => {
    const until = performance.now() + BUSY_MS;
    while (performance.now() < until);
    begun.push(input);
    return input;
  }),
  large: named.query(({ input }) => `${input}${"x".repeat(20_000_000)}`),
  elsewhere: named.query(async ({ input }) => {
    await outOfTurn(() => last(input));
    return last(`${input} found`);
  }),
  inTransaction: named.query(({ input }) =>
    asTransaction(async () => {
      await outOfTurn(() => last(input));
      return last(`${input} found`);
    }),
  ),
});

/** Who asks stands in a header. */
function contextOf(req: express.Request): Context {
  arrived += 1;
  const person = String(req.headers["x-person"] ?? "");
  return {
    actor: person ? actorOf(person) : null,
    requestId: "",
    ip: req.ip ?? "",
    userAgent: "",
    cookies: "",
    isHeadless: false,
    isImpersonating: false,
    standing: { read: () => Promise.resolve(null), onChange: () => () => undefined },
    setCookie: () => undefined,
    setHeader: () => undefined,
    log: createLogger("silent"),
  };
}

const app = express();
app.set("query parser", "simple");
app.set("trust proxy", "loopback");
app.use(withCaller, trpcHandler({ router: calls, createContext: (req) => Promise.resolve(contextOf(req)) }));
const server = createHttpServer(app, createLogger("silent"));
let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
});
afterEach(async () => {
  while (running.size > 0) {
    letAllGo();
    await sleep(5);
  }
  begun.length = 0;
  most = 0;
  arrived = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const letAllGo = () => [...running.values()].forEach((end) => end());
const json = { "content-type": "application/json" };
const by = (person: string) => ({ "x-person": person });

const ask = (path: string, name: string, headers: Record<string, string>) =>
  send(`${url}/${path}?input=${encodeURIComponent(JSON.stringify(name))}`, { headers });
const look = (name: string, headers: Record<string, string>) => ask("look", name, headers);
const change = (name: string, person: string) =>
  send(`${url}/change`, { method: "POST", headers: { ...json, ...by(person) }, body: JSON.stringify(name) });
const batch = (names: string[], person: string, path = "look") => {
  const input = encodeURIComponent(JSON.stringify(Object.assign({}, names)));
  return send(`${url}/${names.map(() => path).join()}?batch=1&input=${input}`, { headers: by(person) });
};
const numbered = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name} ${index}`);

/** Ends everything as it begins, until all of these are answered. */
async function drained(asked: Promise<RawAnswer>[]): Promise<RawAnswer[]> {
  let isOver = false;
  const all = Promise.all(asked).finally(() => (isOver = true));
  while (!isOver) {
    letAllGo();
    await sleep(2);
  }
  return all;
}

/** All of these requests stand in line, and so many of their calls run. */
async function expectRunning(count: number, requests: number): Promise<void> {
  await vi.waitFor(() => expect([running.size, arrived]).toEqual([count, requests]), SOON);
  await sleep(20);
  expect(running.size).toBe(count);
}

const FLOODS: [string, (names: string[]) => Promise<RawAnswer>[]][] = [
  ["a batch of calls", (names) => [batch(names, "flooding")]],
  ["questions", (names) => names.map((name) => look(name, by("flooding")))],
  [
    "questions that say they want an event stream",
    (names) => names.map((name) => look(name, { ...by("flooding"), accept: "text/event-stream" })),
  ],
  ["small changes", (names) => names.map((name) => change(name, "flooding"))],
];

test.each(FLOODS)(
  "S75 turns: %s of one person, then two are worked on at once, and all in the end",
  async (_, flood) => {
    const names = numbered(10, "flood");
    const asked = flood(names);
    await expectRunning(2, asked.length);
    const answers = await drained(asked);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(begun.toSorted()).toEqual(names);
    expect(most).toBe(2);
  },
);

test.each(FLOODS)(
  "S75 turns: %s of one person, when another behind the same address asks, then theirs begins at once",
  async (_, flood) => {
    const asked = flood(numbered(10, "flood"));
    await expectRunning(2, asked.length);
    const other = look("other", by("colleague"));
    await vi.waitFor(() => expect(begun.at(-1)).toBe("other"), SOON);
    running.get("other")?.();
    expect((await other).status).toBe(200);
    expect(begun).toHaveLength(3);
    await drained(asked);
  },
);

test("S75 turns: three people who each ask for much, then six calls are worked on in all, and who comes late is next", async () => {
  const people = numbered(3, "person");
  const asked = people.flatMap((person) => numbered(5, person).map((name) => look(name, by(person))));
  await expectRunning(6, asked.length);
  const late = look("late", by("late"));
  await expectRunning(6, asked.length + 1);
  running.values().next().value?.();
  await vi.waitFor(() => expect(begun.at(-1)).toBe("late"), SOON);
  expect(begun).toHaveLength(7);
  await drained([...asked, late]);
});

test("S75 turns: many networks of whom nobody is signed in, when somebody is, then theirs is next", async () => {
  const asked = numbered(20, "stranger").map((name, index) => look(name, { "x-forwarded-for": `198.51.${index}.1` }));
  await expectRunning(6, asked.length);
  const mine = look("mine", by("somebody"));
  await expectRunning(6, asked.length + 1);
  running.values().next().value?.();
  await vi.waitFor(() => expect(begun.at(-1)).toBe("mine"), SOON);
  await drained([...asked, mine]);
});

test("S75 turns: whoever hangs up while they wait, then their work never begins", async () => {
  const asked = numbered(2, "under way").map((name) => look(name, by("leaving")));
  await expectRunning(2, 2);
  const input = encodeURIComponent(JSON.stringify("left"));
  const leaving = request(`${url}/look?input=${input}`, { headers: by("leaving") }).on("error", () => undefined);
  leaving.end();
  await expectRunning(2, 3);
  leaving.destroy();
  await sleep(200);
  const next = look("next", by("leaving"));
  await drained([...asked, next]);
  expect(begun.toSorted()).toEqual(["next", "under way 0", "under way 1"]);
});

test("S75 turns: more than a page ever asks for, then what is over is refused at once, and another person is not", async () => {
  const asked = numbered(40, "batch").map((name) => batch(numbered(10, name), "flooding"));
  await vi.waitFor(() => expect(running.size).toBe(2), SOON);
  const over = await look("over", by("flooding"));
  expect(over.status).toBe(429);
  expect(over.headers["retry-after"]).toBe("10");
  expect(over.text).toContain("Too many of your requests are under way. Wait a moment and try again.");
  const other = look("other", by("colleague"));
  await vi.waitFor(() => expect(begun).toContain("other"), SOON);
  const answers = await drained([...asked, other]);
  expect(answers.at(-1)?.status).toBe(200);
  expect(begun).toHaveLength(331);
});

const found = () => begun.filter((name) => name.endsWith("found"));

test("S75 turns: calls that wait for what others do, then the person's next ones begin meanwhile, and each takes a turn again: two are worked on at once", async () => {
  const away = numbered(4, "away").map((name) => ask("elsewhere", name, by("sending")));
  await expectRunning(4, 4);
  const asked = numbered(2, "look").map((name) => look(name, by("sending")));
  await expectRunning(6, 6);
  for (const name of numbered(4, "away")) running.get(name)?.();
  await expectRunning(2, 6);
  expect(found()).toEqual([]);
  for (const name of numbered(2, "look")) running.get(name)?.();
  await vi.waitFor(() => expect(found()).toHaveLength(2), SOON);
  await expectRunning(2, 6);
  await drained([...away, ...asked]);
  expect(found()).toHaveLength(4);
});

test("S75 turns: calls that waited in a transaction, which those who have a turn may wait for, then they go on without one", async () => {
  const away = numbered(4, "away").map((name) => ask("inTransaction", name, by("sending")));
  await expectRunning(4, 4);
  const asked = numbered(2, "look").map((name) => look(name, by("sending")));
  await expectRunning(6, 6);
  for (const name of numbered(4, "away")) running.get(name)?.();
  await vi.waitFor(() => expect(found()).toHaveLength(4), SOON);
  await drained([...away, ...asked]);
});

test("S75 turns: bodies that rest, then whoever sends them takes no turn of their own other calls", async () => {
  const open = numbered(4, "slow").map(() => {
    const sent = request(`${url}/change`, {
      method: "POST",
      headers: { ...json, ...by("slow"), "content-length": 100 },
    });
    sent.on("error", () => undefined).write('"');
    return sent;
  });
  await vi.waitFor(() => expect(arrived).toBe(4), SOON);
  const asked = look("look", by("slow"));
  await vi.waitFor(() => expect(begun).toEqual(["look"]), SOON);
  open.forEach((sent) => sent.destroy());
  await drained([asked]);
});

test("S75 turns: calls that hold the thread, when many come at once, then others are heard after every second one", async () => {
  const worked: number[] = [];
  const look = () => {
    worked.push(begun.length);
    next = setImmediate(look);
  };
  let next = setImmediate(look);
  const asked = numbered(5, "batch").map(() => batch(numbered(10, "work"), "working", "work"));
  const answers = await Promise.all(asked);
  clearImmediate(next);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(begun).toHaveLength(50);
  expect(Math.max(...worked.map((count, at) => count - (worked[at - 1] ?? 0)))).toBe(2);
});

test("S75 turns: answers that nobody takes, then their person gets no further ones, and another does", async () => {
  const holding = numbered(2, "large").map((name) => {
    const sent = request(`${url}/large?input=${encodeURIComponent(JSON.stringify(name))}`, { headers: by("holding") });
    sent.on("error", () => undefined).on("response", (response) => response.pause());
    sent.end();
    return sent;
  });
  await vi.waitFor(async () => expect((await ask("large", "more", by("holding"))).status).toBe(429), SOON);
  expect((await ask("large", "more", by("other"))).status).toBe(200);
  holding.forEach((sent) => sent.destroy());
  await vi.waitFor(async () => expect((await ask("large", "more", by("holding"))).status).toBe(200), SOON);
});
