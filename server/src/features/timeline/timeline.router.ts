import { historyPageSchema, listHistorySchema } from "@app/shared/history";
import { permitted, router } from "../../core/trpc.ts";
import { listHistory } from "./timeline.service.ts";

export const timelineRouter = router({
  list: permitted("clients.read")
    .input(listHistorySchema)
    .output(historyPageSchema)
    .query(({ ctx, input }) => listHistory(ctx.scope, input)),
});
