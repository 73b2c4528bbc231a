import { createFileRoute } from "@tanstack/react-router";
import { ClientsPage } from "../../../features/clients/clients-page.tsx";
import { parseClientsSearch, toListInput } from "../../../features/clients/clients-search.ts";
import { loadClients } from "../../../features/clients/load-clients.ts";

export const Route = createFileRoute("/_protected/_subscribed/clients/")({
  validateSearch: parseClientsSearch,
  loaderDeps: ({ search }) => toListInput(search),
  loader: ({ deps }) => void loadClients(deps),
  component: RouteComponent,
});

function RouteComponent() {
  return <ClientsPage search={Route.useSearch()} />;
}
