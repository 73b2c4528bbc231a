import mongoose from "mongoose";
import { repairedAddress } from "../../core/stored-addresses.ts";
import { MailingItemModel, MailingModel } from "./mailings.model.ts";

export async function oneFormOfMailAddresses(): Promise<void> {
  const waiting = MailingItemModel.find({ state: mongoose.trusted({ $in: ["waiting", "failed", "uncertain"] }) });
  for await (const { _id, ownerId, address } of waiting.setOptions({ anyOwner: true }).lean().cursor()) {
    const kept = repairedAddress(address);
    if (kept !== "" && kept !== address)
      await MailingItemModel.updateOne({ _id, ownerId }, { $set: { address: kept } });
  }
}

/** Who works on a mailing is known by a name, and when to go on with it is a time by itself. */
export async function whoHoldsMailings(): Promise<void> {
  await MailingModel.collection.updateMany({ dueAt: { $exists: false } }, [
    { $set: { heldBy: "", round: 0, fence: null, dueAt: "$leaseUntil" } },
    { $unset: ["leaseToken", "leaseUntil"] },
  ]);
}
