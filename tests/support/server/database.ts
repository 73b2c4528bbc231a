// The servers of the run's databases: those of MONGODB_URI, or an embedded engine that is started here. Each test works
// in databases of its own there, whose names begin with that of the run; at the end those are removed, and no other.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createLogger } from "@app/server/core/logger";
import { type EmbeddedMongo, startEmbeddedMongo } from "@app/embedded-mongo/start";
import { MongoClient } from "mongodb";
import type { TestProject } from "vitest/node";
import { inDatabase, nameIn } from "./database-uri.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of a database that nobody uses; see anOwnDatabase. */
    mongodbUri: string;
  }
}

const ROOM_BYTES = 2 * 1024 ** 3;
const MEMORY = "/dev/shm";

let engine: EmbeddedMongo | undefined;
let dir = "";
let uri = "";

export async function setup(project: TestProject) {
  let servers = process.env["MONGODB_URI"];
  if (!servers) {
    dir = await mkdtemp(path.join(await quickPlace(), "evenhand-tests-"));
    engine = await startEmbeddedMongo({ dir, log: createLogger("warn") });
    servers = engine.uri;
  }
  uri = inDatabase(servers, `test_${randomBytes(4).toString("hex")}`);
  project.provide("mongodbUri", uri);
}

export async function teardown() {
  if (engine) {
    await engine.stop();
    await rm(dir, { recursive: true, force: true });
  } else await removeOwn();
}

async function removeOwn(): Promise<void> {
  const client = await MongoClient.connect(uri);
  try {
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    const own = databases.filter(({ name }) => name.startsWith(`${nameIn(uri)}_`));
    for (const { name } of own) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}

/** In memory where there is room: nothing of this database has to outlive the run, and so nothing waits for a disk. */
async function quickPlace(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => null);
  return memory && memory.bavail * memory.bsize > ROOM_BYTES ? MEMORY : tmpdir();
}
