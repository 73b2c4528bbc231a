import { createFileRoute } from "@tanstack/react-router";
import { CreateLeadFormPage } from "../../../../features/leads/create-lead-form-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/_owner/leads/forms/create")({
  component: CreateLeadFormPage,
});
