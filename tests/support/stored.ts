import mongoose from "mongoose";

/** Jobs come round by themselves, whatever anybody asks for. */
const RESTLESS = new Set(["jobs"]);
const TIMES = { last_seen_at: 0, expires_at: 0 };

/** All that is stored, but for when somebody was last seen: equal before and after where nothing was changed. */
export async function everythingStored(): Promise<Record<string, unknown[]>> {
  const collections = await mongoose.connection.listCollections();
  const found = await Promise.all(
    collections
      .filter(({ name }) => !RESTLESS.has(name))
      .map(async ({ name }) => {
        const docs = await mongoose.connection
          .collection(name)
          .find({}, { sort: { _id: 1 }, projection: TIMES })
          .toArray();
        return [name, docs] as const;
      }),
  );
  return Object.fromEntries(found);
}
