// What many large reads at once take, measured in the engine's own process.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { MongoClient, MongoServerError } from "mongodb";
import { expect, onTestFinished, test } from "vitest";
import { DATA_FILE } from "../src/engine.ts";
import { pipelineValues, sortedDocuments, sortedKeys } from "../src/held-memory.ts";
import { startEmbeddedMongo } from "../src/start.ts";
import { aDatabase, aFolder } from "./service-engine.ts";

interface Item {
  _id: number;
  n: number;
  text: string;
}

const DOCUMENTS = 1_500;
const SORTS = 8;
const MANY = 120_000;
/** All of them make 45 megabytes. */
const itemOf = (_id: number): Item => ({ _id, n: (_id * 7_919) % DOCUMENTS, text: `${_id} `.repeat(6_000) });

async function fill(client: MongoClient): Promise<void> {
  const items = client.db().collection<Item>("items");
  for (let at = 0; at < DOCUMENTS; at += 250)
    await items.insertMany(Array.from({ length: 250 }, (_, more) => itemOf(at + more)));
}

const peakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1_024;

test("sorts: of many large ones at once, together they keep within their memory, and each is whole", async () => {
  const engine = await startEmbeddedMongo({ dir: aFolder() });
  onTestFinished(() => engine.stop());
  const client = await MongoClient.connect(engine.uri, { maxPoolSize: SORTS });
  onTestFinished(() => client.close(true));
  await fill(client);
  const items = client.db().collection<Item>("items");
  const before = peakMegabytes(engine.enginePid() ?? 0);
  const cursors = Array.from({ length: SORTS }, () => items.find({}, { batchSize: 1 }).sort({ n: -1 }));
  const first = await Promise.all(cursors.map((cursor) => cursor.next()));
  expect(first.map((item) => item?.n)).toEqual(Array.from({ length: SORTS }, () => DOCUMENTS - 1));
  expect(peakMegabytes(engine.enginePid() ?? 0) - before).toBeLessThan(220);
  const [one, ...others] = cursors;
  const rest = await one?.toArray();
  expect(rest?.map(({ n, text, _id }) => (text.startsWith(`${_id} `) ? n : -1))).toEqual(
    Array.from({ length: DOCUMENTS - 1 }, (_, at) => DOCUMENTS - 2 - at),
  );
  await Promise.all(others.map((cursor) => cursor.close()));
});

test(
  "sorts: of very many small documents at once, those that find no room are told so, and nobody is thrown out",
  { timeout: 120_000 },
  async () => {
    const engine = await startEmbeddedMongo({ dir: aFolder() });
    onTestFinished(() => engine.stop());
    const client = await MongoClient.connect(engine.uri, { maxPoolSize: SORTS });
    onTestFinished(() => client.close(true));
    const items = client.db().collection<{ _id: number; n: number }>("items");
    for (let at = 0; at < MANY; at += 20_000)
      await items.insertMany(Array.from({ length: 20_000 }, (_, more) => ({ _id: at + more, n: MANY - at - more })));
    const pid = engine.enginePid();
    const cursors = Array.from({ length: SORTS }, () => items.find({}, { batchSize: 1 }).sort({ n: 1 }));
    const first = (cursor: (typeof cursors)[number]): Promise<unknown> =>
      cursor
        .next()
        .then((item) => item?.n)
        .catch((error: unknown) => (error instanceof MongoServerError ? error.code : error));
    const answers = await Promise.all(cursors.map(first));
    await Promise.all(cursors.map((cursor) => cursor.close()));
    expect(new Set(answers)).toEqual(new Set([1, 292]));
    expect(
      await items
        .find()
        .sort({ n: 1 })
        .limit(MANY)
        .skip(MANY - 1)
        .toArray(),
    ).toEqual([{ _id: 0, n: MANY }]);
    expect(engine.enginePid()).toBe(pid);
  },
);

test("memory: what reads held is free again when they end, are killed or are refused", async () => {
  const { client } = await aDatabase();
  await fill(client);
  const items = client.db().collection<Item>("items");
  const sorting = items.find({}, { batchSize: 1 }).sort({ n: 1 });
  await sorting.next();
  expect(sortedDocuments.held()).toBeGreaterThan(10_000_000);
  expect(sortedKeys.held()).toBe(DOCUMENTS * 256);
  await sorting.close();
  const grouping = items.aggregate([{ $group: { _id: "$n", all: { $push: "$text" } } }], { batchSize: 1 });
  await grouping.next();
  expect(pipelineValues.held()).toBeGreaterThan(10_000_000);
  await grouping.close();
  await expect(
    items.aggregate([{ $group: { _id: 1, all: { $push: ["$text", "$text", "$text"] } } }]).toArray(),
  ).rejects.toMatchObject({ code: 146 });
  expect([sortedDocuments.held(), sortedKeys.held(), pipelineValues.held()]).toEqual([0, 0, 0]);
});

test("memory: what a read held is free again when its time is up before its first answer", async () => {
  const { client } = await aDatabase();
  await fill(client);
  const items = client.db().collection<Item>("items");
  const before = [sortedDocuments.held(), pipelineValues.held()];
  const all = [{ $group: { _id: "$n", all: { $push: "$text" } } }];
  for (const pipeline of [all, [{ $sort: { text: -1 } }]])
    await expect(items.aggregate(pipeline, { maxTimeMS: 10 }).toArray()).rejects.toMatchObject({ code: 50 });
  await expect(items.find({}, { maxTimeMS: 10 }).sort({ text: -1 }).toArray()).rejects.toMatchObject({ code: 50 });
  expect([sortedDocuments.held(), pipelineValues.held()]).toEqual(before);
});

test("the log of writes: after a large write it does not stay large", async () => {
  const { client, dir, running } = await aDatabase();
  await fill(client);
  await client
    .db()
    .collection<Item>("items")
    .updateMany({}, { $set: { n: 1 } });
  for (const mode of ["PASSIVE", "RESTART"]) running.engine.store.main.exec(`PRAGMA wal_checkpoint(${mode})`);
  await client
    .db()
    .collection<Item>("items")
    .updateOne({ _id: 1 }, { $set: { n: 2 } });
  expect(statSync(join(dir, `${DATA_FILE}-wal`)).size).toBeLessThan(20_000_000);
});
