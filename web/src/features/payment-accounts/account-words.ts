import type { PaymentAccountState } from "@app/shared/payment-accounts";

interface Words {
  chip: string;
  tone: "agreed" | "plain" | "outline";
  text: string;
}

/** By what the provider said last. */
export const ACCOUNT_WORDS: Record<PaymentAccountState, Words> = {
  none: {
    chip: "Off",
    tone: "outline",
    text: "No card payment provider is set up on this installation. Payments by transfer, cash or cheque are recorded by hand, and whoever runs the installation can set up Stripe (STRIPE_MODE).",
  },
  elsewhere: {
    chip: "Off",
    tone: "outline",
    text: "Card payments of this installation go to the practice that was set up first here. Record what clients pay you by hand.",
  },
  not_connected: {
    chip: "Not connected",
    tone: "outline",
    text: "Connect an account with Stripe, and clients can pay their invoices by card or bank debit with a link. The money goes to your own account there, and your practice’s name stands on your clients’ statements.",
  },
  started: {
    chip: "Not complete",
    tone: "plain",
    text: "Stripe still needs something from you before you can take cards. Go on where you left off.",
  },
  checking: {
    chip: "Being checked",
    tone: "plain",
    text: "Stripe is looking at what you entered. You can take cards once it is done; this page then says so.",
  },
  ready: {
    chip: "Ready",
    tone: "agreed",
    text: "Clients can pay their invoices by card, with a link that you send them.",
  },
  refused: {
    chip: "Refused",
    tone: "outline",
    text: "Stripe does not let this account take cards. Open it to see why, or connect another one.",
  },
  lost: {
    chip: "Not found",
    tone: "outline",
    text: "Stripe does not know this account any more. Disconnect it, and connect another one.",
  },
};
