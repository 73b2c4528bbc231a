import { letterheadSchema } from "@app/shared/letterheads";
import { noInputSchema, ownerProcedure, permitted, router } from "../../core/trpc.ts";
import * as letterheads from "./letterheads.service.ts";

export const letterheadsRouter = router({
  get: permitted("clients.read")
    .output(letterheadSchema)
    .query(({ ctx }) => letterheads.getLetterhead(ctx.scope)),
  removeLogo: ownerProcedure
    .input(noInputSchema)
    .output(letterheadSchema)
    .mutation(({ ctx }) => letterheads.removeLogo(ctx.scope)),
});
