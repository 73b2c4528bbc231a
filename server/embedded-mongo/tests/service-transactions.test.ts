import { setTimeout as sleep } from "node:timers/promises";
import { BSON, Long, MongoServerError, UUID } from "mongodb";
import { expect, test } from "vitest";
import { decode } from "../src/bson/decode.ts";
import { answer } from "../src/commands/dispatch.ts";
import { aDatabase } from "./service-engine.ts";

interface Item {
  _id: number;
  n?: number;
  email?: string;
  tags?: string[];
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof MongoServerError) return error.code;
    throw error;
  }
  return undefined;
};

test("transactions: reads inside see the snapshot and the own writes, reads outside see neither until the commit", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.createIndex({ n: 1 });
  await items.insertMany([
    { _id: 1, n: 1 },
    { _id: 2, n: 2 },
    { _id: 3, n: 3 },
  ]);
  const session = client.startSession();
  session.startTransaction();
  await items.updateOne({ _id: 1 }, { $set: { n: 10 } }, { session });
  await items.insertOne({ _id: 4, n: 4 }, { session });
  await items.deleteOne({ _id: 2 }, { session });
  await items.insertOne({ _id: 9, n: 0 });
  const inside = await items
    .find({ n: { $gt: -1 } }, { session })
    .sort({ n: -1 })
    .toArray();
  expect(inside.map((item) => item._id)).toEqual([1, 4, 3]);
  expect(await items.countDocuments({}, { session })).toBe(3);
  expect(
    await items
      .find()
      .sort({ _id: 1 })
      .map((item) => item._id)
      .toArray(),
  ).toEqual([1, 2, 3, 9]);
  await session.commitTransaction();
  expect(
    await items
      .find()
      .sort({ n: 1 })
      .map((item) => item._id)
      .toArray(),
  ).toEqual([9, 3, 4, 1]);
  await session.endSession();
});

test("transactions: the second of two writers of one document gets a write conflict and its changes are gone", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertOne({ _id: 1, n: 0 });
  const [first, second] = [client.startSession(), client.startSession()];
  first.startTransaction();
  second.startTransaction();
  await items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: first });
  await items.insertOne({ _id: 5 }, { session: second });
  expect(await codeOf(items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: second }))).toBe(112);
  await first.commitTransaction();
  expect(await codeOf(second.commitTransaction())).toBe(251);
  expect(await items.find().toArray()).toEqual([{ _id: 1, n: 1 }]);
  await Promise.all([first.endSession(), second.endSession()]);
});

test("transactions: a document changed after the snapshot cannot be written over", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertOne({ _id: 1, n: 0 });
  const session = client.startSession();
  session.startTransaction();
  await items.findOne({ _id: 1 }, { session });
  await items.updateOne({ _id: 1 }, { $set: { n: 7 } });
  expect(await codeOf(items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session }))).toBe(112);
  await session.endSession();
});

test("transactions: a plain write waits for the transaction that holds its document", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertMany([
    { _id: 1, n: 0 },
    { _id: 2, n: 0 },
  ]);
  const session = client.startSession();
  session.startTransaction();
  await items.updateOne({ _id: 2 }, { $inc: { n: 1 } }, { session });
  let isDone = false;
  const waiting = items.updateMany({}, { $inc: { n: 10 } }).then((result) => {
    isDone = true;
    return result;
  });
  await sleep(100);
  expect(isDone).toBe(false);
  await session.commitTransaction();
  expect((await waiting).modifiedCount).toBe(2);
  expect(await items.find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: 1, n: 10 },
    { _id: 2, n: 11 },
  ]);
  expect(await codeOf(items.updateOne({ _id: 1 }, { $set: { n: 0 } }, { maxTimeMS: 1_000 }))).toBeUndefined();
  await session.endSession();
});

test("transactions: a waiting write gives up when its time is over", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertOne({ _id: 1, n: 0 });
  const session = client.startSession();
  session.startTransaction();
  await items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
  expect(await codeOf(items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { maxTimeMS: 50 }))).toBe(50);
  await session.abortTransaction();
  expect(await items.findOne()).toEqual({ _id: 1, n: 0 });
  await session.endSession();
});

test("transactions: unique keys hold inside, across and after transactions", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.createIndex({ email: 1 }, { unique: true, sparse: true });
  await items.insertMany([
    { _id: 1, email: "a" },
    { _id: 2, email: "b" },
  ]);
  const [first, second] = [client.startSession(), client.startSession()];
  await first.withTransaction(async () => {
    await items.updateOne({ _id: 1 }, { $set: { email: "c" } }, { session: first });
    await items.updateOne({ _id: 2 }, { $set: { email: "a" } }, { session: first });
    await items.insertOne({ _id: 3, email: "b" }, { session: first });
  });
  expect(
    await items
      .find()
      .sort({ _id: 1 })
      .map((item) => item.email)
      .toArray(),
  ).toEqual(["c", "a", "b"]);
  first.startTransaction();
  expect(await codeOf(items.insertOne({ _id: 4, email: "b" }, { session: first }))).toBe(11_000);
  await first.abortTransaction();
  first.startTransaction();
  second.startTransaction();
  await items.insertOne({ _id: 5, email: "new" }, { session: first });
  expect(await codeOf(items.insertOne({ _id: 6, email: "new" }, { session: second }))).toBe(112);
  await first.commitTransaction();
  expect(await codeOf(items.insertOne({ _id: 7, email: "new" }))).toBe(11_000);
  await Promise.all([first.endSession(), second.endSession()]);
});

