// mongoose, GridFS and the job queue, unmodified, on the embedded database.
import { MongoBackend } from "@agendajs/mongo-backend";
import { Agenda } from "agenda";
import mongoose, { type Mongoose, Schema, Types } from "mongoose";
import { expect, onTestFinished, test } from "vitest";
import { aDatabase } from "./service-engine.ts";

async function aMongoose(): Promise<Mongoose> {
  const { uri } = await aDatabase();
  const own = new mongoose.Mongoose();
  own.set("transactionAsyncLocalStorage", true);
  await own.connect(uri);
  onTestFinished(() => own.disconnect());
  return own;
}

test("mongoose: every schema type is stored and read back", async () => {
  const own = await aMongoose();
  const inner = new Schema({ street: String, no: Number }, { _id: false });
  const Everything = own.model(
    "Everything",
    new Schema(
      {
        text: { type: String, lowercase: true, trim: true },
        number: Number,
        date: Date,
        flag: Boolean,
        bytes: Buffer,
        mixed: Schema.Types.Mixed,
        ref: Schema.Types.ObjectId,
        list: [String],
        amount: Schema.Types.Decimal128,
        map: { type: Map, of: Number },
        address: inner,
        addresses: [inner],
        uuid: Schema.Types.UUID,
        big: BigInt,
        double: Schema.Types.Double,
        int: Schema.Types.Int32,
      },
      { timestamps: true, minimize: false },
    ),
  );
  const made = await Everything.create({
    text: "  HELLO ",
    number: 1.5,
    date: new Date(5),
    flag: true,
    bytes: Buffer.from("abc"),
    mixed: { any: [1, { thing: null }], empty: {} },
    ref: new Types.ObjectId("0".repeat(24)),
    list: ["a", "b"],
    amount: "12.50",
    map: new Map([["one", 1]]),
    address: { street: "S", no: 1 },
    addresses: [{ street: "T", no: 2 }],
    uuid: "0a5f6c1e-5d0b-4a52-9b3c-1f2e3d4c5b6a",
    big: 9_007_199_254_740_993n,
    double: 5,
    int: 7,
  });
  const read = await Everything.findById(made._id).orFail();
  expect(read.toObject({ flattenMaps: true })).toEqual(made.toObject({ flattenMaps: true }));
  expect(read.big).toBe(9_007_199_254_740_993n);
  expect(String(read.amount)).toBe("12.50");
  expect(
    await Everything.countDocuments({
      amount: { $gt: Types.Decimal128.fromString("12.4") },
      "map.one": 1,
      "addresses.street": "T",
    }),
  ).toBe(1);
  expect(await Everything.exists({ uuid: "0a5f6c1e-5d0b-4a52-9b3c-1f2e3d4c5b6a" })).not.toBeNull();
});

test("mongoose: subdocuments in arrays are changed in place, by position and by filter", async () => {
  const own = await aMongoose();
  const Order = own.model("Order", new Schema({ lines: [{ sku: String, count: Number }], tags: [String] }));
  const order = await Order.create({
    lines: [
      { sku: "a", count: 1 },
      { sku: "b", count: 2 },
    ],
    tags: ["x"],
  });
  await Order.updateOne({ _id: order._id, "lines.sku": "b" }, { $inc: { "lines.$.count": 10 } });
  await Order.updateOne(
    { _id: order._id },
    { $set: { "lines.$[line].count": 7 } },
    { arrayFilters: [{ "line.sku": "a" }] },
  );
  await Order.updateOne(
    { _id: order._id },
    { $push: { lines: { $each: [{ sku: "c", count: 3 }], $position: 0 } }, $addToSet: { tags: "x" } },
  );
  const read = await Order.findById(order._id).orFail();
  expect(read.lines.map((line) => [line.sku, line.count])).toEqual([
    ["c", 3],
    ["a", 7],
    ["b", 12],
  ]);
  read.lines.pull(read.lines[0]);
  read.lines[0]?.set("count", 99);
  read.tags.push("y");
  await read.save();
  const again = await Order.findById(order._id).orFail();
  expect(again.lines.map((line) => line.count)).toEqual([99, 12]);
  expect(again.tags).toEqual(["x", "y"]);
  read.set("tags", ["conflict"]);
  again.lines.pull(again.lines[0]);
  await again.save();
});

