import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient, MongoServerError } from "mongodb";
import { expect, onTestFinished, test } from "vitest";
import { backUpData, checkData } from "../src/backup.ts";
import { DATA_FILE } from "../src/engine.ts";
import { type EmbeddedMongo, type EngineState, startEmbeddedMongo, type StartOptions } from "../src/start.ts";
import { checkFile } from "../src/store/integrity.ts";
import { delayBefore } from "../src/supervisor/supervisor.ts";
import { aDatabase, aFolder } from "./service-engine.ts";

interface Item {
  _id: number;
  text?: string;
}

const START = join(import.meta.dirname, "../src/start.ts");

async function aRunningEngine(options: StartOptions): Promise<EmbeddedMongo> {
  const engine = await startEmbeddedMongo(options);
  onTestFinished(() => engine.stop());
  return engine;
}

async function aClient(uri: string): Promise<MongoClient> {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 5_000 });
  onTestFinished(() => client.close(true));
  return client;
}

const failureOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/State:\s+Z/.test(readFileSync(`/proc/${pid}/status`, "utf8"));

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !isTrue(); tries += 1) await sleep(50);
  expect(isTrue()).toBe(true);
}

test(
  "start: a second server on the same data is refused in one line, a script joins the running engine",
  { timeout: 30_000 },
  async () => {
    const dir = aFolder();
    const engine = await aRunningEngine({ dir });
    const client = await aClient(engine.uri);
    await client.db().collection<Item>("items").insertOne({ _id: 1 });
    expect(await failureOf(startEmbeddedMongo({ dir }))).toBe(
      `the data directory ${dir} is already in use by process ${process.pid}`,
    );
    const joined = await startEmbeddedMongo({ dir, join: true });
    expect(joined.uri).toBe(engine.uri);
    expect(await (await aClient(joined.uri)).db().collection<Item>("items").findOne()).toEqual({ _id: 1 });
    await joined.stop();
    expect(await client.db().command({ ping: 1 })).toMatchObject({ ok: 1 });
  },
);

test("start: a script without a running engine starts one and lets go of the data when it stops", async () => {
  const dir = aFolder();
  const script = await startEmbeddedMongo({ dir, join: true });
  expect(script.state()).toBe("ready");
  await script.stop();
  expect(existsSync(join(dir, "engine.json"))).toBe(false);
  await aRunningEngine({ dir });
});

test("start: a copy of a running engine's directory is a database of its own", { timeout: 30_000 }, async () => {
  const dir = aFolder();
  const engine = await aRunningEngine({ dir });
  const items = (await aClient(engine.uri)).db().collection<Item>("items");
  await items.insertOne({ _id: 1 });
  const copy = join(aFolder(), "copy");
  cpSync(dir, copy, { recursive: true });
  const other = await aRunningEngine({ dir: copy, join: true });
  expect(other.uri).not.toBe(engine.uri);
  await (await aClient(other.uri)).db().collection<Item>("items").deleteMany({});
  expect(await items.countDocuments()).toBe(1);
  expect(await (await aClient(engine.uri)).db().command({ ping: 1 })).toMatchObject({ ok: 1 });
});

test(
  "supervision: an engine that was killed comes back at the same address with its data",
  { timeout: 30_000 },
  async () => {
    const messages: string[] = [];
    const log = {
      info: (message: string) => messages.push(message),
      error: (message: string) => messages.push(message),
    };
    const engine = await aRunningEngine({ dir: aFolder(), log });
    const states: EngineState[] = [];
    engine.onStateChange((state) => states.push(state));
    const items = (await aClient(engine.uri)).db().collection<Item>("items");
    await items.insertOne({ _id: 1 });
    process.kill(engine.enginePid() ?? 0, "SIGKILL");
    await until(() => states.at(-1) === "ready");
    expect(states).toEqual(["restarting", "ready"]);
    expect(await items.findOne()).toEqual({ _id: 1 });
    expect(messages).toEqual([expect.stringContaining("ended by SIGKILL"), "the embedded database runs again"]);
  },
);

