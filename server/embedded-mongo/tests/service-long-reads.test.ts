import { type Collection, MongoClient } from "mongodb";
import { expect, test } from "vitest";
import { aDatabase } from "./service-engine.ts";

const DOCUMENTS = 30_000;
const WANTED_EVERY = 100;
const WANTED = DOCUMENTS / WANTED_EVERY;

interface Item {
  _id: number;
  owner: string;
  n: number;
  text: string;
}

async function many() {
  const database = await aDatabase();
  const items = database.client.db().collection<Item>("items");
  await items.createIndex({ owner: 1, n: 1 });
  await items.insertMany(
    Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, owner: "a", n: _id, text: textOf(_id) })),
  );
  return { ...database, items };
}

const textOf = (id: number) => `${"x".repeat(60)} ${id % WANTED_EVERY === 0 ? "wanted" : "other"}`;
/** In no index, so that every document is looked at. */
const FEW = { text: /wanted$/ };
const NONE = { text: /nobody$/ };
/** All in one reply. */
const batchSize = DOCUMENTS;

const READS: Record<string, (items: Collection<Item>) => Promise<unknown>> = {
  "find of nothing": (items) => items.find(NONE).toArray(),
  "find with a limit": (items) =>
    items
      .find(FEW)
      .skip(WANTED - 1)
      .limit(2)
      .toArray(),
  "sorted find": (items) => items.find().sort({ text: 1 }).limit(5).toArray(),
  "sorted find of all": (items) => items.find({}, { batchSize }).sort({ text: 1 }).toArray(),
  "find of what an index holds": (items) =>
    items
      .find({ owner: "a", ...NONE })
      .sort({ n: 1 })
      .toArray(),
  "find of a deep page": (items) =>
    items
      .find({ owner: "a" })
      .sort({ n: 1 })
      .skip(DOCUMENTS - 1)
      .toArray(),
  getMore: (items) => items.find({}, { batchSize: 1 }).toArray(),
  count: (items) => items.countDocuments(NONE),
  "count command": (items) => items.count(NONE),
  distinct: (items) => items.distinct("n", FEW),
  group: (items) => items.aggregate([{ $group: { _id: "$text", n: { $max: "$n" } } }]).toArray(),
  "sorted groups": (items) =>
    items.aggregate([{ $group: { _id: "$n" } }, { $sort: { _id: -1 } }, { $limit: 3 }]).toArray(),
  join: (items) => items.aggregate([{ $match: { _id: 1 } }, crossJoin({})]).toArray(),
  union: (items) =>
    items.aggregate([{ $match: { _id: 1 } }, { $unionWith: { coll: "items" } }, { $count: "n" }]).toArray(),
  explain: (items) => items.find(NONE).explain("executionStats"),
  updateMany: (items) => items.updateMany(NONE, { $inc: { n: 1 } }),
};

const crossJoin = (filter: object) => ({
  $lookup: {
    from: "items",
    as: "others",
    let: { own: "$n" },
    pipeline: [{ $match: { ...filter, $expr: { $lt: ["$n", "$$own"] } } }, { $count: "n" }],
  },
});
/** Looks at every document for every document: it would last for hours. */
const endless = (client: MongoClient) =>
  client
    .db()
    .collection("items")
    .aggregate([crossJoin({})], { batchSize })
    .toArray();

const codeOf = (read: Promise<unknown>): Promise<unknown> =>
  read.then(
    () => "nothing failed",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );

test.each(Object.keys(READS))(
  "%s: of very many documents, what is asked for later and is short comes first",
  async (name) => {
    const { items } = await many();
    const order: string[] = [];
    const done = READS[name]?.(items).then(() => order.push("long"));
    await items.findOne({ _id: -1 });
    order.push("short");
    await done;
    expect(order).toEqual(["short", "long"]);
  },
);

test("long reads: however many there are, what is short comes before all of them", async () => {
  const { items } = await many();
  const order: string[] = [];
  const long = Array.from({ length: 12 }, () => items.countDocuments(NONE).then(() => order.push("long")));
  await items.findOne({ _id: -1 });
  order.push("short");
  await Promise.all(long);
  expect(order[0]).toBe("short");
});

