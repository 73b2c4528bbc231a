import { providerPageSchema, startCheckoutSchema, subscriptionSchema } from "@app/shared/subscriptions";
import { noInputSchema, protectedProcedure, recentlyConfirmed, router } from "../../core/trpc.ts";
import * as billing from "./billing.ts";
import { watchAccess } from "./access-stream.ts";
import * as subscriptions from "./subscriptions.service.ts";

export const subscriptionsRouter = router({
  get: protectedProcedure.output(subscriptionSchema).query(({ ctx }) => subscriptions.getSubscription(ctx.scope)),
  onChange: protectedProcedure.subscription(({ ctx, signal }) => watchAccess(ctx, signal)),
  startCheckout: protectedProcedure
    .input(startCheckoutSchema)
    .output(providerPageSchema)
    .mutation(({ ctx, input }) => billing.startCheckout(ctx.scope, input)),
  openPortal: protectedProcedure
    .use(recentlyConfirmed)
    .input(noInputSchema)
    .output(providerPageSchema)
    .mutation(({ ctx }) => billing.openPortal(ctx.scope)),
});
