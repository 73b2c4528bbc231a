// Every route behind the sign-in that asks for data does so in the one way, and is tried with a server that fails.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const textOf = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const loading = globSync("web/src/routes/_protected/**/*.tsx", { cwd: ROOT }).filter((file) =>
  textOf(file).includes("loader:"),
);

test("the routes that ask for data: when they are counted, there are eighteen", () => {
  expect(loading).toHaveLength(18);
});

test.each(loading)("%s: it asks by loadMeanwhile or hands its data on, and the browser tries its failure", (file) => {
  const text = textOf(file);
  expect(text).toMatch(/loadMeanwhile\(|loader: \(.*\) => (apiUtils\.\S+\.ensureData|loadClient)\(/);
  const [, id = ""] = /createFileRoute\("([^"]+)"\)/.exec(text) ?? [];
  const route = id.replaceAll(/\/_\w+/g, "").replace(/\/$/, "");
  expect(textOf("tests/e2e/navigation.test.ts")).toContain(`"${route}"`);
});
