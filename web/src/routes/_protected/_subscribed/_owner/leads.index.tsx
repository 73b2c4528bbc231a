import { createFileRoute } from "@tanstack/react-router";
import { apiUtils } from "../../../../core/api.ts";
import { listInput } from "../../../../core/list-search.ts";
import { loadMeanwhile } from "../../../../core/load.ts";
import { LeadsPage } from "../../../../features/leads/leads-page.tsx";
import { boardInput, listOnly, parseLeadsSearch, withoutDialog } from "../../../../features/leads/leads-search.ts";

export const Route = createFileRoute("/_protected/_subscribed/_owner/leads/")({
  validateSearch: parseLeadsSearch,
  loaderDeps: ({ search }) => withoutDialog(search),
  loader: (context) => {
    const list = listOnly(context.deps);
    loadMeanwhile(
      context,
      context.deps.view === "list"
        ? apiUtils.leads.list.ensureData(listInput(list))
        : apiUtils.leads.board.ensureData(boardInput(list)),
    );
  },
  component: RouteComponent,
});

function RouteComponent() {
  return <LeadsPage search={Route.useSearch()} />;
}
