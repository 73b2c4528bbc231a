// What somebody paid before their booking stood is invoiced the moment it is there: nothing of it was owed before.
import type { InvoiceForPayment, InvoiceLine } from "@app/shared/invoices";
import { invoiceTotals, lineTotals } from "@app/shared/invoice-totals";
import { type InvoicePayer, payerKeyOf } from "@app/shared/payer-shares";
import { forParty, PRACTICE_ONLY } from "@app/shared/visibility";
import { TRPCError } from "@trpc/server";
import { now } from "../../core/clock.ts";
import { assertInTransaction } from "../../core/database.ts";
import { systemScope } from "../../core/system-scope.ts";
import { getCase } from "../cases/cases.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { searchTerms } from "./invoice-drafts.service.ts";
import { postIssued, tellOfInvoice } from "./invoice-issue.service.ts";
import { nextInvoiceNumber } from "./invoice-numbers.ts";
import { payerDetails, type PayerDetails } from "./invoice-payers.ts";
import { issuerOf } from "./invoice-settings.service.ts";
import { InvoiceModel, toInvoiceForPayment } from "./invoices.model.ts";

export type BookingLine = Pick<InvoiceLine, "description" | "kind" | "unitMinor" | "vatRateBp">;

/** As a line of an invoice. */
export const lineOf = (line: BookingLine): InvoiceLine => ({ ...line, qtyMilli: 1000, sessionId: null });

interface PaidBooking {
  id: string;
  caseId: string | null;
  payer: InvoicePayer;
  payerName: string;
  currency: string;
  line: BookingLine;
}

/** In the transaction in which it is paid. */
export async function issueForBooking(
  ownerId: string,
  { id, caseId, payer, payerName, currency, line }: PaidBooking,
): Promise<InvoiceForPayment> {
  assertInTransaction();
  const scope = systemScope(ownerId);
  const lines = [lineOf(line)];
  const [details, issuer, number, issuedOn] = await Promise.all([
    detailsOf(ownerId, { caseId, payer, payerName }),
    issuerOf(ownerId),
    nextInvoiceNumber(ownerId),
    practiceToday(ownerId),
  ]);
  const totals = invoiceTotals(lines);
  const [doc] = await InvoiceModel.create([
    {
      ...details,
      ...totals,
      issuer,
      _id: id,
      ownerId,
      number,
      state: "issued",
      caseId,
      payer,
      payerKey: payerKeyOf(payer),
      searchTerms: searchTerms(details.payerName, number),
      currency,
      lines: lines.map((each) => ({ ...each, ...lineTotals(each) })),
      dueMinor: totals.grossMinor,
      issuedOn,
      dueOn: issuedOn,
      createdBy: scope.userId,
      createdByName: scope.userName,
      createdAt: now(),
    },
  ]);
  if (!doc) throw new Error("the invoice that was just stored is missing");
  const stored = doc.toObject();
  await postIssued(stored);
  await tellOfInvoice(scope, stored, `Invoice ${number} issued, for a booking`);
  return toInvoiceForPayment(stored);
}

/** The money is there, so it is invoiced whatever became of the party or the case meanwhile. */
async function detailsOf(
  ownerId: string,
  { caseId, payer, payerName }: Pick<PaidBooking, "caseId" | "payer" | "payerName">,
): Promise<PayerDetails> {
  if (payer.kind !== "party") return { payerName, payerAddress: [], visibility: PRACTICE_ONLY };
  const scope = systemScope(ownerId);
  try {
    return await payerDetails(scope, await getCase(scope, caseId ?? ""), payer);
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    return { payerName, payerAddress: [], visibility: forParty(payer.partyId) };
  }
}

/** Whoever booked is a party by now, and what they paid is found in their case. */
export async function bringIntoCase(ownerId: string, ids: readonly string[], caseId: string): Promise<void> {
  for (const id of ids) await InvoiceModel.updateOne({ ownerId, _id: id, caseId: null }, { $set: { caseId } });
}
