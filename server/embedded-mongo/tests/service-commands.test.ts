import { BSON, Binary, type Document, Double, Long, MongoBulkWriteError, MongoServerError } from "mongodb";
import { expect, test } from "vitest";
import { checkData } from "../src/backup.ts";
import { expireNow } from "../src/store/expiry.ts";
import { aDatabase } from "./service-engine.ts";

interface Item {
  _id: number | string;
  n?: number;
  email?: string | null;
  tags?: string[];
  at?: Date;
  owner?: string;
}

const failureOf = async (work: Promise<unknown>): Promise<Document> => {
  const error: unknown = await work.catch((problem: unknown) => problem);
  if (!(error instanceof MongoServerError)) throw new Error("expected an error of the server", { cause: error });
  return error;
};

test("upserts: twenty at once on a unique key make one document that counts to twenty", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.createIndex({ email: 1 }, { unique: true });
  await Promise.all(
    Array.from({ length: 20 }, () => items.updateOne({ email: "a" }, { $inc: { n: 1 } }, { upsert: true })),
  );
  const stored = await items.find().toArray();
  expect(stored).toEqual([{ _id: expect.anything(), email: "a", n: 20 }]);
});

test("duplicate keys: the error carries the text and the fields that applications read", async () => {
  const { client } = await aDatabase();
  const items = client.db("shop").collection<Item>("items");
  await items.createIndex({ email: 1, n: -1 }, { unique: true });
  await items.insertOne({ _id: 1, email: "a", n: 5 });
  const error = await failureOf(items.insertOne({ _id: 2, email: "a", n: 5 }));
  expect(error).toMatchObject({ code: 11_000, keyPattern: { email: 1, n: -1 }, keyValue: { email: "a", n: 5 } });
  expect(error["message"]).toBe(
    'E11000 duplicate key error collection: shop.items index: email_1_n_-1 dup key: { email: "a", n: 5 }',
  );
  const bulk: unknown = await items
    .insertMany([{ _id: 1 }, { _id: 3 }, { _id: 4, email: "a", n: 5 }], { ordered: false })
    .catch((problem: unknown) => problem);
  expect(bulk).toBeInstanceOf(MongoBulkWriteError);
  expect(bulk).toMatchObject({ insertedCount: 1 });
  expect(await items.countDocuments()).toBe(2);
});

test("indexes: equal ones are accepted again, others under the same name or key are refused", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.createIndex({ email: 1 }, { unique: true });
  await items.createIndex({ email: 1 }, { unique: true });
  expect(await failureOf(items.createIndex({ email: 1 }, { unique: true, name: "other" }))).toMatchObject({ code: 85 });
  expect(await failureOf(items.createIndex({ n: 1 }, { name: "email_1" }))).toMatchObject({ code: 86 });
  expect(await failureOf(items.createIndex({ email: 1 }))).toMatchObject({ code: 86 });
  expect(await failureOf(items.createIndex({ email: "text" }))).toMatchObject({
    code: 67,
    message: expect.stringContaining("text indexes"),
  });
  expect(await failureOf(items.dropIndex("_id_"))).toMatchObject({ code: 72 });
  expect(await failureOf(items.dropIndex("none"))).toMatchObject({ code: 27 });
  expect(await failureOf(client.db().collection("absent").indexes())).toMatchObject({ code: 26 });
  expect((await items.indexes()).map((index) => index.name)).toEqual(["_id_", "email_1"]);
});

test("indexes: building a unique one over duplicates fails and leaves nothing behind", async () => {
  const { client, running } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertMany([
    { _id: 1, email: "a" },
    { _id: 2, email: "a" },
  ]);
  expect(await failureOf(items.createIndex({ email: 1 }, { unique: true }))).toMatchObject({ code: 11_000 });
  expect(await items.indexes()).toHaveLength(1);
  expect(
    running.engine.store.main.all("SELECT name FROM sqlite_schema WHERE name LIKE 'i%' AND type = 'table'"),
  ).toEqual([]);
});

