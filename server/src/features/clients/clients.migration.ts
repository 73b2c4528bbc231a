import mongoose from "mongoose";
import { mailboxKey } from "@app/shared/email-address";
import { NOTE_MAX_LENGTH } from "@app/shared/text";
import type { Logger } from "../../core/logger.ts";
import { leftMailboxesOf, repairedAddress } from "../../core/stored-addresses.ts";
import { type ClientDoc, ClientModel, storedFields } from "./clients.model.ts";

/** The address as it was, and where somebody sees it: in the note or, where that is full, in what the client needs. */
function setAside({ email, safeContact, needs }: ClientDoc): Record<string, string> {
  const words = `Former address: ${email}`;
  const note = `${safeContact.note} ${words}`.trim();
  if (note.length <= NOTE_MAX_LENGTH) return { formerEmail: email, "safeContact.note": note };
  const further = `${needs} ${words}`.trim();
  return { formerEmail: email, ...(further.length <= NOTE_MAX_LENGTH && { needs: further }) };
}

/** Also where the address stays as it is: what clients are looked up by changed with its form. */
export async function oneFormOfClientAddresses(log: Logger): Promise<void> {
  const docs = ClientModel.find({ email: mongoose.trusted({ $ne: "" }) })
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  for await (const doc of docs) {
    const email = repairedAddress(doc.email);
    const isUnusable = email === "";
    if (isUnusable) log.warn({ clientId: doc._id }, "address of a client could not be used and was set aside");
    const { searchTerms, matchKeys } = storedFields({ ...doc, email });
    await ClientModel.updateOne(
      { _id: doc._id, ownerId: doc.ownerId, email: doc.email },
      { $set: { email, searchTerms, matchKeys, ...(isUnusable && setAside(doc)) } },
      { timestamps: false },
    );
  }
}

/** What records are looked up by in the conflict check took in the first name. */
export async function keysOfClients(): Promise<void> {
  for await (const doc of ClientModel.find().setOptions({ anyOwner: true }).lean().cursor())
    await ClientModel.updateOne(
      { _id: doc._id, ownerId: doc.ownerId },
      { $set: { matchKeys: storedFields(doc).matchKeys } },
      { timestamps: false },
    );
}

export const leftMailboxesOfClients = (): Promise<void> => leftMailboxesOf(ClientModel.collection.name);

/** What was set aside as unusable counts as an address that the client left, as far as it can be compared. */
export async function formerMailboxesOfClients(): Promise<void> {
  const docs = ClientModel.find(
    { formerEmail: mongoose.trusted({ $exists: true }), "formerMailboxes.0": mongoose.trusted({ $exists: false }) },
    { ownerId: 1, formerEmail: 1 },
  )
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  for await (const { _id, ownerId, formerEmail = "" } of docs)
    await ClientModel.updateOne(
      { _id, ownerId },
      { $set: { formerMailboxes: [mailboxKey(formerEmail)] } },
      { timestamps: false },
    );
}
