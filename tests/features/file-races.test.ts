// Contents that come and go at the same moment, or whose upload ended between two steps.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { HOUR_MS, DAY_MS } from "@app/server/core/clock";
import { createLogger } from "@app/server/core/logger";
import { settings } from "@app/server/core/settings";
import { keepBlob, readBlob } from "@app/server/features/files/blobs.service";
import { sweepFiles } from "@app/server/features/files/file-sweeper";
import { removeFiles, restoreFiles } from "@app/server/features/files/file-changes.service";
import { listFiles } from "@app/server/features/files/file-lists.service";
import { readableFile, storeFile } from "@app/server/features/files/files.service";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import mongoose from "mongoose";
import { beforeAll, expect, test, vi } from "vitest";
import { aClient, aPractice, scopeOf } from "../support/server/people.ts";
import { aSureClock } from "../support/clocks/sure-clock.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const ROUNDS = 15;

let scope: ReturnType<typeof scopeOf>;
let clientId: string;
const app = forAllTests(startTestApp);
beforeAll(async () => {
  const practice = await aPractice(app);
  scope = scopeOf(practice.ownerId);
  clientId = (await practice.api.clients.create.mutate(aClient())).id;
});

const store = (content: string) =>
  storeFile(scope, Readable.from([Buffer.from(content)]), {
    clientId,
    caseId: null,
    name: "note.txt",
    visibility: PRACTICE_ONLY,
  });
const log = createLogger("silent");
const collection = (name: string) => mongoose.connection.collection(name);
const counts = () =>
  Promise.all(
    ["files", "file_contents", "file_leftovers", "blobs.files", "blobs.chunks"].map((name) =>
      collection(name).countDocuments(),
    ),
  );
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

test("the sweep: while the last file of a content goes for good the same one comes again, and can be read", async () => {
  const outcomes = new Set<string>();
  await aSureClock();
  for (let round = 0; round < ROUNDS; round += 1) {
    const content = `content ${round}`;
    const { id } = await store(content);
    await removeFiles(scope, [id]);
    await collection("files").updateMany(
      { name: "note.txt" },
      { $set: { deletedAt: new Date(Date.now() - 34 * DAY_MS) } },
    );
    const [, again] = await Promise.all([
      sweepFiles(log),
      store(content).then(
        (file) => file.id,
        () => null,
      ),
    ]);
    outcomes.add(again ? "stored" : "refused");
    if (!again) continue;
    const file = await readableFile(scope, again);
    expect(await text(await readBlob(scope.ownerId, file.blobId, { start: 0, end: file.sizeBytes }))).toBe(content);
    await collection("files").deleteMany({ name: "note.txt", deletedAt: null });
    await collection("file_contents").deleteMany({});
  }
  expect(outcomes).toContain("stored");
});

test("the sweep: a content that was kept but never became a file is gone after six hours, and not before", async () => {
  const before = await counts();
  const spooled = path.join(settings().dataDir, "half.txt");
  await writeFile(spooled, "kept, and then the lights went out");
  await keepBlob(scope.ownerId, spooled);
  await collection("file_leftovers").updateMany({}, { $set: { since: hoursAgo(5) } });
  await sweepFiles(log);
  expect(await counts()).toEqual(before.map((count, index) => (index === 0 ? count : count + 1)));
  await collection("file_leftovers").updateMany({}, { $set: { since: hoursAgo(7) } });
  await sweepFiles(log);
  expect(await counts()).toEqual(before);
});

test("the sweep: a content that a later upload made a file of stays", async () => {
  const content = "kept twice, and the second time to the end";
  const spooled = path.join(settings().dataDir, "half.txt");
  await writeFile(spooled, content);
  const blob = await keepBlob(scope.ownerId, spooled);
  await collection("file_leftovers").updateMany({}, { $set: { since: hoursAgo(7) } });
  await Promise.all([store(content), sweepFiles(log)]).catch(() => store(content));
  await sweepFiles(log);
  const { items } = await listFiles(scope, { clientId, search: "", page: 1 });
  expect(items.map(({ sizeBytes }) => sizeBytes)).toEqual([content.length]);
  const file = await readableFile(scope, items[0]?.id ?? "");
  expect(file.blobId).toBe(blob._id);
  expect(await text(await readBlob(scope.ownerId, file.blobId, { start: 0, end: content.length }))).toBe(content);
});

