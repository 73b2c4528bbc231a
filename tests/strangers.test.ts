// What a practice keeps, no other practice reaches; and the check of it has teeth: wherever a query asks for the caller's
// practice, the check fails where it does not ask.
import { stopJobs } from "@app/server/core/jobs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guarded, guardedRoutes, strangerReachesNothing } from "./support/access-scenario.ts";
import { watchOwnerFilters } from "./support/owner-filters.ts";
import { startTestApp, type TestApp } from "./support/test-app.ts";

const TEETH_LIMIT_MS = 120_000;
const doors = [...guarded, ...guardedRoutes];

// The lines that other proofs take out all stand here.
globalThis.isKept = () => true;

/** For each door what a stranger was answered, as far as it is the same every time. */
const answers = new Map<string, string>();
/** For each query that a stranger's call comes to, the doors by which it does; and those that only the owner's does. */
const reached = new Map<string, Set<string>>();
const ownersAlone = new Set<string>();
let calling = "";
let strangersTurn = true;
let door = "";
let dropped = "";

watchOwnerFilters({
  ownerId: () => calling,
  isDropped: (site) => site === dropped,
  asked(site) {
    if (dropped !== "") return;
    if (strangersTurn) reached.set(site, (reached.get(site) ?? new Set()).add(door));
    else ownersAlone.add(site);
  },
});

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  // What is changed by a call must not be taken for what a job changed meanwhile.
  await stopJobs();
});
afterAll(() => app.close());

/** Without what is new each time: ids and times. */
const sameEachTime = (texts: string[]): string =>
  texts
    .join("\n")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
    .replaceAll(/[\w-]{20,}/g, "id")
    .replaceAll(/ref [\w]+/g, "ref");

async function answered(path: string): Promise<string> {
  let calls = 0;
  const texts = await strangerReachesNothing(app, path, {
    begin: () => {
      door = path;
    },
    calling: (ownerId) => {
      if (ownerId) strangersTurn = calls++ % 2 === 0;
      calling = ownerId;
    },
  });
  return sameEachTime(texts);
}

test.each(doors)("%s: a stranger reaches nothing of the practice, and its owner does", async (path) => {
  answers.set(path, await answered(path));
});

/** Whether the check of this door notices that a query asks for everybody's. */
async function isNoticed(site: string, path: string): Promise<boolean> {
  dropped = site;
  try {
    return (await answered(path)) !== answers.get(path);
  } catch {
    return true;
  } finally {
    dropped = "";
  }
}

test(
  "strangers: without the practice in any one query that a stranger comes to, the check fails",
  async () => {
    expect(reached.size).toBeGreaterThan(100);
    const unnoticed: string[] = [];
    for (const [site, paths] of reached) {
      let isFound = false;
      for (const path of paths) isFound ||= await isNoticed(site, path);
      if (!isFound) unnoticed.push(`${site} by ${[...paths].slice(0, 3).join(", ")}`);
    }
    const behind = [...ownersAlone].filter((site) => !reached.has(site));
    console.info(`${reached.size} queries were tried, ${behind.length} more stand behind another guard`);
    expect(unnoticed).toEqual([]);
  },
  TEETH_LIMIT_MS,
);
