import { createFileRoute } from "@tanstack/react-router";
import { SessionPage } from "../../../features/sessions/session-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/sessions/$id")({
  component: SessionPage,
});
