// What an import needs of contacts: many at once, and back out again.
import mongoose, { type QueryFilter } from "mongoose";
import { contactName, type CreateContact } from "@app/shared/contacts";
import { exactKeys } from "../../core/likeness.ts";
import type { Scope } from "../../core/trpc.ts";
import { type ContactDoc, ContactModel, storedFields, toKnown } from "./contacts.model.ts";
import { createContacts, visibleTo } from "./contacts.service.ts";

type Twin = Pick<CreateContact, "firstName" | "lastName" | "organisation" | "email" | "phones"> & {
  _id: string;
  name: string;
};

/** The contacts who have an email, a phone number or the whole name in common with one of these, as far as this person may see them. */
export async function contactTwins(scope: Scope, contacts: CreateContact[]): Promise<Twin[]> {
  const keys = contacts.flatMap((contact) => exactKeys(toKnown(contact)));
  const names = contacts.map((contact) => storedFields(contact).sortName);
  const { ownerId } = scope;
  const either: QueryFilter<ContactDoc>[] = [
    { matchKeys: mongoose.trusted({ $in: keys }) },
    { ownerId, status: mongoose.trusted({ $in: ["active", "archived"] }), sortName: mongoose.trusted({ $in: names }) },
  ];
  const filter: QueryFilter<ContactDoc> = { ownerId, $and: [{ $or: either }, await visibleTo(scope)] };
  const docs = await ContactModel.find(filter, {
    firstName: 1,
    lastName: 1,
    organisation: 1,
    email: 1,
    phones: 1,
  }).lean();
  return docs.map((doc) => ({ ...doc, name: contactName(doc) }));
}

export async function importContacts(scope: Scope, contacts: CreateContact[]): Promise<string[]> {
  return (await createContacts(scope, contacts)).map(({ id }) => id);
}

/** The names of these contacts, and whether each was changed since it was stored. */
export async function importedContacts(
  { ownerId }: Scope,
  ids: string[],
): Promise<Map<string, { name: string; isChanged: boolean }>> {
  const docs = await ContactModel.find(
    { ownerId, _id: mongoose.trusted({ $in: ids }) },
    { firstName: 1, lastName: 1, organisation: 1, version: 1 },
  ).lean();
  return new Map(docs.map((doc) => [doc._id, { name: contactName(doc), isChanged: doc.version > 0 }]));
}

/** Those of these contacts who belong to a case, or did. */
export const contactsOfCases = async ({ ownerId }: Scope, ids: string[]): Promise<Set<string>> =>
  new Set(
    await ContactModel.distinct("_id", {
      ownerId,
      _id: mongoose.trusted({ $in: ids }),
      "caseIds.0": mongoose.trusted({ $exists: true }),
    }),
  );

export const contactsSeenAmong = async (scope: Scope, ids: string[]): Promise<Set<string>> =>
  new Set(await ContactModel.distinct("_id", { ...(await visibleTo(scope)), _id: mongoose.trusted({ $in: ids }) }));

/** Takes contacts back that nobody changed; call it in the transaction that made sure of it. */
export async function removeContacts({ ownerId }: Scope, ids: string[]): Promise<void> {
  await ContactModel.deleteMany({ ownerId, _id: mongoose.trusted({ $in: ids }), version: 0 });
}
