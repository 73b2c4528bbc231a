import { createFileRoute } from "@tanstack/react-router";
import { FormBuilderPage } from "../../../features/forms/form-builder-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/settings/forms/create/$id")({
  component: FormBuilderPage,
});
