import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { z } from "zod";
import { answerHelp } from "./run-command.ts";

answerHelp(`Usage: npm test
Runs everything that must hold, in the order in which a mistake is cheapest to find; the last line counts the tests.
With MONGODB_URI the tests run on databases of their own in that replica set.`);

const RESULTS_DIR = "node_modules/.cache/tests";
const resultsSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
});

interface Step {
  name: string;
  command: string[];
  environment?: Record<string, string>;
  /** Where vitest writes what it counted. */
  results?: string;
}

const vitest = (results: string, ...more: string[]) => [
  "vitest",
  "run",
  "--root",
  "tests",
  "--reporter=default",
  "--reporter=json",
  `--outputFile=../${results}`,
  ...more,
];

const steps: Step[] = [
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "floors", command: ["depcruise", "server/src/features", "web/src/features"] },
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "types", command: ["tsc", "-b", "server", "web", "tests"] },
  { name: "build", command: ["node", "scripts/build-page.ts", "--if-stale"] },
  { name: "tests", command: vitest(`${RESULTS_DIR}/all.json`), results: `${RESULTS_DIR}/all.json` },
  {
    name: "rules of time in another zone",
    command: vitest(`${RESULTS_DIR}/sydney.json`, "--project", "unit", "shared"),
    environment: { TEST_TZ: "Australia/Sydney" },
    results: `${RESULTS_DIR}/sydney.json`,
  },
];

rmSync(RESULTS_DIR, { recursive: true, force: true });
mkdirSync(RESULTS_DIR, { recursive: true });
const totals = { passed: 0, failed: 0, skipped: 0 };
for (const step of steps) {
  const startedAt = Date.now();
  console.log(`\n${step.name}`);
  const code = await run(step);
  if (step.results) count(step.results);
  else totals[code === 0 ? "passed" : "failed"]++;
  console.log(`${step.name}: ${code === 0 ? "ok" : "failed"} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  if (code !== 0) {
    totals.failed = Math.max(1, totals.failed);
    break;
  }
}
console.log(`\ntests: ${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;

function run({ command, environment }: Step): Promise<number> {
  const [file = "", ...words] = command;
  return new Promise((resolve) => {
    const child = spawn(file, words, { stdio: "inherit", env: { ...process.env, ...environment } });
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

function count(file: string) {
  const results = resultsSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!results.success) throw new Error(`${file} is not what vitest writes`);
  totals.passed += results.data.numPassedTests;
  totals.failed += results.data.numFailedTests;
  totals.skipped += results.data.numPendingTests + results.data.numTodoTests;
}
