// What a practice keeps, no other practice reaches; and the check of it has teeth: without any one of the owner filters
// it fails.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { stopJobs } from "@app/server/core/jobs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guarded, guardedRoutes, strangerReachesNothing } from "./support/access-scenario.ts";
import { ownerFilters } from "./support/owner-filters.ts";
import { startTestApp, type TestApp } from "./support/test-app.ts";

const FEATURES = path.resolve(import.meta.dirname, "../server/src/features");

const filters = globSync("**/*.service.ts", { cwd: FEATURES }).flatMap((file) =>
  ownerFilters(file, readFileSync(path.join(FEATURES, file), "utf8")),
);

/** For each filter the first procedure that comes to it. */
const reachedBy = new Map<string, string>();
let removed = "";
let calling = "";
globalThis.isKept = (name) => {
  if (calling && !reachedBy.has(name)) reachedBy.set(name, calling);
  return name !== removed;
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  // What is changed by a call must not be taken for what a job changed meanwhile.
  await stopJobs();
});
afterAll(() => app.close());

test.each([...guarded, ...guardedRoutes])(
  "%s: a stranger reaches nothing of the practice, and its owner does",
  (path) =>
    strangerReachesNothing(app, path, () => {
      calling = path;
    }).finally(() => {
      calling = "";
    }),
);

test("strangers: there are owner filters to take out", () => {
  expect(filters.length).toBeGreaterThan(0);
});

test.each(filters)("strangers: without owner filter %s the check fails", async (filter) => {
  const procedure = reachedBy.get(filter);
  if (!procedure) throw new Error(`Nothing that is checked comes to ${filter}`);
  const withoutFilter = strangerReachesNothing(app, procedure, () => {
    removed = filter;
  }).finally(() => {
    removed = "";
  });
  await expect(withoutFilter).rejects.toThrow();
});
