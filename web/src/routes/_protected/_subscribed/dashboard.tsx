import { createFileRoute } from "@tanstack/react-router";
import { apiUtils } from "../../../core/api.ts";
import { mayNow } from "../../../core/session-state.ts";
import { DashboardPage } from "../../../features/dashboard/dashboard-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/dashboard")({
  loader: () => void (mayNow("clients.read") && apiUtils.dashboard.get.prefetch()),
  component: DashboardPage,
});
