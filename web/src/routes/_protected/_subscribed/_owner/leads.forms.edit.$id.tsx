import { createFileRoute } from "@tanstack/react-router";
import { EditLeadFormPage } from "../../../../features/leads/edit-lead-form-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/_owner/leads/forms/edit/$id")({
  component: EditLeadFormPage,
});
