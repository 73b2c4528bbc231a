import { CONTACT_ROLE_NAMES, REFERRER_CODE_NAMES } from "@app/shared/contact-words";
import { type Contact, type CreateContact, createContactSchema } from "@app/shared/contacts";
import { validateWith } from "../../core/validate.ts";
import { plainFields } from "../../ui/version-fields.ts";
import { addressText, phonesText, withAddressRows, withoutEmptyRows, withoutRows } from "../people/reach-values.ts";

export const EMPTY_CONTACT: CreateContact = {
  roles: ["solicitor"],
  title: "",
  firstName: "",
  lastName: "",
  organisation: "",
  email: "",
  phones: [{ type: "work", number: "", isPreferred: true }],
  address: { lines: ["", ""], postcode: "", country: "" },
  reference: "",
  referrerCode: "",
  notes: "",
};

const check = validateWith(createContactSchema);
export const validateContact = (contact: CreateContact) => check(withoutEmptyRows(contact));

/** The part of a contact that a person fills in, as it stands in the form. */
export function contactValues(contact: Contact): CreateContact {
  const { id: _id, displayName: _name, status: _status, version: _version, links: _links, ...rest } = contact;
  const { createdAt: _createdAt, updatedAt: _updatedAt, updatedByName: _updatedBy, ...values } = rest;
  return withAddressRows(values);
}

/** What two versions of a contact are compared by, and in which words. */
export const CONTACT_FIELDS = withoutRows(
  plainFields<CreateContact>(
    {
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
    },
    {
      roles: (roles) => roles.map((role) => CONTACT_ROLE_NAMES[role]).join(", "),
      phones: phonesText,
      address: addressText,
      referrerCode: (code) => code && REFERRER_CODE_NAMES[code],
    },
  ),
);
