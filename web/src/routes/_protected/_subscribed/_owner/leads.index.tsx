import { createFileRoute } from "@tanstack/react-router";
import { LeadsPage } from "../../../../features/leads/leads-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/_owner/leads/")({
  component: LeadsPage,
});
