import { createFileRoute } from "@tanstack/react-router";
import { apiUtils } from "../../../core/api.ts";
import { SessionPage } from "../../../features/sessions/session-page.tsx";
import { sessionSearch } from "../../../features/sessions/session-search.ts";

export const Route = createFileRoute("/_protected/_subscribed/sessions/$id")({
  validateSearch: sessionSearch,
  staticData: { frame: "focus" },
  loader: ({ params }) => apiUtils.sessions.get.ensureData({ id: params.id }),
  component: RouteComponent,
});

function RouteComponent() {
  return <SessionPage sessionId={Route.useParams().id} dialog={Route.useSearch().dialog} />;
}
