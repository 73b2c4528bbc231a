// How a payment comes to be, for one invoice that was issued.
import type { InvoiceForPayment } from "@app/shared/invoices";
import { missingWith, notFound, wrongState } from "../../core/errors.ts";
import { isDuplicateKey } from "../../core/database.ts";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { placeOf } from "../invoices/invoice-reading.service.ts";
import { findInvoice } from "../invoices/invoices.service.ts";
import { type PaymentDoc, PaymentModel } from "./payments.model.ts";

/** An invoice that was issued, of a case that this person sees. */
export async function requireInvoice(scope: Scope, id: string): Promise<InvoiceForPayment> {
  const invoice = await findInvoice(scope.ownerId, id);
  if (!invoice) throw notFound("Invoice");
  await missingWith("Invoice", placeOf(scope, invoice.caseId));
  if (invoice.state === "draft")
    throw wrongState("This invoice is a draft, so nothing is owed for it yet. Issue it first.");
  if (invoice.state === "void") throw wrongState("This invoice is void, so nothing is owed for it.");
  return invoice;
}

type New = Pick<PaymentDoc, "method" | "status" | "amountMinor"> & Partial<PaymentDoc>;

export async function insertPayment(scope: Scope, invoice: InvoiceForPayment, fields: New): Promise<PaymentDoc> {
  const { ownerId, userId, userName } = scope;
  try {
    const [doc] = await PaymentModel.create([
      {
        ownerId,
        invoiceId: invoice.id,
        invoiceNumber: invoice.number,
        caseId: invoice.caseId,
        payer: invoice.payer,
        payerName: invoice.payerName,
        currency: invoice.currency,
        createdBy: userId,
        createdByName: userName,
        createdAt: now(),
        ...fields,
      },
    ]);
    if (!doc) throw new Error("the payment that was just stored is missing");
    return doc.toObject();
  } catch (error) {
    if (isDuplicateKey(error)) throw hasOpenPayment();
    throw error;
  }
}

export const hasOpenPayment = () =>
  wrongState(
    "Another payment of this invoice is open: a link to pay, or money that is on its way. Confirm or cancel that one first.",
  );