test("indexes: partial and sparse unique ones bind only the documents they hold", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.createIndex({ email: 1 }, { unique: true, partialFilterExpression: { email: { $type: "string" } } });
  await items.createIndex({ owner: 1 }, { unique: true, sparse: true });
  await items.insertMany([
    { _id: 1 },
    { _id: 2 },
    { _id: 3, email: null },
    { _id: 4, email: null },
    { _id: 5, email: "a" },
  ]);
  expect(await failureOf(items.insertOne({ _id: 6, email: "a" }))).toMatchObject({ code: 11_000 });
  expect(await items.find({ email: "a" }).toArray()).toHaveLength(1);
  expect(await items.find({ email: null }).toArray()).toHaveLength(4);
  const plan = await items.find({ email: "a" }).explain();
  expect(plan["queryPlanner"].winningPlan).toMatchObject({
    stage: "FETCH",
    inputStage: { indexName: "email_1", isPartial: true },
  });
});

test("collation: a case-insensitive index finds and refuses what differs only in case", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  const collation = { locale: "en", strength: 2 };
  await items.createIndex({ email: 1 }, { unique: true, collation });
  await items.insertMany([
    { _id: 1, email: "Anna@example.org" },
    { _id: 2, email: "bob@example.org" },
  ]);
  expect(await items.findOne({ email: "anna@EXAMPLE.org" }, { collation })).toMatchObject({ _id: 1 });
  expect(await items.findOne({ email: "anna@example.org" })).toBeNull();
  expect(await failureOf(items.insertOne({ _id: 3, email: "BOB@example.org" }))).toMatchObject({ code: 11_000 });
  expect((await items.find().sort({ email: -1 }).collation(collation).toArray()).map((item) => item._id)).toEqual([
    2, 1,
  ]);
});

test("expiry: documents whose time is over go, the others stay", async () => {
  const { client, running } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
  const now = Date.now();
  await items.insertMany([{ _id: 1, at: new Date(now - 61_000) }, { _id: 2, at: new Date(now - 30_000) }, { _id: 3 }]);
  expireNow(running.engine.store, now);
  expect(await items.distinct("_id")).toEqual([2, 3]);
});

test("cursors: large results come in batches, and a cursor ends with its collection", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertMany(Array.from({ length: 1_000 }, (_, _id) => ({ _id, n: _id % 10 })));
  const cursor = items.find().batchSize(10).sort({ _id: 1 });
  const seen: unknown[] = [];
  for await (const item of cursor) {
    seen.push(item._id);
    if (seen.length === 15) await items.deleteMany({ _id: { $gte: 500 } });
  }
  expect(seen).toEqual(Array.from({ length: 500 }, (_, at) => at));
  const cut = items.find().batchSize(2);
  await cut.next();
  await items.drop();
  expect(await failureOf((async () => await cut.toArray())())).toMatchObject({ code: 175 });
  expect(await failureOf(client.db().command({ getMore: Long.fromNumber(99), collection: "items" }))).toMatchObject({
    code: 43,
  });
});

test("refusals: what is not supported is named and never quietly ignored", async () => {
  const { client } = await aDatabase();
  const db = client.db();
  const items = db.collection<Item>("items");
  await items.insertOne({ _id: 1 });
  const refused = async (work: Promise<unknown>): Promise<string> => String((await failureOf(work))["message"]);
  expect(await refused(db.command({ find: "items", unheardOf: 1 }))).toContain("find.unheardOf");
  expect(await refused(db.command({ unheardOf: 1 }))).toContain("unheardOf");
  expect(await refused(items.find({ $where: "1" }).toArray())).toContain("$where");
  expect(await refused(items.find({ $text: { $search: "a" } }).toArray())).toContain("$text");
  expect(await refused(db.createCollection("c", { timeseries: { timeField: "at" } }))).toContain("timeseries");
  expect(await refused(items.find({}, { hint: "nothing" }).toArray())).toContain("hint");
  expect(await refused(items.aggregate([{ $geoNear: {} }]).toArray())).toContain("$geoNear");
  expect(await refused(items.aggregate([{ $match: {}, $limit: 1 }]).toArray())).toContain("exactly one field");
  expect(await refused(items.insertOne({ _id: 2, tags: ["x".repeat(16 * 1024 * 1024)] }))).toContain("16777216");
});

