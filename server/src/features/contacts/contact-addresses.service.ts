// Contacts as mail knows them: by whom an address reaches.
import mongoose from "mongoose";
import { type ContactLink, contactName } from "@app/shared/contacts";
import { mailboxKey } from "@app/shared/email-address";
import { formerAfter } from "../../core/former-mailboxes.ts";
import { emailKey } from "../../core/likeness.ts";
import type { Scope } from "../../core/trpc.ts";
import { type ContactDoc, ContactModel, type ContactSide } from "./contacts.model.ts";

export interface ContactAtAddress {
  id: string;
  name: string;
  email: string;
  links: ContactLink[];
  /** On whose sides they ever stood. */
  sides: ContactSide[];
}

const FIELDS = { title: 1, firstName: 1, lastName: 1, organisation: 1, email: 1, links: 1, sides: 1 } as const;

const toContact = (doc: Pick<ContactDoc, "_id" | keyof typeof FIELDS>): ContactAtAddress => ({
  id: doc._id,
  name: contactName(doc),
  email: doc.email,
  links: doc.links,
  sides: doc.sides ?? [],
});

/** Every contact of the practice, archived ones too, whom mail to one of these addresses reaches. */
export async function contactsAtAddresses(ownerId: string, addresses: readonly string[]): Promise<ContactAtAddress[]> {
  if (addresses.length === 0) return [];
  const byAddress = { matchKeys: mongoose.trusted({ $in: addresses.map(emailKey) }) };
  return (await ContactModel.find({ ownerId, ...byAddress }, FIELDS).lean()).map(toContact);
}

/** Whom of the contacts mail to these addresses reaches, by their ids. */
export const contactsMailed = async (ownerId: string, addresses: readonly string[]): Promise<string[]> =>
  (await contactsAtAddresses(ownerId, addresses)).map(({ id }) => id);

/** Every contact of the practice who had one of these addresses, whatever theirs is now. */
export async function contactsOnceAt(
  ownerId: string,
  addresses: readonly string[],
): Promise<(ContactAtAddress & { formerMailboxes: string[] })[]> {
  if (addresses.length === 0) return [];
  const docs = await ContactModel.find(
    { ownerId, formerMailboxes: mongoose.trusted({ $in: addresses.map(mailboxKey) }) },
    { ...FIELDS, formerMailboxes: 1 },
  ).lean();
  return docs.map((doc) => ({ ...toContact(doc), formerMailboxes: doc.formerMailboxes ?? [] }));
}

/** What is stored beside an address that somebody saves: who entered it and which one they left, unless it stands there already. */
export async function besideAddress(
  { ownerId, userId }: Pick<Scope, "ownerId" | "userId">,
  id: string,
  email: string,
): Promise<{ emailSetBy?: string; formerMailboxes?: string[] }> {
  const before = await ContactModel.findOne({ ownerId, _id: id }, { email: 1, formerMailboxes: 1 }).lean();
  if (!before || before.email === email) return {};
  return { emailSetBy: userId, formerMailboxes: formerAfter(before, email) };
}
