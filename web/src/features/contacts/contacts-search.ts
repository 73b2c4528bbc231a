import { CONTACT_ROLES, type ContactRole } from "@app/shared/contact-roles";
import type { ListSearch } from "../../core/list-search.ts";
import { flagOf, listOf, optionOf, pageSearch, searchedFor, textsOf } from "../../core/search.ts";

/** The list as it stands in the address: what is not said is the default. */
export interface ContactsListSearch extends ListSearch {
  role?: ContactRole;
  sort?: "organisation" | "createdAt";
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
