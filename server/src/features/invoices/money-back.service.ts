// Money that goes back: what of the payer's it is taken from, and what becomes of the debt. In transactions of the feature
// that takes payments, which holds back what it asks the provider to return before it asks.
import { formatMoney } from "@app/shared/money";
import { credit, debit, type LedgerAccount, type LedgerKind, type LedgerLine } from "@app/shared/ledger";
import { MONEY_ACCOUNTS } from "@app/shared/payment-methods";
import { receivableOf } from "@app/shared/payer-shares";
import { REGIONS } from "@app/shared/regions";
import { wrongState } from "../../core/errors.ts";
import { findEntry, payerBalance, post } from "../ledger/ledger.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";
import { writeCreditNote } from "./credit-notes.ts";
import { assertIssued, changeMoney, lockInvoiceDoc } from "./invoice-changes.ts";
import { assertAmount, creditOf, type Money, placeOf, sumOf } from "./invoices.service.ts";
import { takeFromOthers } from "./used-credit.ts";
import type { InvoiceDoc } from "./invoices.model.ts";

export interface TakenBack {
  /** What went out of the payer's credit. */
  fromCreditMinor: number;
  /** What is due again of this invoice. */
  dueAgainMinor: number;
  /** What had been used for other invoices, or was not there at all: somebody has to look. */
  lackedMinor: number;
}

export interface Refund extends Money {
  refundId: string;
  /** Whether the payer owes it no more: a credit note of it is issued. Otherwise it is due again. */
  creditsInvoice: boolean;
  /** As it stands on the credit note. */
  reason?: string;
  /** Who decided it; the product itself where left out. */
  by?: string;
  /** It has happened: it is booked whatever the book holds. Otherwise what is not there is refused. */
  isDone?: boolean;
}

const askedKey = (refundId: string): string => `refund:${refundId}:asked`;
const doneKey = (refundId: string): string => `refund:${refundId}`;

/** Keeps apart what is to go back, before anybody is asked to return it: nobody uses it for anything else meanwhile. */
export const holdBack = (ownerId: string, refund: Refund): Promise<TakenBack> =>
  takeOut(ownerId, refund, { key: askedKey(refund.refundId), kind: "refund_asked", into: "refund_due" });

/**
 * Money that went back. What lies in the payer's credit from this invoice goes first; the rest was paid for it, and is
 * credited or due again. The same refund once more changes nothing, and is answered the same.
 */
export async function takeBack(ownerId: string, refund: Refund): Promise<TakenBack> {
  const { refundId, paymentId, invoiceId, method, amountMinor, on: day } = refund;
  const key = doneKey(refundId);
  const kind = "refund";
  const held = await findEntry(ownerId, askedKey(refundId));
  if (!held) return takeOut(ownerId, refund, { key, kind, into: MONEY_ACCOUNTS[method] });
  const doc = await lockInvoiceDoc(ownerId, invoiceId);
  const lines = [...debit("refund_due", amountMinor), ...credit(MONEY_ACCOUNTS[method], amountMinor)];
  await post(ownerId, { ...placeOf(doc), key, kind, day, paymentId, lines });
  return { ...takenIn(held.lines, doc), lackedMinor: 0 };
}

/**
 * A refund that did not go, or that the bank sent back: the money is here, and stands where it was taken from as far as
 * that is still owed. The rest is kept for the payer.
 */
export async function undoTakeBack(
  ownerId: string,
  { invoiceId, paymentId, refundId, method, amountMinor, on: day }: Money & { refundId: string },
): Promise<void> {
  assertAmount(amountMinor);
  const doc = await lockInvoiceDoc(ownerId, invoiceId);
  const done = await findEntry(ownerId, doneKey(refundId));
  const asked = await findEntry(ownerId, askedKey(refundId));
  const first = asked ?? done;
  // Nothing was taken for it.
  if (!first) return;
  // Of whoever had more back than they paid, that is made good first.
  const freeMinor = Math.max(0, amountMinor - (await overdrawnBy(doc)));
  const toInvoice = Math.min(takenIn(first.lines, doc).dueAgainMinor, doc.dueMinor, freeMinor);
  const isNew = await post(ownerId, {
    ...placeOf(doc),
    key: `${doneKey(refundId)}:failed`,
    kind: "refund_failed",
    day,
    paymentId,
    lines: [
      ...debit(done ? MONEY_ACCOUNTS[method] : "refund_due", amountMinor),
      ...credit(receivableOf(doc.payer), toInvoice),
      ...credit("credit", amountMinor - toInvoice),
    ],
  });
  if (isNew) await changeMoney(doc, { paidMinor: toInvoice, heldMinor: amountMinor - toInvoice });
}

