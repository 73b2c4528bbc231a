import mongoose from "mongoose";
import { isDuplicateKey } from "../../core/database.ts";
import { repairedAddress } from "../../core/stored-addresses.ts";
import { MailingItemModel, SuppressionModel } from "./mailings.model.ts";

/** Whoever said that they want no mailings stays on the list, however the address was written. */
export async function oneFormOfMailAddresses(): Promise<void> {
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
  const waiting = MailingItemModel.find({ state: mongoose.trusted({ $in: ["waiting", "failed", "uncertain"] }) });
  for await (const { _id, ownerId, address } of waiting.setOptions({ anyOwner: true }).lean().cursor()) {
    const kept = repairedAddress(address);
    if (kept !== "" && kept !== address)
      await MailingItemModel.updateOne({ _id, ownerId }, { $set: { address: kept } });
  }
}
