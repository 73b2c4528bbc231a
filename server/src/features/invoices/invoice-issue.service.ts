// From here on an invoice stands: it has a number, and changes by credit notes and money alone.
import { addDays } from "@app/shared/days";
import { mayBecome, whyNotBecome } from "@app/shared/invoice-states";
import type { RateTotals } from "@app/shared/invoice-totals";
import type { creditInvoiceSchema, Invoice, issueInvoiceSchema, voidInvoiceSchema } from "@app/shared/invoices";
import { credit, debit } from "@app/shared/ledger";
import { receivableOf } from "@app/shared/payer-shares";
import type { z } from "zod";
import { inTransaction } from "../../core/database.ts";
import { stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { post } from "../ledger/ledger.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { writeCreditNote } from "./credit-notes.ts";
import { lockInvoiceDoc } from "./invoice-changes.ts";
import { assertDraft, searchTerms } from "./invoice-drafts.service.ts";
import { nextInvoiceNumber } from "./invoice-numbers.ts";
import { payerDetails } from "./invoice-payers.ts";
import { findVisibleDoc, getInvoice } from "./invoice-reading.service.ts";
import { invoiceSettingsOf, issuerOf } from "./invoice-settings.service.ts";
import { assertByVoucher } from "./voucher-cap.service.ts";
import { type InvoiceDoc, InvoiceModel } from "./invoices.model.ts";

/** Gives it its number, and keeps who pays it as they are called today. */
export async function issueInvoice(
  scope: Scope,
  { id, version }: z.output<typeof issueInvoiceSchema>,
): Promise<Invoice> {
  const { ownerId } = scope;
  const draft = await findVisibleDoc(scope, id);
  assertDraft(draft);
  if (draft.version !== version) throw stale("invoice");
  if (draft.grossMinor === 0) throw wrongState("This invoice comes to nothing, so there is nothing to issue.");
  const { isVatRegistered, daysToPay } = await invoiceSettingsOf(ownerId);
  if (!isVatRegistered && draft.vatMinor > 0)
    throw wrongState("This invoice has VAT, and the practice is not registered for it. Change its lines first.");
  const theCase = await getCase(scope, draft.caseId);
  const details = await payerDetails(scope, theCase, draft.payer);
  const issuer = await issuerOf(ownerId);
  const issuedOn = await practiceToday(ownerId);
  await inTransaction(async () => {
    const doc = await lockInvoiceDoc(ownerId, id, version);
    assertDraft(doc);
    // Of many that are issued at once the others wait here, instead of at the end of their work.
    const number = await nextInvoiceNumber(ownerId);
    if (doc.payer.kind === "voucher") await assertByVoucher(scope, theCase, doc);
    const issued = {
      ...details,
      issuer,
      number,
      issuedOn,
      state: "issued" as const,
      dueOn: addDays(issuedOn, daysToPay),
      searchTerms: searchTerms(details.payerName, number),
    };
    const { modifiedCount } = await InvoiceModel.updateOne(
      { ownerId, _id: id, version: doc.version },
      { $set: issued },
    );
    if (modifiedCount === 0) throw stale("invoice");
    await postIssued({ ...doc, ...issued });
    await tellOfInvoice(scope, { ...doc, ...issued }, `Invoice ${number} issued`);
  });
  return getInvoice(scope, id);
}

const postIssued = (doc: InvoiceDoc): Promise<boolean> =>
  post(doc.ownerId, {
    key: `invoice:${doc._id}:issued`,
    kind: "invoice_issued",
    day: doc.issuedOn,
    currency: doc.currency,
    payerKey: doc.payerKey,
    caseId: doc.caseId,
    invoiceId: doc._id,
    paymentId: null,
    lines: [
      ...debit(receivableOf(doc.payer), doc.grossMinor),
      ...credit("revenue", doc.netMinor),
      ...credit("vat", doc.vatMinor),
    ],
  });

/** For the practice and, where it is a party's own, for that party; whoever may not see payments is not told. */
export const tellOfInvoice = (
  scope: Pick<Scope, "ownerId" | "userId" | "userName">,
  { caseId, payer, visibility }: Pick<InvoiceDoc, "caseId" | "payer" | "visibility">,
  text: string,
): Promise<void> =>
  recordEvent(scope, {
    kind: "payment",
    text,
    caseId,
    clientIds: payer.kind === "party" ? [payer.clientId] : [],
    visibility,
    needs: "payments.read",
  });

/** By a credit note of all that is open. Refused while money that was paid for it is neither returned nor kept for the payer. */
export async function voidInvoice(
  scope: Scope,
  { id, version, reason }: z.output<typeof voidInvoiceSchema>,
): Promise<Invoice> {
  await findVisibleDoc(scope, id);
  return inTransaction(async () => {
    const doc = await lockInvoiceDoc(scope.ownerId, id, version);
    const refusal = doc.state === "paid" ? null : whyNotBecome(doc.state, "void");
    if (refusal) throw wrongState(refusal);
    if (doc.paidMinor > 0 || !mayBecome(doc.state, "void"))
      throw wrongState(
        "Money was paid for this invoice, so it cannot be made void. Return that first, or credit the whole invoice: what was paid is then kept for the payer.",
      );
    const note = { amountMinor: doc.dueMinor, fromPaidMinor: 0, reason };
    return creditAndTell(scope, doc, note);
  });
}

/** What is still due is taken off first; of what was paid, the rest is kept for the payer. */
export async function creditInvoice(
  scope: Scope,
  { id, version, amountMinor, reason }: z.output<typeof creditInvoiceSchema>,
): Promise<Invoice> {
  await findVisibleDoc(scope, id);
  return inTransaction(async () => {
    const doc = await lockInvoiceDoc(scope.ownerId, id, version);
    const fromPaidMinor = Math.max(0, amountMinor - doc.dueMinor);
    return creditAndTell(scope, doc, { amountMinor, fromPaidMinor, reason });
  });
}

interface Note {
  amountMinor: number;
  fromPaidMinor: number;
  byRate?: readonly RateTotals[] | null;
  reason: string;
}

/** In a transaction: credits lines of an invoice that are charged no more, over the version that was looked at. */
export async function creditLines(
  scope: Scope,
  { id, version, ...note }: Note & { id: string; version: number },
): Promise<void> {
  await creditAndTell(scope, await lockInvoiceDoc(scope.ownerId, id, version), note);
}

async function creditAndTell(scope: Scope, doc: InvoiceDoc, note: Note): Promise<Invoice> {
  const on = await practiceToday(scope.ownerId);
  const written = await writeCreditNote(doc, { ...note, on, by: scope.userId });
  const isVoid = written.doc.state === "void";
  const text = `Credit note ${written.note.number} for invoice ${doc.number}${isVoid ? ", which is void" : ""}`;
  await tellOfInvoice(scope, doc, text);
  return getInvoice(scope, doc._id);
}
