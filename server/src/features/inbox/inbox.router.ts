import { fileSchema } from "@app/shared/files";
import { ofNewThing } from "@app/shared/ids";
import {
  clientMailPageSchema,
  clientMailPlaceSchema,
  fileMailPartSchema,
  listClientMailSchema,
  openMailSchema,
} from "@app/shared/inbox";
import { calling, permitted, router } from "../../core/trpc.ts";
import { listClientMail } from "./client-mail.service.ts";
import "./automated-mails.service.ts";
import { watchMail } from "./mail-watch.ts";
import { fileAttachment, openMail } from "./open-mail.service.ts";

export const inboxRouter = router({
  list: permitted("clients.read", "mail.read")
    .input(listClientMailSchema)
    .output(clientMailPageSchema)
    .query(calling(listClientMail)),
  open: permitted("clients.read", "mail.read")
    .input(clientMailPlaceSchema)
    .output(openMailSchema)
    .query(calling(openMail)),
  fileAttachment: permitted("clients.read", "documents.manage", "mail.read")
    .input(fileMailPartSchema.safeExtend(ofNewThing))
    .output(fileSchema)
    .mutation(calling(fileAttachment)),
  onNews: permitted("clients.read", "mail.read").subscription(({ ctx, signal }) => watchMail(ctx, signal)),
});
