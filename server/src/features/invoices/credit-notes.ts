// A credit note lowers what an invoice comes to, under a number of its own.
import { creditByRate, type RateTotals, totalsByRate } from "@app/shared/invoice-totals";
import { credit, debit } from "@app/shared/ledger";
import { receivableOf } from "@app/shared/payer-shares";
import { now } from "../../core/clock.ts";
import { wrongState } from "../../core/errors.ts";
import { post } from "../ledger/ledger.service.ts";
import { assertIssued, changeMoney } from "./invoice-changes.ts";
import { nextCreditNoteNumber } from "./invoice-numbers.ts";
import { type CreditNoteDoc, CreditNoteModel, type InvoiceDoc } from "./invoices.model.ts";

interface NewCreditNote {
  amountMinor: number;
  /** How much of it was paid already: that becomes the payer's credit. */
  fromPaidMinor: number;
  /** Of which rates it is, where that is known; else of each in proportion. */
  byRate?: readonly RateTotals[] | null;
  reason: string;
  on: string;
  by: string;
}

export const creditNotesOf = (ownerId: string, invoiceId: string): Promise<CreditNoteDoc[]> =>
  CreditNoteModel.find({ ownerId, invoiceId }).sort({ createdAt: 1, _id: 1 }).lean();

/** For an invoice whose turn was taken. */
export async function writeCreditNote(
  doc: InvoiceDoc,
  { amountMinor, fromPaidMinor, byRate: known = null, reason, on, by }: NewCreditNote,
): Promise<{ doc: InvoiceDoc; note: CreditNoteDoc }> {
  const { ownerId, payer, payerKey, currency, caseId } = doc;
  assertIssued(doc);
  if (amountMinor > doc.grossMinor - doc.creditedMinor)
    throw wrongState("This is more than is left of this invoice. Credit at most what was not credited yet.");
  const byRate = [...(known ?? creditByRate(leftByRate(doc, await creditNotesOf(ownerId, doc._id)), amountMinor))];
  const number = await nextCreditNoteNumber(ownerId);
  const [note] = await CreditNoteModel.create([
    {
      ownerId,
      invoiceId: doc._id,
      caseId,
      number,
      issuedOn: on,
      reason,
      grossMinor: amountMinor,
      byRate,
      createdBy: by,
      createdAt: now(),
    },
  ]);
  if (!note) throw new Error("the credit note that was just stored is missing");
  await post(ownerId, {
    key: `credit_note:${note._id}`,
    kind: "credit_note",
    day: on,
    currency,
    payerKey,
    caseId,
    invoiceId: doc._id,
    paymentId: null,
    lines: [
      ...debit("revenue", sum(byRate, "netMinor")),
      ...debit("vat", sum(byRate, "vatMinor")),
      ...credit(receivableOf(payer), amountMinor - fromPaidMinor),
      ...credit("credit", fromPaidMinor),
    ],
  });
  const changed = await changeMoney(doc, {
    creditedMinor: amountMinor,
    paidMinor: -fromPaidMinor,
    heldMinor: fromPaidMinor,
  });
  return { doc: changed, note: note.toObject() };
}

const sum = (parts: readonly RateTotals[], of: "netMinor" | "vatMinor"): number =>
  parts.reduce((total, part) => total + part[of], 0);

/** What the invoice still comes to at each rate. */
function leftByRate({ lines }: InvoiceDoc, notes: readonly CreditNoteDoc[]): RateTotals[] {
  const taken = notes.flatMap(({ byRate }) => byRate);
  return totalsByRate(lines).map(({ vatRateBp, netMinor, vatMinor }) => {
    const same = taken.filter((part) => part.vatRateBp === vatRateBp);
    return { vatRateBp, netMinor: netMinor - sum(same, "netMinor"), vatMinor: vatMinor - sum(same, "vatMinor") };
  });
}
