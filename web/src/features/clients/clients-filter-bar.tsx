import { Button, Menu } from "@mantine/core";
import { IconColumns } from "@tabler/icons-react";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { CASE_COLUMNS, MORE_COLUMNS } from "./client-columns.tsx";
import { type ClientsSearch, parseClientsSearch } from "./clients-search.ts";

const COLUMN_NAMES = {
  case: "Case",
  otherParty: "Other party",
  status: "Status",
  nextStep: "Next step",
  due: "Due",
  wait: "Wait",
  safeContact: "Safe contact",
  email: "Email",
  phone: "Phone",
  tags: "Tags",
  createdAt: "Added",
  updatedAt: "Changed",
} as const;

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
  const toggle = (list: "hide" | "show", key: string) => {
    const keys = new Set(search[list]);
    if (!keys.delete(key)) keys.add(key);
    const { [list]: _before, ...rest } = search;
    onChange({ ...rest, ...(keys.size > 0 ? { [list]: [...keys] } : {}) });
  };
  const item = (list: "hide" | "show", key: keyof typeof COLUMN_NAMES) => (
    <Menu.CheckboxItem
      key={key}
      checked={(list === "show") === (search[list] ?? []).includes(key)}
      onChange={() => toggle(list, key)}
    >
      {COLUMN_NAMES[key]}
    </Menu.CheckboxItem>
  );
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
          {CASE_COLUMNS.map((key) => item("hide", key))}
          {MORE_COLUMNS.map((key) => item("show", key))}
        </Menu.Dropdown>
      </Menu>
    </FilterBar>
  );
}
