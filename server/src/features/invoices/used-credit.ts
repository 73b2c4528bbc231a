// Credit that was used for other invoices, and is needed because the money itself went back: what it paid is due again.
import { credit, debit } from "@app/shared/ledger";
import { receivableOf } from "@app/shared/payer-shares";
import mongoose from "mongoose";
import { systemScope } from "../../core/system-scope.ts";
import { invoicesOfEntries, post } from "../ledger/ledger.service.ts";
import { changeMoney, lockInvoiceDoc } from "./invoice-changes.ts";
import { tellOfInvoice } from "./invoice-issue.service.ts";
import { type InvoiceDoc, InvoiceModel } from "./invoices.model.ts";
import { placeOf } from "./invoices.service.ts";

interface Lack {
  /** Of the entry for which it is needed. */
  key: string;
  on: string;
  lackedMinor: number;
}

/**
 * Takes as much from what the payer's other invoices were paid with: first those that credit paid, of the same case, and
 * the newest. Where even that is too little the payer's credit goes below nothing: they had more back than they paid.
 */
export async function takeFromOthers(doc: InvoiceDoc, { key, on, lackedMinor }: Lack): Promise<void> {
  let left = lackedMinor;
  for (const id of await othersPaid(doc)) {
    if (left === 0) return;
    left -= await takeFrom(doc.ownerId, id, { key, on, lackedMinor: left });
  }
}

async function othersPaid({ ownerId, _id, payerKey, currency, caseId }: InvoiceDoc): Promise<string[]> {
  const others = await InvoiceModel.find({
    ownerId,
    payerKey,
    currency,
    paidMinor: mongoose.trusted({ $gt: 0 }),
    _id: mongoose.trusted({ $ne: _id }),
  })
    .sort({ issuedOn: -1, _id: -1 })
    .lean();
  const paidByCredit = new Set(
    await invoicesOfEntries(ownerId, { kind: "credit_used", invoiceIds: others.map((each) => each._id) }),
  );
  const rank = (each: InvoiceDoc) => (paidByCredit.has(each._id) ? 0 : 2) + (each.caseId === caseId ? 0 : 1);
  return others.toSorted((one, other) => rank(one) - rank(other)).map((each) => each._id);
}

async function takeFrom(ownerId: string, id: string, { key, on, lackedMinor }: Lack): Promise<number> {
  const doc = await lockInvoiceDoc(ownerId, id);
  const amountMinor = Math.min(lackedMinor, doc.paidMinor);
  if (amountMinor === 0) return 0;
  const lines = [...debit(receivableOf(doc.payer), amountMinor), ...credit("credit", amountMinor)];
  const entry = { key: `${key}:from:${id}`, kind: "credit_taken_back" as const, day: on, paymentId: null, lines };
  await post(ownerId, { ...placeOf(doc), ...entry });
  await changeMoney(doc, { paidMinor: -amountMinor });
  await tellOfInvoice(
    systemScope(ownerId),
    doc,
    `Credit had gone back to the payer: invoice ${doc.number} is due again`,
  );
  return amountMinor;
}
