// What becomes of a payment. Free of zod, because the page on which people come back from paying loads it.

export const PAYMENT_STATES = [
  "created",
  "pending",
  "succeeded",
  "partially_refunded",
  "refunded",
  "failed",
  "cancelled",
  "expired",
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const PAYMENT_STATE_NAMES = {
  created: "Link made",
  pending: "Waiting",
  succeeded: "Received",
  partially_refunded: "Partly refunded",
  refunded: "Refunded",
  failed: "Failed",
  cancelled: "Cancelled",
  expired: "Expired",
} as const satisfies Record<PaymentState, string>;

/**
 * What failed, or whose link was over, can be tried again. What was cancelled or over may still be paid late: then it is
 * received, and somebody has to look at it. A refund that the bank sends back leads back.
 */
export const PAYMENT_TRANSITIONS = {
  created: ["pending", "succeeded", "cancelled", "expired"],
  pending: ["succeeded", "failed", "cancelled", "expired"],
  failed: ["pending", "succeeded", "cancelled", "expired"],
  expired: ["pending", "succeeded"],
  cancelled: ["succeeded"],
  succeeded: ["partially_refunded", "refunded"],
  partially_refunded: ["partially_refunded", "refunded", "succeeded"],
  refunded: ["partially_refunded", "refunded", "succeeded"],
} as const satisfies Record<PaymentState, readonly PaymentState[]>;

export const nextPaymentStates = (state: PaymentState): readonly PaymentState[] => PAYMENT_TRANSITIONS[state];

export const mayPaymentBecome = (from: PaymentState, to: PaymentState): boolean =>
  nextPaymentStates(from).some((next) => next === to);

/** From where a payment may come to this state. */
export const paymentStatesBefore = (to: PaymentState): PaymentState[] =>
  PAYMENT_STATES.filter((from) => mayPaymentBecome(from, to));

/** The only other way out of what was received: it was recorded by hand, and is taken back as what it was. */
export const correctedState = (why: "mistake" | "bounced"): PaymentState =>
  why === "mistake" ? "cancelled" : "failed";

/** Why a step is refused, with what could be done instead. */
export function whyPaymentNotBecome(from: PaymentState, to: PaymentState): string | null {
  if (mayPaymentBecome(from, to)) return null;
  const now = `This payment is ${named(from)}, so it cannot become ${named(to)}.`;
  const allowed = nextPaymentStates(from).map(named);
  return `${now} It can become ${allowed.length < 2 ? allowed.join("") : `${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}`}.`;
}

const named = (state: PaymentState): string => PAYMENT_STATE_NAMES[state].toLowerCase();

/** Money may still come by it: an invoice has one such payment at a time. */
export const OPEN_PAYMENT_STATES = ["created", "pending"] as const satisfies readonly PaymentState[];
export const isOpenPayment = (state: PaymentState): boolean => OPEN_PAYMENT_STATES.some((open) => open === state);

/** The money came, whatever became of it then. */
export const RECEIVED_STATES = [
  "succeeded",
  "partially_refunded",
  "refunded",
] as const satisfies readonly PaymentState[];
export const isReceived = (state: PaymentState): boolean => RECEIVED_STATES.some((received) => received === state);

/** Of what was received, by how much of it went back. */
export const stateByRefunds = (amountMinor: number, refundedMinor: number): PaymentState =>
  refundedMinor <= 0 ? "succeeded" : refundedMinor < amountMinor ? "partially_refunded" : "refunded";
