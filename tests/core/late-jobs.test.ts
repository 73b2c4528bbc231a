import { stopJobs } from "@app/server/core/jobs";
import { lookForLateJobs } from "@app/server/core/late-jobs";
import { createLogger } from "@app/server/core/logger";
import mongoose from "mongoose";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const HOUR_MS = 60 * 60_000;
const REPEATED = new Map([["water the plants", { everyMs: 10_000 }]]);
const log = createLogger("silent");

const app = forAllTests(startTestApp);
beforeAll(async () => {
  // Nobody else looks meanwhile.
  await stopJobs();
  // What other tests of this process set aside is theirs.
  await mongoose.connection.collection("set_aside").deleteMany({});
  await jobs().insertOne({ name: "water the plants", type: "single", lastRunAt: new Date(), nextRunAt: new Date() });
});
afterEach(() => vi.useRealTimers());

const jobs = () => mongoose.connection.collection("jobs");
const look = () => lookForLateJobs(REPEATED, log);
const ready = async () => {
  const answer = await fetch(`${app.url}/ready`);
  return { status: answer.status, body: await answer.json() };
};

test("S79: GET /ready: a job does not come round, then it says so by name and stays 200, until it has run again", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  await look();
  vi.advanceTimersByTime(89_000);
  await look();
  expect(await ready()).toMatchObject({ status: 200, body: { ok: true, jobs: "on time", late: [], clock: "unsure" } });
  vi.advanceTimersByTime(2000);
  await look();
  expect(await ready()).toMatchObject({
    status: 200,
    body: { ok: true, jobs: "late", late: ["water the plants"], clock: "unsure" },
  });
  await jobs().updateOne({ name: "water the plants" }, { $set: { lastFinishedAt: new Date() } });
  await look();
  expect(await ready()).toMatchObject({ status: 200, body: { ok: true, jobs: "on time", late: [], clock: "unsure" } });
});

test("S79: GET /ready: the clock alone goes on by a day, then no job is late", async () => {
  await jobs().updateOne({ name: "water the plants" }, { $set: { lastFinishedAt: new Date() } });
  await look();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * HOUR_MS });
  await look();
  expect(await ready()).toMatchObject({ body: { jobs: "on time" } });
});
