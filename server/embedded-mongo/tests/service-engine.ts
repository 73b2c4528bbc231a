// A database of its own for a test, closed and removed when the test is over.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient, type MongoClientOptions } from "mongodb";
import { onTestFinished } from "vitest";
import type { EngineOptions } from "../src/engine.ts";
import { type RunningEngine, runEngine } from "../src/run-engine.ts";
import { makeSocketPlace, uriFor } from "../src/supervisor/socket-path.ts";

export function aFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "embedded-mongo-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export interface Database {
  dir: string;
  uri: string;
  running: RunningEngine;
  client: MongoClient;
  /** Ends the engine and opens the same file again at the same address. */
  restart(): Promise<void>;
}

/** Runs the engine inside the test's own process, behind a real socket. */
export async function aDatabase(
  options: Partial<EngineOptions> & { client?: MongoClientOptions } = {},
): Promise<Database> {
  const dir = options.dir ?? aFolder();
  const place = makeSocketPlace();
  const open = (): Promise<RunningEngine> => runEngine({ ...options, dir }, { socket: place.path });
  const database: Database = {
    dir,
    uri: uriFor(place.path),
    running: await open(),
    client: new MongoClient(uriFor(place.path), { serverSelectionTimeoutMS: 5_000, ...options.client }),
    async restart() {
      await database.running.close();
      database.running = await open();
      // The driver first has to notice that its connections are gone.
      await sleep(50);
    },
  };
  await database.client.connect();
  onTestFinished(async () => {
    await database.client.close(true);
    await database.running.close();
    place.remove();
  });
  return database;
}
