import { z } from "zod";
import { ofNewThing } from "@app/shared/ids";
import {
  mailCheckSchema,
  mailDraftSchema,
  mailPlaceSchema,
  mailStartSchema,
  savedDraftSchema,
  sendMailSchema,
  sentMailSchema,
} from "@app/shared/mail-check";
import { creating } from "../../core/once.ts";
import { permitted, router } from "../../core/trpc.ts";
import { getQueuedMail } from "../outbox/outbox.service.ts";
import * as drafts from "./compose-drafts.service.ts";
import * as compose from "./compose.service.ts";
import "./delivery.ts";

export const composeRouter = router({
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
    .mutation(creating(compose.sendMail, getQueuedMail)),
  saveDraft: permitted("clients.read", "mail.send")
    .input(mailDraftSchema)
    .output(savedDraftSchema)
    .mutation(({ ctx, input }) => drafts.saveDraft(ctx.scope, input)),
  discardDraft: permitted("clients.read", "mail.send")
    .input(mailPlaceSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => drafts.discardDraft(ctx.scope, input)),
});
