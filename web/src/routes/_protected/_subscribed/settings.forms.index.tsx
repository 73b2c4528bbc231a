import { createFileRoute } from "@tanstack/react-router";
import { FormsPage } from "../../../features/forms/forms-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/settings/forms/")({
  component: FormsPage,
});
