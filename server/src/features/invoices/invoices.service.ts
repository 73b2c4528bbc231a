// What payments ask of invoices: what is owed, and what becomes of it when money comes and goes. In transactions of theirs.
import type { Invoice, InvoiceForPayment, useCreditSchema } from "@app/shared/invoices";
import { credit, debit, type LedgerAccount, type LedgerLine } from "@app/shared/ledger";
import { MONEY_ACCOUNTS, type PaymentMethod } from "@app/shared/payment-methods";
import { receivableOf } from "@app/shared/payer-shares";
import type { z } from "zod";
import { inTransaction } from "../../core/database.ts";
import { wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { findEntry, payerBalance, post } from "../ledger/ledger.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { writeCreditNote } from "./credit-notes.ts";
import { assertIssued, changeMoney, lockInvoiceDoc } from "./invoice-changes.ts";
import { tellOfInvoice } from "./invoice-issue.service.ts";
import { findVisibleDoc, getInvoice } from "./invoice-reading.service.ts";
import { type InvoiceDoc, InvoiceModel, toInvoiceForPayment } from "./invoices.model.ts";

export async function findInvoice(ownerId: string, id: string): Promise<InvoiceForPayment | null> {
  const doc = await InvoiceModel.findOne({ ownerId, _id: id }).lean();
  return doc && toInvoiceForPayment(doc);
}

/** Takes the invoice's turn in a transaction, so that two payments of one invoice go one after the other. */
export const lockInvoice = async (ownerId: string, id: string): Promise<InvoiceForPayment> =>
  toInvoiceForPayment(await lockInvoiceDoc(ownerId, id));

interface Money {
  invoiceId: string;
  paymentId: string;
  method: PaymentMethod;
  amountMinor: number;
  /** The day of the practice. */
  on: string;
}

export interface Applied {
  toInvoiceMinor: number;
  toCreditMinor: number;
}

/**
 * Money that came: it lowers what is due, and what is more than that is kept for the payer. The same payment once more
 * changes nothing, and is answered the same.
 */
export async function applyPayment(ownerId: string, money: Money): Promise<Applied> {
  const { invoiceId, paymentId, method, amountMinor, on } = money;
  assertAmount(amountMinor);
  const doc = await lockInvoiceDoc(ownerId, invoiceId);
  assertIssued(doc);
  const key = `payment:${paymentId}:succeeded`;
  const account = receivableOf(doc.payer);
  const before = await findEntry(ownerId, key);
  if (before)
    return {
      toInvoiceMinor: creditedIn(before.lines, account),
      toCreditMinor: creditedIn(before.lines, "credit"),
    };
  const toInvoiceMinor = Math.min(amountMinor, doc.dueMinor);
  const toCreditMinor = amountMinor - toInvoiceMinor;
  await post(ownerId, {
    ...placeOf(doc),
    key,
    kind: "payment",
    day: on,
    paymentId,
    lines: [
      ...debit(MONEY_ACCOUNTS[method], amountMinor),
      ...credit(account, toInvoiceMinor),
      ...credit("credit", toCreditMinor),
    ],
  });
  await changeMoney(doc, { paidMinor: toInvoiceMinor, heldMinor: toCreditMinor });
  return { toInvoiceMinor, toCreditMinor };
}

export interface TakenBack {
  /** What went out of the payer's credit. */
  fromCreditMinor: number;
  /** What is due again. */
  dueAgainMinor: number;
}

interface Refund extends Money {
  refundId: string;
  /** Whether the payer owes it no more: a credit note of it is issued. Otherwise it is due again. */
  creditsInvoice: boolean;
  /** Who decided it; the product itself where left out. */
  by?: string;
}

/**
 * Money that went back. What lies in the payer's credit from this invoice goes first; the rest was paid for it, and is
 * credited or due again. The same refund once more changes nothing, and is answered the same.
 */
export async function takeBack(ownerId: string, refund: Refund): Promise<TakenBack> {
  const { invoiceId, paymentId, refundId, method, amountMinor, on, creditsInvoice, by = ownerId } = refund;
  assertAmount(amountMinor);
  let doc = await lockInvoiceDoc(ownerId, invoiceId);
  assertIssued(doc);
  const key = `refund:${refundId}`;
  const account = receivableOf(doc.payer);
  const before = await findEntry(ownerId, key);
  if (before)
    return { fromCreditMinor: debitedIn(before.lines, "credit"), dueAgainMinor: debitedIn(before.lines, account) };
  const held = Math.min(amountMinor, doc.heldMinor, await creditOf(ownerId, doc.payerKey, doc.currency));
  const paid = amountMinor - held;
  if (paid > doc.paidMinor)
    throw wrongState(
      "So much is not there to go back: part of it was used to pay another invoice. Return less, or undo that first.",
    );
  if (creditsInvoice && paid > 0) {
    const note = { amountMinor: paid, fromPaidMinor: paid, reason: "Refund", on, by };
    ({ doc } = await writeCreditNote(doc, note));
  }
  const fromCreditMinor = creditsInvoice ? amountMinor : held;
  const dueAgainMinor = amountMinor - fromCreditMinor;
  await post(ownerId, {
    ...placeOf(doc),
    key,
    kind: "refund",
    day: on,
    paymentId,
    lines: [
      ...debit("credit", fromCreditMinor),
      ...debit(account, dueAgainMinor),
      ...credit(MONEY_ACCOUNTS[method], amountMinor),
    ],
  });
  await changeMoney(doc, { paidMinor: -dueAgainMinor, heldMinor: -fromCreditMinor });
  return { fromCreditMinor, dueAgainMinor };
}

/** A refund that was counted and then failed at the bank: the money is here again, and kept for the payer. */
export async function undoTakeBack(
  ownerId: string,
  { invoiceId, paymentId, refundId, method, amountMinor, on }: Money & { refundId: string },
): Promise<void> {
  assertAmount(amountMinor);
  const doc = await lockInvoiceDoc(ownerId, invoiceId);
  const isNew = await post(ownerId, {
    ...placeOf(doc),
    key: `refund:${refundId}:failed`,
    kind: "refund_failed",
    day: on,
    paymentId,
    lines: [...debit(MONEY_ACCOUNTS[method], amountMinor), ...credit("credit", amountMinor)],
  });
  if (isNew) await changeMoney(doc, { heldMinor: amountMinor });
}

/** What the practice holds for a payer. */
export async function creditOf(ownerId: string, payerKey: string, currency: string): Promise<number> {
  const balance = await payerBalance(ownerId, { account: "credit", payerKey, currency });
  return balance === 0 ? 0 : -balance;
}

/** Pays with what the practice holds for the payer of this invoice. */
export async function spendCredit(
  scope: Scope,
  { invoiceId, amountMinor, version }: { invoiceId: string; amountMinor: number; version?: number },
): Promise<InvoiceForPayment> {
  const { ownerId } = scope;
  assertAmount(amountMinor);
  await findVisibleDoc(scope, invoiceId);
  return inTransaction(async () => {
    const doc = await lockInvoiceDoc(ownerId, invoiceId, version);
    assertIssued(doc);
    if (amountMinor > doc.dueMinor) throw wrongState("This is more than is due for this invoice. Use less.");
    if (amountMinor > (await creditOf(ownerId, doc.payerKey, doc.currency)))
      throw wrongState("This is more than is kept for this payer. Use less.");
    await post(ownerId, {
      ...placeOf(doc),
      key: `credit_used:${newId()}`,
      kind: "credit_used",
      day: await practiceToday(ownerId),
      paymentId: null,
      lines: [...debit("credit", amountMinor), ...credit(receivableOf(doc.payer), amountMinor)],
    });
    await tellOfInvoice(scope, doc, `Credit of the payer used for invoice ${doc.number}`);
    return toInvoiceForPayment(await changeMoney(doc, { paidMinor: amountMinor }));
  });
}

/** The same over the version that is on the screen, and with all of the invoice as it then is. */
export async function spendCreditOn(
  scope: Scope,
  { id, version, amountMinor }: z.output<typeof useCreditSchema>,
): Promise<Invoice> {
  await spendCredit(scope, { invoiceId: id, version, amountMinor });
  return getInvoice(scope, id);
}

const placeOf = ({ _id, currency, payerKey, caseId }: InvoiceDoc) => ({
  currency,
  payerKey,
  caseId,
  invoiceId: _id,
});

function assertAmount(amountMinor: number): void {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1) throw new Error("an amount is a whole number above 0");
}

const creditedIn = (lines: readonly LedgerLine[], account: LedgerAccount): number => sumOf(lines, "credit", account);
const debitedIn = (lines: readonly LedgerLine[], account: LedgerAccount): number => sumOf(lines, "debit", account);
const sumOf = (lines: readonly LedgerLine[], side: LedgerLine["side"], account: LedgerAccount): number =>
  lines.reduce((sum, line) => (line.side === side && line.account === account ? sum + line.amountMinor : sum), 0);
