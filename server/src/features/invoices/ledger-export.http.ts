import { accountPeriodSchema } from "@app/shared/account-period";
import { LEDGER_ACCOUNT_NAMES, LEDGER_KIND_NAMES, type LedgerLine } from "@app/shared/ledger";
import { z } from "zod";
import { listExport } from "../../core/list-export.ts";
import { plainAmount } from "../../core/plain-amount.ts";
import type { Scope } from "../../core/trpc.ts";
import { entriesBetween } from "../ledger/ledger.service.ts";
import { invoiceHeads } from "./invoice-heads.service.ts";

const FILTER = accountPeriodSchema.and(z.object({ isDescending: z.boolean() }));
const HEADINGS = ["Date", "Entry", "What", "Invoice", "Payer", "Account", "Currency", "Debit", "Credit"];

const list = {
  things: "ledger",
  filter: FILTER,
  headings: HEADINGS,
  rows,
  permissions: ["payments.read", "reports.read"],
  isOfWholePractice: true,
} as const;

/** GET /export/ledger.csv?from=DAY&to=DAY: each line of each entry, so that debits and credits come to the same. */
export const ledgerExport = listExport(list);
/** GET /export/ledger.xlsx */
export const ledgerWorkbook = listExport(list, "xlsx");

async function* rows(scope: Scope, period: z.output<typeof FILTER>): AsyncGenerator<string[]> {
  const headOf = invoiceHeads(scope.ownerId);
  let entry = 0;
  for await (const { day, kind, invoiceId, currency, lines } of entriesBetween(scope.ownerId, period)) {
    entry += 1;
    const { number, payerName } = await headOf(invoiceId);
    for (const line of lines)
      yield [
        day,
        String(entry),
        LEDGER_KIND_NAMES[kind],
        number,
        payerName,
        LEDGER_ACCOUNT_NAMES[line.account],
        currency,
        amountOf(line, "debit", currency),
        amountOf(line, "credit", currency),
      ];
  }
}

const amountOf = ({ side, amountMinor }: LedgerLine, wanted: LedgerLine["side"], currency: string): string =>
  side === wanted ? plainAmount(amountMinor, currency) : "";
