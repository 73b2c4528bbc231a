import mongoose from "mongoose";
import { ROLES } from "@app/shared/access";
import { isDuplicateKey } from "../../core/database.ts";
import type { Logger } from "../../core/logger.ts";
import { repairedAddress } from "../../core/stored-addresses.ts";
import { UserModel } from "./users.model.ts";

/** An account whose one form is another's already keeps its spelling: nobody is locked out by this. */
export async function oneFormOfUserAddresses(log: Logger): Promise<void> {
  for await (const { _id, email_address: before } of UserModel.find({}, { email_address: 1 }).lean().cursor()) {
    const address = repairedAddress(before);
    if (address === before) continue;
    try {
      if (address) await UserModel.updateOne({ _id }, { $set: { email_address: address } }, { timestamps: false });
      else log.warn({ userId: _id }, "address of an account cannot be brought into its one form");
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      log.warn({ userId: _id }, "address of an account is another account's in its one form");
    }
  }
}

const INDEX_NOT_FOUND = 27;

/** Until then an address was taken by whoever was invited with it; now only by an account (`address_of_account`). */
export async function addressesOfInvited(): Promise<void> {
  try {
    await UserModel.collection.dropIndex("email_address_1");
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError && error.code === INDEX_NOT_FOUND)) throw error;
  }
}

/** The record of who is at risk has a permission of its own; mediators have it from the start. */
export async function safeguardingOfMediators(): Promise<void> {
  await UserModel.updateMany(
    { role: ROLES.mediator },
    { $addToSet: { permissions: "safeguarding.read" } },
    { timestamps: false },
  );
}
