import { createFileRoute } from "@tanstack/react-router";
import { apiUtils } from "../../../core/api.ts";
import { ClientPage } from "../../../features/clients/client-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/clients/view/$id")({
  validateSearch: (search): { edit?: true } => (search["edit"] === true ? { edit: true } : {}),
  loader: ({ params }) => apiUtils.clients.get.prefetch({ id: params.id }),
  component: RouteComponent,
});

function RouteComponent() {
  return <ClientPage clientId={Route.useParams().id} isEditing={Route.useSearch().edit ?? false} />;
}
