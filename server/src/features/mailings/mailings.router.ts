import { z } from "zod";
import { byIdSchema, idSchema } from "@app/shared/ids";
import {
  addSuppressionSchema,
  createMailingSchema,
  itemPageSchema,
  listItemsSchema,
  listMailingsSchema,
  listSuppressionsSchema,
  mailingPageSchema,
  mailingSchema,
  suppressionPageSchema,
  suppressionSchema,
} from "@app/shared/mailings";
import { permitted, router } from "../../core/trpc.ts";
import { mailingJob } from "./mailing-run.ts";
import * as mailings from "./mailings.service.ts";
import * as suppressions from "./suppressions.service.ts";

export const mailingsRouter = router({
  list: permitted("mail.send")
    .input(listMailingsSchema)
    .output(mailingPageSchema)
    .query(({ ctx, input }) => mailings.listMailings(ctx.scope, input)),
  get: permitted("mail.send")
    .input(byIdSchema)
    .output(mailingSchema)
    .query(({ ctx, input }) => mailings.getMailing(ctx.scope, input.id)),
  listItems: permitted("clients.read", "mail.send")
    .input(listItemsSchema)
    .output(itemPageSchema)
    .query(({ ctx, input }) => mailings.listItems(ctx.scope, input)),
  create: permitted("mail.send")
    .input(createMailingSchema)
    .output(mailingSchema)
    .mutation(({ ctx, input }) => mailings.createMailing(ctx.scope, input)),
  start: permitted("mail.send")
    .input(byIdSchema)
    .output(mailingSchema)
    .mutation(async ({ ctx, input }) => {
      const mailing = await mailings.startMailing(ctx.scope, input.id);
      await mailingJob.enqueue({ ownerId: ctx.scope.ownerId, mailingId: mailing.id });
      return mailing;
    }),
  pause: permitted("mail.send")
    .input(byIdSchema)
    .output(mailingSchema)
    .mutation(({ ctx, input }) => mailings.pauseMailing(ctx.scope, input.id)),
  cancel: permitted("mail.send")
    .input(byIdSchema)
    .output(mailingSchema)
    .mutation(({ ctx, input }) => mailings.cancelMailing(ctx.scope, input.id)),
  resend: permitted("mail.send")
    .input(z.strictObject({ mailingId: idSchema, id: idSchema }))
    .output(mailingSchema)
    .mutation(({ ctx, input }) => mailings.resendItem(ctx.scope, input)),
  listSuppressions: permitted("clients.read", "mail.send")
    .input(listSuppressionsSchema)
    .output(suppressionPageSchema)
    .query(({ ctx, input }) => suppressions.listSuppressions(ctx.scope, input)),
  addSuppression: permitted("clients.read", "mail.send")
    .input(addSuppressionSchema)
    .output(suppressionSchema)
    .mutation(({ ctx, input }) => suppressions.addSuppression(ctx.scope, input.address)),
  removeSuppression: permitted("clients.read", "mail.send")
    .input(byIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => suppressions.removeSuppression(ctx.scope, input.id)),
});
