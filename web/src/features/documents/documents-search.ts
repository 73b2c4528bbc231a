import { DOCUMENT_KINDS, type DocumentKind } from "@app/shared/document-kind-list";
import type { ListTemplates } from "@app/shared/document-templates";
import type { ListSearch } from "../../core/list-search.ts";
import { flagOf, listOf, optionOf, pageSearch, searchedFor, textsOf } from "../../core/search.ts";

/** The list as it stands in the address. */
export interface DocumentsSearch extends ListSearch {
  kind?: DocumentKind;
  /** A template is being made. */
  add?: true;
  /** The template that gets another name. */
  rename?: string;
}

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function parseDocumentsSearch(raw: Record<string, unknown>): DocumentsSearch {
  return {
    ...searchedFor(raw),
    ...optionOf(raw, "status", ["archived"]),
    ...optionOf(raw, "kind", DOCUMENT_KINDS),
    ...pageSearch(raw),
    ...listOf(raw, "hide"),
    ...flagOf(raw, "add"),
    ...textsOf(raw, ["rename"]),
  };
}

/** What the server is asked for. */
export const templatesInput = ({
  hide: _hide,
  add: _add,
  rename: _rename,
  status,
  ...asked
}: DocumentsSearch): ListTemplates => ({
  ...asked,
  isArchived: status === "archived",
});
