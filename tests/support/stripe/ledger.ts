// What the provider keeps, for the installation's own account and each connected one.
export interface FakeSubscription {
  id: string;
  status: string;
  price: string;
}

export interface FakeSession {
  id: string;
  account: string;
  mode: "payment" | "subscription";
  status: "open" | "complete" | "expired";
  paymentStatus: "unpaid" | "paid";
  amount: number;
  currency: string;
  customer: string | null;
  reference: string | null;
  metadata: Record<string, string>;
  intentMetadata: Record<string, string>;
  intent: string | null;
  price: string;
  description: string;
  successUrl: string;
  cancelUrl: string;
  created: number;
  expiresAt: number;
}

export interface FakeIntent {
  id: string;
  account: string;
  status: "requires_payment_method" | "requires_action" | "processing" | "succeeded";
  amount: number;
  received: number;
  currency: string;
  metadata: Record<string, string>;
  charge: string | null;
  session: string;
  declined: string | null;
  created: number;
}

export interface FakeRefund {
  id: string;
  account: string;
  intent: string;
  amount: number;
  status: "pending" | "succeeded" | "failed";
  metadata: Record<string, string>;
  created: number;
}

export interface FakeDispute {
  id: string;
  account: string;
  intent: string;
  amount: number;
  status: "needs_response" | "won" | "lost";
  created: number;
}

export interface FakeAccount {
  id: string;
  name: string;
  cardPayments: "active" | "pending" | "restricted" | "unsupported";
  links: Map<string, { isUsed: boolean; returnUrl: string; refreshUrl: string }>;
}

export interface FakeLedger {
  customers: Map<string, { id: string; email: string }>;
  sessions: Map<string, FakeSession>;
  intents: Map<string, FakeIntent>;
  refunds: Map<string, FakeRefund>;
  disputes: Map<string, FakeDispute>;
  accounts: Map<string, FakeAccount>;
  /** By customer. */
  subscriptions: Map<string, FakeSubscription[]>;
  newId: (prefix: string) => string;
  /** In seconds, as the provider counts. */
  now: () => number;
  advance: (seconds: number) => void;
}

export function makeLedger(): FakeLedger {
  let count = 0;
  let aheadSeconds = 0;
  // No test knows the ids of another, though they share a database.
  const run = Math.random().toString(36).slice(2, 10);
  return {
    customers: new Map(),
    sessions: new Map(),
    intents: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    accounts: new Map(),
    subscriptions: new Map(),
    newId: (prefix) => `${prefix}_${run}${(count += 1)}`,
    now: () => Math.floor(Date.now() / 1000) + aheadSeconds,
    advance: (seconds) => void (aheadSeconds += seconds),
  };
}

/** What is of this account, and nothing else: another one's looks missing. */
export function ofAccount<Kept extends { account: string }>(
  kept: ReadonlyMap<string, Kept>,
  id: string,
  account: string,
): Kept | undefined {
  const found = kept.get(id);
  return found?.account === account ? found : undefined;
}

export const refundedOf = ({ refunds }: FakeLedger, intent: string): number =>
  [...refunds.values()]
    .filter((refund) => refund.intent === intent && refund.status !== "failed")
    .reduce((sum, { amount }) => sum + amount, 0);

/** A page to pay on is over when its time is. */
export function expireOld(ledger: FakeLedger): FakeSession[] {
  const over = [...ledger.sessions.values()].filter(
    ({ status, expiresAt }) => status === "open" && expiresAt <= ledger.now(),
  );
  for (const session of over) session.status = "expired";
  return over;
}
