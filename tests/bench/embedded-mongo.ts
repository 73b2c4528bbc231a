// The embedded database with 100,000 documents, as ratios to a bare ping through the same driver and socket.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedMongo } from "@app/embedded-mongo/start";
import { type Collection, MongoClient } from "mongodb";
import { openingTime } from "../../server/embedded-mongo/tests/opening-time.ts";
import { type Figure, median } from "./figure.ts";
import { benchLikeProduct } from "./mongo-like-product.ts";

interface Person {
  _id: number;
  email: string;
  ownerId: string;
  createdAt: Date;
  tags: string[];
  text: string;
}

const DOCUMENTS = 100_000;
const OWNERS = 500;
const BATCH = 5_000;
const ROUNDS = 1_500;
const WRITES = 400;
const TEXT = "x".repeat(330);

const person = (id: number): Person => ({
  _id: id,
  email: `person-${id}@example.org`,
  ownerId: `owner-${id % OWNERS}`,
  createdAt: new Date(Date.UTC(2026, 0, 1) + id * 60_000),
  tags: [`t${id % 7}`, `t${id % 11}`],
  text: TEXT,
});

async function seed(people: Collection<Person>): Promise<void> {
  await people.createIndexes([
    { key: { email: 1 }, unique: true },
    { key: { ownerId: 1, createdAt: -1 } },
    { key: { tags: 1 } },
  ]);
  for (let start = 0; start < DOCUMENTS; start += BATCH) {
    await people.insertMany(Array.from({ length: BATCH }, (_, at) => person(start + at)));
  }
}

/** Alternates the measured step with its baseline, so that both meet the same moments of a busy machine. */
async function p50s(steps: readonly ((round: number) => Promise<unknown>)[], rounds: number): Promise<number[]> {
  const times = steps.map((): number[] => []);
  for (let round = -50; round < rounds; round += 1) {
    for (const [at, step] of steps.entries()) {
      const start = performance.now();
      await step(round + 50);
      if (round >= 0) times[at]?.push(performance.now() - start);
    }
  }
  return times.map(median);
}

/** One row and its commit with fsync, with nothing around it. */
function rawCommit(dir: string): () => void {
  const database = new DatabaseSync(join(dir, "raw.sqlite"));
  database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t(d BLOB)");
  const insert = database.prepare("INSERT INTO t(d) VALUES(?)");
  const bytes = Buffer.alloc(550);
  return () => void insert.run(bytes);
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1_024;

async function idleMemory(dir: string): Promise<number> {
  const engine = await startEmbeddedMongo({ dir });
  const client = await MongoClient.connect(engine.uri);
  await client.db().collection<Person>("people").findOne({ _id: 1 });
  await sleep(1_000);
  const megabytes = residentMegabytes(engine.enginePid() ?? 0);
  await client.close();
  await engine.stop();
  return megabytes;
}

export async function benchEmbeddedMongo(): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), "bench-mongo-"));
  try {
    const engine = await startEmbeddedMongo({ dir });
    const client = await MongoClient.connect(engine.uri);
    const people = client.db().collection<Person>("people");
    await seed(people);
    const ping = (): Promise<unknown> => client.db().command({ ping: 1 });
    const byId = (round: number): Promise<unknown> => people.findOne({ _id: (round * 7_919) % DOCUMENTS });
    const compound = (round: number): Promise<unknown> =>
      people
        .find({ ownerId: `owner-${round % OWNERS}` })
        .sort({ createdAt: -1 })
        .limit(20)
        .toArray();
    const [pingMs = 0, byIdMs = 0, compoundMs = 0] = await p50s([ping, byId, compound], ROUNDS);
    const commit = rawCommit(dir);
    const insert = (round: number): Promise<unknown> => people.insertOne(person(DOCUMENTS + round));
    const [insertMs = 0, commitMs = 0, pingAgainMs = 0] = await p50s([insert, async () => commit(), ping], WRITES);
    const likeProduct = await benchLikeProduct(client.db(), engine.enginePid() ?? 0, commit);
    await client.close();
    await engine.stop();
    const opening = median([1, 2, 3, 4, 5].map(() => openingTime(dir)));
    return [
      { name: "mongo.findOneById", value: byIdMs / pingMs, unit: "x ping", goal: "<=", limit: 1.4 },
      { name: "mongo.compoundQuery", value: compoundMs / pingMs, unit: "x ping", goal: "<=", limit: 2.2 },
      {
        name: "mongo.insertOne",
        value: insertMs / (pingAgainMs + commitMs),
        unit: "x (ping + commit)",
        goal: "<=",
        limit: 1.4,
      },
      ...likeProduct,
      { name: "mongo.open", value: opening, unit: "ms", goal: "<=", limit: 50 },
      { name: "mongo.idleMemory", value: await idleMemory(dir), unit: "MB", goal: "<=", limit: 110 },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
