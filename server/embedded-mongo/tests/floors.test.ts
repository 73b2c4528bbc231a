// The folders of the embedded database use each other one way, as its README says, and nothing of the product.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../src");
const IMPORT = /(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;
const MOST_LINES = 300;
const MOST_LINES_IN_ALL = 12_500;

const FLOORS = [
  ...(/stand on floors.*?: (.+?)\. /.exec(readFileSync(path.join(ROOT, "../README.md"), "utf8"))?.[1] ?? "").matchAll(
    /`([\w-]+)`/g,
  ),
].map(([, folder = ""]) => folder);
const FILES = globSync("**/*.ts", { cwd: ROOT });

const folderOf = (file: string): string => (file.includes("/") ? (file.split("/")[0] ?? "") : "");
const uses = FILES.flatMap((file) =>
  [...readFileSync(path.join(ROOT, file), "utf8").matchAll(IMPORT)].map(([, target = ""]) => ({
    file,
    to: path.join(path.dirname(file), target),
  })),
);

test("each folder but the supervisor's stands on a floor, when they are counted", () => {
  const folders = new Set(FILES.map(folderOf).filter((folder) => folder !== "" && folder !== "supervisor"));
  expect(folders).toEqual(new Set(FLOORS));
});

test("each folder uses what lies below it, and nothing of the product, when the imports are read", () => {
  expect(uses.length).toBeGreaterThan(300);
  const wrong = uses.filter(({ file, to }) => {
    const [from, target] = [folderOf(file), folderOf(to)].map((folder) => FLOORS.indexOf(folder));
    return to.startsWith("..") || (from !== undefined && target !== undefined && from >= 0 && target > from);
  });
  expect(wrong).toEqual([]);
});

const linesOf = (file: string): number => readFileSync(path.join(ROOT, file), "utf8").split("\n").length - 1;

test("no file is longer than it may be, nor are all together, when their lines are counted", () => {
  expect(FILES.filter((file) => linesOf(file) > MOST_LINES)).toEqual([]);
  expect(FILES.reduce((sum, file) => sum + linesOf(file), 0)).toBeLessThanOrEqual(MOST_LINES_IN_ALL);
});
