import mongoose, { Schema } from "mongoose";
import { now } from "./clock.ts";
import { isDuplicateKey } from "./database.ts";
import { isInTransaction } from "./open-transaction.ts";

/** So many at once, and one more each time so much time has passed; never more than the bucket holds. */
export interface Bucket {
  size: number;
  everyMs: number;
}

export interface Token {
  isTaken: boolean;
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
 * One of each bucket, or none where one of them is empty: `waitMs` is how long until each has one. They are taken in
 * turn up to the first that is empty, so what comes last is never touched by whoever may not have what comes first.
 */
export async function takeTokens(buckets: readonly NamedBucket[]): Promise<Token> {
  // What is refused ends all of a transaction, and a flood of what is refused costs least where it is only looked at.
  const known = isInTransaction() || buckets.some(wasEmpty) ? await emptyOf(buckets) : [];
  return known.length > 0 ? refusedBy(known) : takeOrRefuse(buckets);
}

/** Until when each was seen to hold none. Others may have given back since: it says what to look at, not what is refused. */
const emptyUntil = new Map<string, number>();
const REMEMBERED_MAX = 10_000;

const wasEmpty = ([key]: NamedBucket): boolean => (emptyUntil.get(key) ?? 0) > now().getTime();

function rememberEmpty(empty: readonly Empty[], at: number): void {
  if (emptyUntil.size > REMEMBERED_MAX) emptyUntil.clear();
  for (const { key, waitMs } of empty) emptyUntil.set(key, at + waitMs);
}

async function takeOrRefuse(buckets: readonly NamedBucket[]): Promise<Token> {
  for (;;) {
    const count = await takeInTurn(buckets);
    if (count === buckets.length) return { isTaken: true, waitMs: 0, emptyKeys: [] };
    await returnTokens(buckets.slice(0, count));
    const empty = await emptyOf(buckets);
    if (empty.length > 0) return refusedBy(empty);
    // Others gave back at this moment what they had taken.
  }
}

interface Empty {
  key: string;
  waitMs: number;
}

const refusedBy = (empty: readonly Empty[]): Token => ({
  isTaken: false,
  waitMs: Math.max(...empty.map(({ waitMs }) => waitMs)),
  emptyKeys: empty.map(({ key }) => key),
});

/** How many of them one was taken of: all up to the first that holds none, whose document is there already. */
async function takeInTurn(buckets: readonly NamedBucket[]): Promise<number> {
  const at = now().getTime();
  try {
    await BucketModel.bulkWrite(buckets.map((bucket) => ({ updateOne: { ...takingOf(bucket, at), upsert: true } })));
    return buckets.length;
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    return [error.writeErrors].flat()[0]?.index ?? 0;
  }
}

function takingOf([key, { size, everyMs }]: NamedBucket, at: number) {
  const emptyAt = at + size * everyMs;
  // A full one fills no further: its time begins anew.
  const fullAt = { $add: [{ $max: ["$full_at_ms", at] }, everyMs] };
  return {
    filter: { _id: key, full_at_ms: mongoose.trusted({ $lte: emptyAt - everyMs }) },
    update: [{ $set: { full_at_ms: fullAt, expires_at: new Date(emptyAt) } }],
  };
}

/** Those that hold none, and how long. */
async function emptyOf(buckets: readonly NamedBucket[]): Promise<Empty[]> {
  const fullAt = await fullTimesOf(buckets);
  const at = now().getTime();
  const waits = buckets.map(async ([key, { size, everyMs }]) => {
    const emptyAt = at + size * everyMs;
    const full = fullAt.get(key) ?? 0;
    if (full <= emptyAt - everyMs) return [];
    // Emptier than it can be: it was taken from by a clock that was ahead.
    if (full > emptyAt) await BucketModel.updateOne({ _id: key, full_at_ms: full }, { $set: { full_at_ms: emptyAt } });
    return [{ key, waitMs: Math.max(Math.min(full, emptyAt) + everyMs - emptyAt, 1) }];
  });
  const empty = (await Promise.all(waits)).flat();
  rememberEmpty(empty, at);
  return empty;
}

/** How many more could be taken of it now. */
export async function leftIn(bucket: NamedBucket): Promise<number> {
  const [key, { size, everyMs }] = bucket;
  const full = (await fullTimesOf([bucket])).get(key) ?? 0;
  const wait = Math.max(full - now().getTime(), 0);
  return Math.max(Math.floor(size - wait / everyMs), 0);
}

async function fullTimesOf(buckets: readonly NamedBucket[]): Promise<Map<string, number>> {
  const docs = await BucketModel.find({ _id: mongoose.trusted({ $in: buckets.map(([key]) => key) }) }).lean();
  return new Map(docs.map(({ _id, full_at_ms }) => [_id, full_at_ms]));
}

/** They were not needed after all. */
export async function returnTokens(buckets: readonly NamedBucket[]): Promise<void> {
  if (buckets.length === 0) return;
  const givingBack = buckets.map(([_id, { everyMs }]) => ({
    updateOne: { filter: { _id }, update: { $inc: { full_at_ms: -everyMs } } },
  }));
  await BucketModel.bulkWrite(givingBack, { ordered: false });
}
