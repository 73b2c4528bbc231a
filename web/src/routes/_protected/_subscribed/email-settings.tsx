import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../../core/load.ts";
import { apiUtils } from "../../../core/api.ts";
import { emailSettingsSearch } from "../../../core/search.ts";
import { EmailSettingsPage } from "../../../features/mailboxes/email-settings-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/email-settings")({
  validateSearch: emailSettingsSearch,
  loader: (context) => loadMeanwhile(context, apiUtils.mailboxes.get.ensureData()),
  component: RouteComponent,
});

function RouteComponent() {
  return <EmailSettingsPage search={Route.useSearch()} />;
}
