import type { ListClients } from "@app/shared/clients";
import { flagOf, listOf, optionOf, pageSearch, searchedFor } from "../../core/search.ts";

/** The list as it stands in the address: what is not said is the default. */
export interface ClientsSearch {
  search?: string;
  status?: "archived";
  kind?: "person" | "organisation";
  safety?: "restricted" | "unrestricted";
  sort?: "createdAt" | "updatedAt";
  descending?: true;
  page?: number;
  /** Columns that were put away. */
  hide?: string[];
  /** Columns that are away unless they are asked for. */
  show?: string[];
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

export const toListInput = ({ descending, hide: _hide, show: _show, ...search }: ClientsSearch): ListClients => ({
  ...search,
  isDescending: descending ?? false,
});

/** Where the same rows come as a file. */
export function exportAddress({ page: _page, hide: _hide, show: _show, descending, ...search }: ClientsSearch): string {
  const query = new URLSearchParams({ ...search, ...(descending ? { descending: "true" } : {}) });
  return `/export/clients.csv?${query}`;
}
