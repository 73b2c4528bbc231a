// What mails to whoever booked say of a payment that the booking waits for, or that was made for it.
import type { DepositState } from "@app/shared/deposits";
import { isReceived } from "@app/shared/payment-states";
import { datesIn } from "../../core/dates.ts";
import { defineVisitWords } from "../meetings/visit-words.service.ts";
import { manageAddress, type MeetingDoc, visitDetails } from "../meetings/visits.service.ts";
import { depositOfVisit, type PaymentDoc } from "../payments/deposits.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";
import { moneyOf } from "./deposit-terms.ts";
import { linkOfVisit } from "./open-links.service.ts";

export function stateOfDeposit({ status, deposit }: PaymentDoc): DepositState {
  if (status === "partially_refunded") return "part_refunded";
  if (status === "refunded") return "refunded";
  if (isReceived(status)) return "paid";
  return deposit?.isSettled === false && status !== "cancelled" && status !== "expired" ? "due" : "lapsed";
}

/** What was asked for it, by whoever booked; null where nothing was. */
export const depositOfMeeting = async ({ ownerId, booking }: MeetingDoc): Promise<PaymentDoc | null> =>
  booking ? depositOfVisit(ownerId, booking.tokenHash) : null;

defineVisitWords(async (meeting, purpose) => {
  const payment = await depositOfMeeting(meeting);
  if (!payment || purpose === "reminder") return null;
  const money = await moneyOf(meeting.ownerId, payment);
  const state = stateOfDeposit(payment);
  if (state === "due" && meeting.status === "proposed" && purpose === "invitation")
    return toPay(meeting, payment, money);
  if (!isReceived(payment.status)) return unpaid(meeting, purpose);
  if (purpose === "cancellation")
    return {
      lines: [`You paid ${money}. Nothing of it is returned by itself: we look at it, and tell you what we return.`],
      ownLines: [],
    };
  return { lines: [`We have your payment of ${money}.`, await whatApplies(meeting)], ownLines: [] };
});

async function toPay(meeting: MeetingDoc, payment: PaymentDoc, money: string) {
  const { ownerId, booking, timeZone } = meeting;
  const dates = datesIn(await practiceRegion(ownerId), booking?.timeZone ?? timeZone);
  const until = payment.linkUntil ?? payment.createdAt;
  const details = visitDetails(meeting);
  return {
    kind: "toPay" as const,
    lines: [
      `It is held for you until ${dates.time(until)} (${dates.zone(until)}). Until then ${money} can be paid by card.`,
      await whatApplies(meeting),
    ],
    ownLines: details ? [`To pay, or to let the time go: ${manageAddress(details.token)}`] : [],
  };
}

/** Of what was called off before it was paid: whoever ended it by hand, or the time that was over. */
function unpaid({ status }: MeetingDoc, purpose: "invitation" | "cancellation") {
  if (purpose === "invitation") return null;
  const nothing = "Nothing was paid, and nothing is owed.";
  if (status !== "expired") return { lines: [nothing], ownLines: [] };
  return {
    kind: "unpaid" as const,
    lines: [
      "We were not told of a payment while it was held. If you paid all the same, we get in touch with you.",
      "To book, choose a time once more by the link that you had, or phone us.",
    ],
    ownLines: [],
  };
}

/** By the notice of the link, as its page says it. */
async function whatApplies({ ownerId, booking }: MeetingDoc): Promise<string> {
  const link = booking ? await linkOfVisit(ownerId, booking.linkId) : null;
  const hours = link?.noticeHours ?? 0;
  const intime = hours === 0 ? "before it begins" : `at least ${hours} hours before it begins`;
  return `If you cannot come, cancel ${intime}. We then decide what of your payment is returned; nothing is returned by itself. If you cancel later or do not come, it may not be returned.`;
}
