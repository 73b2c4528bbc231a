import { byIdSchema } from "@app/shared/ids";
import { caseMailPageSchema, caseMailSchema, listCaseMailSchema, unsentMailPageSchema } from "@app/shared/mail";
import { pageInputSchema } from "@app/shared/pagination";
import { ownerProcedure, permitted, router } from "../../core/trpc.ts";
import "./outbox-delivery.service.ts";
import * as outbox from "./outbox.service.ts";
import * as mail from "./system-mail.service.ts";

export const mailRouter = router({
  listUnsent: ownerProcedure
    .input(pageInputSchema)
    .output(unsentMailPageSchema)
    .query(({ ctx, input }) => mail.listUnsent(ctx.scope, input)),
  list: permitted("mail.read")
    .input(listCaseMailSchema)
    .output(caseMailPageSchema)
    .query(({ ctx, input }) => outbox.listCaseMail(ctx.scope, input)),
  retry: permitted("mail.send")
    .input(byIdSchema)
    .output(caseMailSchema)
    .mutation(({ ctx, input }) => outbox.retryMail(ctx.scope, input.id)),
  cancel: permitted("mail.send")
    .input(byIdSchema)
    .output(caseMailSchema)
    .mutation(({ ctx, input }) => outbox.cancelMail(ctx.scope, input.id)),
});
