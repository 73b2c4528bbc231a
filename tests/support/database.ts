// Starts one database for the whole run; each test file works in a database of its own inside it.
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createLogger } from "@app/server/core/logger";
import { type EmbeddedMongo, startEmbeddedMongo } from "@app/server/embedded-mongo/start";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    mongodbUri: string;
  }
}

const ROOM_BYTES = 2 * 1024 ** 3;
const MEMORY = "/dev/shm";

let engine: EmbeddedMongo | undefined;
let dir = "";

export async function setup(project: TestProject) {
  const given = process.env["TEST_MONGODB_URI"];
  if (!given) {
    dir = await mkdtemp(path.join(await quickPlace(), "evenhand-tests-"));
    engine = await startEmbeddedMongo({ dir, log: createLogger("warn") });
  }
  project.provide("mongodbUri", given ?? engine?.uri ?? "");
}

export async function teardown() {
  await engine?.stop();
  if (dir) await rm(dir, { recursive: true, force: true });
}

/** In memory where there is room: nothing of this database has to outlive the run, and so nothing waits for a disk. */
async function quickPlace(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => null);
  return memory && memory.bavail * memory.bsize > ROOM_BYTES ? MEMORY : tmpdir();
}
