// What the provider answers to each call, and what it changes by that.
import { expireOld, type FakeLedger, type FakeSession, ofAccount, refundedOf } from "./ledger.ts";
import * as params from "./params.ts";
import { missing, read, refuse } from "./params.ts";
import * as shapes from "./shapes.ts";

export interface Call {
  ledger: FakeLedger;
  /** Where the fake is reached. */
  url: string;
  account: string;
  given: unknown;
  /** Of the address, in its order. */
  ids: string[];
  emit: (type: string, object: object, account: string) => void;
}

type Answer = (call: Call) => object;

const DAY_SECONDS = 86_400;
const SHORTEST_SECONDS = 30 * 60;

/** By method and path; `:` stands for an id. */
export const ANSWERS: Readonly<Record<string, Answer>> = {
  "POST /v1/customers": ({ ledger, given }) => {
    const { email = "" } = read(params.customerParams, given);
    const customer = { id: ledger.newId("cus"), email };
    ledger.customers.set(customer.id, customer);
    return { object: "customer", ...customer };
  },
  "POST /v1/checkout/sessions": createSession,
  "GET /v1/checkout/sessions": ({ ledger, url, account, given }) => {
    const { created, payment_intent: intent, ...page } = read(params.listParams, given);
    expireOld(ledger);
    const found = [...ledger.sessions.values()].filter(
      (one) =>
        one.account === account &&
        one.created >= (created?.gte ?? 0) &&
        (intent === undefined || one.intent === intent),
    );
    return shapes.asList(
      found.map((session) => shapes.shownSession(session, url)),
      "/v1/checkout/sessions",
      page,
    );
  },
  "GET /v1/checkout/sessions/:": (call) => {
    read(params.getParams, call.given);
    expireOld(call.ledger);
    return shapes.shownSession(sessionOf(call), call.url);
  },
  "POST /v1/checkout/sessions/:/expire": (call) => {
    read(params.noParams, call.given);
    const session = sessionOf(call);
    if (session.status !== "open")
      refuse(`This Checkout Session cannot be expired because it is ${session.status}.`, {
        code: "resource_invalid_state",
      });
    session.status = "expired";
    call.emit("checkout.session.expired", shapes.shownSession(session, call.url), session.account);
    return shapes.shownSession(session, call.url);
  },
  "GET /v1/payment_intents/:": (call) => {
    const { expand = [] } = read(params.getParams, call.given);
    return shapes.shownIntent(call.ledger, intentOf(call), expand.includes("latest_charge"));
  },
  "GET /v1/charges/:": ({ ledger, account, ids: [id = ""], given }) => {
    read(params.getParams, given);
    const intent = [...ledger.intents.values()].find((one) => one.charge === id && one.account === account);
    return shapes.shownCharge(ledger, intent ?? missing("charge", id));
  },
  "POST /v1/refunds": createRefund,
  "GET /v1/refunds": ({ ledger, account, given }) => {
    const { payment_intent: intent, created, ...page } = read(params.listParams, given);
    const found = [...ledger.refunds.values()].filter(
      (one) =>
        one.account === account &&
        one.created >= (created?.gte ?? 0) &&
        (intent === undefined || one.intent === intent),
    );
    return shapes.asList(
      found.map((refund) => shapes.shownRefund(refund, chargeOf(ledger, refund.intent))),
      "/v1/refunds",
      page,
    );
  },
  "GET /v1/refunds/:": ({ ledger, account, ids: [id = ""], given }) => {
    read(params.getParams, given);
    const refund = ofAccount(ledger.refunds, id, account) ?? missing("refund", id);
    return shapes.shownRefund(refund, chargeOf(ledger, refund.intent));
  },
  "GET /v1/disputes": ({ ledger, account, given }) => {
    const { payment_intent: intent, created, ...page } = read(params.listParams, given);
    const found = [...ledger.disputes.values()].filter(
      (one) =>
        one.account === account &&
        one.created >= (created?.gte ?? 0) &&
        (intent === undefined || one.intent === intent),
    );
    return shapes.asList(
      found.map((dispute) => shapes.shownDispute(dispute, chargeOf(ledger, dispute.intent))),
      "/v1/disputes",
      page,
    );
  },
  "GET /v1/disputes/:": ({ ledger, account, ids: [id = ""] }) => {
    const dispute = ofAccount(ledger.disputes, id, account) ?? missing("dispute", id);
    return shapes.shownDispute(dispute, chargeOf(ledger, dispute.intent));
  },
  "GET /v1/subscriptions": ({ ledger, given }) => {
    const { customer = "" } = read(params.listParams, given);
    return shapes.asList((ledger.subscriptions.get(customer) ?? []).map(shapes.shownSubscription), "/v1/subscriptions");
  },
  "GET /v1/subscriptions/:": (call) => shapes.shownSubscription(subscriptionOf(call)),
  "POST /v1/subscriptions/:": (call) => {
    const { items } = read(params.subscriptionUpdate, call.given);
    const subscription = subscriptionOf(call);
    subscription.price = items?.[0]?.price ?? subscription.price;
    return shapes.shownSubscription(subscription);
  },
  "DELETE /v1/subscriptions/:": (call) => {
    const subscription = subscriptionOf(call);
    subscription.status = "canceled";
    return shapes.shownSubscription(subscription);
  },
  "POST /v1/billing_portal/sessions": ({ url, given }) => {
    read(params.portalParams, given);
    return { object: "billing_portal.session", url: `${url}/portal` };
  },
  "POST /v2/core/accounts": ({ ledger, given }) => {
    const { display_name: name = "" } = read(params.accountParams, given);
    const account = {
      id: ledger.newId("acct"),
      name,
      cardPayments: "restricted" as const,
      links: new Map(),
    };
    ledger.accounts.set(account.id, account);
    return shapes.shownAccount(account);
  },
  "GET /v2/core/accounts/:": ({ ledger, given, ids: [id = ""] }) => {
    read(params.accountQuery, given);
    return shapes.shownAccount(ledger.accounts.get(id) ?? missing("account", id));
  },
  "POST /v2/core/account_links": ({ ledger, url, given }) => {
    const { account: id, use_case: useCase } = read(params.accountLinkParams, given);
    const account = ledger.accounts.get(id) ?? missing("account", id);
    const link = ledger.newId("link");
    const { return_url: returnUrl, refresh_url: refreshUrl } = useCase.account_onboarding;
    account.links.set(link, { isUsed: false, returnUrl, refreshUrl });
    const expires = new Date((ledger.now() + 300) * 1000).toISOString();
    return { object: "v2.core.account_link", account: id, url: `${url}/onboard/${id}/${link}`, expires_at: expires };
  },
};

