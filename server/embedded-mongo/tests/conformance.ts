// Runs MongoDB's own driver tests against the embedded engine: node conformance.ts RUNNER DATA_FOLDER.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** How many failures each suite may have: snapshot sessions and split events are outside the engine's scope. */
const ALLOWED: Record<string, number> = {
  crud: 0,
  transactions: 0,
  "transactions-convenient-api": 0,
  gridfs: 0,
  "causal-consistency": 0,
  "index-management": 0,
  "run-command": 0,
  "change-streams": 5,
  sessions: 20,
};
const START_LIMIT_MS = 15_000;

const [runner = "", data = ""] = process.argv.slice(2);
const cli = path.resolve(import.meta.dirname, "serve-with-faults.ts");
const dir = mkdtempSync(path.join(tmpdir(), "conformance-"));
const engine = spawn(process.execPath, [cli, "--dir", dir, "--port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
});

try {
  const uri = await uriOf();
  let isGood = true;
  for (const [suite, allowed] of Object.entries(ALLOWED)) {
    const line = await runSuite(uri, suite);
    const failed = Number(/(\d+) failed/.exec(line)?.[1] ?? Infinity);
    isGood &&= failed <= allowed;
    console.log(`${suite}: ${line} (at most ${allowed} may fail)`);
  }
  process.exitCode = isGood ? 0 : 1;
} finally {
  engine.kill("SIGTERM");
  await new Promise((resolve) => engine.once("exit", resolve));
  rmSync(dir, { recursive: true, force: true });
}

/** The address that the engine prints once it answers. */
function uriOf(): Promise<string> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("the engine did not start")), START_LIMIT_MS).unref();
    let printed = "";
    engine.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const uri = /mongodb:\/\/\S+/.exec(printed)?.[0];
      if (uri && printed.includes("\n")) resolve(uri);
    });
  });
}

function runSuite(uri: string, suite: string): Promise<string> {
  const known = `--known=${path.join(data, "known-driver.txt")}`;
  const child = spawn(process.execPath, [runner, uri, path.join(data, suite), known], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  return new Promise((resolve) => child.once("exit", () => resolve(printed.trim().split("\n").at(-1) ?? "")));
}
