// What somebody is told to do is something that the page cannot do by itself.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

test("no refusal: somebody is told to reload the page, when the texts of server and page are read", () => {
  const files = globSync(["server/src/**/*.ts", "shared/src/**/*.ts", "web/src/**/*.{ts,tsx}"], { cwd: ROOT });
  expect(files.length).toBeGreaterThan(500);
  const telling = files.filter((file) => /reload (?:the|this) page/i.test(readFileSync(path.join(ROOT, file), "utf8")));
  expect(telling).toEqual([]);
});
