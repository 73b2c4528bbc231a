import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import {
  type Contact,
  type ContactLink,
  contactName,
  type contactPageSchema,
  type ContactRow,
  type CreateContact,
  type LinkedCase,
  type listContactsSchema,
  linkVisibility,
  type setContactStatusSchema,
  type updateContactSchema,
} from "@app/shared/contacts";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { inTransaction } from "../../core/database.ts";
import { notFound, stale } from "../../core/errors.ts";
import { type Candidates, candidatesFor } from "../../core/candidates.ts";
import { emailKey, type Known } from "../../core/likeness.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertNobodysMailbox } from "../users/email-connection.service.ts";
import { matchingWords, type Typed } from "../../core/word-search.ts";
import { assertMayRedirect } from "../clients/client-keepers.service.ts";
import { visibleCaseIds } from "../cases/case-places.service.ts";
import { besideAddress } from "./contact-addresses.service.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { onlyReadable, staffReader } from "../visibility/visibility.service.ts";
import { type ContactDoc, ContactModel, storedFields, toContact, toKnown, toRow } from "./contacts.model.ts";

type ListInput = z.output<typeof listContactsSchema>;
type Filter = QueryFilter<ContactDoc>;

/** What `toKnown`, the name and the cases are read from. */
const LIKELY_FIELDS = { firstName: 1, lastName: 1, organisation: 1, email: 1, phones: 1, caseIds: 1 } as const;

const ofPractice = (scope: Scope) => ({ ownerId: scope.ownerId });

/** The contacts that this person may see: those of their cases, and those that never were in one. */
export async function visibleTo(scope: Scope): Promise<Filter> {
  const caseIds = await visibleCaseIds(scope);
  if (!caseIds) return ofPractice(scope);
  const isOfNobody = { caseIds: mongoose.trusted({ $size: 0 }) };
  return { ...ofPractice(scope), $or: [isOfNobody, { caseIds: mongoose.trusted({ $in: caseIds }) }] };
}

export const contactFilter = async (scope: Scope, input: Omit<ListInput, "page">): Promise<Filter> => ({
  ...(await visibleTo(scope)),
  status: input.status,
  ...(input.role ? { roles: input.role } : {}),
  ...matchingWords(input.search),
});

/** The order of the list and of its export; ties are broken by id, so that no row moves between pages. */
export function contactSort({ sort, isDescending }: Pick<ListInput, "sort" | "isDescending">) {
  const direction = isDescending ? -1 : 1;
  if (sort === "createdAt") return { createdAt: direction, _id: direction } as const;
  if (sort === "name") return { sortName: direction, _id: direction } as const;
  return { sortOrganisation: direction, sortName: direction, _id: direction } as const;
}

