import { createFileRoute } from "@tanstack/react-router";
import { ClientPage } from "../../../features/clients/client-page.tsx";
import { clientSearch } from "../../../features/clients/client-search.ts";
import { loadClient } from "../../../features/clients/load-client.ts";

export const Route = createFileRoute("/_protected/_subscribed/clients/view/$id")({
  validateSearch: clientSearch,
  loader: ({ params: { id } }) => loadClient(id),
  component: RouteComponent,
});

function RouteComponent() {
  return <ClientPage clientId={Route.useParams().id} search={Route.useSearch()} />;
}
