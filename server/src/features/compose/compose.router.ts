import { z } from "zod";
import { LETTER_PERMISSIONS } from "@app/shared/access";
import { ofNewThing } from "@app/shared/ids";
import {
  discardDraftSchema,
  mailCheckSchema,
  mailDraftSchema,
  mailPlaceSchema,
  mailStartSchema,
  saveDraftSchema,
  savedDraftSchema,
  sendLetterSchema,
  sentMailSchema,
} from "@app/shared/mail-check";
import { creating } from "../../core/once.ts";
import { permitted, router } from "../../core/trpc.ts";
import { getQueuedMail } from "../outbox/outbox.service.ts";
import * as drafts from "./compose-drafts.service.ts";
import * as compose from "./compose.service.ts";
import "./delivery.ts";

const writing = permitted(...LETTER_PERMISSIONS);

export const composeRouter = router({
  start: writing
    .input(mailPlaceSchema)
    .output(mailStartSchema)
    .query(({ ctx, input }) => compose.startMail(ctx.scope, input)),
  // A mutation, because what is written does not belong into an address.
  check: writing
    .input(mailDraftSchema)
    .output(mailCheckSchema)
    .mutation(({ ctx, input }) => compose.checkMail(ctx.scope, input)),
  send: writing
    .input(sendLetterSchema.safeExtend(ofNewThing))
    .output(sentMailSchema)
    .mutation(creating(compose.sendLetter, getQueuedMail)),
  saveDraft: writing
    .input(saveDraftSchema)
    .output(savedDraftSchema)
    .mutation(({ ctx, input }) => drafts.saveDraft(ctx.scope, input)),
  discardDraft: writing
    .input(discardDraftSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => drafts.discardDraft(ctx.scope, input)),
});
