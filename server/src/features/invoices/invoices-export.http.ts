import { INVOICE_STATE_NAMES } from "@app/shared/invoice-states";
import { listInvoicesSchema } from "@app/shared/invoices";
import { PAYER_KIND_NAMES } from "@app/shared/payer-shares";
import { daySchema } from "@app/shared/time";
import mongoose from "mongoose";
import { z } from "zod";
import { listExport } from "../../core/list-export.ts";
import { plainAmount } from "../../core/plain-amount.ts";
import type { Scope } from "../../core/trpc.ts";
import { findCaseLabels } from "../cases/cases.service.ts";
import { invoiceFilter, NEWEST_FIRST } from "./invoice-reading.service.ts";
import { type InvoiceDoc, InvoiceModel } from "./invoices.model.ts";

const BATCH_SIZE = 200;
/** As an address says it; always the newest first. */
const FILTER = listInvoicesSchema.omit({ page: true }).extend({
  isDescending: z.boolean(),
  /** Those that were issued in these days. */
  from: daySchema.optional(),
  to: daySchema.optional(),
  isOverdue: z
    .enum(["true", "false"])
    .default("false")
    .transform((text) => text === "true"),
});
const HEADINGS = [
  "Number",
  "State",
  "Case",
  "Payer",
  "Paid by",
  "Date",
  "Due",
  "Currency",
  "Without VAT",
  "VAT",
  "Total",
  "Credited",
  "Paid",
  "To pay",
];

const list = {
  things: "invoices",
  filter: FILTER,
  headings: HEADINGS,
  rows,
  permissions: ["payments.read"],
} as const;

/** GET /export/invoices.csv */
export const invoicesExport = listExport(list);
/** GET /export/invoices.xlsx */
export const invoicesWorkbook = listExport(list, "xlsx");

async function* rows(scope: Scope, filter: z.output<typeof FILTER>): AsyncGenerator<string[]> {
  const docs = InvoiceModel.find({ ...(await invoiceFilter(scope, filter)), ...issuedBetween(filter) })
    .sort(NEWEST_FIRST)
    .lean()
    .cursor({ batchSize: BATCH_SIZE });
  const refs = new Map<string, string>();
  for await (const doc of docs) {
    const caseId = doc.caseId ?? "";
    if (caseId !== "" && !refs.has(caseId)) {
      const labels = await findCaseLabels(scope, [caseId]);
      refs.set(caseId, labels.get(caseId)?.caseRef ?? "");
    }
    yield cellsOf(doc, refs.get(caseId) ?? "");
  }
}

const issuedBetween = ({ from, to }: z.output<typeof FILTER>) =>
  from === undefined && to === undefined
    ? {}
    : {
        issuedOn: mongoose.trusted({
          $gt: "",
          ...(from === undefined ? {} : { $gte: from }),
          ...(to === undefined ? {} : { $lte: to }),
        }),
      };

function cellsOf(doc: InvoiceDoc, caseRef: string): string[] {
  const amount = (minor: number) => plainAmount(minor, doc.currency);
  return [
    doc.number,
    INVOICE_STATE_NAMES[doc.state],
    caseRef,
    doc.payerName,
    PAYER_KIND_NAMES[doc.payer.kind],
    doc.issuedOn,
    doc.dueOn,
    doc.currency,
    amount(doc.netMinor),
    amount(doc.vatMinor),
    amount(doc.grossMinor),
    amount(doc.creditedMinor),
    amount(doc.paidMinor),
    amount(doc.state === "draft" ? 0 : doc.dueMinor),
  ];
}
