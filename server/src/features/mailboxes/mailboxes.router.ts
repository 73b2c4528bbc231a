import {
  connectMailboxSchema,
  connectResultSchema,
  finishedSignInSchema,
  finishSignInSchema,
  foundServersSchema,
  lookUpMailboxSchema,
  mailboxSchema,
  mailboxSharingSchema,
  signInPageSchema,
  startSignInSchema,
} from "@app/shared/mailboxes";
import { noInputSchema, permitted, protectedProcedure, recentlyConfirmed, router } from "../../core/trpc.ts";
import * as mailboxes from "./mailboxes.service.ts";
import * as signIn from "./provider-sign-in.service.ts";

/**
 * Everybody's own mailbox: nobody reaches another's, not even the owner. To see it, to take back what colleagues may do
 * with it and to disconnect it one needs only be signed in: whoever gave it away can always end that.
 */
export const mailboxesRouter = router({
  get: protectedProcedure.output(mailboxSchema).query(({ ctx }) => mailboxes.getMailbox(ctx.scope)),
  lookUp: permitted("mail.send")
    .input(lookUpMailboxSchema)
    .output(foundServersSchema)
    .mutation(({ ctx, input }) => mailboxes.lookUpServers(ctx.scope, input.email)),
  connect: permitted("mail.send")
    .use(recentlyConfirmed)
    .input(connectMailboxSchema)
    .output(connectResultSchema)
    .mutation(({ ctx, input }) => mailboxes.connectMailbox(ctx.scope, input)),
  check: permitted("mail.send")
    .input(noInputSchema)
    .output(mailboxSchema)
    .mutation(({ ctx }) => mailboxes.checkOwnMailbox(ctx.scope)),
  share: protectedProcedure
    .use(recentlyConfirmed)
    .input(mailboxSharingSchema)
    .output(mailboxSchema)
    .mutation(({ ctx, input }) => mailboxes.shareMailbox(ctx.actor, input)),
  disconnect: protectedProcedure
    .use(recentlyConfirmed)
    .input(noInputSchema)
    .output(mailboxSchema)
    .mutation(({ ctx }) => mailboxes.disconnectMailbox(ctx.scope)),
  startSignIn: permitted("mail.send")
    .use(recentlyConfirmed)
    .input(startSignInSchema)
    .output(signInPageSchema)
    .mutation(({ ctx, input }) => signIn.startSignIn(ctx.actor, input.provider)),
  finishSignIn: permitted("mail.send")
    .input(finishSignInSchema)
    .output(finishedSignInSchema)
    .mutation(({ ctx, input }) => signIn.finishSignIn(ctx.actor, input)),
});
