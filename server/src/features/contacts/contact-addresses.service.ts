// Contacts as mail knows them: by whom an address reaches.
import mongoose from "mongoose";
import { type ContactLink, contactName } from "@app/shared/contacts";
import { emailKey } from "../../core/likeness.ts";
import { ContactModel } from "./contacts.model.ts";

export interface ContactAtAddress {
  id: string;
  name: string;
  email: string;
  links: ContactLink[];
}

/** Every contact of the practice, archived ones too, whom mail to one of these addresses reaches. */
export async function contactsAtAddresses(ownerId: string, addresses: readonly string[]): Promise<ContactAtAddress[]> {
  if (addresses.length === 0) return [];
  const docs = await ContactModel.find(
    { ownerId, matchKeys: mongoose.trusted({ $in: addresses.map(emailKey) }) },
    { title: 1, firstName: 1, lastName: 1, organisation: 1, email: 1, links: 1 },
  ).lean();
  return docs.map((doc) => ({ id: doc._id, name: contactName(doc), email: doc.email, links: doc.links }));
}
