import type { Outcome } from "@app/shared/payments";

interface Words {
  title: string;
  text: string;
  icon: "done" | "waiting" | "stopped";
}

/** No more than the server knows. */
export const OUTCOME_WORDS: Record<Outcome, Words> = {
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
  nothing_due: { title: "Nothing to pay", text: "This invoice is settled, so there is nothing to pay.", icon: "done" },
  closed: {
    title: "No card payments at the moment",
    text: "Nothing can be paid on this page now. Pay in another way, or ask us.",
    icon: "stopped",
  },
};

export const BUSY_TEXT =
  "The page to pay on could not be opened just now, and nothing was paid. Wait a minute, then try again.";
