// What a practice keeps, no other practice reaches; and the check of it has teeth: wherever a query asks for the caller's
// practice, the check fails where it does not.
import { stopJobs } from "@app/server/core/jobs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guarded, guardedRoutes, strangerReachesNothing } from "./support/access-scenario.ts";
import { watchOwnerFilters } from "./support/owner-filters.ts";
import { startTestApp, type TestApp } from "./support/test-app.ts";

const TEETH_LIMIT_MS = 240_000;
/** Of the doors that come to a query; those after them come to it in the same way. */
const DOORS_TRIED = 4;
/** An address signs in to one account of the whole installation, so these ask whether anybody has it. */
const OF_ALL = new Set(["users/credentials.service.ts User.findOne"]);
const withoutLine = (site: string) => site.replace(/:\d+:\d+ /, " ");
const doors = [...guarded, ...guardedRoutes];

/** For each door what a stranger was answered, as far as it is the same every time. */
const answers = new Map<string, string>();
/** For each query that asks for the caller's practice, the doors behind which it does. */
const reached = new Map<string, Set<string>>();
let calling = "";
let door = "";
/** The query that asks without, for once. */
let dropped = "";
/** The queries that name no practice, or ask for something of another than the caller's. */
const straying = new Set<string>();

watchOwnerFilters({
  ownerId: () => calling,
  isDropped: (site) => dropped === site,
  asked(site) {
    if (dropped === "") reached.set(site, (reached.get(site) ?? new Set()).add(door));
  },
  strays(site) {
    if (!OF_ALL.has(withoutLine(site))) straying.add(site);
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
  const texts = await strangerReachesNothing(app, path, {
    begin: () => {
      door = path;
    },
    calling: (ownerId) => {
      calling = ownerId;
    },
  });
  return sameEachTime(texts);
}

test.each(doors)("%s: a stranger reaches nothing of the practice, and its owner does", async (path) => {
  straying.clear();
  answers.set(path, await answered(path));
  expect([...straying]).toEqual([]);
});

/** Whether the check of one of these doors notices that a query does not ask for the caller's practice. */
async function isNoticed(site: string, paths: Iterable<string>): Promise<boolean> {
  for (const path of [...paths].slice(0, DOORS_TRIED)) {
    dropped = site;
    try {
      straying.clear();
      if ((await answered(path)) !== answers.get(path) || straying.size > 0) return true;
    } catch {
      return true;
    } finally {
      dropped = "";
    }
  }
  return false;
}

test(
  "strangers: without the practice in any one query behind any door, the check fails",
  async () => {
    expect(reached.size).toBeGreaterThan(200);
    const everywhere: string[] = [];
    for (const path of doors) if (await isNoticed("none of them", [path])) everywhere.push(path);
    expect(everywhere, "doors that notice something where nothing is taken out").toEqual([]);
    const unnoticed: string[] = [];
    for (const [site, paths] of reached) if (!(await isNoticed(site, paths))) unnoticed.push(site);
    expect(unnoticed).toEqual([]);
    console.info(`${reached.size} queries were tried, and each was noticed`);
  },
  TEETH_LIMIT_MS,
);
