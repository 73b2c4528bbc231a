import { TRPCError } from "@trpc/server";
import type Stripe from "stripe";
import { outOfTurn } from "./call-turns.ts";
import { wrongState } from "./errors.ts";
import { settings } from "./settings.ts";

// Tried twice, and both within the deadline of a call.
const TIMEOUT_MS = 4000;
const CLIENTS_MAX = 100;

const clients = new Map<string, Stripe>();

/** Refuses where no card payment provider is set up. */
export function requireStripe(): string {
  const { STRIPE_SECRET_KEY: key } = settings();
  if (key) return key;
  throw wrongState("Nothing is charged here: no card payment provider is set up, and every practice has the pro plan.");
}

/**
 * The card payment provider, whose package is large and loaded where there is one; refuses where none is set up.
 * `account` is the connected account that the calls act for; the installation's own where it is left out.
 */
export async function stripe(account = ""): Promise<Stripe> {
  const secret = requireStripe();
  const { default: Stripe } = await import("stripe");
  const { STRIPE_API_URL: address } = settings();
  const name = [secret, address ?? "", account].join(" ");
  const known = clients.get(name);
  if (known) return known;
  const options = { timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false, ...at(address) };
  const made = new Stripe(secret, account === "" ? options : { ...options, stripeAccount: account });
  if (clients.size >= CLIENTS_MAX) clients.clear();
  clients.set(name, made);
  return made;
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
export async function fromStripe<Result>(work: (stripe: Stripe) => Promise<Result>, account = ""): Promise<Result> {
  const provider = await stripe(account);
  try {
    return await outOfTurn(() => work(provider));
  } catch (error) {
    const { default: Stripe } = await import("stripe");
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    throw new TRPCError({ code: "BAD_GATEWAY", message: sentenceOf(error), cause: error });
  }
}

interface Page<Item> {
  data: Item[];
  has_more: boolean;
}

const PAGE_SIZE = 100;

/** Everything of a list, the newest first; `readMax` bounds what is taken in. */
export async function everyPage<Item extends { id: string }>(
  read: (page: { limit: number; starting_after?: string }) => Promise<Page<Item>>,
  readMax: number,
): Promise<Item[]> {
  const all: Item[] = [];
  for (;;) {
    const last = all.at(-1);
    const { data, has_more: isMore } = await read({ limit: PAGE_SIZE, ...(last && { starting_after: last.id }) });
    all.push(...data);
    if (!isMore || data.length === 0 || all.length >= readMax) return all;
  }
}

/** What whoever called can do about it; the provider's own words may name what is nobody else's, and stay in the log. */
function sentenceOf({ type, statusCode }: Stripe.errors.StripeError): string {
  if (type === "StripeAuthenticationError" || type === "StripePermissionError")
    return "The card payment provider refused the key of this installation. Ask whoever runs it to look at STRIPE_SECRET_KEY, and whether your account is still connected.";
  if (type === "StripeRateLimitError") return "The card payment provider is busy. Try again in a minute.";
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return "The card payment provider did not accept this. Nothing was changed.";
  return "The card payment provider did not answer. Try again in a moment.";
}

/** Whether the provider answered at all, so that it says the same to the same key; not where it is only busy. */
export function isAnsweredByStripe(error: unknown): boolean {
  const cause = error instanceof Error && "cause" in error ? error.cause : undefined;
  const status: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "statusCode") : undefined;
  return typeof status === "number" && status !== 409 && status !== 429;
}

/** Whether the provider answered that there is no such thing, or refused it for good: the same call will not succeed. */
export function isRefusedByStripe(error: unknown): boolean {
  const cause = error instanceof Error && "cause" in error ? error.cause : undefined;
  const type: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "type") : undefined;
  return type === "StripeInvalidRequestError" || type === "StripeCardError";
}
