// Who somebody is and what they may do is remembered for a moment: what takes it away acts on the next call of the
// process that did it, and within a second in every other.
import { setTimeout as sleep } from "node:timers/promises";
import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ProductProcess } from "../../scripts/product-process.ts";
import { anOwnDatabase } from "../support/server/own-database.ts";
import {
  aPractice,
  aStaffUser,
  aVisitor,
  setPermissions,
  type TestPerson,
  type TestPractice,
} from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp } from "../support/server/product.ts";
import { send } from "../support/server/raw-http.ts";
import { startTestApp, type TestApp } from "../support/server/test-app.ts";

const WITHIN_MS = 1000;
const AT_ONCE = 30;

let app: TestApp;
let other: ProductProcess;
let practice: TestPractice;
let person: TestPerson;
/** As a browser would still send it after a sign-out somewhere else. */
let cookie: string;
beforeAll(async () => {
  const uri = anOwnDatabase();
  // The same data directory, because it holds the key that signs people in.
  const environment = { DATA_DIR: aPlace(), MONGODB_URI: uri };
  app = await startTestApp(environment);
  other = await aProduct(environment);
});
beforeEach(async () => {
  practice = await aPractice(app);
  person = await aStaffUser(app, practice, { permissions: ["clients.read"] });
  cookie = person.cookies();
});
afterAll(async () => {
  await cleanUp();
  await app.close();
});

async function list({ url }: { url: string }): Promise<number> {
  const { status } = await send(`${url}/trpc/clients.list?input=${encodeURIComponent("{}")}`, {
    headers: { cookie },
  });
  return status;
}

const idOf = async ({ api }: TestPerson): Promise<string> => (await api.auth.status.query()).user?.userId ?? "";

const LOSSES: Record<string, { lose: () => Promise<unknown>; status: number }> = {
  "a sign-out": { lose: () => person.api.auth.signOut.mutate(), status: 401 },
  "a suspension": { lose: async () => practice.api.staff.suspend.mutate({ id: await idOf(person) }), status: 401 },
  "a permission": { lose: () => setPermissions(practice, person, []), status: 403 },
  "a subscription": {
    lose: () =>
      mongoose.connection
        .collection<{ _id: string }>("customers")
        .updateOne({ _id: practice.ownerId }, { $set: { "subscriptions.$[].status": "canceled" } }),
    status: 402,
  },
};

describe.each(Object.entries(LOSSES))("clients.list, after %s was lost", (_name, { lose, status }) => {
  test("is refused at the next call here, and within a second in another process", async () => {
    // Both remember.
    expect([await list(app), await list(other), await list(app), await list(other)]).toEqual([200, 200, 200, 200]);
    await lose();
    const lostAt = performance.now();
    expect(await list(app)).toBe(status);
    await sleep(WITHIN_MS - (performance.now() - lostAt));
    expect(await list(other)).toBe(status);
  });

  test("is refused to each of many calls that come after it, while others are under way", async () => {
    expect(await list(app)).toBe(200);
    let isLost = false;
    const late: number[] = [];
    const asking = Array.from({ length: AT_ONCE }, async () => {
      while (!isLost) await list(app);
      late.push(await list(app));
    });
    await sleep(100);
    await lose();
    isLost = true;
    await Promise.all(asking);
    expect(new Set(late)).toEqual(new Set([status]));
  });
});

test("clients.list, when a permission is given, is answered at the next call", async () => {
  await setPermissions(practice, person, []);
  expect(await list(app)).toBe(403);
  await setPermissions(practice, person, ["clients.read"]);
  expect(await list(app)).toBe(200);
});

test("a sign-in that is none, however often it is asked for, is remembered by nobody", async () => {
  const stranger = aVisitor(app);
  expect((await stranger.api.auth.status.query()).user).toBeNull();
  const { status } = await send(`${app.url}/trpc/users.profile`, { headers: { cookie: "evenhand=never-was" } });
  expect(status).toBe(401);
});
