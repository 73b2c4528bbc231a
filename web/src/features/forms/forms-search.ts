import { FORM_KINDS, type FormKind } from "@app/shared/form-kinds";
import type { ListForms } from "@app/shared/forms";
import type { ListSearch } from "../../core/list-search.ts";
import { flagOf, listOf, optionOf, pageSearch, searchedFor, textsOf } from "../../core/search.ts";

/** The list as it stands in the address. */
export interface FormsSearch extends ListSearch {
  kind?: FormKind;
  /** A form is being made. */
  add?: true;
  /** The form of which the dialog shows how it reaches people. */
  share?: string;
}

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function parseFormsSearch(raw: Record<string, unknown>): FormsSearch {
  return {
    ...searchedFor(raw),
    ...optionOf(raw, "status", ["archived"]),
    ...optionOf(raw, "kind", FORM_KINDS),
    ...pageSearch(raw),
    ...listOf(raw, "hide"),
    ...flagOf(raw, "add"),
    ...textsOf(raw, ["share"]),
  };
}

/** What the server is asked for. */
export const formsInput = ({ search, status, kind, page }: FormsSearch): ListForms => ({
  ...(search === undefined ? {} : { search }),
  ...(kind === undefined ? {} : { kind }),
  ...(page === undefined ? {} : { page }),
  isArchived: status === "archived",
});
