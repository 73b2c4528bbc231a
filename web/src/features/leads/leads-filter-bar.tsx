import { LEAD_STATUS_NAMES, LEAD_STATUSES } from "@app/shared/lead-states";
import { LEAD_CHANNEL_NAMES } from "@app/shared/leads";
import type { ReactNode } from "react";
import { ListFilterBar, type ListPlace } from "../../core/list-page.tsx";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { optionsOf, SOURCE_NAMES } from "../cases/case-words.ts";
import type { LeadsListSearch } from "./leads-search.ts";

const COLUMNS = [
  { key: "state", label: "State" },
  { key: "next", label: "Next" },
  { key: "marks", label: "To know" },
  { key: "kind", label: "Kind" },
  { key: "source", label: "Came by" },
  { key: "phone", label: "Phone", isExtra: true },
  { key: "createdAt", label: "Age" },
] as const;

const SEARCH_LABEL = "Name, email or phone";

const ofBoth = (search: LeadsListSearch): Filter[] => [
  { key: "source", label: "How they came", value: search.source, options: optionsOf(SOURCE_NAMES) },
  { key: "channel", label: "Way in", value: search.channel, options: optionsOf(LEAD_CHANNEL_NAMES) },
];

const ofList = (search: LeadsListSearch): Filter[] => [
  {
    key: "state",
    label: "State",
    value: search.state,
    options: [
      ...LEAD_STATUSES.map((value) => ({ value, label: LEAD_STATUS_NAMES[value] })),
      { value: "all", label: "All, closed too" },
      { value: "spam", label: "Spam" },
    ],
  },
  {
    key: "age",
    label: "Came in",
    value: search.age,
    options: [
      { value: "week", label: "The last 7 days" },
      { value: "month", label: "The last 30 days" },
      { value: "quarter", label: "The last 3 months" },
    ],
  },
];

type Place = ListPlace<LeadsListSearch>;

export const LeadsFilterBar = ({ place }: { place: Place }) => (
  <ListFilterBar
    place={place}
    searchLabel={SEARCH_LABEL}
    filters={[...ofList(place.search), ...ofBoth(place.search)]}
    columns={COLUMNS}
  />
);

export const BoardFilterBar = ({ place, children }: { place: Place; children: ReactNode }) => (
  <FilterBar
    search={place.search.search ?? ""}
    searchLabel={SEARCH_LABEL}
    onSearch={(text) => place.filter("search", text)}
    filters={ofBoth(place.search)}
    onFilter={place.filter}
  >
    {children}
  </FilterBar>
);