test("documents: whatever a driver sends comes back as the same bytes, with _id first", async () => {
  const { client } = await aDatabase();
  const rest: [string, unknown][] = [
    ["10", "ten"],
    ["2", new Double(5)],
    ["long", Long.fromNumber(3)],
    ["deep", { binary: new Binary(Buffer.from([1, 2])), list: [null, { a: 1 }], __proto__: null }],
  ];
  await client
    .db()
    .collection("items")
    .insertOne(new Map<string, unknown>([...rest, ["_id", 7]]));
  const [stored] = await client.db().collection("items", { raw: true }).find({ "deep.list.a": 1, "2": 5 }).toArray();
  expect(Buffer.from(BSON.serialize(new Map<string, unknown>([["_id", 7], ...rest]))).equals(rawBytes(stored))).toBe(
    true,
  );
});

function rawBytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new Error("expected a document's bytes");
  return value;
}

test("writes without acknowledgement: they are done though nobody is told", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertOne({ _id: 1 }, { writeConcern: { w: 0 } });
  await expect.poll(() => items.countDocuments()).toBe(1);
});

test("$out and $merge: results replace or join a collection in one go", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertMany([
    { _id: 1, owner: "a", n: 1 },
    { _id: 2, owner: "a", n: 2 },
    { _id: 3, owner: "b", n: 3 },
  ]);
  const totals = { $group: { _id: "$owner", n: { $sum: "$n" } } };
  await items.aggregate([totals, { $out: "totals" }]).toArray();
  const stored = client.db().collection<Item>("totals");
  expect(await stored.find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: "a", n: 3 },
    { _id: "b", n: 3 },
  ]);
  await stored.createIndex({ n: 1 }, { unique: true, partialFilterExpression: { n: { $gt: 100 } } });
  await items.insertOne({ _id: 4, owner: "c", n: 1 });
  await items
    .aggregate([
      totals,
      { $set: { n: { $multiply: ["$n", 10] } } },
      { $merge: { into: "totals", whenMatched: "keepExisting" } },
    ])
    .toArray();
  expect(await stored.find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: "a", n: 3 },
    { _id: "b", n: 3 },
    { _id: "c", n: 10 },
  ]);
  expect(await failureOf(items.aggregate([{ $set: { n: 200 } }, { $out: "totals" }]).toArray())).toMatchObject({
    code: 11_000,
  });
  expect(await stored.countDocuments()).toBe(3);
});

test("collections: a default collation holds for queries and keys unless a query asks for the simple one", async () => {
  const { client } = await aDatabase();
  const items = await client.db().createCollection<Item>("items", { collation: { locale: "en", strength: 2 } });
  await items.createIndex({ email: 1 }, { unique: true });
  await items.insertOne({ _id: 1, email: "Ada" });
  expect(await failureOf(items.insertOne({ _id: 2, email: "ADA" }))).toMatchObject({ code: 11_000 });
  expect(await items.countDocuments({ email: "ada" })).toBe(1);
  expect(await items.countDocuments({ email: "ada" }, { collation: { locale: "simple" } })).toBe(0);
  expect(await items.aggregate([{ $project: { isAda: { $eq: ["$email", "ADA"] } } }]).toArray()).toEqual([
    { _id: 1, isAda: true },
  ]);
});

test("collections: a validator refuses what does not match it, a cap drops the oldest, a view shows and takes nothing", async () => {
  const { client } = await aDatabase();
  const db = client.db();
  const strict = await db.createCollection<Item>("strict", { validator: { n: { $gte: 0 } } });
  expect(await failureOf(strict.insertOne({ _id: 1, n: -1 }))).toMatchObject({
    code: 121,
    errInfo: { failingDocumentId: 1 },
  });
  await strict.insertOne({ _id: 1, n: 1 });
  expect(await failureOf(strict.updateOne({ _id: 1 }, { $set: { n: -5 } }))).toMatchObject({ code: 121 });
  const capped = await db.createCollection<Item>("capped", { capped: true, size: 10_000, max: 3 });
  await capped.insertMany([1, 2, 3, 4, 5].map((_id) => ({ _id })));
  expect(await capped.distinct("_id")).toEqual([3, 4, 5]);
  const view = await db.createCollection<Item>("view", {
    viewOn: "capped",
    pipeline: [{ $match: { _id: { $gt: 3 } } }],
  });
  expect(await view.find().sort({ _id: -1 }).toArray()).toEqual([{ _id: 5 }, { _id: 4 }]);
  expect(await view.countDocuments({ _id: 5 })).toBe(1);
  expect(await failureOf(view.insertOne({ _id: 9 }))).toMatchObject({ code: 166 });
  expect(await failureOf(view.deleteMany({}))).toMatchObject({ code: 166 });
});

