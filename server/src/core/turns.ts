// Writers whose changes would make each other wrong take turns: each looks in the transaction that writes, and of two
// at once the second looks again, after the first.
import mongoose, { Schema } from "mongoose";
import { mailboxKey } from "@app/shared/email-address";
import { HOUR_MS, now } from "./clock.ts";
import { keyedHash } from "./crypto.ts";
import { assertInTransaction } from "./database.ts";
import { notFound } from "./errors.ts";

/** They matter only while transactions are open, and while what was read before one is in use. */
const KEPT_MS = HOUR_MS;

const turnSchema = new Schema(
  {
    /** The practice, and an address, hashed, or a record of any kind: ids are never given twice. */
    _id: { type: String, required: true },
    turns: { type: Number, required: true },
    /** Whether the record was taken back. */
    isGone: { type: Boolean, default: false },
    /** None while the record can be taken back. */
    expires_at: Date,
  },
  { collection: "turns", versionKey: false },
);
turnSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
const TurnModel = mongoose.model("Turn", turnSchema);

/** For a rule between collections: call it in the transaction that writes these addresses, before it looks who else has them. */
export async function takeAddressTurns(ownerId: string, addresses: readonly string[]): Promise<void> {
  assertInTransaction();
  const keys = addresses.filter(Boolean).map((address) => keyedHash(`address:${ownerId}:${mailboxKey(address)}`));
  if (keys.length === 0) return;
  const change = { $inc: { turns: 1 }, $set: { expires_at: soon() } };
  // In one order, so that two who write the same meet at the first.
  await TurnModel.bulkWrite(
    [...new Set(keys)].toSorted().map((_id) => ({ updateOne: { filter: { _id }, update: change, upsert: true } })),
  );
}

/** For the same rule where many addresses are written at once, and in each transaction that makes one of them a colleague's. */
export const takeColleaguesTurn = (ownerId: string): Promise<void> => takeTurnOf(ownerId, "addresses of colleagues");

/** For the rule that no two people of a practice go by one name: call it in the transaction that writes a name or number. */
export async function takeNameTurn(ownerId: string): Promise<void> {
  assertInTransaction();
  const change = { $inc: { turns: 1 }, $set: { expires_at: soon() } };
  await TurnModel.updateOne({ _id: keyedHash(`names:${ownerId}`) }, change, { upsert: true });
}

/** The same for a rule about one thing, such as whether the parties of a case may meet. */
export async function takeTurnOf(ownerId: string, thing: string): Promise<void> {
  assertInTransaction();
  const change = { $inc: { turns: 1 }, $set: { expires_at: soon() } };
  await TurnModel.updateOne({ _id: `${ownerId}:${thing}` }, change, { upsert: true });
}

const soon = () => new Date(now().getTime() + KEPT_MS);
const keysOf = (ownerId: string, ids: readonly string[]): string[] =>
  [...new Set(ids)].filter(Boolean).map((id) => `${ownerId}:${id}`);
const among = (keys: string[]) => ({ _id: mongoose.trusted({ $in: keys }) });

/** In the transaction that makes records which may be taken back: from now on turns are taken for them. */
export async function openRecordTurns(ownerId: string, ids: readonly string[]): Promise<void> {
  await TurnModel.insertMany(
    keysOf(ownerId, ids).map((_id) => ({ _id, turns: 0 })),
    { lean: true, ordered: false },
  );
}

/**
 * Call it in the transaction that writes what refers to these records, and in the one that takes them back, before it
 * looks what refers to them. For records that nobody can take back it does nothing. Throws NOT_FOUND where one of them
 * was taken back.
 */
export async function takeRecordTurns(ownerId: string, ids: readonly string[]): Promise<void> {
  assertInTransaction();
  const keys = keysOf(ownerId, ids);
  const open = keys.length > 0 ? await TurnModel.find(among(keys), { isGone: 1 }).lean() : [];
  if (open.some(({ isGone }) => isGone)) throw notFound("The client or case that this belongs to was");
  // Of most records nobody can take one back, and nothing is written then.
  if (open.length > 0) await TurnModel.updateMany(among(keys), { $inc: { turns: 1 } });
}

/** In the transaction that took its turn and takes these records back: whoever comes after it is refused. */
export async function endRecordTurns(ownerId: string, ids: readonly string[]): Promise<void> {
  await TurnModel.updateMany(among(keysOf(ownerId, ids)), { $set: { isGone: true, expires_at: soon() } });
}
