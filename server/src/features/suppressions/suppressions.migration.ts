import mongoose from "mongoose";
import { mailboxKey } from "@app/shared/email-address";
import { z } from "zod";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { repairedAddress } from "../../core/stored-addresses.ts";
import { SuppressionModel } from "./suppressions.model.ts";

/** Whoever said that they want no mailings stays on the list, however the address was written. */
export async function oneFormOfSuppressedAddresses(): Promise<void> {
  for await (const { _id, ownerId, address } of SuppressionModel.find()
    .setOptions({ anyOwner: true })
    .lean()
    .cursor()) {
    const kept = repairedAddress(address);
    if (kept === "" || kept === address) continue;
    try {
      await SuppressionModel.updateOne({ _id, ownerId }, { $set: { address: kept } });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await SuppressionModel.deleteOne({ _id, ownerId });
    }
  }
}

const addedBySchema = z.union([z.string(), z.array(z.string())]).nullish();

const ONE_FOR_EACH_ADDRESS = "ownerId_1_address_1";
const NO_SUCH_INDEX = [26, 27];

/** Everybody's wish stands by itself: one that is taken back leaves the others. */
export async function oneWishForEach(): Promise<void> {
  await dropOldIndex();
  for await (const doc of SuppressionModel.find().setOptions({ anyOwner: true }).lean().cursor()) {
    const { _id, ownerId, address, reason, createdAt } = doc;
    const before = addedBySchema.parse(doc.addedBy) ?? [];
    if (typeof before === "string") continue;
    const addedBy = reason === "manual" ? (before[0] ?? "") : "";
    const others = [...new Set(before)].filter((userId) => userId !== addedBy);
    await inTransaction(async () => {
      await SuppressionModel.updateOne({ _id, ownerId }, { $set: { addedBy } });
      await SuppressionModel.insertMany(
        others.map((userId) => ({
          ownerId,
          address,
          mailbox: mailboxKey(address),
          reason: "manual",
          addedBy: userId,
          createdAt,
        })),
      );
    });
  }
}

/** What is compared of an address that gets no mailings is stored beside it. */
export async function mailboxesOnTheList(): Promise<void> {
  const old = SuppressionModel.find({ mailbox: mongoose.trusted({ $exists: false }) });
  for await (const { _id, ownerId, address } of old.setOptions({ anyOwner: true }).lean().cursor())
    await SuppressionModel.updateOne({ _id, ownerId }, { $set: { mailbox: mailboxKey(address) } });
}

/** What is compared changed: further spellings reach the same mailbox. */
export async function mailboxesOfToday(): Promise<void> {
  const all = SuppressionModel.find().setOptions({ anyOwner: true });
  for await (const { _id, ownerId, address } of all.lean().cursor())
    await SuppressionModel.updateOne({ _id, ownerId }, { $set: { mailbox: mailboxKey(address) } });
}

async function dropOldIndex(): Promise<void> {
  try {
    await SuppressionModel.collection.dropIndex(ONE_FOR_EACH_ADDRESS);
  } catch (error) {
    const isGone = error instanceof mongoose.mongo.MongoServerError && NO_SUCH_INDEX.includes(Number(error.code));
    if (!isGone) throw error;
  }
}
