import type { Request } from "express";
import type Stripe from "stripe";
import { now } from "../../core/clock.ts";
import { isDuplicateKey } from "../../core/database.ts";
import type { Logger } from "../../core/logger.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { inBodyTurn, readBytes } from "../../core/read-body.ts";
import { settings } from "../../core/settings.ts";
import { ofNetwork, anonymousMaxBytes } from "../../core/anonymous.ts";
import { stripe } from "./stripe-client.ts";
import { settleEvent } from "./stripe-sync.ts";
import { StripeEventModel } from "./subscriptions.model.ts";

const TOLERANCE_SECONDS = 300;
const OF_INTEREST = /^(customer\.subscription|checkout\.session|invoice)\./;

/** POST /webhooks/stripe: what the card payment provider tells, believed only when signed. */
export const stripeWebhook: RawRoute = {
  access: "public",
  async answer({ req, res, log }) {
    if (!settings().STRIPE_SECRET_KEY)
      return void res.status(503).json({ error: "No card payment provider is set up." });
    const event = await verified(req, log);
    if (!event) return void res.status(400).json({ error: "The signature is not right." });
    const stripeCustomerId = customerOf(event);
    if (!stripeCustomerId || event.account) {
      log.info({ eventId: event.id, type: event.type, account: event.account }, "payment event ignored");
      return void res.json({ received: true });
    }
    if (await isNew(event, stripeCustomerId)) await settleEvent({ id: event.id, stripeCustomerId }, log);
    res.json({ received: true });
  },
};

/** The event, where its signature fits and its time is near ours; Stripe's own check lets future ones pass. */
async function verified(req: Request, log: Logger): Promise<Stripe.Event | null> {
  const header = req.headers["stripe-signature"];
  const secret = settings().STRIPE_WEBHOOK_SECRET;
  if (typeof header !== "string" || !secret || !req.is("application/json")) return null;
  const sentAt = Number(/(?:^|,)t=(\d+)/.exec(header)?.[1]);
  if (!(Math.abs(now().getTime() / 1000 - sentAt) <= TOLERANCE_SECONDS)) return null;
  const body = await readBytes(req, anonymousMaxBytes("webhooks/stripe"));
  try {
    return await inBodyTurn(body, ofNetwork(req.ip ?? ""), async () =>
      (await stripe()).webhooks.constructEvent(body, header, secret, TOLERANCE_SECONDS),
    );
  } catch (error) {
    log.warn({ reason: error instanceof Error ? error.name : "unknown" }, "payment event refused");
    return null;
  }
}

function customerOf(event: Stripe.Event): string | null {
  const { object } = event.data;
  if (!OF_INTEREST.test(event.type) || !("customer" in object)) return null;
  const { customer } = object;
  if (typeof customer === "string") return customer;
  return typeof customer === "object" && customer !== null && "id" in customer ? String(customer.id) : null;
}

/** Stores the event before it is applied; one that was applied already is not new. */
async function isNew(event: Stripe.Event, stripeCustomerId: string): Promise<boolean> {
  try {
    await StripeEventModel.create([
      { _id: event.id, type: event.type, stripe_customer_id: stripeCustomerId, state: "received", received_at: now() },
    ]);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await StripeEventModel.exists({ _id: event.id, state: "received" })) !== null;
  }
}
