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
import { noInputSchema, permitted, recentlyConfirmed, router } from "../../core/trpc.ts";
import * as mailboxes from "./mailboxes.service.ts";
import * as signIn from "./provider-sign-in.service.ts";

/** Everybody's own mailbox: nobody reaches another's, not even the owner. */
export const mailboxesRouter = router({
  get: permitted("mail.send")
    .output(mailboxSchema)
    .query(({ ctx }) => mailboxes.getMailbox(ctx.scope)),
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
  share: permitted("mail.send")
    .use(recentlyConfirmed)
    .input(mailboxSharingSchema)
    .output(mailboxSchema)
    .mutation(({ ctx, input }) => mailboxes.shareMailbox(ctx.scope, input)),
  disconnect: permitted("mail.send")
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
