import { CONTACT_ROLE_NAMES, REFERRER_CODE_NAMES } from "@app/shared/contact-words";
import type { Contact, CreateContact } from "@app/shared/contacts";
import type { VersionField } from "../../ui/newer-version-dialog.tsx";

type Field = keyof CreateContact;

const LABELS: Record<Field, string> = {
  roles: "Role",
  title: "Title",
  firstName: "First name",
  lastName: "Last name",
  organisation: "Organisation",
  email: "Email",
  phones: "Phone numbers",
  address: "Address",
  reference: "Reference",
  referrerCode: "Refers as",
  notes: "Notes",
};

const isField = (key: string): key is Field => key in LABELS;
const FIELDS = Object.keys(LABELS).filter(isField);

/** The part of a contact that a person fills in. */
export function editableOf(contact: Contact): CreateContact {
  const { id: _id, displayName: _name, status: _status, version: _version, links: _links, ...rest } = contact;
  const { createdAt: _createdAt, updatedAt: _updatedAt, updatedByName: _updatedBy, ...editable } = rest;
  return editable;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function textOf(contact: CreateContact, field: Field): string {
  const { roles, phones, address, referrerCode } = contact;
  if (field === "roles") return roles.map((role) => CONTACT_ROLE_NAMES[role]).join(", ");
  if (field === "phones")
    return phones
      .map(({ number, type, isPreferred }) => `${number} (${type}${isPreferred ? ", first" : ""})`)
      .join(", ");
  if (field === "address") return [...address.lines, address.postcode, address.country].filter(Boolean).join(", ");
  if (field === "referrerCode") return referrerCode && REFERRER_CODE_NAMES[referrerCode];
  return contact[field];
}

/** Where two versions differ, in words, for a person to choose; and how many fields are the same. */
export function compareVersions(
  theirs: CreateContact,
  mine: CreateContact,
): { fields: VersionField[]; sameCount: number } {
  const differing = FIELDS.filter((field) => !isSame(theirs[field], mine[field]));
  const fields = differing.map((field) => ({
    key: field,
    label: LABELS[field],
    theirs: textOf(theirs, field),
    mine: textOf(mine, field),
  }));
  return { fields, sameCount: FIELDS.length - fields.length };
}

/** Their version with the fields taken from mine that were chosen so. */
export function resolveConflict(
  theirs: CreateContact,
  mine: CreateContact,
  choices: Record<string, "theirs" | "mine">,
): CreateContact {
  const chosen = FIELDS.filter((field) => choices[field] === "mine");
  return { ...theirs, ...Object.fromEntries(chosen.map((field) => [field, mine[field]])) };
}
