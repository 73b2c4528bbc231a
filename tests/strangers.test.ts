// Shows that the access test has teeth: each owner filter is taken out in turn, and the access test must notice.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guarded, strangerReachesNothing } from "./support/access-scenario.ts";
import { ownerFilters } from "./support/owner-filters.ts";
import { RAW_ACCESS } from "./support/raw-access.ts";
import { startTestApp, type TestApp } from "./support/test-app.ts";

const FEATURES = path.resolve(import.meta.dirname, "../server/src/features");
const ALL_LIMIT_MS = 120_000;

const filters = globSync("**/*.service.ts", { cwd: FEATURES }).flatMap((file) =>
  ownerFilters(file, readFileSync(path.join(FEATURES, file), "utf8")),
);

/** For each filter the first procedure that comes to it. */
const reachedBy = new Map<string, string>();
let removed = "";
let calling = "";
globalThis.isOwnerFilterKept = (name) => {
  if (calling && !reachedBy.has(name)) reachedBy.set(name, calling);
  return name !== removed;
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  for (const procedure of [...guarded, ...Object.keys(RAW_ACCESS)]) {
    await strangerReachesNothing(app, procedure, () => {
      calling = procedure;
    });
    calling = "";
  }
}, ALL_LIMIT_MS);
afterAll(() => app.close());

test("mutants: there are owner filters to take out", () => {
  expect(filters.length).toBeGreaterThan(0);
});

test.each(filters)("mutants: without owner filter %s the access test fails", async (filter) => {
  const procedure = reachedBy.get(filter);
  if (!procedure) throw new Error(`No procedure of the access test comes to ${filter}`);
  const withoutFilter = strangerReachesNothing(app, procedure, () => {
    removed = filter;
  }).finally(() => {
    removed = "";
  });
  await expect(withoutFilter).rejects.toThrow();
});
