import { byIdSchema, ofChange } from "@app/shared/ids";
import { caseMailPageSchema, caseMailSchema, listCaseMailSchema, settleBounceSchema } from "@app/shared/mail";
import { changing } from "../../core/once.ts";
import { permitted, router } from "../../core/trpc.ts";
import { settleBounce } from "./outbox-bounces.service.ts";
import * as outbox from "./outbox.service.ts";
import { cancelMail, retryMail, sendNow } from "./outbox-steps.ts";

export const outboxRouter = router({
  list: permitted("clients.read", "mail.read")
    .input(listCaseMailSchema)
    .output(caseMailPageSchema)
    .query(({ ctx, input }) => outbox.listCaseMail(ctx.scope, input)),
  get: permitted("clients.read", "mail.read")
    .input(byIdSchema)
    .output(caseMailSchema)
    .query(({ ctx, input }) => outbox.getCaseMail(ctx.scope, input.id)),
  retry: permitted("clients.read", "mail.send")
    .input(byIdSchema.safeExtend(ofChange))
    .output(caseMailSchema)
    .mutation(changing((scope, { id }) => retryMail(scope, id), outbox.getCaseMail)),
  cancel: permitted("clients.read", "mail.send")
    .input(byIdSchema)
    .output(caseMailSchema)
    .mutation(({ ctx, input }) => cancelMail(ctx.scope, input.id, ctx.log)),
  sendNow: permitted("clients.read", "mail.send")
    .input(byIdSchema)
    .output(caseMailSchema)
    .mutation(({ ctx, input }) => sendNow(ctx.scope, input.id)),
  settleBounce: permitted("clients.read", "mail.send")
    .input(settleBounceSchema)
    .output(caseMailSchema)
    .mutation(({ ctx, input }) => settleBounce(ctx.scope, input)),
});
