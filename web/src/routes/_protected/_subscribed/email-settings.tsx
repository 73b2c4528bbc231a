import { createFileRoute } from "@tanstack/react-router";
import { pageSearch } from "../../../core/search.ts";
import { EmailSettingsPage } from "../../../features/mail/email-settings-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/email-settings")({
  validateSearch: pageSearch,
  component: RouteComponent,
});

function RouteComponent() {
  return <EmailSettingsPage page={Route.useSearch().page ?? 1} />;
}
