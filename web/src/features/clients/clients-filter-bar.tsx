import { type ColumnChoice, ListFilterBar, type ListPlace } from "../../core/list-page.tsx";
import type { Filter } from "../../ui/filter-bar.tsx";
import { CASE_COLUMNS, MORE_COLUMNS } from "./client-columns.tsx";
import type { ClientsSearch } from "./clients-search.ts";

const COLUMN_NAMES = {
  case: "Case",
  otherParty: "Other participant",
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

const COLUMNS: readonly ColumnChoice[] = [
  ...CASE_COLUMNS.map((key) => ({ key, label: COLUMN_NAMES[key] })),
  ...MORE_COLUMNS.map((key) => ({ key, label: COLUMN_NAMES[key], isExtra: true })),
];

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

export const ClientsFilterBar = ({ place }: { place: ListPlace<ClientsSearch> }) => (
  <ListFilterBar
    place={place}
    searchLabel="Name, email, postcode or phone"
    filters={filtersOf(place.search)}
    columns={COLUMNS}
  />
);
