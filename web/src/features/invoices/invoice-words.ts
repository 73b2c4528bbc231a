import { moneyText } from "@app/shared/answer-texts";
import type { Case } from "@app/shared/cases";
import { INVOICE_STATE_NAMES } from "@app/shared/invoice-states";
import type { InvoiceRow } from "@app/shared/invoices";
import type { PayerKind } from "@app/shared/payer-shares";

export const PAYER_KIND_WORDS = {
  party: "Party",
  contact: "Somebody else",
  legal_aid: "Legal aid",
  voucher: "Voucher",
  visitor: "Whoever booked",
} as const satisfies Record<PayerKind, string>;

/** What an invoice is called; a draft has no number yet. */
export const invoiceName = ({ number }: Pick<InvoiceRow, "number">): string => number || "Draft";

/** The same where there may be several: "INV-0012" or "the draft for Priya". */
export const invoiceNamed = ({ number, payerName }: Pick<InvoiceRow, "number" | "payerName">): string =>
  number || `the draft for ${payerName}`;

export const stateName = ({ state }: Pick<InvoiceRow, "state">): string => INVOICE_STATE_NAMES[state];

export const amountOf = (amountMinor: number, { currency }: Pick<InvoiceRow, "currency">): string =>
  moneyText(amountMinor, currency);

const QUANTITY = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 3 });
export const quantityText = (qtyMilli: number): string => QUANTITY.format(qtyMilli / 1000);

/** The party whose own payer this is; none where somebody else or a scheme pays. */
export const partyOfPayer = (
  { payer }: Pick<InvoiceRow, "payer">,
  parties: Case["parties"],
): Case["parties"][number] | undefined =>
  payer.kind === "party" ? parties.find(({ partyId }) => partyId === payer.partyId) : undefined;

/** Whether money is waited for. */
export const isOpen = ({ state }: Pick<InvoiceRow, "state">): boolean => state === "issued" || state === "part_paid";

/** Who may know of an invoice of this payer, said so that nobody has to guess. */
export function readersWords({ payer, payerName }: Pick<InvoiceRow, "payer" | "payerName">): string {
  switch (payer.kind) {
    case "party":
      return `Only ${payerName} sees this invoice; no other party learns of it.`;
    case "contact":
      return `Only ${payerName} gets this invoice; no party sees it.`;
    case "legal_aid":
    case "voucher":
      return "For the practice only: no party sees this invoice.";
    case "visitor":
      return "Paid before it was booked, by whoever booked by a link. No party sees this invoice.";
  }
}

/** The same of all invoices of a payer. */
export function payerReadersWords({ payer, payerName }: Pick<InvoiceRow, "payer" | "payerName">): string {
  switch (payer.kind) {
    case "party":
      return `Only ${payerName} sees these invoices; no other party learns of them.`;
    case "contact":
      return `Only ${payerName} gets these invoices; no party sees them.`;
    case "legal_aid":
    case "voucher":
      return "For the practice only: no party sees these invoices.";
    case "visitor":
      return "Paid before it was booked, by whoever booked by a link. No party sees these invoices.";
  }
}
