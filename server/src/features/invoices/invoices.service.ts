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

export interface Money {
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

/** What the practice holds for a payer. */
export async function creditOf(ownerId: string, payerKey: string, currency: string): Promise<number> {
  const balance = await payerBalance(ownerId, { account: "credit", payerKey, currency });
  return Math.max(0, -balance);
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

export const placeOf = ({ _id, currency, payerKey, caseId }: InvoiceDoc) => ({
  currency,
  payerKey,
  caseId,
  invoiceId: _id,
});

export function assertAmount(amountMinor: number): void {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1) throw new Error("an amount is a whole number above 0");
}

const creditedIn = (lines: readonly LedgerLine[], account: LedgerAccount): number => sumOf(lines, "credit", account);
export const sumOf = (lines: readonly LedgerLine[], side: LedgerLine["side"], account: LedgerAccount): number =>
  lines.reduce((sum, line) => (line.side === side && line.account === account ? sum + line.amountMinor : sum), 0);