test(
  "supervision: killed five times in a row, it is started again at once each time",
  { timeout: 90_000 },
  async () => {
    const begun = performance.now();
    const engine = await aRunningEngine({ dir: aFolder() });
    // On a busy machine every start takes long; what is added to it must not.
    const startMs = performance.now() - begun;
    let state: EngineState = "ready";
    engine.onStateChange((now) => (state = now));
    for (let kills = 0; kills < 5; kills += 1) {
      const killed = performance.now();
      process.kill(engine.enginePid() ?? 0, "SIGKILL");
      await until(() => state !== "ready");
      await until(() => state === "ready");
      expect(performance.now() - killed).toBeLessThan(2_000 + 2 * startMs);
    }
    expect([0, 4, 5, 8, 99].map(delayBefore)).toEqual([0, 0, 250, 2_000, 10_000]);
  },
);

test(
  "supervision: when the server is killed outright, its engine ends by itself and frees the data",
  { timeout: 30_000 },
  async () => {
    const dir = aFolder();
    const script = `import { startEmbeddedMongo } from ${JSON.stringify(START)}; const engine = await startEmbeddedMongo({ dir: ${JSON.stringify(dir)} }); console.log(engine.enginePid());`;
    const server = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(server.stdout, "data");
    const enginePid = Number(String(line));
    expect(isAlive(enginePid)).toBe(true);
    server.kill("SIGKILL");
    await until(() => !isAlive(enginePid));
    await aRunningEngine({ dir });
  },
);

test("start: a data path longer than a socket's name may be is no problem", async () => {
  const dir = join(aFolder(), "a-rather-long-name".repeat(8));
  const engine = await aRunningEngine({ dir });
  const client = await aClient(engine.uri);
  expect(await client.db().command({ ping: 1 })).toMatchObject({ ok: 1 });
});

test("start: damaged, newer and unwritable data are each told in one line", { timeout: 30_000 }, async () => {
  const damaged = aFolder();
  writeFileSync(join(damaged, DATA_FILE), "this is not a database at all, not even a small one".repeat(100));
  expect(await failureOf(startEmbeddedMongo({ dir: damaged }))).toMatch(
    /^\S+database\.sqlite is damaged or not a database file \([^\n]*\); restore it from a backup$/,
  );

  const newer = aFolder();
  const file = new DatabaseSync(join(newer, DATA_FILE));
  file.exec("CREATE TABLE _meta(k TEXT PRIMARY KEY, v); INSERT INTO _meta VALUES('format', 99)");
  file.close();
  expect(await failureOf(startEmbeddedMongo({ dir: newer }))).toMatch(
    /^\S+ was written by a newer version \(format 99, this one reads 2\)$/,
  );

  const blocked = join(aFolder(), "file");
  writeFileSync(blocked, "");
  expect(await failureOf(startEmbeddedMongo({ dir: join(blocked, "data") }))).toMatch(
    /^the data directory \S+ is not writable: [^\n]+$/,
  );

  // As on a full disk: what is there can be opened, and nothing can be added.
  const full = aFolder();
  symlinkSync(join(full, "gone", "engine.json"), join(full, "engine.json"));
  expect(await failureOf(startEmbeddedMongo({ dir: full }))).toMatch(
    /^the data directory \S+ is not writable: [^\n]+$/,
  );
});

test("start: a database file that is missing or empty where one was is refused in one line, and not made anew", async () => {
  const dir = aFolder();
  const file = join(dir, DATA_FILE);
  const engine = await startEmbeddedMongo({ dir });
  await (await aClient(engine.uri)).db().collection<Item>("items").insertOne({ _id: 1 });
  await engine.stop();
  const kept = readFileSync(file);
  rmSync(file);
  expect(await failureOf(startEmbeddedMongo({ dir }))).toMatch(
    /^\S+database\.sqlite is missing, but there was a database here; restore it from a backup, or [^\n]*$/,
  );
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, "");
  expect(await failureOf(startEmbeddedMongo({ dir }))).toMatch(/^\S+database\.sqlite is empty, but there was [^\n]*$/);
  writeFileSync(file, kept);
  const again = await aRunningEngine({ dir });
  expect(await (await aClient(again.uri)).db().collection<Item>("items").countDocuments()).toBe(1);
  const beforeMarks = aFolder();
  writeFileSync(join(beforeMarks, `${DATA_FILE}-wal`), "what was written last");
  expect(await failureOf(startEmbeddedMongo({ dir: beforeMarks }))).toMatch(
    /is missing, but there was a database here/,
  );
});

