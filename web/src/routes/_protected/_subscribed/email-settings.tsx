import { createFileRoute } from "@tanstack/react-router";
import { apiUtils } from "../../../core/api.ts";
import { mayNow } from "../../../core/session-state.ts";
import { emailSettingsSearch } from "../../../core/search.ts";
import { EmailSettingsPage } from "../../../features/mailboxes/email-settings-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/email-settings")({
  validateSearch: emailSettingsSearch,
  loader: () => void (mayNow("mail.send") && apiUtils.mailboxes.get.prefetch()),
  component: RouteComponent,
});

function RouteComponent() {
  return <EmailSettingsPage search={Route.useSearch()} />;
}
