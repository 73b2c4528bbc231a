// Searches that look at very many clients and find none.
import { newId } from "@app/server/core/ids";
import mongoose from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const CLIENTS = 20_000;
const BATCH = 1000;
const NOBODY = "p i z";

const app = forAllTests(startTestApp);
const large = forAllTests(() => aPractice(app));
const other = forAllTests(() => aPractice(app));

beforeAll(async () => {
  const { id } = await large.api.clients.create.mutate(aClient({ firstName: "Priya", lastName: "Inverlochy" }));
  const clients = mongoose.connection.collection<{ _id: string }>("clients");
  const stored = await clients.findOne({ _id: id });
  if (!stored) throw new Error("the client is not stored");
  for (let start = 1; start < CLIENTS; start += BATCH)
    await clients.insertMany(Array.from({ length: BATCH }, () => ({ ...stored, _id: newId() })));
});

/** What the database was asked about clients, and how that ended. */
function followClients(): string[] {
  const seen: string[] = [];
  const asked = new Set<number>();
  const client = mongoose.connection.getClient();
  client.on("commandStarted", ({ requestId, commandName, command }) => {
    if (command[commandName] !== "clients") return;
    asked.add(requestId);
    seen.push(`${commandName} asked`);
  });
  client.on("commandSucceeded", ({ requestId, commandName }) => {
    if (asked.has(requestId)) seen.push(`${commandName} answered`);
  });
  client.on("commandFailed", ({ requestId, commandName }) => {
    if (asked.has(requestId)) seen.push(`${commandName} given up`);
  });
  return seen;
}

test("search.find: while somebody's searches look at very many clients, another practice's list comes first", async () => {
  const order: string[] = [];
  const seen = followClients();
  const searches = Array.from({ length: 2 }, async () => {
    expect(await large.api.search.find.query({ text: NOBODY })).toEqual({ items: [], isNear: false });
    order.push("search");
  });
  await expect.poll(() => seen, { interval: 5 }).toContain("find asked");
  expect((await other.api.clients.list.query({})).items).toEqual([]);
  order.push("list");
  await Promise.all(searches);
  expect(order).toEqual(["list", "search", "search"]);
});

test("clients.list: when whoever asked is gone, then the database looks no further, and is asked nothing more", async () => {
  const seen = followClients();
  const leaving = new AbortController();
  const input = encodeURIComponent(JSON.stringify({ search: NOBODY }));
  const headers = { cookie: large.cookies() };
  const reply = fetch(`${app.url}/trpc/clients.list?input=${input}`, { headers, signal: leaving.signal });
  const failed = expect(reply).rejects.toThrow("aborted");
  await expect.poll(() => seen).toEqual(["aggregate asked"]);
  leaving.abort();
  await failed;
  await expect.poll(() => seen).toEqual(["aggregate asked", "aggregate given up"]);
  // Whoever stays is answered as ever.
  const { items, total } = await large.api.clients.list.query({ search: NOBODY });
  expect({ items, total }).toEqual({ items: [], total: 0 });
  expect(seen.slice(2)).toEqual(["aggregate asked", "aggregate answered", "find asked", "find answered"]);
});
