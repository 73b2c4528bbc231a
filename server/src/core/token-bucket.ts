import mongoose, { Schema } from "mongoose";
import { now } from "./clock.ts";
import { isDuplicateKey } from "./database.ts";

/** So many at once, and one more each time so much time has passed; never more than the bucket holds. */
export interface Bucket {
  size: number;
  everyMs: number;
}

export interface Token {
  isTaken: boolean;
  /** How many more could be taken now. */
  left: number;
  /** Until the next can be taken. */
  waitMs: number;
  /** The keys of the buckets that hold none. */
  emptyKeys: readonly string[];
}

const bucketSchema = new Schema(
  {
    _id: { type: String, required: true },
    // When it is full again; a number, so that it can be added to in one step.
    full_at_ms: { type: Number, required: true },
    expires_at: { type: Date, required: true },
  },
  // Beside the limits: what is forgiven there is forgiven here, and one index takes away what is over.
  { collection: "rate_limits", versionKey: false, autoIndex: false },
);
const BucketModel = mongoose.model("TokenBucket", bucketSchema);

/** A bucket by the name that it has in the database. */
export type NamedBucket = readonly [key: string, bucket: Bucket];

/**
 * Takes one of what a bucket holds, in one atomic step, or says how long there is none: the generic cell rate algorithm
 * (ITU-T I.371), for which one time is kept. It lives in the database, so a restart fills no bucket.
 */
export const takeToken = (key: string, bucket: Bucket): Promise<Token> => takeTokens([[key, bucket]]);

/**
 * One of each bucket, or none where one of them is empty: `left` is what the first still holds, and `waitMs` how long
 * until each has one.
 */
export async function takeTokens(buckets: readonly NamedBucket[]): Promise<Token> {
  for (;;) {
    const known = await readAll(buckets);
    const waits = await Promise.all(known.map(waitOf));
    const emptyKeys = known.flatMap(({ key }, index) => ((waits[index] ?? 0) > 0 ? [key] : []));
    if (emptyKeys.length > 0) return { isTaken: false, left: 0, waitMs: Math.max(...waits), emptyKeys };
    const missed = await takeAll(known);
    if (missed.length === 0) return { isTaken: true, left: leftIn(known[0]), waitMs: 0, emptyKeys };
    // Others took of them at this moment.
    await returnTokens(buckets.filter((_, index) => !missed.includes(index)));
  }
}

interface Known {
  key: string;
  everyMs: number;
  /** When the bucket is full by itself. */
  fullAt: number;
  at: number;
  /** When it would be full if it were empty. */
  emptyAt: number;
}

async function readAll(buckets: readonly NamedBucket[]): Promise<Known[]> {
  const docs = await BucketModel.find({ _id: mongoose.trusted({ $in: buckets.map(([key]) => key) }) }).lean();
  const at = now().getTime();
  return buckets.map(([key, { size, everyMs }]) => {
    const fullAt = docs.find(({ _id }) => _id === key)?.full_at_ms ?? 0;
    return { key, everyMs, fullAt, at, emptyAt: at + size * everyMs };
  });
}

const leftIn = (known: Known | undefined): number =>
  known ? Math.floor((known.emptyAt - Math.max(known.fullAt, known.at)) / known.everyMs) - 1 : 0;

/** How long until this bucket holds one; 0 where it does. */
async function waitOf({ key, everyMs, fullAt, emptyAt }: Known): Promise<number> {
  if (fullAt <= emptyAt - everyMs) return 0;
  // Emptier than it can be: it was taken from by a clock that was ahead.
  if (fullAt > emptyAt)
    await BucketModel.updateOne({ _id: key, full_at_ms: fullAt }, { $set: { full_at_ms: emptyAt } });
  return Math.max(Math.min(fullAt, emptyAt) + everyMs - emptyAt, 1);
}

/** Which of them are no longer as they were read: to make one that is there already is refused. */
async function takeAll(known: readonly Known[]): Promise<number[]> {
  const operations = known.map((bucket) => ({ updateOne: { ...takingOf(bucket), upsert: true } }));
  try {
    await BucketModel.bulkWrite(operations, { ordered: false });
    return [];
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    return [error.writeErrors].flat().map(({ index }) => index);
  }
}

function takingOf({ key, everyMs, fullAt, at, emptyAt }: Known) {
  const expiry = { expires_at: new Date(emptyAt) };
  // A full one fills no further: its time begins anew.
  return fullAt < at
    ? { filter: { _id: key, full_at_ms: fullAt }, update: { $set: { full_at_ms: at + everyMs, ...expiry } } }
    : {
        filter: { _id: key, full_at_ms: mongoose.trusted({ $gte: at, $lte: emptyAt - everyMs }) },
        update: { $inc: { full_at_ms: everyMs }, $set: expiry },
      };
}

/** They were not needed after all. */
export async function returnTokens(buckets: readonly NamedBucket[]): Promise<void> {
  for (const [key, { everyMs }] of buckets)
    await BucketModel.updateOne({ _id: key }, { $inc: { full_at_ms: -everyMs } });
}
