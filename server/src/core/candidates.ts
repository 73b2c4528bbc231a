// Whom of a collection a conflict check compares: each way to be alike is looked up by itself, so that a thousand people
// of a usual name take no place of the one who has the same phone number.
import mongoose from "mongoose";
import { exactKeys, type Known, nameLookups } from "./likeness.ts";

/** How many are compared at the most that one way finds. */
const EACH_MAX = 1000;
/** They are unpacked some at a time, so that others are heard in between. */
const OPTIONS = { limit: EACH_MAX + 1, batchSize: 200 };

type Find<Doc> = (
  filter: { $and: { matchKeys: { $in: string[] } }[] },
  options: typeof OPTIONS,
) => PromiseLike<readonly Doc[]>;

export interface Candidates<Found> {
  found: Found[];
  /** Some way found more than are compared. */
  isCut: boolean;
}

export async function candidatesFor<Doc extends { _id: string }>(
  term: Known,
  find: Find<Doc>,
): Promise<Candidates<Doc>> {
  const ways = [...exactKeys(term).map((key) => [[key]]), ...nameLookups(term)];
  const found = await Promise.all(
    ways.map((each) => find({ $and: each.map((keys) => ({ matchKeys: mongoose.trusted({ $in: keys }) })) }, OPTIONS)),
  );
  const docs = found.flatMap((ofOne) => ofOne.slice(0, EACH_MAX));
  return {
    found: [...new Map(docs.map((doc) => [doc._id, doc])).values()],
    isCut: found.some(({ length }) => length > EACH_MAX),
  };
}
