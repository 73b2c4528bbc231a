import { TRPCError } from "@trpc/server";
import type Stripe from "stripe";
import { outOfTurn } from "../../core/call-turns.ts";
import { wrongState } from "../../core/errors.ts";
import { settings } from "../../core/settings.ts";

// Tried twice, and both within the deadline of a call.
const TIMEOUT_MS = 4000;

let client: { key: string; stripe: Stripe } | undefined;

/** Refuses where no card payment provider is set up. */
export function requireStripe(): string {
  const { STRIPE_SECRET_KEY: key } = settings();
  if (key) return key;
  throw wrongState("Nothing is charged here: no card payment provider is set up, and every practice has the pro plan.");
}

/** The card payment provider, whose package is large and loaded where there is one; refuses where none is set up. */
export async function stripe(): Promise<Stripe> {
  const key = requireStripe();
  const { default: Stripe } = await import("stripe");
  const { STRIPE_API_URL: address } = settings();
  if (client?.key !== key) {
    client = {
      key,
      stripe: new Stripe(key, { timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false, ...at(address) }),
    };
  }
  return client.stripe;
}

function at(address: string | undefined) {
  if (!address) return {};
  const { hostname, port, protocol } = new URL(address);
  return {
    host: hostname,
    port: port || (protocol === "https:" ? 443 : 80),
    protocol: protocol === "https:" ? ("https" as const) : ("http" as const),
  };
}

/** Calls the provider; its failure is told in a sentence, and stands in the log as its cause. */
export async function fromStripe<Result>(work: (stripe: Stripe) => Promise<Result>): Promise<Result> {
  const provider = await stripe();
  try {
    return await outOfTurn(() => work(provider));
  } catch (error) {
    const { default: Stripe } = await import("stripe");
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    throw new TRPCError({
      code: "BAD_GATEWAY",
      message: "The card payment provider did not answer. Try again in a moment.",
      cause: error,
    });
  }
}
