import { unsentMailPageSchema } from "@app/shared/mail";
import { pageInputSchema } from "@app/shared/pagination";
import { ownerProcedure, router } from "../../core/trpc.ts";
import * as mail from "./system-mail.service.ts";

export const mailRouter = router({
  listUnsent: ownerProcedure
    .input(pageInputSchema)
    .output(unsentMailPageSchema)
    .query(({ ctx, input }) => mail.listUnsent(ctx.scope, input)),
});