test("findAndModify: a positional projection shows the element that the filter matched", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertOne({ _id: 1, tags: ["a", "b", "c"] });
  const found = await items.findOneAndUpdate(
    { tags: "b" },
    { $set: { "tags.$": "B" } },
    { projection: { "tags.$": 1 }, returnDocument: "after" },
  );
  expect(found).toEqual({ _id: 1, tags: ["B"] });
});

test("cursors: a time limit is for the query, not for the pauses of its reader", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertMany(Array.from({ length: 2_000 }, (_, _id) => ({ _id })));
  const cursor = items.find({}, { maxTimeMS: 150, batchSize: 2 });
  await cursor.next();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await cursor.toArray()).toHaveLength(1_999);
});

interface Order {
  lines?: object[];
  text?: string;
}

test("documents: large ones with deep contents survive updates byte for byte", async () => {
  const { client, dir } = await aDatabase();
  const items = client.db().collection<Order>("items");
  const lines = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      no: from + at,
      text: "x".repeat(50),
      tags: ["a", { b: [from + at] }],
    }));
  await items.insertOne({ lines: [] });
  for (let from = 0; from < 9_000; from += 1_500)
    await items.updateOne({}, { $push: { lines: { $each: lines(from, 1_500) } } });
  expect((await items.findOne())?.lines).toEqual(lines(0, 9_000));
  expect((await items.aggregate([{ $group: { _id: null, all: { $push: "$lines" } } }]).next())?.["all"]).toEqual([
    lines(0, 9_000),
  ]);
  await items.insertMany([1, 2].map(() => ({ text: "x".repeat(9_000_000) })));
  expect(
    await failureOf(items.aggregate([{ $group: { _id: null, all: { $push: "$text" } } }]).toArray()),
  ).toMatchObject({ code: 10_334 });
  expect(checkData(dir)).toEqual([]);
});

const REFUSED: [string, number, Document][] = [
  ["an unknown verbosity", 2, { explain: { find: "items", filter: {} }, verbosity: "everything" }],
  ["awaitData alone", 9, { find: "items", awaitData: true }],
  ["capped by a number, without a size", 72, { create: "capped", capped: 1024 }],
  ["a partial index of what is not there", 67, partialIndex({ n: { $exists: false } })],
  ["a partial index of what is not equal", 67, partialIndex({ n: { $ne: 1 } })],
  ["$rename through a scalar", 28, updating({ _id: 1 }, { $rename: { "n.x": "m" } })],
  ["an upsert of two values", 54, updating({ n: { $eq: 7, $in: [8] } }, { $set: { email: "a" } })],
  ["an upsert of a field with a dollar", 52, updating({ "n.$x": 7 }, { $set: { email: "a" } })],
  ["an upsert by a word", 14, { update: "items", updates: [{ q: { n: 7 }, u: { $set: { n: 8 } }, upsert: "yes" }] }],
  ["constants of an update that is no pipeline", 51_198, { update: "items", updates: [{ q: {}, u: { n: 8 }, c: {} }] }],
  ["removing and upserting at once", 9, { findAndModify: "items", query: {}, remove: true, upsert: true }],
  ["a delete in an order", 40_415, { delete: "items", deletes: [{ q: {}, limit: 1, sort: { n: 1 } }] }],
  ["a time limit below nothing", 51_024, { find: "items", maxTimeMS: -1 }],
  ["explaining an unknown field", 40_415, { explain: { find: "items", filtr: { n: 5 } } }],
  ["an unknown option of a cursor", 40_415, { aggregate: "items", pipeline: [], cursor: { batchsize: 1 } }],
  ["an unknown option of $merge", 40_415, piped({ $merge: { into: "items", whenmatched: "fail" } })],
  ["an unknown option of $sample", 28_748, piped({ $sample: { size: 1, seed: 1 } })],
  ["a size without a cap", 72, { create: "capped", size: 1_024 }],
  ["a capped view", 72, { create: "capped", viewOn: "items", capped: true, size: 1_024 }],
  ["a pipeline of no view", 72, { create: "capped", pipeline: [{ $match: {} }] }],
  ["an index that is unique by a word", 14, indexing({ key: { n: 1 }, unique: "yes" })],
  ["an index that drops duplicates", 197, indexing({ key: { n: 1 }, unique: true, dropDups: true })],
  ["hiding the index of _id", 2, { collMod: "items", index: { name: "_id_", hidden: true } }],
  ["expiry by _id", 67, { collMod: "items", index: { name: "_id_", expireAfterSeconds: 5 } }],
  ["an unknown change of an index", 40_415, { collMod: "items", index: { name: "_id_", hiden: true } }],
  ["an upsert that makes one", 52, updating({ n: 7 }, [{ $replaceWith: { $literal: { $x: 1 } } }])],
];

