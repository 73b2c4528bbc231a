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
  sendableFilesSchema,
  sendableSchema,
  sendLetterSchema,
  sentMailSchema,
} from "@app/shared/mail-check";
import { creating } from "../../core/once.ts";
import { calling, permitted, router } from "../../core/trpc.ts";
import { getQueuedMail } from "../outbox/outbox.service.ts";
import * as drafts from "./compose-drafts.service.ts";
import * as compose from "./compose.service.ts";
import { sendableFiles } from "./sendable-files.ts";
import "./delivery.ts";

const writing = permitted(...LETTER_PERMISSIONS);

export const composeRouter = router({
  start: writing.input(mailPlaceSchema).output(mailStartSchema).query(calling(compose.startMail)),
  sendableFiles: writing.input(sendableFilesSchema).output(sendableSchema).query(calling(sendableFiles)),
  // A mutation, because what is written does not belong into an address.
  check: writing.input(mailDraftSchema).output(mailCheckSchema).mutation(calling(compose.checkMail)),
  send: writing
    .input(sendLetterSchema.safeExtend(ofNewThing))
    .output(sentMailSchema)
    .mutation(creating(compose.sendLetter, getQueuedMail)),
  saveDraft: writing.input(saveDraftSchema).output(savedDraftSchema).mutation(calling(drafts.saveDraft)),
  discardDraft: writing.input(discardDraftSchema).output(z.void()).mutation(calling(drafts.discardDraft)),
});
