// A directory for the demonstration practice that the first browser test to need it makes, and the others copy.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    demoDir: string;
  }
}

let dir = "";

export async function setup(project: TestProject) {
  dir = await mkdtemp(path.join(tmpdir(), "evenhand-demo-"));
  project.provide("demoDir", dir);
}

export const teardown = () => rm(dir, { recursive: true, force: true });
