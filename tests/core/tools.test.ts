// Every command of package.json and of the README says what it does, without doing it.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const FILES = [
  ...new Set(
    ["package.json", "README.md"].flatMap((file) =>
      [...readFileSync(path.join(ROOT, file), "utf8").matchAll(/run\.js ([\w./-]+\.ts)/g)].map(([, tool = ""]) => tool),
    ),
  ),
];

test("the tools: there are some", () => {
  expect(FILES).toContain("scripts/rotate-key.ts");
});

test.each(FILES)("%s --help: says what it is for, and does nothing", (file) => {
  const said = execFileSync(process.execPath, ["scripts/run.js", file, "--help"], {
    cwd: ROOT,
    encoding: "utf8",
    // It would be noticed: there is no such key.
    env: { ...process.env, SECRET_KEY: "none", DATA_DIR: "/nonexistent" },
  });
  expect(said.trim().length).toBeGreaterThan(40);
});
