// Writers of the same address in one practice take turns: a rule that holds between collections is looked up in the
// transaction that writes, and of two at once the second looks again, after the first.
import mongoose, { Schema } from "mongoose";
import { mailboxKey } from "@app/shared/email-address";
import { HOUR_MS, now } from "./clock.ts";
import { keyedHash } from "./crypto.ts";
import { assertInTransaction } from "./database.ts";

/** It matters only while transactions are open. */
const KEPT_MS = HOUR_MS;

const addressTurnSchema = new Schema(
  {
    /** The practice, and whose mailbox the address reaches, hashed. */
    _id: { type: String, required: true },
    turns: { type: Number, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: "address_turns", versionKey: false },
);
addressTurnSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
const AddressTurnModel = mongoose.model("AddressTurn", addressTurnSchema);

/** Call it in the transaction that writes these addresses, before it looks who else has them. */
export async function takeAddressTurns(ownerId: string, addresses: readonly string[]): Promise<void> {
  assertInTransaction();
  // In one order, so that two who write the same addresses meet at the first.
  const keys = [...new Set(addresses.filter(Boolean).map(mailboxKey))].toSorted();
  if (keys.length === 0) return;
  const change = { $inc: { turns: 1 }, $set: { expires_at: new Date(now().getTime() + KEPT_MS) } };
  await AddressTurnModel.bulkWrite(
    keys.map((key) => ({
      updateOne: { filter: { _id: keyedHash(`address:${ownerId}:${key}`) }, update: change, upsert: true },
    })),
  );
}
