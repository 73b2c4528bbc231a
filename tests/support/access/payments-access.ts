import { newId } from "@app/server/core/ids";
import { BankLineModel, StatementModel } from "@app/server/features/bank-statements/bank-statements.model";
import type { Case } from "@app/shared/cases";
import { aLine, issuedInvoice, partyPayer } from "../server/invoiced.ts";
import type { TestPractice } from "../server/people.ts";
import { aRecord, aRefund, anAnnouncement } from "../stripe/paying.ts";
import type { Door } from "./door.ts";

const reading = { access: "subscribed", permission: ["clients.read", "payments.read"] } as const;
const changing = { access: "subscribed", permission: ["clients.read", "payments.read", "payments.manage"] } as const;
const onVersion = { version: 0, amountMinor: 100, receivedOn: "2026-01-05", reference: "", keepsRest: false };

/** Money that comes for invoices, and where it goes. */
export const PAYMENTS_ACCESS: Record<string, Door> = {
  "payments.list": { ...reading, input: ({ caseId }) => ({ caseId }), stranger: "missing" },
  "payments.ofCase": { ...reading, input: ({ caseId }) => ({ caseId }), stranger: "missing" },
  "payments.get": { ...reading, input: ({ paymentId }) => ({ id: paymentId }), stranger: "missing" },
  "payments.record": {
    ...changing,
    input: ({ owedInvoiceId }) => aRecord(owedInvoiceId, { amountMinor: 100 }),
    stranger: "missing",
  },
  "payments.announce": {
    ...changing,
    input: ({ owedInvoiceId }) => anAnnouncement(owedInvoiceId, { amountMinor: 100 }),
    stranger: "missing",
  },
  "payments.confirm": {
    ...changing,
    input: ({ announcedPaymentId }) => ({ id: announcedPaymentId, ...onVersion }),
    stranger: "missing",
  },
  "payments.cancel": {
    ...changing,
    input: ({ announcedPaymentId }) => ({ id: announcedPaymentId, version: 0 }),
    stranger: "missing",
  },
  "payments.correct": {
    ...changing,
    input: ({ correctedPaymentId }) => ({
      id: correctedPaymentId,
      version: 0,
      why: "mistake",
      on: "2026-01-05",
      reason: "On the wrong invoice",
    }),
    stranger: "missing",
  },
  "payments.refund": {
    ...changing,
    input: ({ paymentId }) => aRefund(paymentId, { amountMinor: 1 }),
    stranger: "missing",
  },
  "payments.sendReceipt": {
    access: "subscribed",
    permission: ["clients.read", "payments.read", "payments.manage", "mail.send"],
    input: ({ paymentId }) => ({ id: paymentId, changeId: newId() }),
    stranger: "missing",
  },
  "payments.receiptSettings": { access: "subscribed", permission: "payments.read", stranger: "own" },
  "payments.setReceiptSettings": {
    access: "subscribed",
    permission: ["payments.read", "payments.manage"],
    input: () => ({ isSentByItself: true }),
    stranger: "own",
  },
  "payments.setLooked": { ...changing, input: ({ paymentId }) => ({ id: paymentId }), stranger: "missing" },
  "payments.checkoutLink": {
    ...changing,
    input: ({ owedInvoiceId }) => ({ invoiceId: owedInvoiceId, days: 30 }),
    stranger: "missing",
    // No card payment provider is set up.
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "payments.reconciliation": { ...reading, stranger: "own" },
  "payments.reconcile": { ...changing, stranger: "own" },
  "bankStatements.list": { ...changing, input: () => ({ page: 1 }), stranger: "own" },
  "bankStatements.get": { ...changing, input: ({ statementId }) => ({ id: statementId }), stranger: "missing" },
  "bankStatements.lines": { ...changing, input: ({ statementId }) => ({ id: statementId }), stranger: "missing" },
  "bankStatements.sure": { ...changing, input: ({ statementId }) => ({ id: statementId }), stranger: "missing" },
  "bankStatements.line": { ...changing, input: ({ bankLineId }) => ({ id: bankLineId }), stranger: "missing" },
  "bankStatements.confirm": {
    ...changing,
    input: ({ bankLineId, owedInvoiceId }) => ({ id: bankLineId, invoiceId: owedInvoiceId, keepsRest: false }),
    stranger: "missing",
  },
  "bankStatements.confirmSure": {
    ...changing,
    input: ({ statementId, bankLineId, owedInvoiceId }) => ({
      id: statementId,
      items: [{ lineId: bankLineId, invoiceId: owedInvoiceId }],
    }),
    stranger: "missing",
  },
  "bankStatements.setAside": {
    ...changing,
    input: ({ bankLineId }) => ({ id: bankLineId, isSetAside: true }),
    stranger: "missing",
  },
  "bankStatements.remove": { ...changing, input: ({ statementId }) => ({ id: statementId }), stranger: "missing" },
  "payments.outcome": { access: "public", input: () => ({ r: "t".repeat(43) }) },
  "paymentAccounts.get": { access: "subscribed", permission: "payments.read", stranger: "own" },
  "paymentAccounts.refresh": { access: "subscribed", permission: "payments.manage", stranger: "own" },
  "paymentAccounts.connect": { access: "owner", stranger: "own", passedGatesWith: "PRECONDITION_FAILED" },
  "paymentAccounts.disconnect": { access: "owner", stranger: "own", passedGatesWith: "PRECONDITION_FAILED" },
};

/** What stands on a statement of the bank, of which nothing is recorded. */
export async function statementOf(ownerId: string, words: string) {
  const [statementId, bankLineId, importedAt] = [newId(), newId(), new Date()];
  const file = {
    fileName: `${words}.csv`,
    format: "csv" as const,
    notes: [],
    importedBy: ownerId,
    importedByName: words,
  };
  await StatementModel.create([{ _id: statementId, ownerId, importedAt, ...file }]);
  const money = { on: "2026-01-05", amountMinor: 100, currency: "GBP", payerName: words, text: words };
  const line = { _id: bankLineId, ownerId, statementId, importedAt, fingerprint: newId(), place: 0, ...money };
  await BankLineModel.create([line]);
  return { statementId, bankLineId };
}

/** Four invoices: one of which nothing came, two that were paid, and one of which money is on its way. */
export async function paymentsOf(owner: TestPractice, { id, parties: [party] }: Case, words: string) {
  if (!party) throw new Error("the case has no party");
  const owed = () => issuedInvoice(owner, id, partyPayer(party), { lines: [aLine({ description: words })] });
  const [free, paid, announced] = [await owed(), await owed(), await owed()];
  const wrong = await owner.api.payments.record.mutate(aRecord((await owed()).id, { reference: words }));
  const payment = await owner.api.payments.record.mutate(aRecord(paid.id, { reference: words }));
  const told = await owner.api.payments.announce.mutate(anAnnouncement(announced.id, { reference: words }));
  return {
    owedInvoiceId: free.id,
    paymentId: payment.id,
    announcedPaymentId: told.id,
    correctedPaymentId: wrong.id,
  };
}
