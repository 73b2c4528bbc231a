import { createFileRoute } from "@tanstack/react-router";
import { requireFirstRun } from "../../core/guards.ts";
import { tokenSearch } from "../../core/search.ts";
import { readInvitation } from "../../features/auth/invitation.ts";
import { SetupPage } from "../../features/auth/setup-page.tsx";

export const Route = createFileRoute("/_login/setup")({
  validateSearch: tokenSearch,
  beforeLoad: ({ search }) => requireFirstRun(search),
  loaderDeps: ({ search }) => ({ token: search.token }),
  loader: ({ deps }) => readInvitation(deps.token),
  component: RouteComponent,
});

function RouteComponent() {
  return <SetupPage token={Route.useSearch().token} invitation={Route.useLoaderData()} />;
}
