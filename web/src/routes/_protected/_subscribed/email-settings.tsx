import { createFileRoute } from "@tanstack/react-router";
import { emailSettingsSearch } from "../../../core/search.ts";
import { EmailSettingsPage } from "../../../features/mailboxes/email-settings-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/email-settings")({
  validateSearch: emailSettingsSearch,
  component: RouteComponent,
});

function RouteComponent() {
  return <EmailSettingsPage search={Route.useSearch()} />;
}
