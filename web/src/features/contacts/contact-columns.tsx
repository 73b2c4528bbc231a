import type { CONTACT_SORTS, ContactRow } from "@app/shared/contacts";
import type { Formats } from "../../core/format.ts";
import type { Column } from "../../ui/data-table.tsx";
import { TextLink } from "../../ui/links.tsx";
import { rolesOf } from "./contact-words.ts";
import type { ContactsListSearch } from "./contacts-search.ts";

export type ContactSort = (typeof CONTACT_SORTS)[number];

interface RowProps {
  contact: ContactRow;
  /** The list that stays behind the open contact. */
  list: ContactsListSearch;
}

const ContactLink = ({ contact, list }: RowProps) => (
  <TextLink to="/contacts" search={{ ...list, open: contact.id }} c="inherit" fw={500} fz="inherit" underline="hover">
    {contact.displayName}
  </TextLink>
);

export const contactColumns = (formats: Formats, list: ContactsListSearch): Column<ContactRow, ContactSort>[] => [
  { key: "name", header: "Contact", sort: "name", cell: (contact) => <ContactLink contact={contact} list={list} /> },
  { key: "role", header: "Role", width: 128, cell: rolesOf },
  {
    key: "organisation",
    header: "Organisation",
    width: 188,
    sort: "organisation",
    cell: (contact) => (contact.organisation === contact.displayName ? "–" : contact.organisation || "–"),
  },
  { key: "email", header: "Email", width: 190, cell: (contact) => contact.email || "–" },
  { key: "phone", header: "Phone", width: 120, isTabular: true, cell: (contact) => contact.phone || "–" },
  {
    key: "cases",
    header: "Cases",
    width: 60,
    align: "right",
    isTabular: true,
    cell: ({ caseCount }) => (caseCount > 0 ? formats.number(caseCount) : "–"),
  },
  {
    key: "createdAt",
    header: "Added",
    width: 96,
    isTabular: true,
    sort: "createdAt",
    cell: (contact) => formats.day(contact.createdAt),
  },
];

export const ContactPhoneRow = ({ contact, list }: RowProps) => (
  <>
    <span className="contact-phone-row">
      <ContactLink contact={contact} list={list} />
      <span>{rolesOf(contact)}</span>
    </span>
    <span className="contact-phone-row">
      <span>
        {contact.organisation === contact.displayName ? contact.email : contact.organisation || contact.email}
      </span>
      <span className="tabular">{contact.phone}</span>
    </span>
  </>
);
