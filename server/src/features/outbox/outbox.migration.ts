import mongoose from "mongoose";
import { PARTY_LEAK } from "@app/shared/party-leak";
import { DAY_MS, now } from "../../core/clock.ts";
import { contactsMailed } from "../contacts/contact-addresses.service.ts";
import { OutboxModel } from "./outbox.model.ts";
import { contentOf } from "./outbox.service.ts";

/** Imports are taken back for thirty days; who was mailed before the oldest of them matters to none. */
const ASKED_FOR_MS = 40 * DAY_MS;

/** Why a mail did not leave once began with a code. */
export async function reasonsWithoutCode(): Promise<void> {
  await OutboxModel.collection.updateMany({ reason: { $regex: PARTY_LEAK } }, [
    { $set: { reason: { $replaceOne: { input: "$reason", find: PARTY_LEAK, replacement: "" } } } },
  ]);
}

/** Which contacts mails of before were to go to. */
export async function contactsOfMails(): Promise<void> {
  const docs = OutboxModel.find({
    contactIds: mongoose.trusted({ $exists: false }),
    createdAt: mongoose.trusted({ $gt: new Date(now().getTime() - ASKED_FOR_MS) }),
  })
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  for await (const doc of docs) {
    const { to, alsoTo, cc } = contentOf(doc);
    const contactIds = await contactsMailed(doc.ownerId, [to, ...alsoTo, ...cc]);
    await OutboxModel.updateOne({ ownerId: doc.ownerId, _id: doc._id }, { $set: { contactIds } });
  }
}
