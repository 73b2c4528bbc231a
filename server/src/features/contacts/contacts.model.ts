import mongoose from "mongoose";
import { preferredPhone } from "@app/shared/clients";
import { type Contact, type ContactLink, contactName, type CreateContact } from "@app/shared/contacts";
import { foldText } from "@app/shared/text";
import { newId } from "../../core/ids.ts";
import { type Known, storedKeys } from "../../core/likeness.ts";
import { owned } from "../../core/owned.ts";
import { nameTerms, phoneTerms } from "../../core/word-search.ts";

export interface ContactDoc extends CreateContact {
  _id: string;
  ownerId: string;
  status: "active" | "archived";
  links: ContactLink[];
  /**
   * The cases that it belongs to, by a link or because they name it: whoever sees one of them sees it. One that belongs to
   * none any more keeps those that it left last, so that leaving shows it to nobody new. Written by `noteCases`, and for those of before by `noteSide`.
   */
  caseIds: string[];
  /** Rises with every such writing. */
  caseStep?: number;
  /** For guards alone: on whose sides they ever stood, whatever became of that. Written by `noteCases`, and for those of before by `noteSide`. */
  sides?: ContactSide[];
  sortName: string;
  sortOrganisation: string;
  searchTerms: string[];
  /** What the conflict check looks records up by. */
  matchKeys: string[];
  /** Who entered the address that stands there; none where it is from before that was kept. */
  emailSetBy?: string;
  /** For the gate alone: see `core/former-mailboxes`. */
  formerMailboxes?: string[];
  createdBy: string;
  updatedBy: string;
  updatedByName: string;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

export interface ContactSide {
  caseId: string;
  partyId: string;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };

const contactMongooseSchema = new mongoose.Schema<ContactDoc>(
  {
    _id: { type: String, default: newId },
    roles: [String],
    title: text,
    firstName: text,
    lastName: text,
    organisation: text,
    email: text,
    phones: [{ _id: false, type: { type: String }, number: String, isPreferred: Boolean }],
    address: { lines: [String], postcode: text, country: text },
    reference: text,
    referrerCode: String,
    notes: text,
    status: { type: String, default: "active" },
    links: [{ _id: false, caseId: required, role: required, partyId: { type: String, default: null } }],
    caseIds: [String],
    caseStep: Number,
    sides: { type: [{ _id: false, caseId: required, partyId: required }], default: undefined, select: false },
    sortName: text,
    sortOrganisation: text,
    searchTerms: { type: [String], select: false },
    matchKeys: { type: [String], select: false },
    emailSetBy: String,
    formerMailboxes: { type: [String], default: undefined, select: false },
    createdBy: required,
    updatedBy: required,
    updatedByName: required,
    version: { type: Number, default: 0 },
  },
  { timestamps: true, collection: "contacts", versionKey: false },
);
contactMongooseSchema.plugin(owned);
contactMongooseSchema.index({ ownerId: 1, status: 1, sortName: 1, _id: 1 });
contactMongooseSchema.index({ ownerId: 1, status: 1, sortOrganisation: 1, sortName: 1, _id: 1 });
contactMongooseSchema.index({ ownerId: 1, status: 1, createdAt: 1, _id: 1 });
contactMongooseSchema.index({ ownerId: 1, status: 1, searchTerms: 1 });
contactMongooseSchema.index({ ownerId: 1, matchKeys: 1 });
contactMongooseSchema.index({ ownerId: 1, formerMailboxes: 1 });
contactMongooseSchema.index({ ownerId: 1, "links.caseId": 1 });
contactMongooseSchema.index({ ownerId: 1, "sides.caseId": 1 });
contactMongooseSchema.index({ ownerId: 1, caseIds: 1 });

export const ContactModel = mongoose.model("Contact", contactMongooseSchema);

/** Everything that is stored of what a person entered, with what sorting, searching and the conflict check read. */
export const storedFields = (contact: CreateContact) => ({
  ...contact,
  roles: [...new Set(contact.roles)],
  sortName: foldText(`${contact.lastName} ${contact.firstName}`.trim() || contact.organisation),
  sortOrganisation: foldText(contact.organisation),
  searchTerms: searchTerms(contact),
  matchKeys: storedKeys(toKnown(contact)),
});

type KnownFields = Pick<CreateContact, "firstName" | "lastName" | "organisation" | "email" | "phones">;

/** What the conflict check compares. */
export const toKnown = (contact: KnownFields): Known => ({
  firstName: contact.firstName,
  lastName: contact.lastName,
  knownAs: "",
  organisation: contact.organisation,
  email: contact.email,
  phones: contact.phones.map(({ number }) => number),
  dateOfBirth: "",
});

/** Every word that may be typed to find this contact. */
function searchTerms(contact: CreateContact): string[] {
  const { firstName, lastName, organisation, address, phones, email, reference } = contact;
  const words = [firstName, lastName, organisation, reference].flatMap(nameTerms);
  const postcode = foldText(address.postcode);
  const places = [...postcode.split(" "), postcode.replaceAll(" ", "")];
  const numbers = phones.flatMap(({ number }) => phoneTerms(number));
  return [...new Set([...words, ...places, ...numbers, email])].filter(Boolean);
}

/** A contact without its links, which depend on who reads. */
export function toContact(doc: ContactDoc): Omit<Contact, "links"> {
  return {
    ...doc,
    id: doc._id,
    displayName: contactName(doc),
    createdAt: doc.createdAt.toISOString(),
    updatedAt: doc.updatedAt.toISOString(),
  };
}

export const toRow = (doc: ContactDoc) => ({
  id: doc._id,
  displayName: contactName(doc),
  organisation: doc.organisation,
  roles: doc.roles,
  email: doc.email,
  phone: preferredPhone(doc.phones)?.number ?? "",
  status: doc.status,
  createdAt: doc.createdAt.toISOString(),
});
