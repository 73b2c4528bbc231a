import { createFileRoute } from "@tanstack/react-router";
import { apiUtils } from "../../../core/api.ts";
import { ClientPage } from "../../../features/clients/client-page.tsx";
import { clientSearch } from "../../../features/clients/client-search.ts";

export const Route = createFileRoute("/_protected/_subscribed/clients/view/$id")({
  validateSearch: clientSearch,
  loader: ({ params: { id } }) =>
    Promise.all([apiUtils.clients.get.prefetch({ id }), apiUtils.cases.ofClient.prefetch({ id })]),
  component: RouteComponent,
});

function RouteComponent() {
  return <ClientPage clientId={Route.useParams().id} search={Route.useSearch()} />;
}
