import type Stripe from "stripe";
import { outOfTurn } from "../../core/call-turns.ts";
import { fromStripe } from "../../core/stripe.ts";
import { defineStripeEvents } from "../../core/stripe-events.ts";
import { CustomerModel } from "./subscriptions.model.ts";
import { rememberedAccess } from "./subscriptions.service.ts";

const ROUNDS_MAX = 5;
/** Of what people pay to a practice none has a customer. */
const OF_INTEREST = /^(customer\.subscription|checkout\.session|invoice)\./;
const SUBSCRIPTIONS_MAX = 100;

/**
 * Mirrors the customer's subscriptions as they stand at the provider now. Reading them afresh makes the order and the
 * number of events irrelevant; the revision makes sure that of two mirrors at once the later reading stays.
 */
async function syncCustomer(stripeCustomerId: string): Promise<boolean> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const customer = await CustomerModel.findOne({ stripe_customer_id: stripeCustomerId }).lean();
    if (!customer) return false;
    const { data } = await fromStripe((provider) =>
      provider.subscriptions.list({ customer: stripeCustomerId, status: "all", limit: SUBSCRIPTIONS_MAX }),
    );
    const manual = customer.subscriptions.filter(({ source }) => source === "manual");
    const updated = await CustomerModel.findOneAndUpdate(
      { _id: customer._id, revision: customer.revision },
      { $set: { subscriptions: [...manual, ...data.map(mirrored)] }, $inc: { revision: 1 } },
      { returnDocument: "after", lean: true },
    );
    if (!updated) continue;
    await rememberedAccess(updated);
    return true;
  }
  throw new Error(`customer ${stripeCustomerId} changed too often to be mirrored`);
}

interface Mirroring {
  running: Promise<boolean>;
  next: Promise<boolean> | null;
}

const mirroring = new Map<string, Mirroring>();

/**
 * Mirrors a customer once at a time. Whoever comes while that is under way shares the next round: it reads afresh for
 * all of them, where fifty events at once would take the revision from each other.
 */
function mirror(stripeCustomerId: string): Promise<boolean> {
  const current = mirroring.get(stripeCustomerId);
  if (!current) return startMirroring(stripeCustomerId);
  const startNext = () => startMirroring(stripeCustomerId);
  current.next ??= current.running.then(startNext, startNext);
  return current.next;
}

function startMirroring(stripeCustomerId: string): Promise<boolean> {
  const current: Mirroring = { running: syncCustomer(stripeCustomerId), next: null };
  mirroring.set(stripeCustomerId, current);
  const end = () => {
    if (!current.next) mirroring.delete(stripeCustomerId);
  };
  current.running.then(end, end);
  return current.running;
}

function mirrored(subscription: Stripe.Subscription) {
  const [item] = subscription.items.data;
  return {
    id: subscription.id,
    status: subscription.status,
    price: {
      id: item?.price.id ?? "",
      ...(item?.price.unit_amount ? { unit_amount: item.price.unit_amount, currency: item.price.currency } : {}),
      ...(item?.price.recurring ? { interval: item.price.recurring.interval } : {}),
    },
    ...(item ? { current_period_end: new Date(item.current_period_end * 1000) } : {}),
    ...(subscription.trial_end ? { trial_end: new Date(subscription.trial_end * 1000) } : {}),
    cancel_at_period_end: subscription.cancel_at_period_end,
    source: "stripe" as const,
  };
}

/** The installation's own account bills practices; connected ones are what practices are paid with. */
defineStripeEvents({
  takes: ({ type, account, stripe_customer_id: customer }) =>
    account === "" && customer !== "" && OF_INTEREST.test(type),
  settle: ({ stripe_customer_id: customer }) => outOfTurn(() => mirror(customer)),
  isAwaited: true,
});
