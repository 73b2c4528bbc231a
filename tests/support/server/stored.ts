// All that is stored: read whole, compared, and put back after a test has changed it.
import mongoose from "mongoose";

const { EJSON } = mongoose.mongo.BSON;

/** Jobs come round and say what they begin, and processes show that they live, whatever anybody asks for. */
const RESTLESS = new Set(["jobs", "processes", "clock", "begun_work"]);

interface StoredDocument {
  collection: string;
  document: Record<string, unknown>;
  /** All of it but for when somebody was last seen. */
  text: string;
}

export type Snapshot = StoredDocument[];

export async function takeSnapshot(): Promise<Snapshot> {
  const collections = await mongoose.connection.listCollections();
  const found = await Promise.all(
    collections.filter(({ name }) => !RESTLESS.has(name)).map(({ name }) => documentsOf(name)),
  );
  return found.flat();
}

async function documentsOf(collection: string): Promise<Snapshot> {
  // In the order in which they were stored, which is kept when they are put back.
  const documents = await mongoose.connection.collection(collection).find({}, { promoteValues: false }).toArray();
  return documents.map((document) => {
    const { last_seen_at: _seen, expires_at: _expires, ...rest } = document;
    return { collection, document, text: EJSON.stringify(rest) };
  });
}

/** All that is stored, one text for each document: equal before and after where nothing was changed. */
export const everythingStored = async (): Promise<string[]> => (await takeSnapshot()).map(lineOf);

export const lineOf = ({ collection, text }: StoredDocument): string => `${collection} ${text}`;

/** Makes what is stored what it was. */
export async function putBack(snapshot: Snapshot): Promise<void> {
  const wanted = byCollection(snapshot);
  for (const [name, now] of byCollection(await takeSnapshot())) {
    const kept = wanted.get(name) ?? [];
    wanted.delete(name);
    if (textOf(kept) !== textOf(now)) await replace(name, kept);
  }
  for (const [name, kept] of wanted) await replace(name, kept);
}

const byCollection = (snapshot: Snapshot): Map<string, Snapshot> => Map.groupBy(snapshot, (one) => one.collection);

const textOf = (snapshot: Snapshot): string => snapshot.map(({ text }) => text).join("\n");

async function replace(name: string, kept: Snapshot): Promise<void> {
  const collection = mongoose.connection.collection(name);
  await collection.deleteMany({});
  if (kept.length > 0) await collection.insertMany(kept.map(({ document }) => document));
}
