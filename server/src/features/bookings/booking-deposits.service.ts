// What was asked for a booking, as whoever booked sees it, and as the practice does.
import type { BookingDeposit, OwnDeposit } from "@app/shared/deposits";
import type { Scope } from "../../core/trpc.ts";
import { requireMeeting } from "../meetings/meetings.service.ts";
import type { MeetingDoc } from "../meetings/visits.service.ts";
import { type PaymentDoc, payPathOf } from "../payments/deposits.service.ts";
import { depositOfMeeting, stateOfDeposit } from "./deposit-words.ts";

const shownOf = (payment: PaymentDoc) => ({
  amountMinor: payment.amountMinor,
  currency: payment.currency,
  state: stateOfDeposit(payment),
  until: (payment.linkUntil ?? payment.createdAt).toISOString(),
});

export async function ownDepositOf(meeting: MeetingDoc): Promise<OwnDeposit | null> {
  const payment = await depositOfMeeting(meeting);
  return payment && { ...shownOf(payment), payPath: payPathIn(payment) };
}

/** Where it is paid; empty where nothing is asked for. */
export const payPathIn = (payment: PaymentDoc | null): string =>
  payment && stateOfDeposit(payment) === "due" ? payPathOf(payment) : "";

/** Of a meeting that this person sees. */
export async function depositOfBooking(scope: Scope, { meetingId }: { meetingId: string }): Promise<BookingDeposit> {
  const payment = await depositOfMeeting(await requireMeeting(scope, meetingId));
  if (!payment) return { deposit: null };
  const { invoiceId, invoiceNumber, refundedMinor, attentions } = payment;
  const isInvoiced = invoiceNumber !== "";
  return {
    deposit: {
      ...shownOf(payment),
      refundedMinor,
      needsLook: attentions.length > 0,
      invoiceId: isInvoiced ? invoiceId : null,
      invoiceNumber,
    },
  };
}
