import { createFileRoute } from "@tanstack/react-router";
import { ClientsPage } from "../../../features/clients/clients-page.tsx";
import { parseClientsSearch } from "../../../features/clients/clients-search.ts";

export const Route = createFileRoute("/_protected/_subscribed/clients/")({
  validateSearch: parseClientsSearch,
  component: RouteComponent,
});

function RouteComponent() {
  return <ClientsPage search={Route.useSearch()} />;
}
