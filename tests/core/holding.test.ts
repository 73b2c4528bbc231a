import { now } from "@app/server/core/clock";
import { abandonedAmong, hold } from "@app/server/core/holding";
import mongoose from "mongoose";
import { beforeEach, expect, test, vi } from "vitest";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const SILENT_MS = 8000;

forAllTests(startTestApp);

const processes = () =>
  mongoose.connection.collection<{ _id: string; pid: number; beats: number; at: Date }>("processes");
const isAbandoned = async (heldBy: string) => (await abandonedAmong([{ heldBy }])).length > 0;
const later = { timeout: 3 * SILENT_MS, interval: 100 };

beforeEach(() => processes().deleteOne({ _id: "other" }));

test("S79: hold: what this process works on is nobody else's, until it lets go", async () => {
  const { by, isHeld, release } = await hold();
  expect([isHeld(), await isAbandoned(by)]).toEqual([true, false]);
  release();
  expect([isHeld(), await isAbandoned(by)]).toEqual([false, true]);
});

test("S79: hold: another process shows no sign of life, then its work is free, whatever its clock said", async () => {
  const at = new Date(Date.now() + 24 * 60 * 60_000);
  await processes().insertOne({ _id: "other", pid: 1, beats: 7, at });
  const from = performance.now();
  expect(await isAbandoned("other.work")).toBe(false);
  await vi.waitFor(async () => expect(await isAbandoned("other.work")).toBe(true), later);
  expect(performance.now() - from).toBeGreaterThan(SILENT_MS - 1000);
});

test("S79: hold: another process shows that it lives, then its work stays its own, however old its time is", async () => {
  const process = { _id: "other", pid: 1, beats: 0, at: new Date(0) };
  await processes().insertOne(process);
  const until = performance.now() + SILENT_MS + 3000;
  while (performance.now() < until) {
    await processes().updateOne({ _id: "other" }, { $inc: { beats: 1 } });
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(await isAbandoned("other.work")).toBe(false);
});

test("S79: hold: others took this process for dead, then what it held is lost, and it goes on under another name", async () => {
  const before = await hold();
  await processes().deleteOne({ _id: before.by.split(".")[0] ?? "" });
  await vi.waitFor(() => expect(before.isHeld()).toBe(false), later);
  const after = await hold();
  expect([after.isHeld(), await isAbandoned(after.by), await isAbandoned(before.by)]).toEqual([true, false, true]);
});

test("S79: now: the clock of this machine jumps, then the time is still the database's", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 60 * 60_000 });
  const ahead = Date.now() - now().getTime();
  vi.useRealTimers();
  expect(ahead).toBeGreaterThan(24 * 60 * 60_000 - 2000);
});
