// What a new check and a removal leave behind: seen no more from one moment to the next, and removed afterwards.
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { importTurns, runImport } from "@app/server/features/imports/import-run";
import mongoose from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { uploaded } from "../support/hostile/import-uploads.ts";
import { aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const BAD_ROWS = 12;
const LIST = ["First name,Surname,E-mail", ...Array.from({ length: BAD_ROWS }, (_, at) => `A${at},,bad${at}`)].join(
  "\n",
);
const log = createLogger("silent");

const app = forAllTests(startTestApp);
beforeAll(async () => {
  // The rows are worked on when the test says so.
  await stopJobs();
});

const stored = (name: string, ownerId: string) => mongoose.connection.collection(name).countDocuments({ ownerId });

test("imports.check: again, then what was told before is told no longer at once, and removed before the new is told", async () => {
  const { api, ownerId, ...practice } = await aPractice(app);
  const id = await uploaded(app, practice, LIST);
  const { columns, duplicates, dateOrder } = await api.imports.get.query({ id });
  const check = () => api.imports.check.mutate({ id, columns, duplicates, dateOrder });
  const told = async () => (await api.imports.listProblems.query({ id })).total;
  await check();
  await runImport(ownerId, id, log);
  const before = await told();
  expect(before).toBeGreaterThanOrEqual(BAD_ROWS);
  await check();
  expect(await told()).toBe(0);
  expect(await stored("import_problems", ownerId)).toBe(before);
  await runImport(ownerId, id, log);
  expect([await told(), await stored("import_problems", ownerId)]).toEqual([before, before]);
});

test("imports.discard: the process dies before all rows are gone, then nobody sees the file, and the rest is removed", async () => {
  const { api, ownerId, ...practice } = await aPractice(app);
  const id = await uploaded(app, practice, LIST);
  await mongoose.connection
    .collection<{ _id: string }>("imports")
    .updateOne({ _id: id }, { $set: { isGoing: true, isComplete: false, heldBy: "" } });
  await expect(api.imports.get.query({ id })).rejects.toThrow("not found");
  await importTurns.onAllDue(log);
  expect([await stored("imports", ownerId), await stored("import_chunks", ownerId)]).toEqual([0, 0]);
});
