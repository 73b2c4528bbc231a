// Shows that the access test has teeth: each owner filter is taken out in turn, and the access test must notice.
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ownerFilters } from "./support/mutant-plugin.ts";

const FEATURES = path.resolve(import.meta.dirname, "../server/src/features");
const RUN_LIMIT_MS = 60_000;

const mutants = globSync("**/*.service.ts", { cwd: FEATURES }).flatMap((file) => {
  const count = ownerFilters(readFileSync(path.join(FEATURES, file), "utf8")).length;
  return Array.from({ length: count }, (_, index) => ({ file, index }));
});

test("mutants: there are owner filters to take out", () => {
  expect(mutants.length).toBeGreaterThan(0);
});

test.each(mutants)(
  "mutants: without owner filter $index of $file the access test fails",
  { timeout: RUN_LIMIT_MS },
  async ({ file, index }) => {
    const [feature = ""] = file.split("/");
    const environment = { ...process.env, MUTANT: `${file}#${index}`, ACCESS_ONLY: `${feature}.` };
    const code = await run(
      [
        "vitest",
        "run",
        "--root",
        "tests",
        "--project",
        "unit",
        "--bail",
        "1",
        "-t",
        "another practice",
        "access.test.ts",
      ],
      environment,
    );
    expect(code).toBe(1);
  },
);

function run(words: string[], env: NodeJS.ProcessEnv): Promise<number | null> {
  const [name = "", ...rest] = words;
  const bin = path.resolve(import.meta.dirname, "../node_modules/.bin", name);
  return new Promise((resolve) => {
    spawn(bin, rest, { cwd: path.resolve(import.meta.dirname, ".."), env, stdio: "ignore" }).once("exit", resolve);
  });
}
