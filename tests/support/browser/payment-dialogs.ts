// The dialogs of prices, invoices and payments, and how somebody comes to them.
import type { Page } from "playwright-core";
import type { DialogRow, Place } from "./dialog-places.ts";
import { ask, at, button, ofClient } from "./dialog-places.ts";

const PAYMENTS = ofClient("payments");
const link = (name: string | RegExp) => (page: Page) => page.getByRole("link", { name });
/** Of the client whose case has something of everything. */
const overdue = /^More for QM-\d+$/;
const draft = /^More for the draft for /;

async function ofStatement(place: Place): Promise<string> {
  const { items } = await ask(place, "bankStatements.list", { page: 1 });
  return `/payment-settings?tab=bank&statement=${items[0].id}`;
}

export const PAYMENT_DIALOGS: readonly DialogRow[] = [
  {
    dialog: "NewPriceDialog",
    at: at("/payment-settings?tab=prices"),
    opener: link("New price"),
    title: "New price",
    typed: "asked",
  },
  {
    dialog: "PriceDialog",
    at: at("/payment-settings?tab=prices"),
    opener: (page) => page.getByRole("link", { name: "Second room" }),
    title: "Price ROOM",
    typed: "asked",
  },
  {
    dialog: "AccountsExportDialog",
    at: at("/payment-settings"),
    opener: button("Export for accounts"),
    title: "Export for accounts",
    isChosen: true,
    typed: "nothing",
  },
  {
    dialog: "ConfirmSureDialog",
    at: ofStatement,
    opener: button("Confirm all sure ones"),
    title: "Confirm all sure ones",
    typed: "nothing",
  },
  {
    dialog: "DeleteStatementButton",
    at: ofStatement,
    opener: button("Delete statement"),
    title: "Delete Current account.csv?",
    typed: "nothing",
  },
  {
    dialog: "InvoiceDialog",
    at: PAYMENTS,
    opener: button(/^Open QM-\d+$/),
    title: /^Invoice QM-/,
    typed: "nothing",
  },
  { dialog: "NewInvoiceDialog", at: PAYMENTS, opener: button("New invoice"), title: "New invoice", typed: "asked" },
  {
    dialog: "EditInvoiceDialog",
    at: PAYMENTS,
    opener: button(draft),
    item: "Change",
    title: /^Change the draft for /,
    typed: "asked",
  },
  {
    dialog: "SplitDialog",
    at: PAYMENTS,
    opener: button("Split between payers"),
    title: "Split between payers",
    typed: "asked",
  },
  {
    dialog: "AidSwitchDialog",
    at: PAYMENTS,
    opener: button("Switch to legal aid"),
    title: "Switch to legal aid",
    typed: "nothing",
  },
  {
    dialog: "IssueDialog",
    at: PAYMENTS,
    opener: button(/^Issue: the draft for /),
    title: /^Issue the invoice for /,
    typed: "nothing",
  },
  {
    dialog: "RemoveDialog",
    at: PAYMENTS,
    opener: button(draft),
    item: "Delete draft",
    title: /^Delete the draft for /,
    typed: "nothing",
  },
  {
    dialog: "SendDialog",
    at: PAYMENTS,
    opener: button(overdue),
    item: "Send by email",
    title: /^Send invoice QM-/,
    typed: "nothing",
  },
  {
    dialog: "CreditDialog",
    at: PAYMENTS,
    opener: button(overdue),
    item: "Credit",
    title: /^Credit QM-/,
    typed: "asked",
  },
  {
    dialog: "VoidInvoiceDialog",
    at: PAYMENTS,
    // The second of them was asked for and nothing of it was paid.
    opener: (page) => page.getByRole("button", { name: overdue }).nth(1),
    item: "Make void",
    title: /^Make invoice QM-.* void\?$/,
    typed: "asked",
  },
  {
    dialog: "UseCreditDialog",
    at: PAYMENTS,
    opener: (page) =>
      page
        .getByRole("region", { name: "Sian Callan" })
        .getByRole("listitem")
        .filter({ hasText: "On its way" })
        .getByRole("button", { name: overdue }),
    item: "Use credit",
    title: /^Use credit for QM-/,
    typed: "asked",
  },
  {
    dialog: "RecordPaymentDialog",
    at: PAYMENTS,
    opener: button(/^Record payment: QM-/),
    title: /^Payment for QM-/,
    typed: "asked",
  },
  {
    dialog: "AnnouncePaymentDialog",
    at: PAYMENTS,
    opener: button(overdue),
    item: "Note a payment on its way",
    title: /^On its way for QM-/,
    typed: "asked",
  },
  {
    dialog: "ConfirmPaymentDialog",
    at: PAYMENTS,
    opener: button(/^It came: /),
    title: /^It came: payment for QM-/,
    typed: "asked",
  },
  {
    dialog: "SendReceiptDialog",
    at: PAYMENTS,
    opener: button("More for £60.00 by cash"),
    item: "Send receipt",
    title: /^Send receipt R-\d+ to /,
    typed: "nothing",
  },
  {
    dialog: "RefundDialog",
    at: PAYMENTS,
    opener: button("More for £60.00 by cash"),
    item: "Refund",
    title: /^Refund to /,
    typed: "asked",
  },
  {
    dialog: "CorrectPaymentDialog",
    at: PAYMENTS,
    opener: button("More for £60.00 by cash"),
    item: "It never came",
    title: /^Take back £60.00 by cash/,
    typed: "asked",
  },
];
