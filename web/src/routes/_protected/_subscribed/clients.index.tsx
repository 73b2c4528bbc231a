import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../../core/load.ts";
import { listInput } from "../../../core/list-search.ts";
import { ClientsPage } from "../../../features/clients/clients-page.tsx";
import { parseClientsSearch } from "../../../features/clients/clients-search.ts";
import { loadClients } from "../../../features/clients/load-clients.ts";

export const Route = createFileRoute("/_protected/_subscribed/clients/")({
  validateSearch: parseClientsSearch,
  loaderDeps: ({ search }) => listInput(search),
  loader: (context) => loadMeanwhile(context, loadClients(context.deps)),
  component: RouteComponent,
});

function RouteComponent() {
  return <ClientsPage search={Route.useSearch()} />;
}
