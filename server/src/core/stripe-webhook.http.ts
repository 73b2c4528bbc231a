import type { Request } from "express";
import { z } from "zod";
import { anonymousMaxBytes, ofNetwork } from "./anonymous.ts";
import { now } from "./clock.ts";
import type { Logger } from "./logger.ts";
import type { RawRoute } from "./raw-route.ts";
import { inBodyTurn, readBytes } from "./read-body.ts";
import { settings } from "./settings.ts";
import { stripe } from "./stripe.ts";
import { type StripeEvent, takeEvent } from "./stripe-events.ts";

const TOLERANCE_SECONDS = 300;
const idSchema = z.string().regex(/^[\w-]{1,255}$/);
/** Whose a thing is: its id, or all of it. */
const referenceSchema = z.union([idSchema, z.object({ id: idSchema })]).nullish();

/** As far as an event is read: what it is about is asked at the provider. */
const eventSchema = z.object({
  id: idSchema,
  type: z.string().max(200),
  account: idSchema.nullish(),
  data: z.object({ object: z.object({ id: idSchema.optional(), customer: referenceSchema.catch(null) }) }).optional(),
  /** Of the short kind, which names what it is about and says nothing of it. */
  related_object: z.object({ id: idSchema, type: z.string().max(200) }).nullish(),
});

/** POST /webhooks/stripe: what the card payment provider tells, believed only when signed. */
export const stripeWebhook: RawRoute = {
  access: "public",
  async answer({ req, res, log }) {
    if (!settings().STRIPE_SECRET_KEY)
      return void res.status(503).json({ error: "No card payment provider is set up." });
    const event = await verified(req, log);
    if (!event) return void res.status(400).json({ error: "The signature is not right." });
    const isHeard = await takeEvent(event, log);
    if (!isHeard) log.info({ eventId: event._id, type: event.type, account: event.account }, "payment event ignored");
    res.json({ received: true });
  },
};

/** The event, where its signature fits and its time is near ours; the provider's own check lets future ones pass. */
async function verified(req: Request, log: Logger): Promise<StripeEvent | null> {
  const header = req.headers["stripe-signature"];
  if (typeof header !== "string" || !settings().STRIPE_WEBHOOK_SECRET || !req.is("application/json")) return null;
  const sentAt = Number(/(?:^|,)t=(\d+)/.exec(header)?.[1]);
  if (!(Math.abs(now().getTime() / 1000 - sentAt) <= TOLERANCE_SECONDS)) return null;
  const body = await readBytes(req, anonymousMaxBytes("webhooks/stripe"));
  return inBodyTurn(body, ofNetwork(req.ip ?? ""), async () => readEvent(body, header, log));
}

async function readEvent(body: Buffer, header: string, log: Logger): Promise<StripeEvent | null> {
  const { signature } = (await stripe()).webhooks;
  if (!signature) throw new Error("the package cannot verify signatures");
  const refusals: string[] = [];
  const isSignedWith = (secret: string | undefined): boolean => {
    if (!secret) return false;
    try {
      signature.verifyHeader(body, header, secret, TOLERANCE_SECONDS);
      return true;
    } catch (error) {
      refusals.push(error instanceof Error ? error.name : "unknown");
      return false;
    }
  };
  const { STRIPE_WEBHOOK_SECRET: own, STRIPE_CONNECT_WEBHOOK_SECRET: ofAccounts } = settings();
  const isOwn = isSignedWith(own);
  if (!isOwn && !isSignedWith(ofAccounts)) {
    log.warn({ reasons: refusals }, "payment event refused");
    return null;
  }
  const event = parsed(body);
  // The secret for the installation's own account says nothing of others.
  if (!event || (isOwn && ofAccounts && event.account !== "")) return null;
  return event;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}

function parsed(body: Buffer): StripeEvent | null {
  const { success, data } = eventSchema.safeParse(jsonOf(body));
  if (!success) return null;
  const object = data.data?.object;
  const customer = typeof object?.customer === "object" ? object.customer?.id : object?.customer;
  return {
    _id: data.id,
    type: data.type,
    account: data.account ?? "",
    object_id: object?.id ?? data.related_object?.id ?? "",
    stripe_customer_id: customer ?? "",
  };
}
