// What a transaction sets going is no part of it, and begins once it holds.
import { withoutCaller } from "@app/server/core/caller";
import { inTransaction } from "@app/server/core/database";
import { afterCommit, isInTransaction } from "@app/server/core/open-transaction";
import { defineJob } from "@app/server/core/jobs";
import mongoose from "mongoose";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { forAllTests } from "../support/server/lifetimes.ts";
import { startTestApp } from "../support/server/test-app.ts";

const Thing = mongoose.model("ThingOfTransaction", new mongoose.Schema({ _id: String, count: Number }));
const wereIn: boolean[] = [];
const job = defineJob({
  name: "test: looks whether it is in a transaction",
  data: z.object({}),
  run: async () => void wereIn.push(isInTransaction()),
});

forAllTests(startTestApp);

const isStored = (id: string) => withoutCaller(async () => (await Thing.exists({ _id: id })) !== null);

test("inTransaction: a job that is started within, runs outside of it", async () => {
  await inTransaction(async () => {
    await Thing.create([{ _id: "with a job", count: 1 }]);
    await job.enqueue({});
    await vi.waitFor(() => expect(wereIn).toHaveLength(1), { timeout: 10_000 });
  });
  expect(wereIn).toEqual([false]);
});

test("afterCommit: within a transaction, it is done once that holds; without one at once", async () => {
  const seen: [string, boolean][] = [];
  const look = (id: string) => async () => void seen.push([id, await isStored(id)]);
  await inTransaction(async () => {
    await Thing.create([{ _id: "later", count: 1 }]);
    await afterCommit(look("later"));
    expect(await isStored("later")).toBe(false);
    expect(seen).toEqual([]);
  });
  await afterCommit(look("never"));
  expect(seen).toEqual([
    ["later", true],
    ["never", false],
  ]);
});

test("afterCommit: of a transaction that fails or is tried again, it is done once for what holds, and its failure undoes nothing", async () => {
  const done: string[] = [];
  const failing = inTransaction(async () => {
    await afterCommit(async () => void done.push("of the failed one"));
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  let tries = 0;
  const result = await inTransaction(async () => {
    tries += 1;
    await Thing.create([{ _id: `tried ${tries}`, count: 1 }]);
    await afterCommit(async () => {
      done.push(`try ${tries}`);
      throw new Error("afterwards");
    });
    if (tries === 1)
      throw new mongoose.mongo.MongoServerError({ message: "again", errorLabels: ["TransientTransactionError"] });
    return "kept";
  });
  expect([result, done]).toEqual(["kept", ["try 2"]]);
});
