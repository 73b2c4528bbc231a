import mongoose from "mongoose";

/** Collections in which it stands what was sent and imported, and how the server works. */
const BESIDE = new Set([
  "sendings",
  "imports",
  "import_chunks",
  "import_problems",
  "jobs",
  "auth_sessions",
  "rate_limits",
]);

/** All that is stored for a practice, by collection; a total of nothing is the same as none. */
export async function dumpOf(ownerId: string): Promise<Record<string, string[]>> {
  const collections = await mongoose.connection.listCollections();
  const found: Record<string, string[]> = {};
  for (const { name } of collections.toSorted((a, b) => a.name.localeCompare(b.name))) {
    if (BESIDE.has(name)) continue;
    const docs = await mongoose.connection
      .collection<{ _id: string }>(name)
      .find(
        { $or: [{ _id: ownerId }, { ownerId }, { owner_id: ownerId }] },
        { sort: { _id: 1 }, projection: { last_seen_at: 0, assignmentStep: 0 } },
      )
      .toArray();
    const texts = docs
      .map((doc) => JSON.stringify(withoutZeros(doc)))
      .filter((text) => text !== JSON.stringify({ _id: ownerId }));
    // A collection may be made, and still be empty, at any time.
    if (texts.length > 0) found[name] = texts;
  }
  return found;
}

const isTotal = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

function withoutZeros(doc: object): object {
  const kept = Object.entries(doc)
    .filter(([, value]) => value !== 0)
    .map(([key, value]: [string, unknown]) => [key, isTotal(value) ? withoutZeros(value) : value] as const)
    .filter(([, value]) => !isTotal(value) || Object.keys(value).length > 0);
  return Object.fromEntries(kept);
}
