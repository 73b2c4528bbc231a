// What a payment means to the booking that it is for, which is no matter of payments.
import type { PaidBooking } from "@app/shared/payments";
import type { PaymentDoc } from "./payments.model.ts";

interface Effects {
  /** Books what was paid, or lets go what was not paid in time; as often as it is called it is done once. */
  settle: (payment: PaymentDoc) => Promise<void>;
  /** How the booking stands, and where whoever paid sees it. */
  bookingOf: (payment: PaymentDoc) => Promise<{ state: PaidBooking; path: string }>;
}

let effects: Effects | null = null;

/** Called once, beside what keeps bookings. */
export function defineDepositEffects(defined: Effects): void {
  effects = defined;
}

function known(): Effects {
  if (!effects) throw new Error("nothing says what a payment means to a booking");
  return effects;
}

export const settleDeposit = (payment: PaymentDoc): Promise<void> => known().settle(payment);
export const bookingOf: Effects["bookingOf"] = (payment) => known().bookingOf(payment);
