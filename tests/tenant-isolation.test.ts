// What a practice keeps, no other practice reaches; and the check of it has teeth: wherever a query asks for the caller's
// practice, the check fails where it does not.
import { stopJobs } from "@app/server/core/jobs";
import { beforeAll, expect, test } from "vitest";
import { guarded, guardedRoutes, strangerReachesNothing } from "./support/access/access-scenario.ts";
import { watchOwnerFilters } from "./support/access/owner-filters.ts";
import { startTestApp } from "./support/server/test-app.ts";
import { forAllTests } from "./support/server/lifetimes.ts";

const TEETH_LIMIT_MS = 600_000;
/** Of the doors that come to a query; those after them come to it in the same way. */
const DOORS_TRIED = 4;
/** An address signs in to one account of the whole installation, so these ask whether anybody has it. */
const OF_ALL = new Set(["users/credentials.service.ts User.findOne"]);
const withoutLine = (site: string) => site.replace(/:\d+:\d+ /, " ");
const doors = [...guarded, ...guardedRoutes];

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

const app = forAllTests(startTestApp);
beforeAll(async () => {
  // What is changed by a call must not be taken for what a job changed meanwhile.
  await stopJobs();
});

async function knockAsStranger(path: string): Promise<void> {
  straying.clear();
  await strangerReachesNothing(app, path, {
    begin: () => {
      door = path;
    },
    calling: (ownerId) => {
      calling = ownerId;
    },
  });
  expect([...straying]).toEqual([]);
}

test.each(doors)("%s: a stranger reaches nothing of the practice, and its owner does", knockAsStranger);

/** Whether the check of one of these doors fails where a query does not ask for the caller's practice. */
async function isNoticed(site: string, paths: Iterable<string>): Promise<boolean> {
  for (const path of [...paths].slice(0, DOORS_TRIED)) {
    dropped = site;
    try {
      await knockAsStranger(path);
    } catch {
      return true;
    } finally {
      dropped = "";
    }
  }
  return false;
}

test(
  "tenant isolation: without the practice in any one query behind any door, the check fails",
  async () => {
    expect(reached.size).toBeGreaterThan(200);
    const unnoticed: string[] = [];
    for (const [site, paths] of reached) if (!(await isNoticed(site, paths))) unnoticed.push(site);
    expect(unnoticed).toEqual([]);
    console.info(`${reached.size} queries were tried, and each was noticed`);
  },
  TEETH_LIMIT_MS,
);
