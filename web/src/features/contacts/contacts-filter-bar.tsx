import { CONTACT_ROLES } from "@app/shared/contact-roles";
import { CONTACT_ROLE_NAMES } from "@app/shared/contact-words";
import { Button, Menu } from "@mantine/core";
import { IconColumns } from "@tabler/icons-react";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { type ContactsSearch, parseContactsSearch } from "./contacts-search.ts";

const HIDEABLE = [
  ["role", "Role"],
  ["organisation", "Organisation"],
  ["email", "Email"],
  ["phone", "Phone"],
  ["cases", "Cases"],
  ["createdAt", "Added"],
] as const;

const filtersOf = (search: ContactsSearch): Filter[] => [
  {
    key: "role",
    label: "Role",
    value: search.role,
    options: CONTACT_ROLES.map((value) => ({ value, label: CONTACT_ROLE_NAMES[value] })),
  },
  { key: "status", label: "Status", value: search.status, options: [{ value: "archived", label: "Archived" }] },
];

interface Props {
  search: ContactsSearch;
  onChange: (search: ContactsSearch) => void;
}

export function ContactsFilterBar({ search, onChange }: Props) {
  const set = (key: string, value: string | undefined) => {
    const { page: _page, ...rest } = search;
    onChange(parseContactsSearch({ ...rest, [key]: value }));
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
      searchLabel="Name, organisation or phone"
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
