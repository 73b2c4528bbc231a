import { useNavigate } from "@tanstack/react-router";
import { useListPlace } from "../../core/list-page.tsx";
import { ConvertLeadPage } from "./convert-lead-page.tsx";
import { LeadAdder } from "./lead-adder.tsx";
import { LeadDialog } from "./lead-dialog.tsx";
import { LeadReplyDialog } from "./lead-reply-dialog.tsx";
import { LeadReportDialog } from "./lead-report-dialog.tsx";
import { LeadsBoardView } from "./leads-board-view.tsx";
import { LeadsListView } from "./leads-list-view.tsx";
import { type LeadsListSearch, type LeadsSearch, listOnly, parseLeadsSearch, withoutDialog } from "./leads-search.ts";
import "./leads.css";

/** Enquiries until they become cases: as a board or as a list, with the open one in the address. */
export function LeadsPage({ search }: { search: LeadsSearch }) {
  const navigate = useNavigate();
  const behind = withoutDialog(search);
  const show = (next: LeadsSearch) => void navigate({ to: "/leads", search: next });
  const place = useListPlace<LeadsListSearch>({
    search: listOnly(behind),
    parse: parseLeadsSearch,
    onChange: (next) =>
      void navigate({
        to: "/leads",
        search: { ...next, ...(search.view ? { view: search.view } : {}) },
        replace: true,
      }),
  });
  if (search.lead !== undefined && search.step === "convert")
    return <ConvertLeadPage key={search.lead} id={search.lead} place={behind} />;
  return (
    <>
      {search.view === "list" ? <LeadsListView place={place} /> : <LeadsBoardView place={place} />}
      {search.lead !== undefined && <LeadDialog key={search.lead} id={search.lead} search={search} />}
      {search.add && <LeadAdder onClose={() => show(behind)} onAdded={({ id }) => show({ ...behind, lead: id })} />}
      {search.report && <LeadReportDialog onClose={() => show(behind)} />}
      {search.reply && <LeadReplyDialog onClose={() => show(behind)} />}
    </>
  );
}
