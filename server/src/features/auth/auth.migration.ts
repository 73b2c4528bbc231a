import mongoose from "mongoose";
import { enteredIn, keepLink } from "./confirm-registration.ts";
import { waitingId, WaitingModel } from "./mailbox-pace.ts";
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

/** Each registration had a link of its own, which goes on to work. */
export async function linksOfMailboxes(): Promise<void> {
  const linked = RegistrationModel.collection.find({ token_hash: { $type: "string" } });
  for await (const { _id, token_hash } of linked) {
    const doc = await RegistrationModel.findById(String(_id)).lean();
    if (doc) await keepLink(String(token_hash), enteredIn(doc).email, doc.expires_at);
  }
}

/** Each that was asked for had a mail of its own; now those for one address have one. */
export async function oneMailForEachAddress(): Promise<void> {
  for await (const { _id, ...asked } of WaitingModel.find().lean().cursor()) {
    const id = waitingId(asked.mailbox, asked.address);
    if (id === _id) continue;
    await WaitingModel.updateOne({ _id: id }, { $setOnInsert: asked }, { upsert: true });
    await WaitingModel.deleteOne({ _id });
  }
}