function sessionOf({ ledger, account, ids: [id = ""] }: Call): FakeSession {
  return ofAccount(ledger.sessions, id, account) ?? missing("checkout session", id);
}

function intentOf({ ledger, account, ids: [id = ""] }: Call) {
  return ofAccount(ledger.intents, id, account) ?? missing("payment_intent", id);
}

const chargeOf = (ledger: FakeLedger, intent: string): string | null => ledger.intents.get(intent)?.charge ?? null;

function subscriptionOf({ ledger, ids: [id = ""] }: Call) {
  const all = [...ledger.subscriptions.values()].flat();
  return all.find((one) => one.id === id) ?? missing("subscription", id);
}

function createSession({ ledger, url, account, given }: Call): object {
  const asked = read(params.sessionParams, given);
  if (account !== "" && ledger.accounts.get(account)?.cardPayments !== "active")
    refuse("Your account cannot currently make live charges.", { code: "account_invalid" });
  if (asked.mode === "payment" && asked.subscription_data)
    refuse("You can not pass `subscription_data` in `payment` mode.", { param: "subscription_data" });
  const [item] = asked.line_items;
  const amount = asked.line_items.reduce(
    (sum, { price_data: price, quantity }) => sum + (price?.unit_amount ?? 0) * quantity,
    0,
  );
  const currency = item?.price_data?.currency ?? "gbp";
  if (asked.mode === "payment" && amount < (params.MINIMUMS[currency] ?? 1))
    refuse("The Checkout Session's total amount must be larger.", { code: "amount_too_small" });
  const created = ledger.now();
  const expiresAt = asked.expires_at ?? created + DAY_SECONDS;
  if (expiresAt > created + DAY_SECONDS || expiresAt < created + SHORTEST_SECONDS)
    refuse("`expires_at` must be between 30 minutes and 24 hours from Checkout Session creation.", {
      param: "expires_at",
    });
  const session: FakeSession = {
    id: ledger.newId("cs"),
    account,
    mode: asked.mode,
    status: "open",
    paymentStatus: "unpaid",
    amount,
    currency,
    customer: asked.customer ?? null,
    reference: asked.client_reference_id ?? null,
    metadata: asked.metadata,
    intentMetadata: asked.payment_intent_data?.metadata ?? {},
    intent: null,
    price: item?.price ?? "",
    description: item?.price_data?.product_data.name ?? "",
    successUrl: asked.success_url,
    cancelUrl: asked.cancel_url ?? asked.success_url,
    created,
    expiresAt,
  };
  ledger.sessions.set(session.id, session);
  return shapes.shownSession(session, url);
}

function createRefund({ ledger, account, given, emit }: Call): object {
  const { payment_intent: id, amount: asked, metadata } = read(params.refundParams, given);
  const intent = ofAccount(ledger.intents, id, account) ?? missing("payment_intent", id);
  if (intent.status !== "succeeded") refuse("This PaymentIntent does not have a successful charge to refund.");
  if ([...ledger.disputes.values()].some((one) => one.intent === id && one.status === "lost"))
    refuse("This charge has been charged back and cannot be refunded.", { code: "charge_disputed" });
  const left = intent.received - refundedOf(ledger, id);
  if (left === 0) refuse("Charge has already been refunded.", { code: "charge_already_refunded" });
  const amount = asked ?? left;
  if (amount > left) refuse(`Refund amount is greater than unrefunded amount on charge.`, { param: "amount" });
  const refund = {
    id: ledger.newId("re"),
    account,
    intent: id,
    amount,
    status: "succeeded" as const,
    metadata,
    created: ledger.now(),
  };
  ledger.refunds.set(refund.id, refund);
  emit("charge.refunded", shapes.shownCharge(ledger, intent), account);
  return shapes.shownRefund(refund, intent.charge);
}
