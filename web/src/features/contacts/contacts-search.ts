import { CONTACT_ROLES, type ContactRole } from "@app/shared/contact-roles";
import type { ListContacts } from "@app/shared/contacts";
import { flagOf, listOf, optionOf, pageSearch, searchedFor, textsOf } from "../../core/search.ts";

/** The list as it stands in the address: what is not said is the default. */
export interface ContactsListSearch {
  search?: string;
  status?: "archived";
  role?: ContactRole;
  sort?: "organisation" | "createdAt";
  descending?: true;
  page?: number;
  /** Columns that were put away. */
  hide?: string[];
}

/** The list, and what stands over it. */
export interface ContactsSearch extends ContactsListSearch {
  /** The contact whose dialog is open. */
  open?: string;
  /** The open contact is being changed. */
  edit?: true;
  /** Somebody is being added. */
  add?: true;
}

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function parseContactsSearch(raw: Record<string, unknown>): ContactsSearch {
  return {
    ...textsOf(raw, ["open"]),
    ...searchedFor(raw),
    ...optionOf(raw, "status", ["archived"]),
    ...optionOf(raw, "role", CONTACT_ROLES),
    ...optionOf(raw, "sort", ["organisation", "createdAt"]),
    ...flagOf(raw, "descending"),
    ...pageSearch(raw),
    ...listOf(raw, "hide"),
    ...flagOf(raw, "edit"),
    ...flagOf(raw, "add"),
  };
}

/** The list alone, with no dialog over it. */
export const withoutDialog = ({ open: _open, edit: _edit, add: _add, ...list }: ContactsSearch): ContactsListSearch =>
  list;

export function toListInput(search: ContactsSearch): ListContacts {
  const { descending, hide: _hide, ...list } = withoutDialog(search);
  return { ...list, isDescending: descending ?? false };
}

/** Where the same rows come as a file. */
export function exportAddress(search: ContactsSearch): string {
  const { page: _page, hide: _hide, descending, ...list } = withoutDialog(search);
  const query = new URLSearchParams({ ...list, ...(descending ? { descending: "true" } : {}) });
  return `/export/contacts.csv?${query}`;
}
