import { createFileRoute } from "@tanstack/react-router";
import { MailConnectionPage } from "../../../features/mail/mail-connection-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/v1/auth/callback")({
  component: MailConnectionPage,
});
