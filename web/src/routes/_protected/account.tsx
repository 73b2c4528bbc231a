import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../core/load.ts";
import { apiUtils } from "../../core/api.ts";
import { accountSearch } from "../../core/search.ts";
import { AccountPage } from "../../features/account/account-page.tsx";

export const Route = createFileRoute("/_protected/account")({
  validateSearch: accountSearch,
  loader: (context) => loadMeanwhile(context, apiUtils.practices.get.ensureData()),
  component: RouteComponent,
});

function RouteComponent() {
  return <AccountPage search={Route.useSearch()} />;
}
