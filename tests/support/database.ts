// Starts one database for the whole run; each test file works in a database of its own inside it.
import { mkdtemp, rm } from "node:fs/promises";
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

let engine: EmbeddedMongo | undefined;
let dir = "";

export async function setup(project: TestProject) {
  const given = process.env["TEST_MONGODB_URI"];
  if (!given) {
    dir = await mkdtemp(path.join(tmpdir(), "evenhand-tests-"));
    engine = await startEmbeddedMongo({ dir, log: createLogger("warn") });
  }
  project.provide("mongodbUri", given ?? engine?.uri ?? "");
}

export async function teardown() {
  await engine?.stop();
  if (dir) await rm(dir, { recursive: true, force: true });
}
