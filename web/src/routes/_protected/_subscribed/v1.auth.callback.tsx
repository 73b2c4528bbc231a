import { createFileRoute } from "@tanstack/react-router";
import { signInAnswerSearch } from "../../../core/search.ts";
import { MailConnectionPage } from "../../../features/mailboxes/mail-connection-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/v1/auth/callback")({
  validateSearch: signInAnswerSearch,
  component: RouteComponent,
});

function RouteComponent() {
  return <MailConnectionPage answer={Route.useSearch()} />;
}
