import type { ListSearch } from "../../core/list-search.ts";
import { flagOf, listOf, optionOf, pageSearch, searchedFor } from "../../core/search.ts";

/** The list as it stands in the address. */
export interface ClientsSearch extends ListSearch {
  kind?: "person" | "organisation";
  safety?: "restricted" | "unrestricted";
  sort?: "createdAt" | "updatedAt";
}

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function parseClientsSearch(raw: Record<string, unknown>): ClientsSearch {
  return {
    ...searchedFor(raw),
    ...optionOf(raw, "status", ["archived"]),
    ...optionOf(raw, "kind", ["person", "organisation"]),
    ...optionOf(raw, "safety", ["restricted", "unrestricted"]),
    ...optionOf(raw, "sort", ["createdAt", "updatedAt"]),
    ...flagOf(raw, "descending"),
    ...pageSearch(raw),
    ...listOf(raw, "hide"),
    ...listOf(raw, "show"),
  };
}
