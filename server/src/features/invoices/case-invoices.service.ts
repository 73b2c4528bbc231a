// All invoices of a case in one look, and what each payer owes of them now.
import { CASE_INVOICES_MAX, type CaseInvoices, type OwingPayer } from "@app/shared/case-invoices";
import type { InvoiceRow } from "@app/shared/invoices";
import type { Payer } from "@app/shared/payer-shares";
import mongoose from "mongoose";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { payerBalance } from "../ledger/ledger.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { NEWEST_FIRST, toRows } from "./invoice-reading.service.ts";
import { type InvoiceDoc, InvoiceModel } from "./invoices.model.ts";

export async function invoicesOfCase(scope: Scope, { caseId }: { caseId: string }): Promise<CaseInvoices> {
  await getCase(scope, caseId);
  const { ownerId } = scope;
  const [docs, payers] = await Promise.all([
    InvoiceModel.find({ ownerId, caseId })
      .sort(NEWEST_FIRST)
      .limit(CASE_INVOICES_MAX + 1)
      .lean(),
    payersOf(ownerId, caseId),
  ]);
  return {
    items: await toRows(scope, docs.slice(0, CASE_INVOICES_MAX)),
    isComplete: docs.length <= CASE_INVOICES_MAX,
    payers,
  };
}

export type ChargedInvoice = InvoiceRow & Pick<InvoiceDoc, "lines">;

/** What was issued in a case and is not void, the newest first, with its lines; and how many drafts there are. */
export async function chargedInCase(
  scope: Scope,
  caseId: string,
): Promise<{ items: ChargedInvoice[]; draftCount: number }> {
  await getCase(scope, caseId);
  const { ownerId } = scope;
  const [docs, draftCount] = await Promise.all([
    InvoiceModel.find({ ownerId, caseId, state: mongoose.trusted({ $in: ["issued", "part_paid", "paid"] as const }) })
      .sort(NEWEST_FIRST)
      .limit(CASE_INVOICES_MAX + 1)
      .lean(),
    InvoiceModel.countDocuments({ ownerId, caseId, state: "draft" }),
  ]);
  if (docs.length > CASE_INVOICES_MAX)
    throw wrongState(
      `This case has more than ${CASE_INVOICES_MAX} invoices, so they cannot be gone through at once. Credit what is charged no more one by one.`,
    );
  const rows = await toRows(scope, docs);
  return { draftCount, items: rows.map((row, at) => ({ ...row, lines: docs[at]?.lines ?? [] })) };
}

interface Owing {
  _id: { payerKey: string; currency: string };
  payer: Payer;
  payerName: string;
  dueMinor: number;
  overdueMinor: number;
}

async function payersOf(ownerId: string, caseId: string): Promise<OwingPayer[]> {
  const today = await practiceToday(ownerId);
  const isOpen = { $in: ["$state", ["issued", "part_paid"]] };
  const isLate = { $and: [isOpen, { $gt: ["$dueOn", ""] }, { $lt: ["$dueOn", today] }] };
  const sumIf = (condition: object) => ({ $sum: { $cond: [condition, "$dueMinor", 0] } });
  const found = await InvoiceModel.aggregate<Owing>([
    { $match: { ownerId, caseId } },
    { $sort: NEWEST_FIRST },
    {
      $group: {
        _id: { payerKey: "$payerKey", currency: "$currency" },
        payer: { $first: "$payer" },
        payerName: { $first: "$payerName" },
        dueMinor: sumIf(isOpen),
        overdueMinor: sumIf(isLate),
      },
    },
  ]);
  const payers = await Promise.all(found.map((owing) => withCredit(ownerId, owing)));
  return payers.toSorted(
    (one, other) =>
      other.overdueMinor - one.overdueMinor ||
      other.dueMinor - one.dueMinor ||
      one.payerName.localeCompare(other.payerName),
  );
}

async function withCredit(ownerId: string, { _id: { payerKey, currency }, ...owing }: Owing): Promise<OwingPayer> {
  const balance = await payerBalance(ownerId, { account: "credit", payerKey, currency });
  return { payerKey, currency, ...owing, creditMinor: Math.max(0, -balance) };
}