/** What was recorded and never was: it is booked out again, whatever was done with it meanwhile. */
export const correctPayment = (ownerId: string, money: Money): Promise<TakenBack> =>
  takeOut(
    ownerId,
    { ...money, refundId: "", creditsInvoice: false, isDone: true },
    { key: `payment:${money.paymentId}:corrected`, kind: "payment_corrected", into: MONEY_ACCOUNTS[money.method] },
  );

interface Entering {
  key: string;
  kind: LedgerKind;
  into: LedgerAccount;
}

async function takeOut(ownerId: string, refund: Refund, { key, kind, into }: Entering): Promise<TakenBack> {
  const { invoiceId, paymentId, amountMinor, on, creditsInvoice, reason = "Refund", by = ownerId } = refund;
  assertAmount(amountMinor);
  let doc = await lockInvoiceDoc(ownerId, invoiceId);
  assertIssued(doc);
  const before = await findEntry(ownerId, key);
  if (before) return { ...takenIn(before.lines, doc), lackedMinor: 0 };
  const { fromHeld, fromPaid, lackedMinor } = await sharesOf(doc, amountMinor);
  if (lackedMinor > 0 && !refund.isDone) throw await isNotThere(doc, amountMinor - lackedMinor);
  if (lackedMinor > 0) await takeFromOthers(doc, { key, on, lackedMinor });
  const fromCredit = fromHeld + lackedMinor;
  const heldMinor = -Math.min(doc.heldMinor, fromCredit);
  const credited = creditsInvoice ? fromPaid : 0;
  if (credited > 0) {
    const note = { amountMinor: credited, fromPaidMinor: credited, reason, on, by };
    ({ doc } = await writeCreditNote(doc, note));
  }
  const dueAgainMinor = fromPaid - credited;
  const lines = [
    ...debit("credit", fromCredit + credited),
    ...debit(receivableOf(doc.payer), dueAgainMinor),
    ...credit(into, amountMinor),
  ];
  await post(ownerId, { ...placeOf(doc), key, kind, day: on, paymentId, lines });
  await changeMoney(doc, { paidMinor: -dueAgainMinor, heldMinor: heldMinor - credited });
  return { fromCreditMinor: fromCredit + credited, dueAgainMinor, lackedMinor };
}

const overdrawnBy = async ({ ownerId, payerKey, currency }: InvoiceDoc): Promise<number> =>
  Math.max(0, await payerBalance(ownerId, { account: "credit", payerKey, currency }));

/** From where it can be taken of this invoice: what is kept of it first. */
async function sharesOf(doc: InvoiceDoc, amountMinor: number) {
  const fromHeld = Math.min(amountMinor, doc.heldMinor, await creditOf(doc.ownerId, doc.payerKey, doc.currency));
  const fromPaid = Math.min(amountMinor - fromHeld, doc.paidMinor);
  return { fromHeld, fromPaid, lackedMinor: amountMinor - fromHeld - fromPaid };
}

async function isNotThere({ ownerId, currency }: InvoiceDoc, thereMinor: number) {
  const { locale } = REGIONS[await practiceRegion(ownerId)];
  const there = formatMoney({ amountMinor: thereMinor, currency }, locale);
  return wrongState(
    thereMinor === 0
      ? "So much is not there to go back: it was used to pay another invoice, or is on its way back already."
      : `So much is not there to go back: part of it was used to pay another invoice, or is on its way back already. Return at most ${there}.`,
  );
}

const takenIn = (lines: readonly LedgerLine[], { payer }: Pick<InvoiceDoc, "payer">) => ({
  fromCreditMinor: sumOf(lines, "debit", "credit"),
  dueAgainMinor: sumOf(lines, "debit", receivableOf(payer)),
});
