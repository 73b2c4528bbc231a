// S70: an answer holds nothing that needs a permission which the caller lacks, whichever door it comes through.
import { type Permission, PERMISSIONS } from "@app/shared/access";
import { stopJobs } from "@app/server/core/jobs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { doorOf, guarded, guardedRoutes, knock } from "./support/access-scenario.ts";
import { aHouseOfCanaries, CLASSES } from "./support/canaries.ts";
import { permissionsOf, type Target } from "./support/door.ts";
import { aPractice, aStaffUser, type TestPerson, type TestPractice } from "./support/people.ts";
import { putBack, type Snapshot, takeSnapshot } from "./support/stored.ts";
import { startTestApp, type TestApp } from "./support/test-app.ts";

const doors = [...guarded, ...guardedRoutes];
const GRANTED = PERMISSIONS.filter((permission) => permission !== "assigned_only");

/** Each permission alone, and exactly what each door asks for. */
const sets: Permission[][] = [
  ...GRANTED.map((permission) => [permission]),
  ...doors.map((name) => [...permissionsOf(doorOf(name))].toSorted()).filter(({ length }) => length > 1),
];
const distinct = [...new Map(sets.map((set) => [set.join(), set])).values()];

let app: TestApp;
let practice: TestPractice;
let target: Target;
let asMade: Snapshot;
const people = new Map<string, TestPerson>();
beforeAll(async () => {
  app = await startTestApp();
  practice = await aPractice(app);
  target = await aHouseOfCanaries(app, practice);
  for (const permissions of distinct) people.set(permissions.join(), await aStaffUser(app, practice, { permissions }));
  await stopJobs();
  asMade = await takeSnapshot();
});
afterAll(() => app.close());

/** The classes of which something stands in what this person gets at this door, with every input that there is for it. */
async function classesIn(name: string, person: TestPerson): Promise<Set<string>> {
  const found = new Set<string>();
  let isPassed = false;
  for (const ask of knock(app, name, target)) {
    const { code, text } = await ask(person);
    isPassed ||= code !== "FORBIDDEN";
    for (const [what, { sign }] of Object.entries(CLASSES)) if (sign.test(text)) found.add(what);
  }
  if (isPassed) await putBack(asMade);
  return found;
}

test("S70: every class of data, when the owner knocks at every door, comes out somewhere", async () => {
  const found = new Set<string>();
  for (const name of doors) for (const what of await classesIn(name, practice)) found.add(what);
  expect([...found].toSorted()).toEqual(Object.keys(CLASSES).toSorted());
}, 120_000);

describe.each(distinct.map((permissions) => ({ name: permissions.join(" + "), permissions })))(
  "S70: somebody with only $name",
  ({ permissions }) => {
    test("every door, when it answers, tells nothing that needs another permission", async () => {
      const person = people.get(permissions.join());
      if (!person) throw new Error("nobody was made for these permissions");
      const told: Record<string, string[]> = {};
      for (const name of doors) {
        const found = [...(await classesIn(name, person))];
        const wrong = found.filter((what) => !CLASSES[what]?.seenWith.some((each) => permissions.includes(each)));
        if (wrong.length > 0) told[name] = wrong;
      }
      expect(told).toEqual({});
    }, 120_000);
  },
);
