// Whether the practice's book and the provider tell the same of the money that came by card.
import { checkLedger } from "@app/server/features/invoices/ledger-check.service";
import { balances } from "@app/server/features/ledger/ledger.service";
import mongoose from "mongoose";
import { expect } from "vitest";
import type { FakeStripe } from "./fake-stripe.ts";
import { refundedOf } from "./ledger.ts";

interface Paid {
  ownerId: string;
  account: string;
}

export function providerHolds({ ledger }: FakeStripe, { account }: Paid): number {
  const paid = [...ledger.intents.values()].filter((one) => one.account === account && one.status === "succeeded");
  const lost = [...ledger.disputes.values()].filter((one) => one.account === account && one.status === "lost");
  const lostMinor = lost.reduce((sum, { amount }) => sum + amount, 0);
  return paid.reduce((sum, { id, received }) => sum + received - refundedOf(ledger, id), 0) - lostMinor;
}

export const bookOf = async ({ ownerId }: Pick<Paid, "ownerId">): Promise<Record<string, number>> =>
  Object.fromEntries((await balances(ownerId, "GBP")).map(({ account, balanceMinor }) => [account, balanceMinor]));

/** And nothing is on its way back any more. */
export async function expectSameBooks(stripe: FakeStripe, practice: Paid): Promise<void> {
  expect(await checkLedger(practice.ownerId)).toEqual([]);
  const { card = 0, refund_due: underWay = 0 } = await bookOf(practice);
  expect({ card, underWay }).toEqual({ card: providerHolds(stripe, practice), underWay: 0 });
}

/** As if they had been asked for a while ago: the job that asks again takes them up. */
export async function refundsAskedLongAgo({ ownerId }: Pick<Paid, "ownerId">): Promise<void> {
  await mongoose.connection
    .collection("payments")
    .updateMany({ ownerId, "refunds.0": { $exists: true } }, { $set: { "refunds.$[].at": new Date(0) } });
}
