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

const NODE = process.execPath;
/** Some load the whole product to be told of, twice and perhaps for the first time. */
const LIMIT_MS = 120_000;
/** The options that a tool reads. */
const optionsOf = (source: string): string[] =>
  [...source.matchAll(/^\s+"?([\w-]+)"?: \{ type: "(?:string|boolean)"/gm)]
    .map(([, name = ""]) => `--${name}`)
    .filter((option) => option !== "--help");

/** What a tool says, which must end well. It would be noticed if it did something: there is no such key. */
const said = (...words: string[]): string =>
  execFileSync(NODE, [...words, "--help"], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, SECRET_KEY: "none", DATA_DIR: "/nonexistent" },
  });

test.each(FILES)(
  "%s --help: says by run.js and by Node alike how it is used, with every option, and does nothing",
  (file) => {
    const usage = said("scripts/run.js", file);
    expect(usage).toMatch(/^Usage: /);
    expect(said(file)).toBe(usage);
    for (const option of optionsOf(readFileSync(path.join(ROOT, file), "utf8"))) expect(usage).toContain(option);
  },
  LIMIT_MS,
);

test(
  "npm run rotate-key -- --help: both keys are set, then it seals nothing and ends well",
  () => {
    const keys = { SECRET_KEY: "k".repeat(40), SECRET_KEY_PREVIOUS: "p".repeat(40), DATA_DIR: "/nonexistent" };
    const usage = execFileSync(NODE, ["scripts/rotate-key.ts", "--help"], {
      cwd: ROOT,
      encoding: "utf8",
      env: { ...process.env, ...keys },
    });
    expect(usage).toMatch(/^Usage: npm run rotate-key/);
  },
  LIMIT_MS,
);
