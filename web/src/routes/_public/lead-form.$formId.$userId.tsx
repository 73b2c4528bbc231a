import { createFileRoute } from "@tanstack/react-router";
import { PublicLeadFormPage } from "../../features/leads/public-lead-form-page.tsx";

export const Route = createFileRoute("/_public/lead-form/$formId/$userId")({
  component: PublicLeadFormPage,
});
