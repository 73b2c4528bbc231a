import type { Case } from "@app/shared/cases";
import { isOverdue } from "@app/shared/invoice-states";
import type { CreditNote, Invoice, InvoiceRow, invoicePageSchema, ListInvoices } from "@app/shared/invoices";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import { missingWith, notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { matchingTexts } from "../../core/word-search.ts";
import { visibleCaseIds } from "../cases/case-places.service.ts";
import { findCaseLabels, getCase, listCasesOfClient } from "../cases/cases.service.ts";
import { payerBalance } from "../ledger/ledger.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { creditNotesOf } from "./credit-notes.ts";
import { findInvoiceDoc } from "./invoice-changes.ts";
import { type CreditNoteDoc, type InvoiceDoc, InvoiceModel } from "./invoices.model.ts";

type Filter = QueryFilter<InvoiceDoc>;
const among = (caseIds: readonly string[]) => mongoose.trusted({ $in: [...caseIds] });

/** An invoice of a case that this person sees. */
export async function findVisibleDoc(scope: Scope, id: string): Promise<InvoiceDoc> {
  const doc = await findInvoiceDoc(scope.ownerId, id);
  await missingWith("Invoice", placeOf(scope, doc.caseId));
  return doc;
}

/** What is of no case is the whole practice's: nothing for whoever sees only their own cases. */
export async function placeOf(scope: Scope, caseId: string | null): Promise<Case | null> {
  if (caseId !== null) return getCase(scope, caseId);
  if (scope.isAssignedOnly) throw notFound("Case");
  return null;
}

/** Those that the list shows for this filter: of cases that this person sees. */
export async function invoiceFilter(scope: Scope, input: Omit<ListInvoices, "page">): Promise<Filter> {
  const today = await practiceToday(scope.ownerId);
  const isPastDue = {
    state: mongoose.trusted({ $in: ["issued", "part_paid"] as const }),
    dueOn: mongoose.trusted({ $gt: "", $lt: today }),
  };
  const parts = [
    await casesFilter(scope, input),
    input.state ? { state: input.state } : {},
    input.payerKind ? { "payer.kind": input.payerKind } : {},
    input.isOverdue ? isPastDue : {},
    matchingTexts({ text: input.search, spelling: "exact" }),
  ].filter((part) => Object.keys(part).length > 0);
  return { ownerId: scope.ownerId, ...(parts.length > 0 ? { $and: parts } : {}) };
}

async function casesFilter(scope: Scope, { caseId, clientId }: Pick<ListInvoices, "caseId" | "clientId">) {
  if (caseId !== undefined) return { caseId: (await getCase(scope, caseId)).id };
  if (clientId !== undefined) return { caseId: among((await listCasesOfClient(scope, clientId)).map(({ id }) => id)) };
  const caseIds = await visibleCaseIds(scope);
  return caseIds ? { caseId: among(caseIds) } : {};
}

export const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

export async function listInvoices(scope: Scope, input: ListInvoices): Promise<z.infer<typeof invoicePageSchema>> {
  const filter = await invoiceFilter(scope, input);
  const [docs, total] = await Promise.all([
    InvoiceModel.find(filter)
      .sort(NEWEST_FIRST)
      .skip((input.page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    InvoiceModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  const items = await toRows(scope, docs);
  return { items, total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

export async function toRows(scope: Scope, docs: readonly InvoiceDoc[]): Promise<InvoiceRow[]> {
  const today = await practiceToday(scope.ownerId);
  const cases = await findCaseLabels(scope, [...new Set(docs.flatMap(({ caseId }) => caseId ?? []))]);
  return docs.map((doc) => toRow(doc, { today, caseRef: cases.get(doc.caseId ?? "")?.caseRef ?? "" }));
}

const toRow = (doc: InvoiceDoc, { today, caseRef }: { today: string; caseRef: string }): InvoiceRow => ({
  id: doc._id,
  number: doc.number,
  state: doc.state,
  isOverdue: isOverdue(doc, today),
  caseId: doc.caseId,
  caseRef,
  payer: doc.payer,
  payerName: doc.payerName,
  currency: doc.currency,
  netMinor: doc.netMinor,
  vatMinor: doc.vatMinor,
  grossMinor: doc.grossMinor,
  creditedMinor: doc.creditedMinor,
  paidMinor: doc.paidMinor,
  dueMinor: doc.state === "draft" ? 0 : doc.dueMinor,
  issuedOn: doc.issuedOn,
  dueOn: doc.dueOn,
  createdAt: doc.createdAt.toISOString(),
  version: doc.version,
});

export async function getInvoice(scope: Scope, id: string): Promise<Invoice> {
  const doc = await findVisibleDoc(scope, id);
  const [rows, notes, balance] = await Promise.all([
    toRows(scope, [doc]),
    creditNotesOf(scope.ownerId, id),
    payerBalance(scope.ownerId, { account: "credit", payerKey: doc.payerKey, currency: doc.currency }),
  ]);
  const [row] = rows;
  if (!row) throw new Error("the invoice that was just found is missing");
  return {
    ...row,
    payerAddress: doc.payerAddress,
    lines: doc.lines,
    notes: doc.notes,
    creditNotes: notes.map(toCreditNote),
    creditMinor: Math.max(0, -balance),
    visibility: doc.visibility,
    sentAt: doc.sentAt?.toISOString() ?? null,
    createdByName: doc.createdByName,
  };
}

export const toCreditNote = ({ _id, ...note }: CreditNoteDoc): CreditNote => ({ ...note, id: _id });

/** The drafts of one splitting. */
export async function invoicesOfSplit(scope: Scope, splitId: string): Promise<{ id: string; items: InvoiceRow[] }> {
  const filter = { ...(await invoiceFilter(scope, { isOverdue: false, search: "" })), splitId };
  const docs = await InvoiceModel.find(filter).sort({ createdAt: 1, _id: 1 }).lean();
  return { id: splitId, items: await toRows(scope, docs) };
}
