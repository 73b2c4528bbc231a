// Kills the engine at random moments under load. Whatever it acknowledged has to be there when it comes back.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { expect, test } from "vitest";
import { checkData } from "../src/backup.ts";
import { makeSocketPlace, uriFor } from "../src/supervisor/socket-path.ts";
import { aFolder } from "./service-engine.ts";

const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 3);
const CLI = join(import.meta.dirname, "../src/cli.ts");
const WRITERS = 4;
const ACCOUNTS = 8;
const TOTAL = ACCOUNTS * 100;

interface Entry {
  _id: string;
  writer: number;
  email: string;
  tags: string[];
  version: number;
}
interface Account {
  _id: number;
  balance: number;
}

async function startCli(dir: string, socket: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CLI, "--dir", dir, "--socket", socket], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

/** Writes until the engine dies; notes what was acknowledged. */
async function writeEntries(client: MongoClient, writer: number, acknowledged: Map<string, number>): Promise<void> {
  const entries = client.db().collection<Entry>("entries");
  for (let at = 0; ; at += 1) {
    const id = `${writer}-${acknowledged.size}-${at}`;
    await entries.insertOne({
      _id: id,
      writer,
      email: `${id}@example.org`,
      tags: [`w${writer}`, `n${at % 5}`],
      version: 0,
    });
    acknowledged.set(id, 0);
    if (at % 3 !== 0) continue;
    await entries.updateOne(
      { _id: id },
      { $inc: { version: 1 }, $push: { tags: `more${at % 7}` }, $set: { email: `${id}@example.com` } },
    );
    acknowledged.set(id, 1);
  }
}

async function transfer(client: MongoClient, seed: number): Promise<void> {
  const accounts = client.db().collection<Account>("accounts");
  for (let at = seed; ; at += 1) {
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await accounts.updateOne({ _id: at % ACCOUNTS }, { $inc: { balance: -1 } }, { session });
        await accounts.updateOne({ _id: (at * 3 + 1) % ACCOUNTS }, { $inc: { balance: 1 } }, { session });
      }),
    );
  }
}

async function verify(uri: string, acknowledged: ReadonlyMap<string, number>[]): Promise<void> {
  const client = await MongoClient.connect(uri);
  const stored = new Map(
    (await client.db().collection<Entry>("entries").find().toArray()).map((entry) => [entry._id, entry]),
  );
  for (const part of acknowledged) {
    for (const [id, version] of part) expect(stored.get(id)?.version, id).toBeGreaterThanOrEqual(version);
  }
  const accounts = await client.db().collection<Account>("accounts").find().toArray();
  expect(accounts.reduce((sum, account) => sum + account.balance, 0)).toBe(TOTAL);
  await client.close();
}

test(
  "crash: killed at random under load, the engine keeps every acknowledged write and whole transactions",
  { timeout: 60_000 + ROUNDS * 10_000 },
  async () => {
    const dir = aFolder();
    const place = makeSocketPlace();
    const uri = uriFor(place.path);
    const acknowledged = Array.from({ length: WRITERS }, () => new Map<string, number>());
    let child = await startCli(dir, place.path);
    const first = await MongoClient.connect(uri);
    await first
      .db()
      .collection<Entry>("entries")
      .createIndexes([{ key: { email: 1 }, unique: true }, { key: { tags: 1, version: -1 } }, { key: { writer: 1 } }]);
    await first
      .db()
      .collection<Account>("accounts")
      .insertMany(Array.from({ length: ACCOUNTS }, (_, _id) => ({ _id, balance: 100 })));
    await first.close();
    for (let round = 0; round < ROUNDS; round += 1) {
      const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 2_000, retryWrites: false });
      // Every one of them ends with the connection it loses.
      const work = Promise.allSettled([
        ...acknowledged.map((part, writer) => writeEntries(client, writer, part)),
        transfer(client, 0),
        transfer(client, 5),
      ]);
      await sleep(200 + Math.random() * 700);
      // On a busy machine little is written in that time.
      while (acknowledged.some(({ size }) => size <= 4 * (round + 1))) await sleep(20);
      child.kill("SIGKILL");
      await once(child, "exit");
      expect((await work).every(({ status }) => status === "rejected")).toBe(true);
      await client.close(true);
      expect(checkData(dir)).toEqual([]);
      child = await startCli(dir, place.path);
      await verify(uri, acknowledged);
    }
    child.kill("SIGTERM");
    await once(child, "exit");
    place.remove();
    expect(acknowledged.every((part) => part.size > 10)).toBe(true);
  },
);
