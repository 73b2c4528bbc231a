// A list as it stands in the address, and what follows from that. The entry loads this, so nothing here draws.

/** What every list has: what is not said is the default. A list adds its own filters. */
export interface ListSearch {
  search?: string;
  status?: "archived";
  sort?: string;
  descending?: true;
  page?: number;
  /** Columns that were put away. */
  hide?: string[];
  /** Columns that are away unless they are asked for. */
  show?: string[];
}

/** What the server is asked for. */
export const listInput = <Search extends ListSearch>({ descending, hide: _hide, show: _show, ...search }: Search) => ({
  ...search,
  isDescending: descending ?? false,
});

/** Where the same rows come as a file: of all pages, with all columns. */
export function exportAddress(path: string, { page: _page, hide: _hide, show: _show, ...search }: ListSearch): string {
  const query = Object.entries(search).map(([name, value]) => [name, String(value)]);
  return `${path}?${new URLSearchParams(query)}`;
}
