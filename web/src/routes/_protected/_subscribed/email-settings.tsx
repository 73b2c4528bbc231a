import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../../core/load.ts";
import { apiUtils } from "../../../core/api.ts";
import { emailSettingsSearch } from "../../../core/search.ts";
import { EmailSettingsPage } from "../../../features/mailboxes/email-settings-page.tsx";
import { loadEmailTab } from "../../../features/mailboxes/load-email-tab.ts";

export const Route = createFileRoute("/_protected/_subscribed/email-settings")({
  validateSearch: emailSettingsSearch,
  loaderDeps: ({ search: { tab, page = 1, mailing } }) => ({ tab, page, mailing }),
  loader: (context) =>
    loadMeanwhile(context, Promise.all([apiUtils.mailboxes.get.ensureData(), loadEmailTab(context.deps)])),
  component: RouteComponent,
});

function RouteComponent() {
  return <EmailSettingsPage search={Route.useSearch()} />;
}
