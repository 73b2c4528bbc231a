// A statement of the invented practice's bank: what a payer wrote well, what needs a look, and what is none of its money.
import { Readable } from "node:stream";
import type { Scope } from "@app/server/core/trpc";
import { newId } from "@app/server/core/ids";
import { uploadStatement } from "@app/server/features/bank-statements/statement-upload.service";
import { listInvoices } from "@app/server/features/invoices/invoice-reading.service";
import { practiceToday } from "@app/server/features/practices/practices.service";
import type { InvoiceRow } from "@app/shared/invoices";

const amount = (minor: number): string => (minor / 100).toFixed(2);

export async function demoBank(scope: Scope): Promise<void> {
  const { items } = await listInvoices(scope, { state: "issued", isOverdue: false, search: "", page: 1 });
  const [sure, part, named] = items.filter(({ payer }) => payer.kind === "party");
  const on = await practiceToday(scope.ownerId);
  const rows = [
    ...linesFor(sure, (one) => [`FPI ${one.number} THANK YOU`, one.dueMinor]),
    ...linesFor(part, (one) => [`${one.number} first half`, Math.ceil(one.dueMinor / 2)]),
    ...linesFor(named, (one) => [one.payerName, one.dueMinor]),
    ["Interest", 412] as const,
  ];
  const csv = [
    "Date,Description,Paid in,Paid out",
    ...rows.map(([words, minor]) => `${on},"${words}",${amount(minor)},`),
    `${on},Rent,,850.00`,
  ];
  const columns = ["date", "text", "paidIn", "paidOut"] as const;
  const upload = { id: newId(), name: "Current account.csv", columns: [...columns], dateOrder: "dmy" as const };
  await uploadStatement(scope, Readable.from([Buffer.from(csv.join("\n"))]), upload, () => Promise.resolve(scope));
}

type Words = readonly [string, number];
const linesFor = (invoice: InvoiceRow | undefined, wordsOf: (invoice: InvoiceRow) => Words): Words[] =>
  invoice ? [wordsOf(invoice)] : [];
