import type Stripe from "stripe";
import { outOfTurn } from "../../core/call-turns.ts";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { openQueue } from "../../core/set-aside.ts";
import mongoose from "mongoose";
import { fromStripe } from "./stripe-client.ts";
import { CustomerModel, StripeEventModel } from "./subscriptions.model.ts";
import { isSelfHosted, rememberedAccess } from "./subscriptions.service.ts";

const ROUNDS_MAX = 5;
const SETTLE_AFTER_MS = 60_000;
const SETTLE_AGAIN_MS = 15 * 60_000;
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
    price: { id: item?.price.id ?? "" },
    ...(item ? { current_period_end: new Date(item.current_period_end * 1000) } : {}),
    ...(subscription.trial_end ? { trial_end: new Date(subscription.trial_end * 1000) } : {}),
    cancel_at_period_end: subscription.cancel_at_period_end,
    source: "stripe" as const,
  };
}

/** Applies a stored event; whatever fails is tried again. */
export async function settleEvent(event: { id: string; stripeCustomerId: string }, log: Logger): Promise<void> {
  const isOurs = await outOfTurn(() => mirror(event.stripeCustomerId));
  if (!isOurs) log.warn({ eventId: event.id }, "payment event of an unknown customer ignored");
  await StripeEventModel.updateOne({ _id: event.id }, { $set: { state: isOurs ? "done" : "ignored" } });
}

// A process may have died between storing an event and applying it.
defineRepeatedJob({
  name: "settle payment events",
  everyMs: 5 * MINUTE_MS,
  async run(log) {
    if (isSelfHosted()) return;
    const before = new Date(now().getTime() - SETTLE_AFTER_MS);
    const toCome = new Date(now().getTime() + SETTLE_AFTER_MS);
    // One that came at a time to come was taken in by a wrong clock.
    const $or = [
      { received_at: mongoose.trusted({ $lt: before }) },
      { received_at: mongoose.trusted({ $gt: toCome }) },
    ];
    const queue = await openQueue("settle payment events");
    const isFree = { _id: mongoose.trusted({ $nin: queue.held }) };
    const open = await StripeEventModel.find({ ...isFree, state: "received", $or })
      .limit(100)
      .lean();
    await queue.each(open, {
      log,
      keyOf: ({ _id }) => _id,
      work: ({ _id: id, stripe_customer_id: stripeCustomerId }) => settleEvent({ id, stripeCustomerId }, log),
      // The provider may only have been away.
      againAfterMs: SETTLE_AGAIN_MS,
    });
  },
});
