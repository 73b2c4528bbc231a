// Whether the book and the invoices tell the same.
import { receivableOf } from "@app/shared/payer-shares";
import mongoose from "mongoose";
import { checkBook, sumKey } from "../ledger/book-check.service.ts";
import { InvoiceModel } from "./invoices.model.ts";

const BATCH_SIZE = 500;
const OWED = ["receivable", "legal_aid", "voucher"];

/**
 * Every entry balances, the balances are what the lines come to, what each payer owes is what is due of their invoices,
 * and nobody holds less than nothing. Empty where all is right.
 */
export async function checkLedger(ownerId: string): Promise<string[]> {
  const { problems, sums } = await checkBook(ownerId);
  const due = await dueByPayer(ownerId);
  const owed = [...sums].filter(([key]) => isOfPayer(key, OWED));
  for (const key of new Set([...due.keys(), ...owed.map(([each]) => each)]))
    if ((due.get(key) ?? 0) !== (sums.get(key) ?? 0))
      problems.push(`The book has ${sums.get(key) ?? 0} as owed by ${key}, and their invoices ${due.get(key) ?? 0}.`);
  for (const [key, sum] of sums)
    if (isOfPayer(key, ["credit"]) && sum > 0) problems.push(`More than was held left the credit ${key}.`);
  return problems;
}

function isOfPayer(key: string, accounts: readonly string[]): boolean {
  const [, account = "", payer = ""] = key.split(":");
  return accounts.includes(account) && payer !== "";
}

async function dueByPayer(ownerId: string): Promise<Map<string, number>> {
  const due = new Map<string, number>();
  const issued = InvoiceModel.find({ ownerId, state: mongoose.trusted({ $ne: "draft" }) })
    .sort({ _id: 1 })
    .lean()
    .cursor({ batchSize: BATCH_SIZE });
  for await (const { currency, payer, payerKey, dueMinor } of issued) {
    const key = sumKey(currency, receivableOf(payer), payerKey);
    due.set(key, (due.get(key) ?? 0) + dueMinor);
  }
  return due;
}
