import { can } from "@app/shared/access";
import type { StartCheckout } from "@app/shared/subscriptions";
import type Stripe from "stripe";
import { TRPCError } from "@trpc/server";
import { HOUR_MS, now } from "../../core/clock.ts";
import { conflict, forbidden, wrongState } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { publicUrl, settings } from "../../core/settings.ts";
import type { Scope } from "../../core/trpc.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { fromStripe, requireStripe } from "../../core/stripe.ts";
import { CustomerModel } from "./subscriptions.model.ts";
import { counts, isSelfHosted } from "./subscriptions.service.ts";

const TRIAL_DAYS = 14;

function requireOwner(scope: Scope): void {
  if (!can(scope, "subscription.manage"))
    throw forbidden("Only the owner of the practice can change the subscription.");
}

/** A page of the card payment provider on which the practice takes a subscription; the first one starts with a trial. */
export async function startCheckout(scope: Scope, input: StartCheckout): Promise<{ url: string }> {
  requireOwner(scope);
  requireStripe();
  return { url: await checkoutUrl(scope.ownerId, input) };
}

async function checkoutUrl(ownerId: string, { plan, interval }: StartCheckout): Promise<string> {
  const customer = await CustomerModel.findById(ownerId).lean();
  const subscriptions = customer?.subscriptions ?? [];
  if (subscriptions.some(counts)) {
    throw wrongState("The practice has a subscription already. Change it on the provider's page.");
  }
  const customerId = customer?.stripe_customer_id ?? (await createStripeCustomer(ownerId));
  const [monthly, yearly] = plan === "pro" ? settings().STRIPE_PRICES_PRO : settings().STRIPE_PRICES_ESSENTIAL;
  const price = interval === "monthly" ? monthly : yearly;
  if (!price) throw wrongState("This plan has no price. Ask whoever runs this installation.");
  const params: Stripe.Checkout.SessionCreateParams = {
    mode: "subscription",
    customer: customerId,
    client_reference_id: ownerId,
    line_items: [{ price, quantity: 1 }],
    subscription_data: {
      metadata: { ownerId },
      ...(subscriptions.length === 0 ? { trial_period_days: TRIAL_DAYS } : {}),
    },
    success_url: `${publicUrl()}/account?tab=subscription`,
    cancel_url: `${publicUrl()}/account?tab=subscription`,
  };
  // Two clicks within the hour lead to one checkout.
  const idempotencyKey = `checkout_${ownerId}_${price}_${subscriptions.length}_${Math.floor(now().getTime() / HOUR_MS)}`;
  const { url } = await fromStripe((provider) => provider.checkout.sessions.create(params, { idempotencyKey }));
  if (!url)
    throw new TRPCError({
      code: "BAD_GATEWAY",
      message: "The card payment provider gave no page to go to. Try again in a moment.",
    });
  return url;
}

async function createStripeCustomer(ownerId: string): Promise<string> {
  const owner = await findIdentityUser(ownerId);
  if (!owner) throw conflict("The practice has no owner any more.");
  const params = { email: owner.email_address, name: `${owner.first_name} ${owner.last_name}`, metadata: { ownerId } };
  const { id } = await fromStripe((provider) =>
    provider.customers.create(params, { idempotencyKey: `customer_${ownerId}` }),
  );
  await CustomerModel.updateOne({ _id: ownerId }, { $set: { stripe_customer_id: id } }, { upsert: true });
  return id;
}

/** Where a new practice goes first; null where nothing is charged, or the provider fails: /account offers it again. */
export async function firstCheckoutUrl({ ownerId, log }: { ownerId: string; log: Logger }): Promise<string | null> {
  if (isSelfHosted()) return null;
  try {
    return await checkoutUrl(ownerId, { plan: "pro", interval: "monthly" });
  } catch (error) {
    log.error({ err: error, ownerId }, "checkout could not be started");
    return null;
  }
}

/** The provider's page for cards, invoices, plan changes and cancelling. */
export async function openPortal(scope: Scope): Promise<{ url: string }> {
  requireOwner(scope);
  requireStripe();
  const customer = (await CustomerModel.findById(scope.ownerId, { stripe_customer_id: 1 }).lean())?.stripe_customer_id;
  if (!customer) throw wrongState("There is no payment account yet. Start a subscription first.");
  const params = { customer, return_url: `${publicUrl()}/account?tab=subscription` };
  const { url } = await fromStripe((provider) => provider.billingPortal.sessions.create(params));
  return { url };
}
