import { Button, Menu } from "@mantine/core";
import { IconColumns } from "@tabler/icons-react";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { type ClientsSearch, parseClientsSearch } from "./clients-search.ts";

const HIDEABLE = [
  ["safeContact", "Safe contact"],
  ["email", "Email"],
  ["phone", "Phone"],
  ["tags", "Tags"],
  ["createdAt", "Added"],
  ["updatedAt", "Changed"],
] as const;

const filtersOf = (search: ClientsSearch): Filter[] => [
  { key: "status", label: "Status", value: search.status, options: [{ value: "archived", label: "Archived" }] },
  {
    key: "kind",
    label: "Kind",
    value: search.kind,
    options: [
      { value: "person", label: "People" },
      { value: "organisation", label: "Organisations" },
    ],
  },
  {
    key: "safety",
    label: "Safe contact",
    value: search.safety,
    options: [
      { value: "restricted", label: "With a rule" },
      { value: "unrestricted", label: "Without a rule" },
    ],
  },
];

interface Props {
  search: ClientsSearch;
  onChange: (search: ClientsSearch) => void;
}

export function ClientsFilterBar({ search, onChange }: Props) {
  const set = (key: string, value: string | undefined) => {
    const { page: _page, ...rest } = search;
    onChange(parseClientsSearch({ ...rest, [key]: value }));
  };
  const hidden = new Set(search.hide);
  const toggle = (key: string) => {
    if (!hidden.delete(key)) hidden.add(key);
    const { hide: _hide, ...rest } = search;
    onChange({ ...rest, ...(hidden.size > 0 ? { hide: [...hidden] } : {}) });
  };
  return (
    <FilterBar
      search={search.search ?? ""}
      searchLabel="Name, email, postcode or phone"
      onSearch={(text) => set("search", text || undefined)}
      filters={filtersOf(search)}
      onFilter={set}
    >
      <Menu position="bottom-end" closeOnItemClick={false}>
        <Menu.Target>
          <Button variant="default" size="xs" visibleFrom="sm" leftSection={<IconColumns size={16} stroke={1.7} />}>
            Columns
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {HIDEABLE.map(([key, label]) => (
            <Menu.CheckboxItem key={key} checked={!hidden.has(key)} onChange={() => toggle(key)}>
              {label}
            </Menu.CheckboxItem>
          ))}
        </Menu.Dropdown>
      </Menu>
    </FilterBar>
  );
}
