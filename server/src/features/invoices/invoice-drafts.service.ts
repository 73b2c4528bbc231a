// What an invoice says before it is issued: it can be changed and deleted, and nothing is owed for it.
import type { Case } from "@app/shared/cases";
import { invoiceTotals, lineTotals } from "@app/shared/invoice-totals";
import type {
  CreateInvoice,
  Invoice,
  InvoiceLine,
  InvoiceRow,
  removeInvoiceSchema,
  SplitInvoice,
  updateInvoiceSchema,
} from "@app/shared/invoices";
import { type Payer, payerKeyOf, splitLines, whyNotSplit } from "@app/shared/payer-shares";
import { voucherFirst } from "@app/shared/vouchers";
import type { z } from "zod";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, stale, wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { nameTerms } from "../../core/word-search.ts";
import { getCase } from "../cases/cases.service.ts";
import { getPractice } from "../practices/practices.service.ts";
import { sessionsOfCase } from "../sessions/sessions.service.ts";
import { payerDetails } from "./invoice-payers.ts";
import { findVisibleDoc, getInvoice, invoicesOfSplit } from "./invoice-reading.service.ts";
import { invoiceSettingsOf } from "./invoice-settings.service.ts";
import { voucherOf } from "./voucher-cap.service.ts";
import { type InvoiceDoc, InvoiceModel } from "./invoices.model.ts";

interface Draft {
  theCase: Case;
  payer: Payer;
  lines: readonly InvoiceLine[];
  notes: string;
  splitId: string | null;
}

export async function createInvoice(scope: Scope, { caseId, ...input }: CreateInvoice): Promise<Invoice> {
  const theCase = await getCase(scope, caseId);
  await assertLinesFit(scope, theCase, input.lines);
  const id = await store(scope, { theCase, splitId: null, ...input });
  return getInvoice(scope, id);
}

/** One draft for each payer, each with their part alone. Who pays nothing gets none. */
export async function splitInvoice(
  scope: Scope,
  { caseId, lines: whole, notes, shares, isVoucherFirst }: SplitInvoice,
): Promise<{ id: string; items: InvoiceRow[] }> {
  const theCase = await getCase(scope, caseId);
  await assertLinesFit(scope, theCase, whole);
  const { leftMinor } = isVoucherFirst ? await voucherOf(scope, { caseId }) : { leftMinor: 0 };
  if (isVoucherFirst && !leftMinor)
    throw badField("isVoucherFirst", "The voucher scheme pays nothing more here. Share the costs without it.");
  if (isVoucherFirst && shares.method === "custom")
    throw badField("shares", "What the voucher leaves is shared in equal parts or per cent. Choose one of these.");
  if (isVoucherFirst && shares.payers.some(({ payer }) => payer.kind === "voucher"))
    throw badField("shares", "The voucher pays first here. Take it out of those who share the rest.");
  const { byVoucher, rest: lines } = voucherFirst(whole, leftMinor ?? 0);
  const problem = whyNotSplit(lines, shares);
  if (problem) throw badField("shares", problem);
  const splitId = newId();
  return inTransaction(async () => {
    const parts = [{ payer: { kind: "voucher" as const }, lines: byVoucher }, ...splitLines(lines, shares)];
    for (const part of parts)
      if (part.lines.length > 0) await store(scope, { theCase, payer: part.payer, lines: part.lines, notes, splitId });
    return invoicesOfSplit(scope, splitId);
  });
}

async function store(scope: Scope, draft: Draft): Promise<string> {
  const { ownerId, userId, userName } = scope;
  const { currency } = await getPractice(scope);
  const [doc] = await InvoiceModel.create([
    {
      ...(await contentOf(scope, draft)),
      ownerId,
      state: "draft",
      caseId: draft.theCase.id,
      currency,
      splitId: draft.splitId,
      createdBy: userId,
      createdByName: userName,
      createdAt: now(),
    },
  ]);
  if (!doc) throw new Error("the invoice that was just stored is missing");
  return doc._id;
}

/** All that follows from what was entered; the sums are the server's own. */
async function contentOf(scope: Scope, { theCase, payer, lines, notes }: Omit<Draft, "splitId">) {
  const details = await payerDetails(scope, theCase, payer);
  const totals = invoiceTotals(lines);
  return {
    ...details,
    ...totals,
    payer,
    payerKey: payerKeyOf(payer),
    searchTerms: searchTerms(details.payerName, ""),
    lines: lines.map((line) => ({ ...line, ...lineTotals(line) })),
    notes,
    dueMinor: totals.grossMinor,
  };
}

export const searchTerms = (payerName: string, number: string): string[] =>
  [...new Set([...nameTerms(payerName), number.toLowerCase(), number.replace(/\D/g, "").replace(/^0+/, "")])].filter(
    Boolean,
  );

async function assertLinesFit(scope: Scope, theCase: Case, lines: readonly InvoiceLine[]): Promise<void> {
  const { isVatRegistered } = await invoiceSettingsOf(scope.ownerId);
  const taxed = lines.findIndex(({ vatRateBp }) => vatRateBp > 0);
  if (!isVatRegistered && taxed >= 0)
    throw badField(
      "lines",
      `Line ${taxed + 1} has VAT, and the practice is not registered for it. Take the VAT off, or enter the practice's VAT number in the invoice settings.`,
    );
  const named = lines.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]));
  if (named.length === 0) return;
  const known = new Set((await sessionsOfCase(scope, theCase.id)).map(({ id }) => id));
  if (named.some((id) => !known.has(id))) throw badField("lines", "A session named here is not one of this case.");
}

export function assertDraft({ state, number }: Pick<InvoiceDoc, "state" | "number">): void {
  if (state !== "draft")
    throw wrongState(
      `Invoice ${number} was issued, so it stays as it is. Credit it, or make it void, and write a new one.`,
    );
}

export async function updateInvoice(
  scope: Scope,
  { id, version, ...input }: z.output<typeof updateInvoiceSchema>,
): Promise<Invoice> {
  const before = await findVisibleDoc(scope, id);
  assertDraft(before);
  const theCase = await getCase(scope, before.caseId);
  await assertLinesFit(scope, theCase, input.lines);
  const { modifiedCount } = await InvoiceModel.updateOne(
    { ownerId: scope.ownerId, _id: id, version, state: "draft" },
    { $set: await contentOf(scope, { theCase, ...input }), $inc: { version: 1 } },
  );
  if (modifiedCount === 0) throw stale("invoice");
  return getInvoice(scope, id);
}

export async function removeInvoice(
  scope: Scope,
  { id, version }: z.output<typeof removeInvoiceSchema>,
): Promise<{ removed: number }> {
  assertDraft(await findVisibleDoc(scope, id));
  const { deletedCount } = await InvoiceModel.deleteOne({ ownerId: scope.ownerId, _id: id, version, state: "draft" });
  if (deletedCount === 0) throw stale("invoice");
  return { removed: deletedCount };
}
