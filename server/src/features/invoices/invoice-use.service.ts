import mongoose from "mongoose";
import { InvoiceModel } from "./invoices.model.ts";

/** Those of these cases for which an invoice was written, or begun. */
export const casesWithInvoices = (ownerId: string, ids: string[]): Promise<string[]> =>
  InvoiceModel.distinct("caseId", { ownerId, caseId: mongoose.trusted({ $in: ids }) });

/** Those of these contacts who pay one. */
export async function contactsWithInvoices(ownerId: string, ids: string[]): Promise<string[]> {
  const payerKeys = ids.map((contactId) => `contact:${contactId}`);
  const found = await InvoiceModel.distinct("payerKey", { ownerId, payerKey: mongoose.trusted({ $in: payerKeys }) });
  return found.map((key) => key.replace("contact:", ""));
}
