import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../../core/load.ts";
import { apiUtils } from "../../../core/api.ts";
import { requireOwner } from "../../../core/guards.ts";
import { staffSearch } from "../../../core/search.ts";
import { UserPermissionsPage } from "../../../features/staff/user-permissions-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/settings/user-permissions")({
  validateSearch: staffSearch,
  beforeLoad: ({ location }) => requireOwner(location),
  loader: (context) => loadMeanwhile(context, apiUtils.staff.list.ensureData()),
  component: RouteComponent,
});

function RouteComponent() {
  return <UserPermissionsPage search={Route.useSearch()} />;
}
