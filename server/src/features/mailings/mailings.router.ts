import { z } from "zod";
import { byIdSchema, idSchema, ofChange, ofNewThing } from "@app/shared/ids";
import {
  type Mailing,
  createMailingSchema,
  itemPageSchema,
  listItemsSchema,
  listMailingsSchema,
  mailingPageSchema,
  mailingSchema,
  mailingSenderSchema,
  settleItemBounceSchema,
} from "@app/shared/mailings";
import { changing, creatingItself } from "../../core/once.ts";
import { permitted, router } from "../../core/trpc.ts";
import { mailboxFor } from "../mail/mail-from.service.ts";
import { settleItemBounce } from "./mailing-bounces.service.ts";
import { mailingTurns } from "./mailing-run.ts";
import * as mailings from "./mailings.service.ts";

const startMailingSchema = byIdSchema.safeExtend(ofChange);
const start = changing<z.output<typeof startMailingSchema>, Mailing>(
  (scope, { id }) => mailings.startMailing(scope, id),
  mailings.getMailing,
);

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
  getSender: permitted("mail.send")
    .output(mailingSenderSchema)
    .query(async ({ ctx }) => ({ address: (await mailboxFor(ctx.scope))?.address ?? null })),
  create: permitted("mail.send")
    .input(createMailingSchema.safeExtend(ofNewThing))
    .output(mailingSchema)
    .mutation(creatingItself(mailings.createMailing, mailings.getMailing)),
  start: permitted("mail.send")
    .input(startMailingSchema)
    .output(mailingSchema)
    .mutation(async (call) => {
      const mailing = await start(call);
      mailingTurns.add({ ownerId: call.ctx.scope.ownerId, userId: call.ctx.scope.userId, id: mailing.id });
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
    .input(z.strictObject({ mailingId: idSchema, id: idSchema, ...ofChange }))
    .output(mailingSchema)
    .mutation(changing(mailings.resendItem, (scope, _id, { mailingId }) => mailings.getMailing(scope, mailingId))),
  settleBounce: permitted("clients.read", "mail.send")
    .input(settleItemBounceSchema)
    .output(mailingSchema)
    .mutation(({ ctx, input }) => settleItemBounce(ctx.scope, input)),
});