test("files.remove and restore: ten times at once, when they are made, change and tell once", async () => {
  const { id } = await storeFile(scope, Readable.from([Buffer.from("twice")]), {
    clientId,
    caseId: null,
    name: "twice.txt",
    visibility: PRACTICE_ONLY,
  });
  const files = mongoose.connection.collection<{ _id: string; deletedAt: Date | null; version: number }>("files");
  const told = (did: string) => collection("history").countDocuments({ text: `File ${did}: twice.txt` });
  const tenTimes = (change: typeof removeFiles) => Promise.all(Array.from({ length: 10 }, () => change(scope, [id])));

  await tenTimes(removeFiles);
  const removed = await files.findOne({ _id: id });
  await removeFiles(scope, [id]);
  expect(await files.findOne({ _id: id })).toEqual(removed);
  expect(await told("deleted")).toBe(1);
  await tenTimes(restoreFiles);
  expect(await files.findOne({ _id: id })).toMatchObject({ deletedAt: null, version: (removed?.version ?? 0) + 1 });
  expect(await told("brought back")).toBe(1);
});

/** The next row of a content is stored, and whoever stores it is not told: the connection breaks before the answer. */
function loseAnswerOfRow(): void {
  const { Collection, MongoNetworkError } = mongoose.mongo;
  const broken = () => new MongoNetworkError("connection closed");
  const insert = vi.spyOn(Collection.prototype, "insertOne");
  insert.mockImplementation(async function (this: mongoose.mongo.Collection, doc, options) {
    insert.mockRestore();
    const result = await this.insertOne(doc, options);
    if (this.collectionName !== "file_contents") {
      loseAnswerOfRow();
      return result;
    }
    const { session } = options ?? {};
    if (!session) throw broken();
    const commit = session.commitTransaction.bind(session);
    session.commitTransaction = async () => {
      await commit();
      throw broken();
    };
    return result;
  });
}

const contentOf = async (id: string) => {
  const file = await readableFile(scope, id);
  return text(await readBlob(scope.ownerId, file.blobId, { start: 0, end: file.sizeBytes }));
};
const loseContent = async () => {
  await collection("blobs.files").deleteMany({});
  await collection("blobs.chunks").deleteMany({});
};

test("an upload whose outcome nobody knows: sent again it is a file that can be read, and stays one", async () => {
  const content = "stored, and nobody was told";
  loseAnswerOfRow();
  await expect(store(content)).rejects.toThrow("connection closed");
  const { id } = await store(content);
  expect(await contentOf(id)).toBe(content);
  await collection("file_leftovers").updateMany({}, { $set: { since: hoursAgo(7) } });
  await sweepFiles(log);
  expect(await contentOf(id)).toBe(content);
  expect(await collection("file_leftovers").countDocuments()).toBe(0);
});

test("an upload whose outcome nobody knows, and which is never sent again: nothing of it stays", async () => {
  const before = await counts();
  loseAnswerOfRow();
  await expect(store("stored, and nobody came back")).rejects.toThrow("connection closed");
  await collection("file_leftovers").updateMany({}, { $set: { since: hoursAgo(7) } });
  await sweepFiles(log);
  expect(await counts()).toEqual(before);
});

test("a content that is lost: an upload of the same one brings it back for all files that have it", async () => {
  const content = "lost, and found again";
  const first = await store(content);
  await loseContent();
  await expect(contentOf(first.id)).rejects.toThrow("content of this file is missing");
  const stored = await Promise.all([store(content), store(content)]);
  const ids = [first, ...stored].map(({ id }) => id);
  expect(await Promise.all(ids.map(contentOf))).toEqual(ids.map(() => content));
  await collection("file_leftovers").updateMany({}, { $set: { since: hoursAgo(7) } });
  await sweepFiles(log);
  expect(await Promise.all(ids.map(contentOf))).toEqual(ids.map(() => content));
  expect(
    await collection("blobs.files").countDocuments({ filename: (await readableFile(scope, first.id)).blobId }),
  ).toBe(1);
});

test("the sweep: an upload that takes longer than the sweep waits is refused, or its file can be read", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const content = `slow content ${round}`;
    const stored = store(content).catch(async (error: unknown) => {
      expect(error).toMatchObject({ code: "CONFLICT" });
      return store(content);
    });
    let isStored = false;
    void stored.finally(() => (isStored = true)).catch(() => undefined);
    const age = () => collection("file_leftovers").updateMany({}, { $set: { since: hoursAgo(7) } });
    while ((await age()).modifiedCount === 0 && !isStored) await setImmediate();
    await sweepFiles(log);
    expect(await contentOf((await stored).id)).toBe(content);
  }
});
