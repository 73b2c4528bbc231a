import { Button, Menu, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconPlus, IconSearch, IconX } from "@tabler/icons-react";
import { Fragment, type ReactNode, useState } from "react";
import { useIsPhone } from "./use-is-phone.ts";
import "./filter-bar.css";

const SEARCH_DELAY_MS = 200;

export interface Filter {
  key: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** The chosen value; undefined where this filter is off. */
  value: string | undefined;
}

interface Props {
  search: string;
  /** What the search looks through: "Name, email or phone". */
  searchLabel: string;
  onSearch: (text: string) => void;
  filters: readonly Filter[];
  onFilter: (key: string, value: string | undefined) => void;
  /** At the right: saved views, columns. */
  children?: ReactNode;
}

/** Search and filters of a list. What is set shows as a chip that can be taken away. */
export function FilterBar({ search, searchLabel, onSearch, filters, onFilter, children }: Props) {
  const active = filters.filter((filter) => filter.value !== undefined);
  const inactive = filters.filter((filter) => filter.value === undefined);
  return (
    <div className="filter-bar" role="search" aria-label="Search and filters">
      <SearchField search={search} label={searchLabel} onSearch={onSearch} />
      {active.map((filter) => (
        <ActiveFilter key={filter.key} filter={filter} onClear={() => onFilter(filter.key, undefined)} />
      ))}
      {inactive.length > 0 && <AddFilter filters={inactive} onFilter={onFilter} />}
      {children && <div className="filter-bar-end">{children}</div>}
    </div>
  );
}

function SearchField({ search, label, onSearch }: { search: string; label: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(search);
  const [seen, setSeen] = useState(search);
  const [sent, setSent] = useState(search);
  const isPhone = useIsPhone();
  const searchSoon = useDebouncedCallback((wanted: string) => {
    setSent(wanted);
    onSearch(wanted);
  }, SEARCH_DELAY_MS);
  // The address changed by something else than this field, such as the Back button.
  if (search !== seen) {
    setSeen(search);
    if (search !== sent) setText(search);
  }
  return (
    <TextInput
      className="filter-bar-search"
      type="search"
      size={isPhone ? "lg" : "sm"}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        searchSoon(event.currentTarget.value);
      }}
    />
  );
}

function ActiveFilter({ filter, onClear }: { filter: Filter; onClear: () => void }) {
  const chosen = filter.options.find((option) => option.value === filter.value)?.label ?? filter.value;
  return (
    <UnstyledButton
      className="filter-chip"
      aria-label={`${filter.label}: ${chosen}. Take this filter away`}
      onClick={onClear}
    >
      {filter.label}: {chosen}
      <IconX size={14} stroke={1.7} aria-hidden />
    </UnstyledButton>
  );
}

function AddFilter({ filters, onFilter }: { filters: readonly Filter[]; onFilter: Props["onFilter"] }) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button className="filter-add" variant="default" leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}>
          Add filter
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {filters.map((filter) => (
          <Fragment key={filter.key}>
            <Menu.Label>{filter.label}</Menu.Label>
            {filter.options.map(({ value, label }) => (
              <Menu.Item key={value} onClick={() => onFilter(filter.key, value)}>
                {label}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
