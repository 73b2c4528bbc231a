import type { ListClients } from "@app/shared/clients";

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
}

const oneOf = <Option extends string>(value: unknown, options: readonly Option[]): Option | undefined =>
  options.find((option) => option === value);

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function parseClientsSearch(raw: Record<string, unknown>): ClientsSearch {
  const kind = oneOf(raw["kind"], ["person", "organisation"]);
  const safety = oneOf(raw["safety"], ["restricted", "unrestricted"]);
  const sort = oneOf(raw["sort"], ["createdAt", "updatedAt"]);
  const page = Number(raw["page"]);
  const search = raw["search"];
  const hide = raw["hide"];
  return {
    ...(typeof search === "string" || typeof search === "number" ? { search: String(search).slice(0, 100) } : {}),
    ...(raw["status"] === "archived" ? { status: "archived" } : {}),
    ...(kind ? { kind } : {}),
    ...(safety ? { safety } : {}),
    ...(sort ? { sort } : {}),
    ...(raw["descending"] === true ? { descending: true } : {}),
    ...(Number.isInteger(page) && page > 1 && page <= 5000 ? { page } : {}),
    ...(Array.isArray(hide) ? { hide: hide.filter((key) => typeof key === "string") } : {}),
  };
}

export const toListInput = ({ descending, hide: _hide, ...search }: ClientsSearch): ListClients => ({
  ...search,
  isDescending: descending ?? false,
});

/** Where the same rows come as a file. */
export function exportAddress({ page: _page, hide: _hide, descending, ...search }: ClientsSearch): string {
  const query = new URLSearchParams({ ...search, ...(descending ? { descending: "true" } : {}) });
  return `/export/clients.csv?${query}`;
}
