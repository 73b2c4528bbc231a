import { createFileRoute } from "@tanstack/react-router";
import { accountSearch } from "../../core/search.ts";
import { AccountPage } from "../../features/account/account-page.tsx";

export const Route = createFileRoute("/_protected/account")({
  validateSearch: accountSearch,
  component: RouteComponent,
});

function RouteComponent() {
  return <AccountPage search={Route.useSearch()} />;
}
