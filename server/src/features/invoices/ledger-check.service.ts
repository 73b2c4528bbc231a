// Whether the book and the invoices tell the same.
import { receivableOf } from "@app/shared/payer-shares";
import mongoose from "mongoose";
import { amountIn, checkBook, sumKey, sumWords } from "../ledger/book-check.service.ts";
import { InvoiceModel } from "./invoices.model.ts";

const BATCH_SIZE = 500;
const OWED = ["receivable", "legal_aid", "voucher"];

type Looking = Pick<Parameters<typeof checkBook>[1], "onRead">;

/**
 * Every entry balances, the balances are what the lines come to, what each payer owes is what is due of their invoices,
 * and nobody holds less than nothing. Empty where all is right.
 */
export async function checkLedger(ownerId: string, { onRead }: Looking = {}): Promise<string[]> {
  const { due, names } = await dueByPayer(ownerId);
  const nameOf = (payerKey: string) => names.get(payerKey) ?? payerKey;
  const { problems, sums } = await checkBook(ownerId, { nameOf, ...(onRead && { onRead }) });
  const owed = [...sums].filter(([key]) => isOfPayer(key, OWED));
  for (const key of new Set([...due.keys(), ...owed.map(([each]) => each)]))
    if ((due.get(key) ?? 0) !== (sums.get(key) ?? 0))
      problems.push(
        `${sumWords(key, nameOf)}: the book says ${amountIn(key, sums.get(key) ?? 0)}, and of the invoices ${amountIn(key, due.get(key) ?? 0)} is due.`,
      );
  for (const [key, sum] of sums)
    if (isOfPayer(key, ["credit"]) && sum > 0)
      problems.push(`${sumWords(key, nameOf)}: ${amountIn(key, sum)} more left it than had come in.`);
  return problems;
}

function isOfPayer(key: string, accounts: readonly string[]): boolean {
  const [, account = "", payer = ""] = key.split(":");
  return accounts.includes(account) && payer !== "";
}

async function dueByPayer(ownerId: string) {
  const due = new Map<string, number>();
  const names = new Map<string, string>();
  const issued = InvoiceModel.find({ ownerId, state: mongoose.trusted({ $ne: "draft" }) })
    .sort({ _id: 1 })
    .lean()
    .cursor({ batchSize: BATCH_SIZE });
  for await (const { currency, payer, payerKey, payerName, dueMinor } of issued) {
    names.set(payerKey, payerName);
    const key = sumKey(currency, receivableOf(payer), payerKey);
    due.set(key, (due.get(key) ?? 0) + dueMinor);
  }
  return { due, names };
}
