import { dashboardSchema } from "@app/shared/dashboard";
import { permitted, router } from "../../core/trpc.ts";
import { getDashboard } from "./dashboard.service.ts";

export const dashboardRouter = router({
  get: permitted("clients.read")
    .output(dashboardSchema)
    .query(({ ctx }) => getDashboard(ctx.scope)),
});
