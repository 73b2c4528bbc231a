// What is remembered for a moment is never older than what this process wrote.
import { inTransaction } from "@app/server/core/database";
import { memoryOf } from "@app/server/core/memory";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { startTestApp } from "../support/server/test-app.ts";

const aModel = (name: string) => mongoose.model(name, new mongoose.Schema({ _id: String, count: Number }));
const Thing = aModel("RememberedThing");
const Other = aModel("ForgottenThing");

forAllTests(startTestApp);

let reads = 0;
const counts = memoryOf([Thing.collection.collectionName], async (id) => {
  reads += 1;
  return (await Thing.findById(id).lean())?.count ?? null;
});

/** What is remembered, and how often it had to be read. */
async function recalled(id: string) {
  const before = reads;
  return [await counts.recall(id), reads - before];
}

const countOn = (id: string) => Thing.updateOne({ _id: id }, { $inc: { count: 1 } });

test("memoryOf: this process writes, when it is asked again, then it is read again, and once", async () => {
  await Thing.create([{ _id: "written", count: 1 }]);
  expect([await recalled("written"), await recalled("written")]).toEqual([
    [1, 1],
    [1, 0],
  ]);
  await countOn("written");
  expect(await recalled("written")).toEqual([2, 1]);
});

test("memoryOf: what a transaction has written, when it is asked for within it, then it is what others see", async () => {
  await Thing.create([{ _id: "half", count: 1 }]);
  const failed = inTransaction(async () => {
    await countOn("half");
    expect(await counts.recall("half")).toBe(1);
    throw new Error("not after all");
  });
  await expect(failed).rejects.toThrow("not after all");
  expect(await counts.recall("half")).toBe(1);
});

test("memoryOf: a transaction is committed, then what it wrote is read again, and what it did not write is not", async () => {
  await Thing.create([{ _id: "committed", count: 1 }]);
  await inTransaction(async () => {
    await countOn("committed");
    expect(await counts.recall("committed")).toBe(1);
  });
  expect(await recalled("committed")).toEqual([2, 1]);
  await inTransaction(() => Other.create([{ _id: "other", count: 1 }]));
  expect(await recalled("committed")).toEqual([2, 0]);
});
