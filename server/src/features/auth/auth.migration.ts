import mongoose from "mongoose";
import { enteredIn } from "./confirm-registration.ts";
import { WaitingModel } from "./mailbox-pace.ts";
import { accountOf, RegistrationModel } from "./registrations.model.ts";

/** What is compared of an address changed: further spellings reach the same mailbox. */
export async function accountsOfToday(): Promise<void> {
  for await (const doc of RegistrationModel.find().lean().cursor())
    await RegistrationModel.updateOne({ _id: doc._id }, { $set: { account: accountOf(enteredIn(doc).email) } });
}

/** Of what was asked for one mailbox only the newest waited. */
export async function eachWaitsForItself(): Promise<void> {
  const old = WaitingModel.find({ mailbox: mongoose.trusted({ $exists: false }) });
  for await (const { _id, due_at } of old.lean().cursor())
    await WaitingModel.updateOne({ _id }, { $set: { mailbox: _id, address: _id, turn: 0, asked_at: due_at } });
}
