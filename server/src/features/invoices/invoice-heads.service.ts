import { PAYER_KIND_NAMES } from "@app/shared/payer-shares";
import { InvoiceModel } from "./invoices.model.ts";

interface Head {
  number: string;
  payerName: string;
  paidBy: string;
}

const NOBODY: Head = { number: "", payerName: "", paidBy: "" };
const KEPT_MAX = 2000;

/** Number and payer of invoices, one after the other; those that were asked for last are remembered. */
export function invoiceHeads(ownerId: string): (id: string | null) => Promise<Head> {
  const known = new Map<string, Head>();
  return async (id) => {
    if (id === null) return NOBODY;
    const before = known.get(id);
    if (before) return before;
    const doc = await InvoiceModel.findOne({ ownerId, _id: id }, { number: 1, payerName: 1, payer: 1 }).lean();
    const head = doc
      ? { number: doc.number, payerName: doc.payerName, paidBy: PAYER_KIND_NAMES[doc.payer.kind] }
      : NOBODY;
    if (known.size >= KEPT_MAX) known.clear();
    known.set(id, head);
    return head;
  };
}
