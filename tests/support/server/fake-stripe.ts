import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import Stripe from "stripe";

export const STRIPE_SECRET = "whsec_of_the_tests";

export interface FakeSubscription {
  id: string;
  status: string;
  price: string;
}

/** The card payment provider as far as subscriptions need it, on a free port of this machine. */
export async function startFakeStripe() {
  const subscriptions = new Map<string, FakeSubscription[]>();
  const requests: { path: string; body: URLSearchParams; idempotencyKey: string }[] = [];
  const state = { isDown: false, customers: 0 };
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      const url = new URL(req.url ?? "", "http://stripe");
      const key = req.headers["idempotency-key"];
      requests.push({
        path: url.pathname,
        body: new URLSearchParams(body),
        idempotencyKey: typeof key === "string" ? key : "",
      });
      res.setHeader("content-type", "application/json");
      if (state.isDown) {
        res.statusCode = 503;
        return res.end(JSON.stringify({ error: { type: "api_error", message: "down" } }));
      }
      return res.end(JSON.stringify(answer(url)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;

  function answer(request: URL): object {
    if (request.pathname === "/v1/customers") return { object: "customer", id: `cus_${++state.customers}` };
    if (request.pathname === "/v1/checkout/sessions")
      return { object: "checkout.session", id: "cs_1", url: `${url}/pay/cs_1` };
    if (request.pathname === "/v1/billing_portal/sessions")
      return { object: "billing_portal.session", url: `${url}/portal` };
    const data = (subscriptions.get(request.searchParams.get("customer") ?? "") ?? []).map(asSubscription);
    return { object: "list", data, has_more: false, url: "/v1/subscriptions" };
  }

  return {
    url,
    state,
    requests,
    subscriptions,
    environment: {
      STRIPE_SECRET_KEY: "sk_test_of_the_tests",
      STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
      STRIPE_API_URL: url,
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const asSubscription = ({ id, status, price }: FakeSubscription) => ({
  object: "subscription",
  id,
  status,
  cancel_at_period_end: false,
  trial_end: null,
  items: { object: "list", data: [{ id: "si_1", price: { id: price }, current_period_end: 1_900_000_000 }] },
});

export interface FakeEvent {
  id: string;
  type?: string;
  customer: string;
  account?: string;
}

/** A signed event as the provider would post it. */
export function signedEvent(
  { id, type = "customer.subscription.updated", customer, account }: FakeEvent,
  options: { secret?: string; secondsAgo?: number } = {},
) {
  const payload = JSON.stringify({
    object: "event",
    id,
    type,
    ...(account ? { account } : {}),
    data: { object: { id: "sub_1", customer } },
  });
  const timestamp = Math.floor(Date.now() / 1000) - (options.secondsAgo ?? 0);
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: options.secret ?? STRIPE_SECRET,
    timestamp,
  });
  return { payload, signature };
}
