import { type ChangeStream, type Document, MongoServerError } from "mongodb";
import { expect, test } from "vitest";
import { aDatabase } from "./service-engine.ts";

interface Item {
  _id: number;
  n?: number;
  tags?: string[];
}

const isEvent = (event: Document, kind: string): boolean => event["operationType"] === kind;

/** Reads that many events and closes the stream. */
async function take(stream: ChangeStream<Item>, count: number): Promise<Document[]> {
  const events: Document[] = [];
  while (events.length < count) events.push(await stream.next());
  await stream.close();
  return events;
}

test("change streams: inserts, updates, replacements and deletions arrive in order with what they changed", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  const stream = items.watch([], { maxAwaitTimeMS: 50, fullDocument: "updateLookup" });
  await stream.tryNext();
  await items.insertOne({ _id: 1, n: 1, tags: ["a"] });
  await items.updateOne({ _id: 1 }, { $set: { n: 2 }, $unset: { tags: "" } });
  await items.replaceOne({ _id: 1 }, { n: 3 });
  await items.deleteOne({ _id: 1 });
  const events = await take(stream, 4);
  expect(events.map((event) => event["operationType"])).toEqual(["insert", "update", "replace", "delete"]);
  expect(events[0]).toMatchObject({
    documentKey: { _id: 1 },
    fullDocument: { _id: 1, n: 1, tags: ["a"] },
    ns: { coll: "items" },
  });
  expect(events[1]?.["updateDescription"]).toEqual({
    updatedFields: { n: 2 },
    removedFields: ["tags"],
    truncatedArrays: [],
  });
  expect(events[2]?.["fullDocument"]).toEqual({ _id: 1, n: 3 });
});

test("change streams: a filter of the pipeline holds, and a waiting stream is woken at once", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  const stream = items.watch([{ $match: { "fullDocument.n": { $gt: 1 } } }], { maxAwaitTimeMS: 50 });
  await stream.tryNext();
  const waiting = stream.next();
  await items.insertOne({ _id: 1, n: 1 });
  const before = performance.now();
  await items.insertOne({ _id: 2, n: 2 });
  expect((await waiting)._id).toBeDefined();
  expect(performance.now() - before).toBeLessThan(500);
  await stream.close();
});

test("change streams: a resume token goes on after a restart of the engine without a gap", async () => {
  const database = await aDatabase();
  const items = database.client.db().collection<Item>("items");
  const stream = items.watch([], { maxAwaitTimeMS: 50 });
  await stream.tryNext();
  await items.insertMany([{ _id: 1 }, { _id: 2 }]);
  const [first] = await take(stream, 1);
  await items.insertOne({ _id: 3 });
  await database.restart();
  await items.insertOne({ _id: 4 });
  const resumed = await take(items.watch([], { resumeAfter: first?.["_id"] }), 3);
  expect(resumed.map((event) => event["documentKey"]._id)).toEqual([2, 3, 4]);
});

test("change streams: a place that is no longer in the log is refused and not passed over", async () => {
  const { client } = await aDatabase({ oplog: { maxRows: 300 } });
  const items = client.db().collection<Item>("items");
  const stream = items.watch([], { maxAwaitTimeMS: 50 });
  await stream.tryNext();
  await items.insertOne({ _id: 1 });
  const [first] = await take(stream, 1);
  for (let at = 0; at < 12; at += 1)
    await items.insertMany(Array.from({ length: 100 }, (_, n) => ({ _id: 10 + at * 100 + n })));
  const resumed = items.watch([], { resumeAfter: first?.["_id"] });
  const problem = await resumed.next().catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(MongoServerError);
  expect(problem).toMatchObject({ code: 286 });
  await resumed.close();
});

test("change streams: the changes of a transaction arrive after its commit, one by one", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertOne({ _id: 1, n: 0 });
  const stream = client.watch([], { maxAwaitTimeMS: 50 });
  await stream.tryNext();
  const session = client.startSession();
  session.startTransaction();
  await items.insertOne({ _id: 2 }, { session });
  await items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
  expect(await stream.tryNext()).toBeNull();
  await session.commitTransaction();
  const events = [await stream.next(), await stream.next()];
  expect(events.map((event) => event.operationType)).toEqual(["insert", "update"]);
  expect(events.every((event) => "txnNumber" in event)).toBe(true);
  await stream.close();
  await session.endSession();
});

test("change streams: dropping the collection ends its stream with invalidate", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertOne({ _id: 1 });
  const stream = items.watch([], { maxAwaitTimeMS: 50 });
  await stream.tryNext();
  await items.drop();
  const events = [await stream.next(), await stream.next()];
  expect(isEvent(events[0] ?? {}, "drop") && isEvent(events[1] ?? {}, "invalidate")).toBe(true);
  expect(stream.closed).toBe(true);
});

test("change streams: images before and after are kept where the collection asks for them", async () => {
  const { client } = await aDatabase();
  const items = await client.db().createCollection<Item>("items", { changeStreamPreAndPostImages: { enabled: true } });
  const stream = items.watch([], {
    maxAwaitTimeMS: 50,
    fullDocument: "required",
    fullDocumentBeforeChange: "required",
  });
  await stream.tryNext();
  await items.insertOne({ _id: 1, n: 1 });
  await items.updateOne({ _id: 1 }, { $set: { n: 2 } });
  await items.updateOne({ _id: 1 }, { $set: { n: 3 } });
  const [, second] = await take(stream, 2);
  expect(second).toMatchObject({ fullDocument: { n: 2 }, fullDocumentBeforeChange: { n: 1 } });
});