function indexing(spec: Document): Document {
  return { createIndexes: "items", indexes: [{ name: "n", ...spec }] };
}
function partialIndex(partialFilterExpression: Document): Document {
  return indexing({ key: { n: 1 }, partialFilterExpression });
}
function piped(stage: Document): Document {
  return { aggregate: "items", pipeline: [stage], cursor: {} };
}
function updating(q: Document, u: Document | Document[]): Document {
  return { update: "items", updates: [{ q, u, upsert: true }] };
}

test.each(REFUSED)("what cannot be done: %s is refused by its code, and nothing is made", async (_, code, command) => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertOne({ _id: 1, n: 5 });
  const answer = await client
    .db()
    .command(command)
    .catch((error: unknown) => (error instanceof MongoServerError ? error : Promise.reject(error)));
  expect(answer["writeErrors"]?.[0]?.code ?? answer["code"]).toBe(code);
  expect(await items.find().toArray()).toEqual([{ _id: 1, n: 5 }]);
  expect(await items.indexes()).toHaveLength(1);
});

test("projections: an $elemMatch beside a $slice leaves the other fields", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<{ _id: number } & Document>("items");
  await items.insertOne({ _id: 1, n: 5, list: [1, 2], parts: [{ a: 1 }, { a: 2 }] });
  const projection = { list: { $slice: 1 }, parts: { $elemMatch: { a: 2 } } };
  expect(await items.findOne({}, { projection })).toEqual({ _id: 1, n: 5, list: [1], parts: [{ a: 2 }] });
});

test("bulkWrite: an unknown field of one of its writes is refused", async () => {
  const { client } = await aDatabase();
  const ops = [{ insert: 0, document: { _id: 1 }, upsertt: true }];
  const answer = client.db("admin").command({ bulkWrite: 1, ops, nsInfo: [{ ns: "app.items" }] });
  expect((await answer)["cursor"].firstBatch).toMatchObject([{ ok: 0, code: 40_415 }]);
  expect(await client.db().collection("items").countDocuments()).toBe(0);
});

test("collMod: an expiry is checked as when the index is made", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection("items");
  await items.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
  const changing = (expireAfterSeconds: number): Promise<Document> =>
    client.db().command({ collMod: "items", index: { name: "at_1", expireAfterSeconds } });
  expect(await failureOf(changing(-5))).toMatchObject({ code: 67 });
  await changing(5);
  expect((await items.indexes())[1]).toMatchObject({ name: "at_1", expireAfterSeconds: 5 });
});

test("projections: a $slice and an $elemMatch of one field are refused", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection("items");
  await items.insertOne({ list: [{ a: 1 }] });
  const projection = { list: { $slice: 1, $elemMatch: { a: 2 } } };
  expect(await failureOf(items.findOne({}, { projection }))).toMatchObject({ code: 15_983 });
});

test.each([
  ["one range", { n: { $gte: 0 } }, 40],
  ["several ranges", { n: { $in: [1, 2, 3] } }, 12],
  ["an index in which a document stands twice", { tags: { $gte: "a" } }, 40],
])("counts: of %s no more than the limit are counted, after those that are skipped", async (_what, filter, all) => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.createIndex({ n: 1 });
  await items.createIndex({ tags: 1 });
  await items.insertMany(Array.from({ length: 40 }, (_, _id) => ({ _id, n: _id % 10, tags: ["a", "b"] })));
  const counted = (options: object) => items.countDocuments(filter, options);
  expect(await counted({})).toBe(all);
  expect(await counted({ limit: 7 })).toBe(7);
  expect(await counted({ skip: all - 5, limit: 7 })).toBe(5);
  expect(await counted({ skip: all + 1, limit: 7 })).toBe(0);
  expect(await counted({ skip: 5 })).toBe(all - 5);
  expect(await items.countDocuments(filter, { limit: all + 1 })).toBe(all);
});
