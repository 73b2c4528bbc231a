import type { Document } from "mongodb";
import { expect, test } from "vitest";
import { aDatabase } from "./service-engine.ts";

interface Item {
  _id: string;
  owner: string;
  status: string;
  n: number;
  text?: string;
}

const DOCUMENTS = 400;
const idOf = (n: number) => `id-${String(n).padStart(4, "0")}`;
const WANTED = Array.from({ length: DOCUMENTS }, (_, n) => n).filter((n) => n % 3 === 0);
/** In no order, with some that are not there and some twice. */
const IDS = ["id-9999", ...WANTED.map(idOf), "", idOf(3), "id-00030", "id-"].toReversed();

async function someItems(text?: (n: number) => string) {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.createIndex({ owner: 1, status: 1, n: 1 });
  await items.insertMany(
    Array.from({ length: DOCUMENTS }, (_, n) => ({
      _id: idOf(n),
      owner: "a",
      status: "active",
      n: DOCUMENTS - n,
      ...(text ? { text: text(n) } : {}),
    })),
  );
  return items;
}

const numbersOf = (found: Item[]) => found.map(({ _id }) => Number(_id.slice(3)));

test("many ids: each document comes once, in either order, sorted by something else, and no more than wanted", async () => {
  const items = await someItems();
  const filter = { _id: { $in: IDS } };
  expect(numbersOf(await items.find(filter).sort({ _id: 1 }).toArray())).toEqual(WANTED);
  expect(numbersOf(await items.find(filter).sort({ _id: -1 }).toArray())).toEqual(WANTED.toReversed());
  expect(numbersOf(await items.find(filter).sort({ n: 1 }).toArray())).toEqual(WANTED.toReversed());
  expect(numbersOf(await items.find(filter).sort({ _id: -1 }).skip(5).limit(4).toArray())).toEqual(
    WANTED.toReversed().slice(5, 9),
  );
  expect(await items.countDocuments(filter)).toBe(WANTED.length);
  expect(await items.countDocuments({ ...filter, n: { $gt: 200 } })).toBe(WANTED.filter((n) => n < 200).length);
  expect((await items.updateMany(filter, { $set: { status: "archived" } })).modifiedCount).toBe(WANTED.length);
  expect((await items.deleteMany(filter)).deletedCount).toBe(WANTED.length);
  expect(await items.countDocuments()).toBe(DOCUMENTS - WANTED.length);
});

test("many ids: a few large documents among small ones come whole", async () => {
  const sizeOf = (n: number) => (n % 50 === 0 ? 3_000_000 : 10);
  const items = await someItems((n) => "x".repeat(sizeOf(n)));
  const found = await items.find({ _id: { $in: IDS } }).toArray();
  expect(numbersOf(found)).toEqual(WANTED);
  expect(found.map(({ text = "" }) => text.length)).toEqual(WANTED.map(sizeOf));
});

test("many ids: they are looked up by id although another index has the rest of the filter", async () => {
  const items = await someItems();
  const filter = { owner: "a", status: "active", _id: { $in: IDS } };
  const plan: Document = await items.find(filter).sort({ n: 1 }).explain();
  expect(JSON.stringify(plan["queryPlanner"].winningPlan)).toContain("_id_");
  expect(numbersOf(await items.find(filter).sort({ n: 1 }).toArray())).toEqual(WANTED.toReversed());
});

test("many ids: what a transaction has changed of them is seen inside it, and nothing of it outside", async () => {
  const { client } = await aDatabase();
  const items = client.db().collection<Item>("items");
  await items.insertMany(Array.from({ length: 100 }, (_, n) => ({ _id: idOf(n), owner: "a", status: "active", n })));
  const filter = { _id: { $in: Array.from({ length: 90 }, (_, n) => idOf(n)) }, status: "active" };
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await items.updateOne({ _id: idOf(5) }, { $set: { status: "archived" } }, { session });
      await items.deleteOne({ _id: idOf(70) }, { session });
      expect(await items.find(filter, { session }).toArray()).toHaveLength(88);
      expect(await items.find(filter).toArray()).toHaveLength(90);
    }),
  );
  expect(await items.find(filter).toArray()).toHaveLength(88);
});

test("alternatives: where each narrows more than what all share, theirs alone are read, each once and in order", async () => {
  const items = await someItems();
  await items.updateMany({ n: { $lte: 5 } }, { $set: { status: "closed", text: "read" } });
  await items.createIndex({ owner: 1, text: 1, n: 1 });
  const filter = { owner: "a", $or: [{ status: "closed", n: { $gt: 1 } }, { text: "read" }] };
  const sorted = items.find(filter).sort({ n: 1 });
  const plan: Document = await sorted.clone().explain("executionStats");
  expect(plan["executionStats"].totalDocsExamined).toBeLessThan(10);
  expect((await sorted.toArray()).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
});

test("a sparse index: when a condition asks for what it alone holds, nothing else is read", async () => {
  const items = await someItems((n) => (n < 3 ? "kept" : ""));
  await items.updateMany({ text: "" }, { $unset: { text: "" } });
  await items.createIndex({ text: 1 }, { sparse: true });
  const there = items.find({ text: { $exists: true }, n: { $gt: 0 } });
  const plan: Document = await there.clone().explain("executionStats");
  expect(plan["executionStats"].totalDocsExamined).toBe(3);
  expect(numbersOf(await there.toArray())).toEqual([0, 1, 2]);
});

test("ids by their beginning: found, counted, changed and deleted, and an upsert makes nothing new", async () => {
  const { client } = await aDatabase();
  const cases = client.db().collection<{ _id: string; n?: number }>("cases");
  await cases.insertMany([{ _id: "case-1" }, { _id: "case-2" }, { _id: "client-1" }]);
  const filter = { _id: /^case-/ };
  expect(await cases.countDocuments(filter)).toBe(2);
  expect(await cases.countDocuments({ _id: { $in: [/^case-/, "client-1"] } })).toBe(3);
  expect((await cases.find(filter).sort({ _id: -1 }).toArray()).map(({ _id }) => _id)).toEqual(["case-2", "case-1"]);
  expect((await cases.updateMany(filter, { $set: { n: 1 } })).modifiedCount).toBe(2);
  expect(await cases.updateOne(filter, { $set: { n: 2 } }, { upsert: true })).toMatchObject({ upsertedCount: 0 });
  expect((await cases.deleteMany(filter)).deletedCount).toBe(2);
  expect(await cases.find().toArray()).toEqual([{ _id: "client-1" }]);
});