test("a long read: when others write meanwhile, then what stood comes once, and nothing twice", async () => {
  const { items } = await many();
  const order: string[] = [];
  const found = items
    .find({ owner: "a", ...FEW }, { batchSize })
    .sort({ n: 1 })
    .toArray()
    .finally(() => order.push("read"));
  await items.findOne({ _id: -1 });
  // Those at the front move to the end, one before the end goes, and a new one comes.
  await Promise.all([
    ...[0, 100, 200].map((_id) => items.updateOne({ _id }, { $inc: { n: DOCUMENTS } })),
    items.deleteOne({ _id: DOCUMENTS - WANTED_EVERY }),
    items.insertOne({ _id: -2, owner: "a", n: DOCUMENTS - 1, text: textOf(0) }),
  ]);
  order.push("written");
  const ids = (await found).map(({ _id }) => _id);
  expect(order).toEqual(["written", "read"]);
  expect(new Set(ids).size).toBe(ids.length);
  const stood = Array.from({ length: WANTED - 4 }, (_, at) => (at + 3) * WANTED_EVERY);
  expect(ids).toEqual(expect.arrayContaining(stood));
});

test("a long read in a transaction: what others write meanwhile is not seen, what it wrote itself is", async () => {
  const { client, items } = await many();
  await client.withSession(async (session) => {
    session.startTransaction();
    await items.insertOne({ _id: -2, owner: "a", n: -2, text: textOf(0) }, { session });
    const counted = items.countDocuments(FEW, { session });
    await items.findOne({ _id: -1 });
    await items.deleteMany({ n: { $gte: DOCUMENTS / 2 } });
    expect(await counted).toBe(WANTED + 1);
    expect(await items.find(FEW, { session }).toArray()).toHaveLength(WANTED + 1);
    await session.commitTransaction();
  });
  expect(await items.countDocuments(FEW)).toBe(WANTED / 2 + 1);
});

test("a long read in a transaction: when its session is killed meanwhile, then it ends", async () => {
  const { client, items, running } = await many();
  await client.withSession(async (session) => {
    session.startTransaction();
    await items.findOne({ _id: -1 }, { session });
    const read = codeOf(items.aggregate([crossJoin({})], { session }).toArray());
    await items.findOne({ _id: -1 });
    await client.db().command({ killSessions: [session.id] });
    expect(await read).toBe(251);
    await codeOf(session.abortTransaction());
  });
  expect(running.engine.turns.waiting()).toBe(0);
});

test("a long read: when its session is killed meanwhile, then it ends", async () => {
  const { client, items } = await many();
  await client.withSession(async (session) => {
    const read = codeOf(items.aggregate([crossJoin({})], { session }).toArray());
    await items.findOne({ _id: -1 });
    await client.db().command({ killSessions: [session.id] });
    expect(await read).toBe(11601);
  });
});

test("a long getMore: while it goes on nobody else has its cursor, and when that is killed, then it ends", async () => {
  const { client } = await many();
  const db = client.db();
  await client.withSession(async (session) => {
    const opened = await db.command(
      { aggregate: "items", pipeline: [crossJoin({})], cursor: { batchSize: 0 } },
      { session },
    );
    const more = { getMore: opened["cursor"].id, collection: "items" };
    const read = codeOf(db.command(more, { session }));
    expect(await codeOf(db.command(more, { session }))).toBe(12051);
    const killed = await db.command({ killCursors: "items", cursors: [more.getMore] }, { session });
    expect(killed["cursorsKilled"]).toEqual([more.getMore]);
    expect(await read).toBe(237);
    expect(await codeOf(db.command(more, { session }))).toBe(43);
  });
});

test("a long read: when its time is over, or what it reads is dropped, then it ends", async () => {
  const { client, items } = await many();
  const join = [crossJoin({})];
  expect(await codeOf(items.aggregate(join, { maxTimeMS: 100 }).toArray())).toBe(50);
  const byIndex = codeOf(items.aggregate([crossJoin({ owner: "a" })]).toArray());
  await items.findOne({ _id: -1 });
  await items.dropIndex("owner_1_n_1");
  expect(await byIndex).toBe(175);
  const read = codeOf(endless(client));
  await items.findOne({ _id: -1 });
  await items.drop();
  expect(await read).toBe(175);
});

test("a long read: when whoever asked is gone, then it ends", async () => {
  const { running, uri, items } = await many();
  const other = new MongoClient(uri);
  const read = codeOf(endless(other));
  await expect.poll(() => running.engine.turns.waiting()).toBe(1);
  await other.close(true);
  await read;
  await expect.poll(() => running.engine.turns.waiting()).toBe(0);
  expect(await items.countDocuments(FEW)).toBe(WANTED);
});

test("a long read: when the engine is closed meanwhile, then it ends, and the file is whole", async () => {
  const database = await many();
  const other = new MongoClient(database.uri, { retryReads: false });
  const read = codeOf(endless(other));
  await expect.poll(() => database.running.engine.turns.waiting()).toBe(1);
  await database.restart();
  expect(await read).not.toBe("nothing failed");
  await other.close();
  expect(await database.items.countDocuments(FEW)).toBe(WANTED);
});
