// What contacts are to cases. Whoever stands on one party's side is known to that party alone.
import mongoose from "mongoose";
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import { preferredPhone } from "@app/shared/clients";
import { CONTACT_ROLE_NAMES } from "@app/shared/contact-words";
import {
  type CaseContact,
  type Contact,
  CONTACT_LINKS_MAX,
  type ContactLink,
  contactName,
  type linkContactSchema,
  linkVisibility,
} from "@app/shared/contacts";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { inTransaction } from "../../core/database.ts";
import { conflict, notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import { onlyReadable, staffReader } from "../visibility/visibility.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { assertContactsLent, noteCases } from "./contact-cases.service.ts";
import { ContactModel } from "./contacts.model.ts";
import { getContact, visibleTo } from "./contacts.service.ts";

type LinkInput = z.infer<typeof linkContactSchema>;

/** Who belongs to a case without being a party, as far as this person may know. */
export async function contactsOfCase(scope: Scope, caseId: string): Promise<CaseContact[]> {
  const theCase = await getCase(scope, caseId);
  const docs = await ContactModel.find({ ownerId: scope.ownerId, "links.caseId": caseId })
    .sort({ sortName: 1, _id: 1 })
    .limit(CONTACT_LINKS_MAX)
    .lean();
  const items = docs.flatMap((doc) =>
    doc.links
      .filter((link) => link.caseId === caseId)
      .map(({ role, partyId }) => ({
        contactId: doc._id,
        displayName: contactName(doc),
        organisation: doc.organisation,
        email: doc.email,
        phone: preferredPhone(doc.phones)?.number ?? "",
        role,
        partyId,
        visibility: linkVisibility({ partyId }),
      })),
  );
  // One side after the other, and those of nobody's last; within a side by name.
  const order = [...theCase.parties.map((party) => party.partyId), null];
  const sorted = items.toSorted((one, other) => order.indexOf(one.partyId) - order.indexOf(other.partyId));
  return onlyReadable(staffReader(scope, theCase), sorted);
}

export async function linkContact(scope: Scope, { id, ...link }: LinkInput): Promise<Contact> {
  const { contact, theCase } = await readBoth(scope, id, link);
  if (contact.status === "archived")
    throw wrongState(`${contact.displayName} is archived. Bring this contact back first, then add them to the case.`);
  const isNew = { links: mongoose.trusted({ $not: { $elemMatch: link } }) };
  const isNotFull = { [`links.${CONTACT_LINKS_MAX - 1}`]: mongoose.trusted({ $exists: false }) };
  await inTransaction(async () => {
    await assertContactsLent(scope, [id], link.caseId);
    const filter = { ...(await visibleTo(scope)), ...isNotFull, _id: id, $and: [isNew] };
    const { modifiedCount } = await ContactModel.updateOne(filter, { $push: { links: link } }, { timestamps: false });
    if (modifiedCount === 0) throw await refusal(scope, id, link);
    await noteCases(scope.ownerId, [id]);
    await record(scope, theCase, link, `${contact.displayName} added: ${roleName(link)}`);
  });
  return getContact(scope, id);
}

export async function unlinkContact(scope: Scope, { id, ...link }: LinkInput): Promise<Contact> {
  const { contact, theCase } = await readBoth(scope, id, link);
  await inTransaction(async () => {
    const filter = { ...(await visibleTo(scope)), _id: id };
    const { modifiedCount } = await ContactModel.updateOne(filter, { $pull: { links: link } }, { timestamps: false });
    if (modifiedCount === 0) throw notFound("This contact’s place in the case was");
    await noteCases(scope.ownerId, [id]);
    await record(scope, theCase, link, `${contact.displayName} taken off: ${roleName(link)}`);
  });
  // As it was read: it may be hidden from now on.
  return { ...contact, links: contact.links.filter((one) => !isSameLink(one, link)) };
}

const isSameLink = (one: ContactLink, other: ContactLink): boolean =>
  one.caseId === other.caseId && one.role === other.role && one.partyId === other.partyId;

const roleName = ({ role }: ContactLink): string => CONTACT_ROLE_NAMES[role].toLowerCase();

async function readBoth(scope: Scope, id: string, { caseId, partyId }: ContactLink) {
  const theCase = await getCase(scope, caseId);
  if (partyId !== null) requireParty(theCase, partyId);
  return { contact: await getContact(scope, id), theCase };
}

/** Why a link could not be added. */
async function refusal(scope: Scope, id: string, link: ContactLink): Promise<Error> {
  const { displayName, links } = await getContact(scope, id);
  if (links.some((one) => isSameLink(one, link)))
    return conflict(`${displayName} has this role in the case already. Choose another one.`);
  return conflict(`${displayName} is in ${CONTACT_LINKS_MAX} cases, which is the most. Take them off one first.`);
}

/** For the practice alone: a party who is told now would go on reading of somebody who was linked to them by mistake. */
const record = (scope: Scope, { id, parties }: Case, link: ContactLink, text: string): Promise<void> =>
  recordEvent(scope, {
    kind: "case",
    text,
    caseId: id,
    clientIds: parties
      .filter(({ partyId }) => link.partyId === null || partyId === link.partyId)
      .map(({ clientId }) => clientId),
    visibility: PRACTICE_ONLY,
  });
