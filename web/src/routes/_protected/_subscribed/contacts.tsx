import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../../core/load.ts";
import { apiUtils } from "../../../core/api.ts";
import { listInput } from "../../../core/list-search.ts";
import { mayNow } from "../../../core/session-state.ts";
import { ContactsPage } from "../../../features/contacts/contacts-page.tsx";
import { parseContactsSearch, withoutDialog } from "../../../features/contacts/contacts-search.ts";

export const Route = createFileRoute("/_protected/_subscribed/contacts")({
  validateSearch: parseContactsSearch,
  loaderDeps: ({ search }) => listInput(withoutDialog(search)),
  loader: (context) => {
    if (mayNow("clients.read")) loadMeanwhile(context, apiUtils.contacts.list.ensureData(context.deps));
  },
  component: RouteComponent,
});

function RouteComponent() {
  return <ContactsPage search={Route.useSearch()} />;
}
