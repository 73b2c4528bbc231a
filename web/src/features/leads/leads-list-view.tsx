import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { ListPage, type ListPlace } from "../../core/list-page.tsx";
import { listInput } from "../../core/list-search.ts";
import { leadColumns, LeadPhoneRow, type LeadSort } from "./lead-columns.tsx";
import { LeadsActions } from "./leads-actions.tsx";
import { LeadsBulkBar } from "./leads-bulk-bar.tsx";
import { LeadsFilterBar } from "./leads-filter-bar.tsx";
import type { LeadsListSearch } from "./leads-search.ts";
import { NoLeads } from "./no-leads.tsx";

/** All leads, what is overdue first. */
export function LeadsListView({ place }: { place: ListPlace<LeadsListSearch> }) {
  const navigate = useNavigate();
  const { search } = place;
  const behind = { ...search, view: "list" } as const;
  const query = api.leads.list.useQuery(listInput(search), { placeholderData: keepPreviousData });
  const sortedBy: LeadSort = search.sort ?? "due";
  return (
    <ListPage
      title="Leads"
      words={["lead", "leads"]}
      place={place}
      query={query}
      sortedBy={sortedBy}
      columns={leadColumns(behind).filter(
        ({ key }) => !search.hide?.includes(key) && (key !== "phone" || search.show?.includes(key)),
      )}
      onOpen={({ id }) => void navigate({ to: "/leads", search: { ...behind, lead: id } })}
      phoneRow={(lead) => <LeadPhoneRow lead={lead} place={behind} />}
      empty={<NoLeads search={search} onClear={place.clear} />}
      actions={<LeadsActions search={behind} />}
      filterBar={<LeadsFilterBar place={place} />}
      bulkBar={(selected) => <LeadsBulkBar {...selected} isSpam={search.state === "spam"} />}
    />
  );
}