test("mongoose: populate, virtuals, hooks, discriminators and lean queries work together", async () => {
  const own = await aMongoose();
  const calls: string[] = [];
  const authorSchema = new Schema({ name: { type: String, required: true } }, { toJSON: { virtuals: true } });
  authorSchema.virtual("books", {
    ref: "Work",
    localField: "_id",
    foreignField: "author",
    options: { sort: { title: 1 } },
  });
  authorSchema.pre("save", function () {
    calls.push(`save ${this.name}`);
  });
  const Author = own.model("Author", authorSchema);
  const Work = own.model(
    "Work",
    new Schema({ title: String, author: { type: Schema.Types.ObjectId, ref: "Author" } }, { discriminatorKey: "kind" }),
  );
  const Novel = Work.discriminator("Novel", new Schema({ pages: Number }));
  const author = await Author.create({ name: "Ada" });
  await Novel.create({ title: "B", author: author._id, pages: 10 });
  await Work.create({ title: "A", author: author._id });
  expect((await Author.findOne().populate("books").orFail()).toJSON()).toMatchObject({
    name: "Ada",
    books: [{ title: "A" }, { title: "B", pages: 10 }],
  });
  expect(
    await Novel.find({ pages: { $gte: 10 } })
      .populate<{ author: { name: string } }>("author")
      .lean(),
  ).toMatchObject([{ title: "B", author: { name: "Ada" } }]);
  expect(
    await Work.aggregate([
      { $lookup: { from: "authors", localField: "author", foreignField: "_id", as: "by" } },
      { $sortByCount: "$by.name" },
    ]),
  ).toEqual([{ _id: ["Ada"], count: 2 }]);
  expect(calls).toEqual(["save Ada"]);
  await expect(Author.create({})).rejects.toThrow("required");
});

test("mongoose: syncing indexes a second time changes nothing", async () => {
  const own = await aMongoose();
  const schema = new Schema({
    email: { type: String, unique: true, sparse: true },
    owner: String,
    at: Date,
    expires: { type: Date, expires: 60 },
  });
  schema.index({ owner: 1, at: -1 });
  schema.index({ owner: 1 }, { collation: { locale: "en", strength: 2 }, name: "owner_folded" });
  schema.index({ at: 1 }, { partialFilterExpression: { owner: { $exists: true } }, name: "owned_at" });
  const Thing = own.model("Thing", schema);
  await Thing.createCollection();
  await Thing.collection.createIndex({ stale: 1 });
  expect(await Thing.syncIndexes()).toEqual(["stale_1"]);
  expect(await Thing.syncIndexes()).toEqual([]);
  expect(await Thing.diffIndexes()).toEqual({ toDrop: [], toCreate: [] });
});

test("mongoose: queries inside a transaction join it by themselves, and an error undoes all of it", async () => {
  const own = await aMongoose();
  const Account = own.model("Account", new Schema({ _id: String, balance: Number }, { optimisticConcurrency: true }));
  await Account.create([
    { _id: "a", balance: 10 },
    { _id: "b", balance: 0 },
  ]);
  await own.connection.transaction(async () => {
    await Account.updateOne({ _id: "a" }, { $inc: { balance: -4 } });
    const other = await Account.findById("b").orFail();
    other.balance = 4;
    await other.save();
  });
  const failing = own.connection.transaction(async () => {
    await Account.updateOne({ _id: "a" }, { $inc: { balance: -4 } });
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await Account.find().sort("_id").lean()).toMatchObject([{ balance: 6 }, { balance: 4 }]);
});

test("mongoose: watch, cursors and bulk writes do what they do on a server", async () => {
  const own = await aMongoose();
  const Note = own.model("Note", new Schema({ text: String, n: Number }));
  await Note.createCollection();
  const stream = Note.watch([], { maxAwaitTimeMS: 50 });
  const seen = new Promise((resolve) => stream.once("change", resolve));
  await new Promise((resolve) => stream.once("ready", resolve));
  await Note.bulkWrite([
    { insertOne: { document: { text: "a", n: 1 } } },
    { updateOne: { filter: { text: "b" }, update: { n: 2 }, upsert: true } },
    { deleteMany: { filter: { text: "z" } } },
  ]);
  expect(await seen).toMatchObject({ operationType: "insert", fullDocument: { text: "a" } });
  await stream.close();
  const texts: unknown[] = [];
  for await (const note of Note.find().sort({ n: -1 }).cursor({ batchSize: 1 })) texts.push(note.text);
  expect(texts).toEqual(["b", "a"]);
});

test("GridFS: a file goes in and comes out whole", async () => {
  const own = await aMongoose();
  const { db } = own.connection;
  if (!db) throw new Error("not connected");
  const bucket = new own.mongo.GridFSBucket(db);
  const content = Buffer.alloc(1_500_000, "some bytes ");
  const upload = bucket.openUploadStream("file.bin", { metadata: { owner: "a" } });
  await new Promise((resolve) => upload.end(content, () => resolve(undefined)));
  const parts = await bucket.openDownloadStream(upload.id).toArray();
  expect(Buffer.concat(parts).equals(content)).toBe(true);
  await bucket.delete(upload.id);
  expect(await db.collection("fs.chunks").countDocuments()).toBe(0);
});

test("agenda: a job that is due is run and kept", async () => {
  const own = await aMongoose();
  const { db } = own.connection;
  if (!db) throw new Error("not connected");
  const agenda = new Agenda({ backend: new MongoBackend({ mongo: db }), processEvery: 100 });
  onTestFinished(async () => {
    await agenda.stop();
  });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  agenda.define("greet", (job: { attrs: { data?: unknown } }) => {
    resolve(job.attrs.data);
  });
  await agenda.start();
  await agenda.now("greet", { name: "Ada" });
  expect(await promise).toEqual({ name: "Ada" });
});
