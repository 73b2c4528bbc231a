// What can be done with an invoice as it stands.
import type { InvoiceRow } from "@app/shared/invoices";

export const INVOICE_ACTIONS = [
  "change",
  "issue",
  "record",
  "link",
  "send",
  "use_credit",
  "announce",
  "credit",
  "void",
  "remove",
] as const;
export type InvoiceAction = (typeof INVOICE_ACTIONS)[number];

export const ACTION_NAMES = {
  change: "Change",
  issue: "Issue",
  record: "Record payment",
  link: "Payment link",
  send: "Send by email",
  use_credit: "Use credit",
  announce: "Note a payment on its way",
  credit: "Credit",
  void: "Make void",
  remove: "Delete draft",
} as const satisfies Record<InvoiceAction, string>;

interface Rights {
  mayChange: boolean;
  maySend: boolean;
  /** Cards can be taken. */
  isCardReady: boolean;
  /** What the practice holds for the payer. */
  creditMinor: number;
}

type Standing = Pick<InvoiceRow, "state" | "paidMinor" | "dueMinor" | "grossMinor" | "creditedMinor">;

/** In the order in which they are offered, what is done most often first. */
export function actionsFor(
  invoice: Standing,
  { mayChange, maySend, isCardReady, creditMinor }: Rights,
): InvoiceAction[] {
  const may = offeredFor(invoice, creditMinor);
  return INVOICE_ACTIONS.filter(
    (action) => may[action] && mayChange && (action !== "send" || maySend) && (action !== "link" || isCardReady),
  );
}

function offeredFor(
  { state, paidMinor, dueMinor, grossMinor, creditedMinor }: Standing,
  creditMinor: number,
): Record<InvoiceAction, boolean> {
  const isDraft = state === "draft";
  const isOwed = (state === "issued" || state === "part_paid") && dueMinor > 0;
  return {
    change: isDraft,
    issue: isDraft && grossMinor > 0,
    remove: isDraft,
    record: isOwed,
    link: isOwed,
    announce: isOwed,
    use_credit: isOwed && creditMinor > 0,
    send: !isDraft && state !== "void",
    credit: !isDraft && creditedMinor < grossMinor,
    // Money that was paid for it is returned, or kept for the payer, before.
    void: state === "issued" && paidMinor === 0,
  };
}

/** What is next for most invoices in this state; the rest stands in a menu. */
export const nextAction = (actions: readonly InvoiceAction[]): InvoiceAction | undefined =>
  actions.find((action) => action === "issue" || action === "record");