test("full disk: the write is refused with a clear error, nothing of it is stored, and reading goes on", async () => {
  const database = await aDatabase({ maxPages: 120 });
  const items = database.client.db().collection<Item>("items");
  await items.insertOne({ _id: 0, text: "small" });
  let acknowledged = 1;
  const problem: unknown = await (async () => {
    for (let _id = 1; ; _id += 1) {
      await items.insertMany([
        { _id: _id * 2, text: "x".repeat(20_000) },
        { _id: _id * 2 + 1, text: "x".repeat(20_000) },
      ]);
      acknowledged += 2;
    }
  })().catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(MongoServerError);
  expect(problem).toMatchObject({ code: 14_031, codeName: "OutOfDiskSpace" });
  expect(await items.countDocuments({ _id: { $gte: 0 } })).toBe(acknowledged);
  expect(await items.estimatedDocumentCount()).toBe(acknowledged);
  expect(checkData(database.dir)).toEqual([]);
});

test("full disk: whoever is refused, alone or in a crowd, is told the same", { timeout: 60_000 }, async () => {
  const { client, running } = await aDatabase({ maxPages: 300 });
  const items = client.db().collection<Item>("items");
  await items.insertOne({ _id: 0 });
  let next = 1;
  const codes = new Map<unknown, number>();
  const writer = async (kind: number): Promise<void> => {
    for (let round = 0; round < 40; round += 1) {
      const doc = { _id: next++, text: "x".repeat(kind * 4_000) };
      const work = async (): Promise<unknown> => {
        if (kind % 4 === 1) return items.insertMany([doc, { ...doc, _id: next++ }]);
        if (kind % 4 === 2) return items.updateMany({ _id: { $lt: 20 } }, { $set: { text: `${round}${doc.text}` } });
        if (kind % 4 === 3)
          return client.withSession((session) =>
            session.withTransaction(async () => {
              await items.insertOne(doc, { session });
              await items.insertOne({ ...doc, _id: next++ }, { session });
            }),
          );
        return items.insertOne(doc);
      };
      await work().catch((error: unknown) => {
        const code = error instanceof MongoServerError ? error.code : error;
        codes.set(code, (codes.get(code) ?? 0) + 1);
      });
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, kind) => writer(kind)));
  expect([...codes.keys()]).toEqual([14_031]);
  expect(codes.get(14_031)).toBeGreaterThan(100);
  expect(await items.countDocuments()).toBe(await items.estimatedDocumentCount());
  running.engine.store.group.flush();
  expect(checkFile(running.engine.store.main)).toEqual([]);
});

test("backup: a copy taken while the engine works is complete and sound; damage is found by the check", async () => {
  const database = await aDatabase();
  const items = database.client.db().collection<Item>("items");
  await items.createIndex({ text: 1 });
  await items.insertMany(Array.from({ length: 500 }, (_, _id) => ({ _id, text: `text ${_id}` })));
  const copy = join(aFolder(), "copy");
  mkdirSync(copy);
  backUpData(database.dir, join(copy, DATA_FILE));
  await items.deleteMany({});
  expect(checkData(copy)).toEqual([]);
  const restored = await aDatabase({ dir: copy });
  expect(await restored.client.db().collection<Item>("items").countDocuments()).toBe(500);
  await restored.client.db().collection<Item>("items").deleteOne({ _id: 3 });
  restored.running.engine.store.main.exec("DELETE FROM i1 WHERE rid = 7");
  expect(checkData(copy)).toEqual([
    expect.stringContaining("is missing from index text_1"),
    expect.stringContaining("index text_1 has 498 keys"),
  ]);
});

test("check: a file cut short is reported and not repaired in silence", async () => {
  const database = await aDatabase();
  await database.client
    .db()
    .collection<Item>("items")
    .insertMany(Array.from({ length: 500 }, (_, _id) => ({ _id, text: "x".repeat(500) })));
  const copy = aFolder();
  backUpData(database.dir, join(copy, DATA_FILE));
  truncateSync(join(copy, DATA_FILE), 60_000);
  expect(checkData(copy)).not.toEqual([]);
});