export async function listContacts(scope: Scope, input: ListInput): Promise<z.infer<typeof contactPageSchema>> {
  const filter = await contactFilter(scope, input);
  const [docs, total] = await Promise.all([
    ContactModel.find(filter)
      .sort(contactSort(input))
      .skip((input.page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    ContactModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  return { items: await toRows(scope, docs), total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

/** The first contacts that a search finds, neither sorted by name nor counted. */
export async function findContacts(scope: Scope, { text, spelling }: Typed, limit: number): Promise<ContactRow[]> {
  const filter: Filter = { ...(await visibleTo(scope)), status: "active", ...matchingWords(text, spelling) };
  const docs = await ContactModel.find(filter).limit(limit).lean();
  return toRows(scope, docs);
}

async function toRows(scope: Scope, docs: ContactDoc[]): Promise<ContactRow[]> {
  const caseIds = await visibleCaseIds(scope);
  const visible = caseIds && new Set(caseIds);
  const countOf = (doc: ContactDoc) =>
    new Set(doc.links.map(({ caseId }) => caseId).filter((id) => visible?.has(id) ?? true)).size;
  return docs.map((doc) => ({ ...toRow(doc), caseCount: countOf(doc) }));
}

export async function getContact(scope: Scope, id: string): Promise<Contact> {
  const doc = await ContactModel.findOne({ ...(await visibleTo(scope)), _id: id }).lean();
  if (!doc) throw notFound("Contact");
  return withLinks(scope, doc);
}

/** A contact with those of its cases that this person may see, the newest first. */
async function withLinks(scope: Scope, doc: ContactDoc): Promise<Contact> {
  const cases = await findVisibleCases(
    scope,
    doc.links.map(({ caseId }) => caseId),
  );
  const ageOf = ({ createdAt, caseRef }: Case) => `${createdAt} ${caseRef}`;
  const newestFirst = cases.toSorted((one, other) => ageOf(other).localeCompare(ageOf(one)));
  const links = newestFirst.flatMap((theCase) => {
    const here = doc.links.filter(({ caseId }) => caseId === theCase.id);
    return onlyReadable(
      staffReader(scope, theCase),
      here.map((link) => toLinkedCase(theCase, link)),
    );
  });
  return { ...toContact(doc), links };
}

function toLinkedCase({ caseRef, status, parties }: Case, link: ContactLink): LinkedCase {
  const side = parties.filter(({ partyId }) => link.partyId === null || link.partyId === partyId);
  return {
    ...link,
    caseRef,
    status,
    clientId: side[0]?.clientId ?? "",
    parties: side.map(({ label, name }) => ({ label, name })),
    visibility: linkVisibility(link),
  };
}

export async function createContact(scope: Scope, contact: CreateContact): Promise<Contact> {
  const [created] = await createContacts(scope, [contact]);
  if (!created) throw new Error("the contact that was just stored is missing");
  return created;
}

/** Stores all of these contacts or, where one cannot be stored, none. */
export async function createContacts(scope: Scope, contacts: CreateContact[]): Promise<Contact[]> {
  const docs = contacts.map((contact) => ({
    ...storedFields(contact),
    ...ofPractice(scope),
    emailSetBy: scope.userId,
    createdBy: scope.userId,
    updatedBy: scope.userId,
    updatedByName: scope.userName,
  }));
  return inTransaction(async () => {
    await assertNobodysMailbox(
      scope.ownerId,
      contacts.map(({ email }) => email),
    );
    const stored = await ContactModel.insertMany(docs);
    return stored.map((doc) => ({ ...toContact(doc.toObject()), links: [] }));
  });
}

/** Saves where the version is still the one on the screen. */
export async function updateContact(
  scope: Scope,
  { id, version, contact }: z.infer<typeof updateContactSchema>,
): Promise<Contact> {
  const saved = await inTransaction(async () => {
    await assertNobodysMailbox(scope.ownerId, [contact.email]);
    const address = await besideAddress(scope, id, contact.email);
    const changes = { ...storedFields(contact), ...address, updatedBy: scope.userId, updatedByName: scope.userName };
    const onScreen = { ...(await visibleTo(scope)), _id: id, version };
    const before = await ContactModel.findOne(onScreen).lean();
    const after = await ContactModel.findOneAndUpdate(
      onScreen,
      { $set: changes, $inc: { version: 1 } },
      { returnDocument: "after", lean: true },
    );
    if (before && after) assertMayRedirect(await isInHiddenCase(scope, before), before, after);
    return after;
  });
  if (saved) return withLinks(scope, saved);
  await getContact(scope, id);
  throw stale("contact");
}

async function isInHiddenCase(scope: Scope, { caseIds }: ContactDoc): Promise<boolean> {
  const seen = await visibleCaseIds(scope);
  return seen !== null && caseIds.some((id) => !seen.includes(id));
}

/** Archives or brings back; ids of contacts that are already so, or not this practice's, are passed over. */
export async function setContactStatus(
  scope: Scope,
  { ids, status }: z.infer<typeof setContactStatusSchema>,
): Promise<{ changed: number }> {
  const before = status === "archived" ? "active" : "archived";
  const { modifiedCount: changed } = await ContactModel.updateMany(
    { ...(await visibleTo(scope)), _id: mongoose.trusted({ $in: ids }), status: before },
    { $set: { status, updatedBy: scope.userId, updatedByName: scope.userName }, $inc: { version: 1 } },
  );
  return { changed };
}

/** Those of these contacts that this person does not see. */
export async function unseenContacts(scope: Scope, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const docs = await ContactModel.find(
    { ...(await visibleTo(scope)), _id: mongoose.trusted({ $in: ids }) },
    { _id: 1 },
  ).lean();
  return ids.filter((id) => !docs.some(({ _id }) => _id === id));
}

/** Those contacts at one of these addresses whom this person sees, and whether they entered the address themselves. */
export async function contactsKnownTo(
  scope: Scope,
  addresses: readonly string[],
): Promise<{ email: string; enteredBy: string[] }[]> {
  if (addresses.length === 0) return [];
  const docs = await ContactModel.find(
    { ...(await visibleTo(scope)), matchKeys: mongoose.trusted({ $in: addresses.map(emailKey) }) },
    { email: 1, emailSetBy: 1, createdBy: 1, updatedBy: 1 },
  ).lean();
  return docs.map(({ email, emailSetBy, createdBy, updatedBy }) => {
    // Of before that was kept, either of them may have.
    const enteredBy = emailSetBy === undefined ? [createdBy, updatedBy] : [emailSetBy];
    return { email, enteredBy };
  });
}

export interface LikelyContact {
  kind: "contact";
  id: string;
  name: string;
  known: Known;
  caseIds: string[];
}

/** The contacts of the practice who may be this person, archived ones too. */
export async function likelyContacts(ownerId: string, term: Known): Promise<Candidates<LikelyContact>> {
  const { found, isCut } = await candidatesFor(term, (filter, options) =>
    ContactModel.find({ ownerId, ...filter }, LIKELY_FIELDS, options).lean(),
  );
  const likely = found.map((doc): LikelyContact => ({
    kind: "contact",
    id: doc._id,
    name: contactName(doc),
    known: toKnown(doc),
    caseIds: doc.caseIds,
  }));
  return { found: likely, isCut };
}
