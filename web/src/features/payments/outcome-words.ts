import type { Outcome, PaymentOutcome } from "@app/shared/payments";

interface Words {
  title: string;
  text: string;
  icon: "done" | "waiting" | "stopped";
}

const OUTCOME_WORDS: Record<Outcome, Words> = {
  open: {
    title: "Payment not completed",
    text: "You left before paying, and we have not been told of a payment. You can try again.",
    icon: "stopped",
  },
  waiting: {
    title: "Waiting for your bank",
    text: "We have not been told yet whether the payment went through. This page will change by itself, usually within a minute. Please do not pay again.",
    icon: "waiting",
  },
  on_its_way: {
    title: "Payment on its way",
    text: "Your bank has been asked to pay. It can take several working days until the money is here. Please do not pay again.",
    icon: "waiting",
  },
  in_question: {
    title: "We are looking at your payment",
    text: "Money came that does not fit what was asked for, so one of us has to look at it. Please do not pay again.",
    icon: "waiting",
  },
  paid: { title: "Payment received", text: "Thank you.", icon: "done" },
  refunded: { title: "Payment returned", text: "Money of this payment was returned by the way it came.", icon: "done" },
  failed: {
    title: "Payment failed",
    text: "Your bank did not make the payment, so nothing was paid. You can try again.",
    icon: "stopped",
  },
  withdrawn: {
    title: "This link was withdrawn",
    text: "Nothing can be paid here any more. If you think that something is still to be paid, ask us.",
    icon: "stopped",
  },
  over: {
    title: "This link has expired",
    text: "Nothing can be paid here any more. Ask us for a new link.",
    icon: "stopped",
  },
  nothing_due: {
    title: "Nothing to pay",
    text: "There is nothing left to pay for this invoice, so you need not do anything.",
    icon: "done",
  },
  closed: {
    title: "No card payments at the moment",
    text: "Nothing can be paid on this page now. Pay in another way, or ask us.",
    icon: "stopped",
  },
};

type Booking = NonNullable<PaymentOutcome["booking"]>["state"];

/** The same where it is paid before something is booked. */
const PAID_FOR: Record<Booking, Words> = {
  held: {
    title: "Payment received",
    text: "Your appointment is being booked. This page will change by itself.",
    icon: "waiting",
  },
  asked: {
    title: "Payment received",
    text: "Your request is with us. The time is kept for you, and you get a message as soon as it is confirmed.",
    icon: "done",
  },
  booked: { title: "Your appointment is booked", text: "We have your payment. Thank you.", icon: "done" },
  gone: {
    title: "Payment received",
    text: "Nothing is booked with it: the time is not held any more. Your payment is not lost, and we get in touch with you to find another time or to return it. Please do not pay again.",
    icon: "waiting",
  },
};
const UNPAID: Partial<Record<Outcome, Words>> = {
  open: {
    title: "Payment not completed",
    text: "You left before paying, and we have not been told of a payment. Nothing is booked yet. The time is still held for you for a while: you can try again.",
    icon: "stopped",
  },
  failed: {
    title: "Payment failed",
    text: "Nothing was paid, and nothing is booked yet. You can try again while the time is held for you.",
    icon: "stopped",
  },
  over: {
    title: "The time is not held any more",
    text: "It was not paid for while it was held, so it is free again and nothing is booked. If you paid all the same, we get in touch with you. To book, choose a time once more by the link that you had.",
    icon: "stopped",
  },
};

/** No more than the server knows. */
export function wordsOf({ outcome, booking }: Pick<PaymentOutcome, "outcome" | "booking">): Words {
  if (booking && outcome === "paid") return PAID_FOR[booking.state];
  return (booking && UNPAID[outcome]) || OUTCOME_WORDS[outcome];
}

/** Something is still to follow, in a moment. */
export const isToFollow = ({ outcome, booking }: Pick<PaymentOutcome, "outcome" | "booking">): boolean =>
  outcome === "waiting" || (outcome === "paid" && booking?.state === "held");

export const BUSY_TEXT =
  "The page to pay on could not be opened just now, and nothing was paid. Wait a minute, then try again.";
