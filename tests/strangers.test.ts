// What a practice keeps, no other practice reaches; and the check of it has teeth: wherever a query asks for the caller's
// practice, the check fails where it does not ask.
import { stopJobs } from "@app/server/core/jobs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guarded, guardedRoutes, strangerReachesNothing } from "./support/access-scenario.ts";
import { watchOwnerFilters } from "./support/owner-filters.ts";
import { startTestApp, type TestApp } from "./support/test-app.ts";
import { TRACELESS } from "./support/traceless-queries.ts";

const TEETH_LIMIT_MS = 240_000;
/** Of the doors that come to a query; those after them come to it in the same way. */
const DOORS_TRIED = 4;
const doors = [...guarded, ...guardedRoutes];

/** For each door what a stranger was answered, as far as it is the same every time. */
const answers = new Map<string, string>();
/** For each query that a stranger's call comes to, the doors by which it does; and those that only the owner's does. */
const reached = new Map<string, Set<string>>();
const ownersAlone = new Set<string>();
let calling = "";
let strangersTurn = true;
let door = "";
let dropped: ReadonlySet<string> = new Set();

watchOwnerFilters({
  ownerId: () => calling,
  isDropped: (site) => dropped.has(site),
  asked(site) {
    if (dropped.size > 0) return;
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

/** Without what is new each time: headers, ids and times. */
const sameEachTime = (texts: string[]): string =>
  texts
    .join("\n")
    .replaceAll(/^[a-z-]+: .*$/gm, "")
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

/** Whether the check of one of these doors notices that queries ask for everybody's. */
async function isNoticed(sites: Iterable<string>, paths: Iterable<string>): Promise<boolean> {
  for (const path of [...paths].slice(0, DOORS_TRIED)) {
    dropped = new Set(sites);
    try {
      if ((await answered(path)) !== answers.get(path)) return true;
    } catch {
      return true;
    } finally {
      dropped = new Set();
    }
  }
  return false;
}

test(
  "strangers: without the practice in any one query that a stranger comes to, the check fails",
  async () => {
    expect(reached.size).toBeGreaterThan(100);
    const everywhere: string[] = [];
    for (const path of doors) if (await isNoticed(["none of them"], [path])) everywhere.push(path);
    expect(everywhere, "doors that notice something where nothing is taken out").toEqual([]);
    const single: string[] = [];
    for (const [site, paths] of reached) if (!(await isNoticed([site], paths))) single.push(site);
    // Where one query stands behind another, one of the two holds: both together must be noticed.
    const unnoticed: string[] = [];
    for (const site of single) if (!(await isNoticed(single, reached.get(site) ?? []))) unnoticed.push(site);
    const behind = [...ownersAlone].filter((site) => !reached.has(site));
    console.info(
      `${reached.size} queries were tried, ${single.length} of them stand behind each other; ${behind.length} more behind another guard`,
    );
    const withoutLine = (site: string) => site.replace(/:\d+:\d+ /, " ");
    expect(unnoticed.filter((site) => !TRACELESS.has(withoutLine(site)))).toEqual([]);
  },
  TEETH_LIMIT_MS,
);
