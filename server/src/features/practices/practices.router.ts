import { practiceSchema, updatePracticeSchema } from "@app/shared/practices";
import { ownerProcedure, protectedProcedure, recentlyConfirmed, router } from "../../core/trpc.ts";
import * as practices from "./practices.service.ts";

export const practicesRouter = router({
  get: protectedProcedure.output(practiceSchema).query(({ ctx }) => practices.getPractice(ctx.scope)),
  update: ownerProcedure
    .use(recentlyConfirmed)
    .input(updatePracticeSchema)
    .output(practiceSchema)
    .mutation(({ ctx, input }) => practices.updatePractice(ctx, input)),
});
