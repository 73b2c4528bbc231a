// The receipt of a payment, for whoever paid it.
import { formatMoney } from "@app/shared/money";
import { PAYMENT_METHOD_NAMES } from "@app/shared/payment-methods";
import { isReceived } from "@app/shared/payment-states";
import { CORRECTION_NAMES } from "@app/shared/payments";
import { REGIONS } from "@app/shared/regions";
import { notFound } from "../../core/errors.ts";
import { fact, gap, type PdfDocument, paragraph, title } from "../../core/pdf-document.ts";
import { definePdf } from "../../core/pdf.ts";
import { letterheadOf, LOGO } from "../letterheads/letterheads.service.ts";
import { practiceDates, practiceRegion } from "../practices/practices.service.ts";
import type { ForParty } from "../visibility/for-party.service.ts";
import { forPayer } from "./payer-guard.ts";
import type { PaymentDoc } from "./payments.model.ts";

export const drawReceipt = definePdf("This receipt is too long to print.");

export interface Receipt {
  number: string;
  payerName: string;
  invoiceNumber: string;
  receivedOn: string;
  way: string;
  amount: string;
  /** Empty where nothing went back. */
  returned: string;
  /** Since when it proves nothing, and why; empty where it stands. */
  voidSince: string;
}

/** Throws NOT_FOUND where nothing was received. */
export async function receiptOf(doc: PaymentDoc): Promise<ForParty<Receipt>> {
  const { ownerId, status, currency, refundedMinor } = doc;
  const { correction } = doc;
  if (!isReceived(status) && !correction) throw notFound("Receipt");
  const { locale } = REGIONS[await practiceRegion(ownerId)];
  const dates = await practiceDates(ownerId);
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, locale);
  return forPayer(doc, {
    number: doc.receiptNumber,
    payerName: doc.payerName,
    invoiceNumber: doc.invoiceNumber,
    receivedOn: dates.calendarDay(doc.receivedOn),
    way: PAYMENT_METHOD_NAMES[doc.method],
    amount: money(doc.amountMinor),
    returned: refundedMinor > 0 ? money(refundedMinor) : "",
    voidSince: correction
      ? `${dates.calendarDay(correction.on)}: ${CORRECTION_NAMES[correction.why].toLowerCase()}`
      : "",
  });
}

export async function receiptDocument(ownerId: string, receipt: Receipt): Promise<PdfDocument> {
  const { name, logo } = await letterheadOf(ownerId);
  const heads = `Receipt ${receipt.number}`;
  return {
    title: heads,
    footer: [name, heads].join(", "),
    head: { name, mark: "", ...(logo && { logo: LOGO }) },
    images: new Map(logo ? [[LOGO, logo] as const] : []),
    parts: [
      title(heads),
      fact("Received from", receipt.payerName),
      fact("On", receipt.receivedOn),
      fact("Amount", receipt.amount),
      fact("By", receipt.way),
      fact("For invoice", receipt.invoiceNumber),
      ...(receipt.returned === "" ? [] : [fact("Returned", receipt.returned)]),
      ...(receipt.voidSince === "" ? [] : [fact("Void since", receipt.voidSince)]),
      gap(6),
      paragraph(receipt.voidSince === "" ? "Thank you for your payment." : "This receipt is void."),
    ],
  };
}
