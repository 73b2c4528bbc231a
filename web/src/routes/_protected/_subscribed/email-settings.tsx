import { createFileRoute } from "@tanstack/react-router";
import { apiUtils } from "../../../core/api.ts";
import { emailSettingsSearch } from "../../../core/search.ts";
import { EmailSettingsPage } from "../../../features/mailboxes/email-settings-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/email-settings")({
  validateSearch: emailSettingsSearch,
  loader: () => void apiUtils.mailboxes.get.prefetch(),
  component: RouteComponent,
});

function RouteComponent() {
  return <EmailSettingsPage search={Route.useSearch()} />;
}
