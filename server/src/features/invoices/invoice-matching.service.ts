// The invoices that money on a bank statement may be for.
import type { InvoiceForPayment } from "@app/shared/invoices";
import mongoose from "mongoose";
import { InvoiceModel } from "./invoices.model.ts";

export type InvoiceToMatch = Pick<InvoiceForPayment, "id" | "number" | "state" | "payerName" | "currency" | "dueMinor">;

/** So many come to one amount in a large practice; more say nothing to anybody. */
const FOUND_MAX = 2000;

/** Those with one of these numbers, and those of which exactly one of these amounts is due. */
export async function invoicesLike(
  ownerId: string,
  { numbers, amounts }: { numbers: readonly string[]; amounts: readonly number[] },
): Promise<InvoiceToMatch[]> {
  const fields = { number: 1, state: 1, payerName: 1, currency: 1, dueMinor: 1 } as const;
  const [named, due] = await Promise.all([
    numbers.length === 0
      ? []
      : InvoiceModel.find({ ownerId, number: mongoose.trusted({ $in: [...numbers] }) }, fields)
          .limit(FOUND_MAX)
          .lean(),
    amounts.length === 0
      ? []
      : InvoiceModel.find(
          {
            ownerId,
            state: mongoose.trusted({ $in: ["issued", "part_paid"] as const }),
            dueMinor: mongoose.trusted({ $in: [...amounts] }),
          },
          fields,
        )
          .sort({ createdAt: -1 })
          .limit(FOUND_MAX)
          .lean(),
  ]);
  const found = new Map([...named, ...due].map((doc) => [doc._id, doc]));
  return [...found.values()].map(({ _id: id, number, state, payerName, currency, dueMinor }) => ({
    id,
    number,
    state,
    payerName,
    currency,
    // What is void or a draft is owed by nobody.
    dueMinor: state === "issued" || state === "part_paid" ? dueMinor : 0,
  }));
}
