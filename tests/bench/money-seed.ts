// node money-seed.ts SIZE...: one practice with so many invoices, payments and entries of the ledger of each size, in the database of DATA_DIR.
import { createPractice } from "@app/server/features/auth/registration";
import { createClients } from "@app/server/features/clients/clients.service";
import { createInvoice } from "@app/server/features/invoices/invoice-drafts.service";
import { issueInvoice } from "@app/server/features/invoices/invoice-issue.service";
import { InvoiceModel } from "@app/server/features/invoices/invoices.model";
import { LedgerEntryModel } from "@app/server/features/ledger/ledger.model";
import { recordPayment } from "@app/server/features/payments/manual-payments";
import { PaymentModel } from "@app/server/features/payments/payments.model";
import { newId } from "@app/server/core/ids";
import { DEMO_PASSWORD } from "../../scripts/demo-account.ts";
import { demoCases } from "../../scripts/demo-cases.ts";
import { demoClient } from "../../scripts/demo-people.ts";
import { scopeOfOwner } from "../../scripts/owner-scope.ts";
import { withDatabase } from "../../scripts/with-database.ts";
import { aLine, partyPayer } from "../support/server/invoiced.ts";
import { aRecord } from "../support/stripe/paying.ts";
import { moneyEmail } from "./money-data.ts";

const BATCH = 1000;
const MINUTE_MS = 60_000;

await withDatabase(async () => {
  for (const size of process.argv.slice(2).map(Number)) {
    const owner = { firstName: "Ines", lastName: "Marchbank", email: moneyEmail(size), password: DEMO_PASSWORD };
    const ownerId = await createPractice(
      { ...owner, practiceName: `Practice of ${size}`, region: "england_wales", mediatorType: "family" },
      { mustBeFirst: false },
    );
    const scope = scopeOfOwner(ownerId, "Ines Marchbank");
    const clients = await createClients(
      scope,
      Array.from({ length: 4 }, (_, index) => demoClient(index)),
    );
    const [theCase] = await demoCases(scope, clients, { cases: 1, worked: 0 });
    const [party] = theCase?.parties ?? [];
    if (!theCase || !party) throw new Error("the case of the invoices is missing");
    const { id, version } = await createInvoice(scope, {
      caseId: theCase.id,
      payer: partyPayer(party),
      lines: [aLine()],
      notes: "",
    });
    await issueInvoice(scope, { id, version });
    await recordPayment(scope, aRecord(id));
    await multiply(ownerId, size);
  }
});

/** As many as this of the one invoice and of its entry, each of another minute. */
async function multiply(ownerId: string, size: number): Promise<void> {
  const invoice = await InvoiceModel.findOne({ ownerId }).select("+searchTerms").lean();
  const entry = await LedgerEntryModel.findOne({ ownerId }).lean();
  const payment = await PaymentModel.findOne({ ownerId }).lean();
  if (!invoice || !entry || !payment) throw new Error("the invoice is missing");
  for (let from = 1; from < size; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, size - from) }, (_, index) => from + index);
    await InvoiceModel.insertMany(
      numbers.map((number) => ({
        ...invoice,
        _id: newId(),
        number: `N-${number}`,
        createdAt: new Date(invoice.createdAt.getTime() - number * MINUTE_MS),
      })),
      { lean: true },
    );
    await PaymentModel.insertMany(
      numbers.map((number) => ({
        ...payment,
        _id: newId(),
        createdAt: new Date(payment.createdAt.getTime() - number * MINUTE_MS),
      })),
      { lean: true },
    );
    await LedgerEntryModel.insertMany(
      numbers.map((number) => ({ ...entry, _id: newId(), key: `entry:${number}` })),
      { lean: true },
    );
  }
}
