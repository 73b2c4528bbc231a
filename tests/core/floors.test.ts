// The tables of floors in the README are what the imports are.
import { globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const IMPORT = /(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

/** The features of each table from the ground up, and on a floor from the left. */
const TABLES = readFileSync(path.join(ROOT, "README.md"), "utf8")
  .split("| floor | what stands there |")
  .slice(1)
  .map((table) =>
    [...table.matchAll(/^\| \w+ \| (.+) \|$/gm)]
      .map(([, row = ""]) => [...row.matchAll(/`([\w-]+)`/g)].map(([, feature = ""]) => feature))
      .toReversed()
      .flat(),
  );

/** Each use of another feature, by file. */
function usesIn(features: string): { file: string; from: string; to: string }[] {
  return globSync(`${features}/**/*.{ts,tsx}`, { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), "utf8").matchAll(IMPORT)].flatMap(([, target = ""]) => {
      const [from, to] = [file, path.join(path.dirname(file), target)].map((one) =>
        one.startsWith(`${features}/`) ? (one.slice(features.length + 1).split("/")[0] ?? "") : "",
      );
      return from && to && from !== to ? [{ file, from, to }] : [];
    }),
  );
}

describe.each([
  ["server/src/features", TABLES[0] ?? []],
  ["web/src/features", TABLES[1] ?? []],
])("the floors of %s", (features, floors) => {
  test("each feature stands on one of them, when the folders are counted", () => {
    expect(floors.toSorted()).toEqual(readdirSync(path.join(ROOT, features)).toSorted());
  });

  test("each feature uses what lies below it or left of it, when the imports are read", () => {
    const uses = usesIn(features);
    expect(uses.length).toBeGreaterThan(20);
    const upwards = uses.filter(({ from, to }) => floors.indexOf(to) > floors.indexOf(from));
    expect(upwards.map(({ file, to }) => `${file} uses ${to}`)).toEqual([]);
  });
});
