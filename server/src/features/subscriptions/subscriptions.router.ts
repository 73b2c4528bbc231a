import "./given-subscriptions.service.ts";
import "./stripe-sync.ts";
import { providerPageSchema, startCheckoutSchema, subscriptionSchema } from "@app/shared/subscriptions";
import { calling, noInputSchema, protectedProcedure, recentlyConfirmed, router } from "../../core/trpc.ts";
import * as billing from "./billing.service.ts";
import * as subscriptions from "./subscriptions.service.ts";

export const subscriptionsRouter = router({
  get: protectedProcedure.output(subscriptionSchema).query(({ ctx }) => subscriptions.getSubscription(ctx.scope)),
  startCheckout: protectedProcedure
    .input(startCheckoutSchema)
    .output(providerPageSchema)
    .mutation(calling(billing.startCheckout)),
  openPortal: protectedProcedure
    .use(recentlyConfirmed)
    .input(noInputSchema)
    .output(providerPageSchema)
    .mutation(({ ctx }) => billing.openPortal(ctx.scope)),
});
