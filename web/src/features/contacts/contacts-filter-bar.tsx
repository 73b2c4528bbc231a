import { CONTACT_ROLES } from "@app/shared/contact-roles";
import { CONTACT_ROLE_NAMES } from "@app/shared/contact-words";
import { ListFilterBar, type ListPlace } from "../../core/list-page.tsx";
import type { Filter } from "../../ui/filter-bar.tsx";
import type { ContactsListSearch } from "./contacts-search.ts";

const COLUMNS = [
  { key: "role", label: "Role" },
  { key: "organisation", label: "Organisation" },
  { key: "email", label: "Email" },
  { key: "phone", label: "Phone" },
  { key: "cases", label: "Cases" },
  { key: "createdAt", label: "Added" },
] as const;

const filtersOf = (search: ContactsListSearch): Filter[] => [
  {
    key: "role",
    label: "Role",
    value: search.role,
    options: CONTACT_ROLES.map((value) => ({ value, label: CONTACT_ROLE_NAMES[value] })),
  },
  { key: "status", label: "Status", value: search.status, options: [{ value: "archived", label: "Archived" }] },
];

export const ContactsFilterBar = ({ place }: { place: ListPlace<ContactsListSearch> }) => (
  <ListFilterBar
    place={place}
    searchLabel="Name, organisation or phone"
    filters={filtersOf(place.search)}
    columns={COLUMNS}
  />
);
