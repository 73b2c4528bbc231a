// The invoices of a case that one party pays, as they have them: of all that the case has, what they may read.
import type { Case } from "@app/shared/cases";
import { formatMoney } from "@app/shared/money";
import { ASKED_MAX } from "@app/shared/party-preview";
import { REGIONS } from "@app/shared/regions";
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { practiceDates, practiceRegion } from "../practices/practices.service.ts";
import { readableFor } from "../visibility/for-party.service.ts";
import type { GuardedItem, PartyItems } from "../visibility/visibility.service.ts";
import { type InvoiceDoc, InvoiceModel } from "./invoices.model.ts";

definePartyTrace("an invoice was written", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await InvoiceModel.exists({ ownerId, caseId, "payer.partyId": partyId })),
);

export async function partyInvoices(scope: Scope, theCase: Case, partyId: string): Promise<PartyItems> {
  const { ownerId } = scope;
  const docs = await InvoiceModel.find({
    ownerId,
    caseId: theCase.id,
    state: mongoose.trusted({ $ne: "draft" as const }),
  })
    .sort({ createdAt: -1, _id: -1 })
    .limit(ASKED_MAX)
    .lean();
  const [{ calendarDay }, region] = await Promise.all([practiceDates(ownerId), practiceRegion(ownerId)]);
  const { locale } = REGIONS[region];
  return readableFor(
    { theCase, partyId },
    docs.map((doc) => itemOf(doc, locale, calendarDay)),
  );
}

function itemOf(doc: InvoiceDoc, locale: string, calendarDay: (day: string) => string): GuardedItem {
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency: doc.currency }, locale);
  const lines = doc.lines.map(({ description, netMinor }) => `${description}: ${money(netMinor)}`);
  const sums = [`Total ${money(doc.grossMinor)}`, ...owed(doc, money, calendarDay)];
  return {
    kind: "invoice",
    id: doc._id,
    title: `Invoice ${doc.number}`,
    detail: [`${lines.join("; ")}.`, `${sums.join(", ")}.`, doc.notes].filter(Boolean).join(" "),
    at: doc.createdAt.toISOString(),
    since: doc.createdAt,
    changedAt: doc.createdAt,
    visibility: doc.visibility,
  };
}

function owed(doc: InvoiceDoc, money: (amountMinor: number) => string, calendarDay: (day: string) => string): string[] {
  if (doc.state === "void") return ["void"];
  if (doc.dueMinor === 0) return ["paid"];
  const due = `${money(doc.dueMinor)} to pay`;
  return [doc.dueOn ? `${due} by ${calendarDay(doc.dueOn)}` : due];
}
