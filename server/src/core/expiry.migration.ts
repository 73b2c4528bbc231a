import mongoose from "mongoose";

/** What removed for its age, by whatever the clock said at that moment, what people were told is kept. */
const INDEXES = [
  ["auth_sessions", "expires_at_1"],
  ["import_chunks", "keptFrom_1"],
  ["import_problems", "createdAt_1"],
  ["registrations", "expires_at_1"],
  ["set_aside", "since_1"],
  ["stripe_events", "received_at_1"],
  ["system_mail_bodies", "expires_at_1"],
  ["system_mails", "created_at_1"],
] as const;

/** From now on a sweep removes them, which waits until the clock is sure. */
export async function noIndexRemovesWhatIsKept(): Promise<void> {
  // A command makes the collections of the features that it loads alone.
  const there = new Set((await mongoose.connection.listCollections()).map(({ name }) => name));
  for (const [collection, name] of INDEXES.filter(([one]) => there.has(one))) {
    const of = mongoose.connection.collection(collection);
    if (await of.indexExists(name)) await of.dropIndex(name);
  }
}
