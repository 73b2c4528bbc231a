import "./account-events.ts";
import { paymentAccountSchema } from "@app/shared/payment-accounts";
import { providerPageSchema } from "@app/shared/subscriptions";
import { noInputSchema, ownerProcedure, permitted, recentlyConfirmed, router } from "../../core/trpc.ts";
import * as accounts from "./payment-accounts.service.ts";

export const paymentAccountsRouter = router({
  get: permitted("payments.read")
    .output(paymentAccountSchema)
    .query(({ ctx }) => accounts.getPaymentAccount(ctx.scope)),
  refresh: permitted("payments.manage")
    .input(noInputSchema)
    .output(paymentAccountSchema)
    .mutation(({ ctx }) => accounts.refreshPaymentAccount(ctx.scope)),
  connect: ownerProcedure
    .use(recentlyConfirmed)
    .input(noInputSchema)
    .output(providerPageSchema)
    .mutation(({ ctx }) => accounts.connectPaymentAccount(ctx.scope)),
  disconnect: ownerProcedure
    .use(recentlyConfirmed)
    .input(noInputSchema)
    .output(paymentAccountSchema)
    .mutation(({ ctx }) => accounts.disconnectPaymentAccount(ctx.scope)),
});
