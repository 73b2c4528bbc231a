import mongoose from "mongoose";
import type { Logger } from "../../core/logger.ts";
import { leftMailboxesOf, repairedAddress } from "../../core/stored-addresses.ts";
import { casesOfContacts, sidesOfContacts } from "./contact-cases.service.ts";
import { ContactModel, storedFields } from "./contacts.model.ts";

/** Also where the address stays as it is: what contacts are looked up by changed with its form. */
export async function oneFormOfContactAddresses(log: Logger): Promise<void> {
  const docs = ContactModel.find({ email: mongoose.trusted({ $ne: "" }) })
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  for await (const doc of docs) {
    const email = repairedAddress(doc.email);
    if (email === "")
      log.warn({ contactId: doc._id }, "address of a contact could not be used and was moved to the notes");
    const notes = email === "" ? `${doc.notes}\nFormer address: ${doc.email}`.trim() : doc.notes;
    const { searchTerms, matchKeys } = storedFields({ ...doc, email });
    await ContactModel.updateOne(
      { _id: doc._id, ownerId: doc.ownerId, email: doc.email },
      { $set: { email, notes, searchTerms, matchKeys } },
      { timestamps: false },
    );
  }
}

/** What records are looked up by in the conflict check took in the first name. */
export async function keysOfContacts(): Promise<void> {
  for await (const doc of ContactModel.find().setOptions({ anyOwner: true }).lean().cursor())
    await ContactModel.updateOne(
      { _id: doc._id, ownerId: doc.ownerId },
      { $set: { matchKeys: storedFields(doc).matchKeys } },
      { timestamps: false },
    );
}

export const leftMailboxesOfContacts = (): Promise<void> => leftMailboxesOf(ContactModel.collection.name);

/** Which cases contacts belong to, from before that was kept with them. */
export async function casesOfAllContacts(log: Logger): Promise<void> {
  const docs = ContactModel.find({ caseIds: mongoose.trusted({ $exists: false }) }, { ownerId: 1, links: 1 })
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  let found = 0;
  for await (const doc of docs) {
    const caseIds = (await casesOfContacts(doc.ownerId, [doc])).get(doc._id) ?? [];
    await ContactModel.updateOne({ _id: doc._id, ownerId: doc.ownerId }, { $set: { caseIds } }, { timestamps: false });
    if (caseIds.length > 0) found += 1;
  }
  log.info({ contacts: found }, "cases of contacts noted");
}

/** On whose sides contacts stand, from before it was kept where they ever stood. */
export async function sidesOfAllContacts(): Promise<void> {
  const docs = ContactModel.find({ sides: mongoose.trusted({ $exists: false }) }, { ownerId: 1, links: 1 })
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  for await (const doc of docs) {
    const sides = (await sidesOfContacts(doc.ownerId, [doc])).get(doc._id) ?? [];
    await ContactModel.updateOne({ _id: doc._id, ownerId: doc.ownerId }, { $set: { sides } }, { timestamps: false });
  }
}
