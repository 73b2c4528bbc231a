// A page that is a list: filters, order, page and columns in the address, rows to select, and the same rows as a file.
import { can } from "@app/shared/access";
import { Button, Menu } from "@mantine/core";
import { IconColumns, IconDownload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { DataTableProps } from "../ui/data-table.tsx";
import { type Filter, FilterBar } from "../ui/filter-bar.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { PagedTable } from "../ui/paged-table.tsx";
import { downloadOf } from "./download.ts";
import { useFormats } from "./format.ts";
import { listFailure } from "./list-failure.ts";
import type { ListSearch } from "./list-search.ts";
import { useCurrentUser } from "./session.ts";
import { useTitle } from "./title.ts";

interface Place<Search extends ListSearch> {
  search: Search;
  /** Reads an address: every change goes through it, so that what is the default never stands there. */
  parse: (raw: Record<string, unknown>) => Search;
  onChange: (next: Search) => void;
}

/** How a list changes, and which of its rows are selected; another list of rows has none selected. */
export function useListPlace<Search extends ListSearch>({ search, parse, onChange }: Place<Search>) {
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const go = (changes: Record<string, unknown>) => {
    select(new Set());
    onChange(parse({ ...search, ...changes }));
  };
  const clear = () => {
    select(new Set());
    onChange(parse({}));
  };
  return {
    search,
    selected,
    select,
    filter: (key: string, value: string | undefined) => go({ [key]: value, page: undefined }),
    sort: (sort: string, descending: boolean) => go({ sort, descending, page: undefined }),
    turnTo: (page: number) => go({ page }),
    toggle(list: "hide" | "show", key: string) {
      const keys = new Set(search[list]);
      if (!keys.delete(key)) keys.add(key);
      go({ [list]: keys.size > 0 ? [...keys] : undefined });
    },
    clear,
  };
}

export type ListPlace<Search extends ListSearch = ListSearch> = ReturnType<typeof useListPlace<Search>>;

interface Props<Row, Sort extends string> extends Pick<
  DataTableProps<Row, Sort>,
  "columns" | "onOpen" | "phoneRow" | "empty"
> {
  title: string;
  /** One and many: ["client", "clients"]. */
  words: readonly [string, string];
  place: ListPlace;
  sortedBy: Sort;
  query: {
    data: { items: readonly Row[]; total: number; isTotalExact: boolean } | undefined;
    error: unknown;
    refetch: () => Promise<unknown>;
  };
  actions: ReactNode;
  filterBar: ReactNode;
  /** Stands in for the filter bar while rows are selected; without it none can be. */
  bulkBar?: ((selected: Selected) => ReactNode) | undefined;
}

export interface Selected {
  ids: readonly string[];
  status: "active" | "archived";
  onClear: () => void;
}

export function ListPage<Row extends { id: string; displayName: string }, Sort extends string>(
  props: Props<Row, Sort>,
) {
  const { title, words, place, sortedBy, query, actions, filterBar, bulkBar, ...table } = props;
  const { search, selected, select } = place;
  const formats = useFormats();
  useTitle(title);
  const { data } = query;
  const selection: Selected = {
    ids: [...selected],
    status: search.status ?? "active",
    onClear: () => select(new Set()),
  };
  return (
    <>
      <PageHead
        title={title}
        meta={data && `${formats.number(data.total)}${data.isTotalExact ? "" : "+"}`}
        actions={actions}
      />
      {bulkBar && selected.size > 0 ? bulkBar(selection) : filterBar}
      <PagedTable
        {...table}
        label={title}
        list={data}
        page={search.page ?? 1}
        words={words}
        onPage={place.turnTo}
        rowKey={({ id }) => id}
        rowName={({ displayName }) => displayName}
        sort={{ by: sortedBy, isDescending: search.descending ?? false, onChange: place.sort }}
        {...(bulkBar ? { selection: { keys: selected, onChange: select } } : {})}
        failure={listFailure(query)}
      />
    </>
  );
}

export interface ColumnChoice {
  key: string;
  label: string;
  /** Away unless it is asked for. */
  isExtra?: boolean;
}

interface FilterBarProps {
  place: ListPlace;
  searchLabel: string;
  filters: readonly Filter[];
  columns: readonly ColumnChoice[];
}

/** Search, filters and columns of a list. */
export function ListFilterBar({ place, searchLabel, filters, columns }: FilterBarProps) {
  const { search } = place;
  const isShown = ({ key, isExtra = false }: ColumnChoice) =>
    isExtra === (search[isExtra ? "show" : "hide"] ?? []).includes(key);
  return (
    <FilterBar
      search={search.search ?? ""}
      searchLabel={searchLabel}
      onSearch={(text) => place.filter("search", text)}
      filters={filters}
      onFilter={place.filter}
    >
      <Menu position="bottom-end" closeOnItemClick={false}>
        <Menu.Target>
          <Button variant="default" size="xs" visibleFrom="sm" leftSection={<IconColumns size={16} stroke={1.7} />}>
            Columns
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {columns.map((column) => (
            <Menu.CheckboxItem
              key={column.key}
              checked={isShown(column)}
              onChange={() => place.toggle(column.isExtra ? "show" : "hide", column.key)}
            >
              {column.label}
            </Menu.CheckboxItem>
          ))}
        </Menu.Dropdown>
      </Menu>
    </FilterBar>
  );
}

/** The rows of a list as a file, for whoever may take data out of the practice. */
export function ExportButton({ address, kind = "CSV" }: { address: string; kind?: "CSV" | "Excel" }) {
  const user = useCurrentUser();
  if (!can(user, "data.export")) return null;
  return (
    <Button
      {...downloadOf(address)}
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />}
    >
      Export {kind}
    </Button>
  );
}
