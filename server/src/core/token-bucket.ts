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

/**
 * Takes one of what a bucket holds, in one atomic step, or says how long there is none: the generic cell rate algorithm
 * (ITU-T I.371), for which one time is kept. It lives in the database, so a restart fills no bucket.
 */
export async function takeToken(key: string, { size, everyMs }: Bucket): Promise<Token> {
  const at = now().getTime();
  const emptyAt = at + size * everyMs;
  await neverFullInThePast(key, at, emptyAt);
  const doc = await BucketModel.findOneAndUpdate(
    { _id: key, full_at_ms: mongoose.trusted({ $lte: emptyAt - everyMs }) },
    { $inc: { full_at_ms: everyMs } },
    { returnDocument: "after", lean: true },
  );
  if (doc) return { isTaken: true, left: Math.floor((emptyAt - doc.full_at_ms) / everyMs), waitMs: 0 };
  const known = await BucketModel.findById(key).lean();
  const fullAt = known?.full_at_ms ?? emptyAt;
  // Emptier than it can be: it was taken from by a clock that was ahead.
  if (fullAt > emptyAt)
    await BucketModel.updateOne({ _id: key, full_at_ms: fullAt }, { $set: { full_at_ms: emptyAt } });
  return { isTaken: false, left: 0, waitMs: Math.max(Math.min(fullAt, emptyAt) + everyMs - emptyAt, 1) };
}

async function neverFullInThePast(key: string, at: number, emptyAt: number): Promise<void> {
  try {
    await BucketModel.updateOne(
      { _id: key },
      { $max: { full_at_ms: at }, $set: { expires_at: new Date(emptyAt) } },
      { upsert: true },
    );
  } catch (error) {
    // Another made it at the same moment.
    if (!isDuplicateKey(error)) throw error;
  }
}

/** It was not needed after all. */
export async function returnToken(key: string, { everyMs }: Bucket): Promise<void> {
  await BucketModel.updateOne({ _id: key }, { $inc: { full_at_ms: -everyMs } });
}