test("transactions: collections and indexes made inside appear with the commit and vanish with an abort", async () => {
  const { client } = await aDatabase();
  const db = client.db();
  const session = client.startSession();
  session.startTransaction();
  await db.createCollection("made", { session });
  await db.collection<Item>("made").createIndex({ email: 1 }, { unique: true, session });
  await db.collection<Item>("made").insertOne({ _id: 1, email: "a" }, { session });
  expect(await db.collection<Item>("made").find({ email: "a" }, { session }).toArray()).toHaveLength(1);
  expect(await db.listCollections().toArray()).toEqual([]);
  await session.abortTransaction();
  expect(await db.listCollections().toArray()).toEqual([]);
  await session.withTransaction(async () => {
    await db.createCollection("made", { session });
    await db.collection<Item>("made").createIndex({ email: 1 }, { unique: true, session });
    await db.collection<Item>("made").insertOne({ _id: 1, email: "a" }, { session });
  });
  expect(await codeOf(db.collection<Item>("made").insertOne({ _id: 2, email: "a" }))).toBe(11_000);
  await session.endSession();
});

test("transactions: a collection that changed its shape after the snapshot asks for the transaction to be tried again", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertOne({ _id: 1 });
  await client.db().collection<Item>("others").insertOne({ _id: 1 });
  const session = client.startSession();
  session.startTransaction();
  await client.db().collection<Item>("others").findOne({}, { session });
  await items.createIndex({ email: 1 }, { unique: true });
  const problem: unknown = await items.insertOne({ _id: 2, email: "a" }, { session }).catch((error: unknown) => error);
  if (!(problem instanceof MongoServerError)) throw new Error("expected a refusal");
  expect(problem.code).toBe(246);
  expect(problem.hasErrorLabel("TransientTransactionError")).toBe(true);
  await session.abortTransaction();
  session.startTransaction();
  await items.findOne({}, { session });
  await client.db().collection("others").rename("elsewhere");
  expect(await codeOf(client.db().collection("others").findOne({}, { session }))).toBe(246);
  await session.endSession();
});

test("transactions: a commit that is repeated after a restart of the engine is confirmed and not done twice", async () => {
  const database = await aDatabase();
  const { client } = database;
  const items = client.db().collection<Item>("items");
  await items.insertOne({ _id: 1, n: 0 });
  const session = client.startSession();
  session.startTransaction();
  await items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
  await session.commitTransaction();
  await database.restart();
  await session.commitTransaction();
  expect(await items.findOne()).toEqual({ _id: 1, n: 1 });
  await session.endSession();
});

test("transactions: a transaction left open is ended by the engine and lets go of its documents", async () => {
  const database = await aDatabase();
  const items = database.client.db().collection<Item>("items");
  await items.insertOne({ _id: 1, n: 0 });
  const session = database.client.startSession();
  session.startTransaction();
  await items.updateOne({ _id: 1 }, { $inc: { n: 5 } }, { session });
  database.running.engine.transactions.reap(Date.now() + 120_000);
  expect((await items.updateOne({ _id: 1 }, { $inc: { n: 1 } })).modifiedCount).toBe(1);
  expect(await codeOf(items.findOne({}, { session }))).toBe(251);
  expect(await items.findOne()).toEqual({ _id: 1, n: 1 });
  await session.endSession();
});

test("retryable writes: the same number again, even after a restart, is answered from the record", async () => {
  const database = await aDatabase();
  const { client } = database;
  const items = client.db().collection<Item>("items");
  await items.insertOne({ _id: 1, n: 0 });
  const update = { q: { _id: 1 }, u: { $inc: { n: 1 } } };
  const lsid = { id: new UUID() };
  const command = BSON.serialize({
    update: "items",
    updates: [update],
    lsid,
    txnNumber: Long.fromNumber(7),
    $db: "app",
  });
  const connection = {
    id: 1,
    address: "",
    appName: undefined,
    isClosed: () => false,
    onClose: () => () => undefined,
    close: () => undefined,
  };
  const send = async () => {
    const request = { requestId: 1, isLegacy: false, expectsReply: true, command: decode(command), documents: [] };
    return (await answer(database.running.engine, connection, request)).fields.get("nModified");
  };
  expect(await send()).toBe(1);
  expect(await send()).toBe(1);
  await database.restart();
  expect(await send()).toBe(1);
  expect(await items.findOne()).toEqual({ _id: 1, n: 1 });
});
