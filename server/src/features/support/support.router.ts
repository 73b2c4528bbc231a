import { reportErrorResultSchema, reportErrorSchema } from "@app/shared/support";
import { protectedProcedure, router } from "../../core/trpc.ts";
import * as support from "./support.service.ts";

export const supportRouter = router({
  reportError: protectedProcedure
    .input(reportErrorSchema)
    .output(reportErrorResultSchema)
    .mutation(({ ctx, input }) => support.reportErrorOf(ctx, input)),
});
