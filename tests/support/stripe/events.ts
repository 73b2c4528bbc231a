// What the provider tells, signed as it signs: once, or as often, as late and in as wrong an order as a test wants.
import Stripe from "stripe";

export const STRIPE_SECRET = "whsec_of_the_tests";
export const STRIPE_CONNECT_SECRET = "whsec_of_connected_accounts";

export interface Told {
  id: string;
  payload: string;
  account: string;
}

interface Signing {
  secret?: string;
  secondsAgo?: number;
}

export function signed(payload: string, { secret = STRIPE_SECRET, secondsAgo = 0 }: Signing = {}) {
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
  return { payload, signature: Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }) };
}

export interface FakeEvent {
  id: string;
  type?: string;
  customer: string;
  account?: string;
}

/** A signed event of a subscription as the provider would post it. */
export function signedEvent(
  { id, type = "customer.subscription.updated", customer, account }: FakeEvent,
  signing: Signing = {},
) {
  const of = account ? { account } : {};
  return signed(
    JSON.stringify({ object: "event", id, type, ...of, data: { object: { id: "sub_1", customer } } }),
    signing,
  );
}

/** Gives the status. */
export async function post(
  url: string,
  { payload, signature }: { payload: string; signature: string | null },
): Promise<number> {
  const signature_ = signature === null ? {} : { "stripe-signature": signature };
  const headers = { "content-type": "application/json", ...signature_ };
  return (await fetch(`${url}/webhooks/stripe`, { method: "POST", headers, body: payload })).status;
}

interface Delivering {
  /** So many of each. */
  copies?: number;
  isShuffled?: boolean;
  /** All at once, instead of one after the other. */
  isTogether?: boolean;
}

/** Events wait here until they are delivered, or go out at once where it is told whereto. */
export function makePost() {
  let count = 0;
  const run = Math.random().toString(36).slice(2, 8);
  const waiting: Told[] = [];
  const all: Told[] = [];
  const state: { target: string | null } = { target: null };
  const send = (to: string, { payload, account }: Told) =>
    post(to, signed(payload, { secret: account === "" ? STRIPE_SECRET : STRIPE_CONNECT_SECRET }));
  return {
    state,
    waiting,
    all,
    emit(type: string, object: object, account: string): void {
      const id = `evt_${run}${(count += 1)}`;
      const of = account === "" ? {} : { account };
      const created = Math.floor(Date.now() / 1000);
      const told = {
        id,
        account,
        payload: JSON.stringify({ object: "event", id, type, created, ...of, data: { object } }),
      };
      all.push(told);
      if (state.target === null) waiting.push(told);
      else void send(state.target, told).catch(() => undefined);
    },
    /** Of the short kind, which says only what it is about. */
    emitShort(type: string, related: { id: string; type: string }): void {
      const id = `evt_${run}${(count += 1)}`;
      const created = new Date().toISOString();
      const payload = JSON.stringify({ object: "v2.core.event", id, type, created, related_object: related });
      // It comes by the hook for accounts.
      const told = { id, account: related.id, payload };
      all.push(told);
      if (state.target === null) waiting.push(told);
      else void send(state.target, told).catch(() => undefined);
    },
    async deliver(to: string, { copies = 1, isShuffled = false, isTogether = false }: Delivering = {}) {
      const told = waiting.splice(0).flatMap((one) => Array.from({ length: copies }, () => one));
      const inOrder = isShuffled ? told.toSorted(() => Math.random() - 0.5) : told;
      if (isTogether) return Promise.all(inOrder.map((one) => send(to, one)));
      const statuses: number[] = [];
      for (const one of inOrder) statuses.push(await send(to, one));
      return statuses;
    },
  };
}
