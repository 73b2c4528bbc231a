import { z } from "zod";
import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import {
  caseMailPageSchema,
  caseMailSchema,
  listCaseMailSchema,
  settleBounceSchema,
  unsentMailPageSchema,
} from "@app/shared/mail";
import {
  mailCheckSchema,
  mailDraftSchema,
  mailPlaceSchema,
  mailStartSchema,
  savedDraftSchema,
  sendMailSchema,
  sentMailSchema,
} from "@app/shared/mail-check";
import { pageInputSchema } from "@app/shared/pagination";
import { changing, creating } from "../../core/once.ts";
import { ownerProcedure, permitted, router } from "../../core/trpc.ts";
import * as drafts from "./compose-drafts.service.ts";
import * as compose from "./compose.service.ts";
import { settleBounce } from "./outbox-bounces.service.ts";
import "./outbox-delivery.service.ts";
import * as outbox from "./outbox.service.ts";
import * as mail from "./system-mail.service.ts";

export const mailRouter = router({
  listUnsent: ownerProcedure
    .input(pageInputSchema)
    .output(unsentMailPageSchema)
    .query(({ ctx, input }) => mail.listUnsent(ctx.scope, input)),
  list: permitted("clients.read", "mail.read")
    .input(listCaseMailSchema)
    .output(caseMailPageSchema)
    .query(({ ctx, input }) => outbox.listCaseMail(ctx.scope, input)),
  retry: permitted("clients.read", "mail.send")
    .input(byIdSchema.safeExtend(ofChange))
    .output(caseMailSchema)
    .mutation(changing((scope, { id }) => outbox.retryMail(scope, id), outbox.getCaseMail)),
  cancel: permitted("clients.read", "mail.send")
    .input(byIdSchema)
    .output(caseMailSchema)
    .mutation(({ ctx, input }) => outbox.cancelMail(ctx.scope, input.id)),
  sendNow: permitted("clients.read", "mail.send")
    .input(byIdSchema)
    .output(caseMailSchema)
    .mutation(({ ctx, input }) => outbox.sendNow(ctx.scope, input.id)),
  settleBounce: permitted("clients.read", "mail.send")
    .input(settleBounceSchema)
    .output(caseMailSchema)
    .mutation(({ ctx, input }) => settleBounce(ctx.scope, input)),
  start: permitted("clients.read", "mail.send")
    .input(mailPlaceSchema)
    .output(mailStartSchema)
    .query(({ ctx, input }) => compose.startMail(ctx.scope, input)),
  // A mutation, because what is written does not belong into an address.
  check: permitted("clients.read", "mail.send")
    .input(mailDraftSchema)
    .output(mailCheckSchema)
    .mutation(({ ctx, input }) => compose.checkMail(ctx.scope, input)),
  send: permitted("clients.read", "mail.send")
    .input(sendMailSchema.safeExtend(ofNewThing))
    .output(sentMailSchema)
    .mutation(creating(compose.sendMail, outbox.getQueuedMail)),
  saveDraft: permitted("clients.read", "mail.send")
    .input(mailDraftSchema)
    .output(savedDraftSchema)
    .mutation(({ ctx, input }) => drafts.saveDraft(ctx.scope, input)),
  discardDraft: permitted("clients.read", "mail.send")
    .input(mailPlaceSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => drafts.discardDraft(ctx.scope, input)),
});
