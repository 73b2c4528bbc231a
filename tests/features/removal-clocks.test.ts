// What a clock that is wrong for some seconds must not destroy, in the product with its own database.
import { randomBytes } from "node:crypto";
import { loadKey } from "@app/server/core/crypto";
import { type Database, openDatabase } from "@app/server/core/database";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { configure, readSettings } from "@app/server/core/settings";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import mongoose from "mongoose";
import { afterEach, expect, test, vi } from "vitest";
import { aClock, type Clock } from "../support/clocks/clocks.ts";
import { checked, imported, settled, uploaded } from "../support/hostile/import-uploads.ts";
import { aClient, aPractice, aVisitor, PASSWORD, type TestPractice } from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp } from "../support/server/product.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const LIMIT_MS = 60_000;
/** Longer than the database waits between two looks for what expires, and than jobs that are due. */
const ROUND_MS = 11_000;

let database: Database | undefined;
afterEach(async () => {
  await database?.close();
  await cleanUp();
  database = undefined;
});

interface Running {
  clock: Clock;
  app: { url: string; close: () => Promise<void> };
  ready: () => Promise<unknown>;
}

async function aRunning(offMs: number): Promise<Running> {
  const clock = aClock(offMs);
  const environment = { DATA_DIR: aPlace(), SECRET_KEY: randomBytes(32).toString("base64") };
  const { url } = await aProduct({ ...environment, ...clock.environment });
  configure(readSettings({ NODE_ENV: "test", ...environment }));
  await loadKey();
  database = await openDatabase({ log: createLogger("silent"), join: true });
  const ready = async () => (await fetch(`${url}/ready`)).json();
  return { clock, app: { url, close: () => Promise.resolve() }, ready };
}

const stored = (name: string) => mongoose.connection.collection<{ _id: string; [field: string]: unknown }>(name);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** As if it had run for a day. */
const makeSure = ({ ready }: Running) =>
  vi.waitFor(
    async () => {
      await stored("clock").updateOne({}, { $set: { steadyMs: 2 * DAY_MS } });
      expect(await ready()).toMatchObject({ clock: "sure" });
    },
    { timeout: 15_000, interval: 500 },
  );

async function aDeletedFile({ url }: Running["app"], practice: TestPractice): Promise<string> {
  const { id: clientId } = await practice.api.clients.create.mutate(aClient());
  const input = { id: newId(), name: "letter.txt", clientId, caseId: null, visibility: PRACTICE_ONLY };
  const reply = await fetch(`${url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
    method: "POST",
    headers: { origin: url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
    body: "words",
  });
  const id = /"id":"([\w-]+)"/.exec(await reply.text())?.[1] ?? "no file";
  await practice.api.files.remove.mutate({ ids: [id] });
  return id;
}

/** What people were told is kept for thirty days, or waits for them. */
async function keptThings({ app }: Running, practice: TestPractice) {
  const fileId = await aDeletedFile(app, practice);
  const list = (name: string) => `First name,Surname\n${name},Ellery`;
  const { id: doneId } = await imported(app, practice, list("Maya"));
  const waitingId = await uploaded(app, practice, list("Owen"));
  const invited = { id: newId(), email: "tom@example.org", firstName: "Tom", lastName: "Birch", role: 3 as const };
  await practice.api.staff.invite.mutate(invited);
  return { fileId, doneId, waitingId };
}

async function expectKept(practice: Pick<TestPractice, "api">, kept: Awaited<ReturnType<typeof keptThings>>) {
  const { api } = practice;
  expect((await api.mail.listUnsent.query({})).total).toBe(1);
  expect(await api.files.restore.mutate({ ids: [kept.fileId] })).toEqual({ changed: 1 });
  expect(await checked(api, kept.waitingId)).toMatchObject({ status: "checked", failure: "" });
  await api.imports.undo.mutate({ id: kept.doneId, keepsChanged: false });
  expect(await settled(api, kept.doneId)).toMatchObject({ status: "undone", counts: { undone: 1 } });
}

test(
  "S79: removals: the clock is forty days ahead for some seconds, then all is kept and whoever was signed in still is",
  { timeout: LIMIT_MS },
  async () => {
    const running = await aRunning(0);
    const practice = await aPractice(running.app);
    const kept = await keptThings(running, practice);
    await makeSure(running);
    running.clock.set(40 * DAY_MS);
    await vi.waitFor(async () => expect(await running.ready()).toMatchObject({ clock: "unsure" }), {
      timeout: 10_000,
      interval: 200,
    });
    const meanwhile = await fetch(`${running.app.url}/trpc/users.profile`, { headers: { cookie: practice.cookies() } });
    expect([meanwhile.status, meanwhile.headers.getSetCookie()]).toEqual([401, []]);
    await sleep(ROUND_MS);
    running.clock.set(0);
    await vi.waitFor(() => practice.api.users.profile.query(), { timeout: 10_000, interval: 200 });
    await expectKept(practice, kept);
  },
);

test(
  "S79: removals: the clock is forty days behind at the start and then set right, then all is kept once removal goes on",
  { timeout: LIMIT_MS },
  async () => {
    const running = await aRunning(-40 * DAY_MS);
    const practice = await aPractice(running.app);
    const kept = await keptThings(running, practice);
    running.clock.set(0);
    await vi.waitFor(
      async () =>
        expect((await stored("clock").findOne({}))?.["doubtful"]).toMatchObject([{ rightAt: expect.any(Date) }]),
      { timeout: 10_000, interval: 200 },
    );
    await stored("stripe_events").insertOne({
      _id: "old",
      type: "x",
      stripe_customer_id: "x",
      state: "done",
      received_at: new Date(Date.now() - 90 * DAY_MS),
    });
    await makeSure(running);
    // The rounds that remove are due.
    running.clock.set(2 * HOUR_MS);
    await vi.waitFor(async () => expect(await stored("stripe_events").findOne({ _id: "old" })).toBeNull(), {
      timeout: 15_000,
      interval: 200,
    });
    await sleep(ROUND_MS / 2);
    const again = aVisitor(running.app);
    await again.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD, isRemembered: false });
    await expectKept(again, kept);
  },
);
