import { accountPeriodSchema } from "@app/shared/account-period";
import {
  LEDGER_ACCOUNT_NAMES,
  LEDGER_KIND_NAMES,
  type LedgerLine,
  MONEY_IN_HAND,
  signedMinor,
} from "@app/shared/ledger";
import { PAYMENT_METHOD_NAMES } from "@app/shared/payment-methods";
import { z } from "zod";
import { listExport } from "../../core/list-export.ts";
import { plainAmount } from "../../core/plain-amount.ts";
import type { Scope } from "../../core/trpc.ts";
import { visibleCaseIds } from "../cases/case-places.service.ts";
import { findCaseLabels } from "../cases/cases.service.ts";
import { invoiceHeads } from "../invoices/invoice-heads.service.ts";
import { entriesBetween } from "../ledger/ledger.service.ts";
import { PaymentModel } from "./payments.model.ts";

const FILTER = accountPeriodSchema.and(z.object({ isDescending: z.boolean() }));
const HEADINGS = [
  "Date",
  "What",
  "Receipt",
  "Invoice",
  "Case",
  "Payer",
  "Paid by",
  "How",
  "Reference",
  "Account",
  "Currency",
  "Money in",
  "Money out",
];

const list = {
  things: "payments",
  filter: FILTER,
  headings: HEADINGS,
  rows,
  permissions: ["payments.read"],
} as const;

/** GET /export/payments.csv?from=DAY&to=DAY: money as it came and went, by the book, so that both tell the same. */
export const paymentsExport = listExport(list);
/** GET /export/payments.xlsx */
export const paymentsWorkbook = listExport(list, "xlsx");

async function* rows(scope: Scope, { from, to }: z.output<typeof FILTER>): AsyncGenerator<string[]> {
  const { ownerId } = scope;
  const caseIds = await visibleCaseIds(scope);
  const headOf = invoiceHeads(ownerId);
  const refs = new Map<string, string>();
  const kinds = ["payment", "refund", "refund_failed", "payment_corrected"] as const;
  for await (const entry of entriesBetween(ownerId, { from, to, kinds, ...(caseIds ? { caseIds } : {}) })) {
    const { day, kind, currency, caseId, paymentId, invoiceId, lines } = entry;
    const [payment, { number, payerName, paidBy }] = await Promise.all([
      PaymentModel.findOne({ ownerId, _id: paymentId ?? "" }).lean(),
      headOf(invoiceId),
    ]);
    if (caseId !== null && !refs.has(caseId))
      refs.set(caseId, (await findCaseLabels(scope, [caseId])).get(caseId)?.caseRef ?? "");
    for (const line of lines.filter(({ account }) => MONEY_IN_HAND.includes(account)))
      yield [
        day,
        LEDGER_KIND_NAMES[kind],
        payment?.receiptNumber ?? "",
        number,
        refs.get(caseId ?? "") ?? "",
        payerName,
        paidBy,
        payment ? PAYMENT_METHOD_NAMES[payment.method] : "",
        payment?.reference ?? "",
        LEDGER_ACCOUNT_NAMES[line.account],
        currency,
        ...inAndOut(line, currency),
      ];
  }
}

/** Two columns, because what begins with a minus is taken for a formula. */
function inAndOut(line: LedgerLine, currency: string): [string, string] {
  const text = plainAmount(line.amountMinor, currency);
  return signedMinor(line) > 0 ? [text, ""] : ["", text];
}
