import { expect, test } from "vitest";
import { aDatabase } from "./service-engine.ts";

const DOCUMENTS = 4000;

async function many() {
  const { client } = await aDatabase();
  const items = client.db().collection<{ _id: number; owner: string; n: number }>("items");
  await items.createIndex({ owner: 1 });
  await items.insertMany(Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, owner: "a", n: 0 })));
  return items;
}
type Items = Awaited<ReturnType<typeof many>>;

const WRITES: Record<string, (items: Items) => Promise<unknown>> = {
  updateMany: (items) => items.updateMany({ owner: "a" }, { $inc: { n: 1 } }),
  deleteMany: (items) => items.deleteMany({ owner: "a" }),
};

test.each(Object.keys(WRITES))(
  "%s: of very many documents, when others ask meanwhile, then they are answered long before its end",
  async (write) => {
    const items = await many();
    const order: string[] = [];
    const written = WRITES[write]?.(items).then(() => order.push("written"));
    for (let asked = 0; asked < 5; asked += 1) {
      await items.findOne({ _id: -1 });
      order.push("asked");
    }
    await written;
    expect(order.slice(0, 4)).toEqual(["asked", "asked", "asked", "asked"]);
    expect(await items.countDocuments({ n: 0 })).toBe(0);
  },
);

test("updateMany: of very many documents, when one of them is removed meanwhile, then the others are changed", async () => {
  const items = await many();
  const [{ modifiedCount }] = await Promise.all([
    items.updateMany({ owner: "a" }, { $inc: { n: 1 } }),
    items.deleteOne({ _id: DOCUMENTS - 1 }),
  ]);
  expect(await items.countDocuments({ n: 1 })).toBe(DOCUMENTS - 1);
  expect(modifiedCount).toBeGreaterThanOrEqual(DOCUMENTS - 1);
});
