import { createFileRoute } from "@tanstack/react-router";
import { ContactsPage } from "../../../features/contacts/contacts-page.tsx";
import { parseContactsSearch } from "../../../features/contacts/contacts-search.ts";

export const Route = createFileRoute("/_protected/_subscribed/contacts")({
  validateSearch: parseContactsSearch,
  component: RouteComponent,
});

function RouteComponent() {
  return <ContactsPage search={Route.useSearch()} />;
}
