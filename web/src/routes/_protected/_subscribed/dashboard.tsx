import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../../core/load.ts";
import { apiUtils } from "../../../core/api.ts";
import { mayNow } from "../../../core/session-state.ts";
import { DashboardPage } from "../../../features/dashboard/dashboard-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/dashboard")({
  loader: (context) => {
    if (mayNow("clients.read")) loadMeanwhile(context, apiUtils.dashboard.get.ensureData());
  },
  component: DashboardPage,
});
