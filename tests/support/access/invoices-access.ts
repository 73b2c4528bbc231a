import { newId } from "@app/server/core/ids";
import type { Case } from "@app/shared/cases";
import { aLine, anInvoice, aPrice, issuedInvoice, partyPayer } from "../server/invoiced.ts";
import type { TestPractice } from "../server/people.ts";
import type { Door, Target } from "./door.ts";

const PRICES = { access: "subscribed", permission: "payments.read" } as const;
const PRICED = { access: "subscribed", permission: ["payments.read", "payments.manage"] } as const;
const READ = { access: "subscribed", permission: ["clients.read", "payments.read"] } as const;
const MANAGED = { access: "subscribed", permission: ["clients.read", "payments.read", "payments.manage"] } as const;

const payer = ({ partyId, clientId }: Target) => partyPayer({ partyId, clientId });
const content = (target: Target) => ({ payer: payer(target), lines: [aLine()], notes: "" });
/** The target's was credited once. */
const VERSION = 2;

/** The procedures of prices, invoices and the ledger. */
export const INVOICES_ACCESS: Record<string, Door> = {
  "prices.list": { ...PRICES, input: () => ({ page: 1 }), more: [() => ({ isInForce: true })], stranger: "own" },
  "prices.inForce": { ...PRICES, stranger: "own" },
  "prices.get": { ...PRICES, input: ({ priceId }) => ({ id: priceId }), stranger: "missing" },
  "prices.create": { ...PRICED, input: () => aPrice({ code: "NEW" }), stranger: "own" },
  "prices.update": {
    ...PRICED,
    input: ({ priceId }) => ({ id: priceId, version: 0, price: aPrice({ name: "Another name" }).price }),
    stranger: "missing",
  },
  "prices.setArchived": {
    ...PRICED,
    input: ({ priceId }) => ({ ids: [priceId], isArchived: true }),
    stranger: "own",
  },
  "invoices.list": {
    ...READ,
    input: () => ({ page: 1 }),
    more: [() => ({ search: "canarywharf" }), () => ({ isOverdue: true })],
    stranger: "own",
  },
  "invoices.ofCase": { ...READ, input: ({ caseId }) => ({ caseId }), stranger: "missing" },
  "invoices.get": { ...READ, input: ({ invoiceId }) => ({ id: invoiceId }), stranger: "missing" },
  "invoices.create": {
    ...MANAGED,
    input: (target) => anInvoice(target.caseId, payer(target)),
    stranger: "missing",
  },
  "invoices.split": {
    ...MANAGED,
    input: (target) => ({
      id: newId(),
      caseId: target.caseId,
      lines: [aLine()],
      notes: "",
      shares: { method: "equal", remainderAt: 0, payers: [{ payer: payer(target) }, { payer: { kind: "voucher" } }] },
    }),
    stranger: "missing",
  },
  "invoices.update": {
    ...MANAGED,
    input: (target) => ({ id: target.draftInvoiceId, version: 0, ...content(target) }),
    stranger: "missing",
  },
  "invoices.remove": {
    ...MANAGED,
    input: ({ goneInvoiceId }) => ({ id: goneInvoiceId, version: 0 }),
    stranger: "missing",
  },
  "invoices.issue": {
    ...MANAGED,
    input: ({ draftInvoiceId }) => ({ id: draftInvoiceId, version: 0 }),
    stranger: "missing",
  },
  "invoices.void": {
    ...MANAGED,
    input: ({ invoiceId }) => ({ id: invoiceId, version: VERSION, reason: "Written twice" }),
    stranger: "missing",
  },
  "invoices.credit": {
    ...MANAGED,
    input: ({ invoiceId }) => ({ id: invoiceId, version: VERSION, amountMinor: 1, reason: "Too much" }),
    stranger: "missing",
  },
  "invoices.useCredit": {
    ...MANAGED,
    input: ({ invoiceId }) => ({ id: invoiceId, version: VERSION, amountMinor: 1 }),
    stranger: "missing",
    // Nobody paid too much.
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "invoices.send": {
    access: "subscribed",
    permission: ["clients.read", "payments.read", "payments.manage", "mail.send"],
    input: ({ invoiceId }) => ({ id: invoiceId, changeId: newId() }),
    stranger: "missing",
  },
  "invoices.voucher": { ...READ, input: ({ caseId }) => ({ caseId }), stranger: "missing" },
  "fundings.previewAid": { ...READ, input: ({ caseId, partyId }) => ({ caseId, partyId }), stranger: "missing" },
  "fundings.switchToLegalAid": {
    access: "subscribed",
    permission: ["clients.read", "clients.write", "payments.read", "payments.manage"],
    input: ({ caseId, partyId }) => ({ id: caseId, version: 0, partyId, invoices: [] }),
    stranger: "missing",
    // What stands in the case was not looked at.
    passedGatesWith: "CONFLICT",
  },
  "invoices.settings": { ...PRICES, stranger: "own" },
  "invoices.setSettings": {
    ...PRICED,
    input: () => ({
      prefix: "QF",
      nextNumber: 50,
      isVatRegistered: false,
      vatNumber: "",
      daysToPay: 14,
      address: "",
      bankDetails: "",
      footer: "",
      reminderDays: [],
      voucherCapMinor: 50_000,
      version: 0,
    }),
    stranger: "own",
  },
  "ledger.balance": {
    access: "subscribed",
    permission: ["payments.read", "reports.read"],
    input: () => ({ currency: "GBP" }),
    stranger: "own",
  },
};

/** A price, an invoice that was issued to the party of the case and credited in part, and drafts. */
export async function invoicesOf(owner: TestPractice, { id: caseId, parties: [party] }: Case, word: string) {
  if (!party) throw new Error("the case has no party");
  const { api } = owner;
  const price = await api.prices.create.mutate(aPrice({ code: "CANARY", name: word }));
  const lines = { lines: [aLine({ description: word })] };
  const { id, version } = await issuedInvoice(owner, caseId, partyPayer(party), lines);
  const { creditNotes } = await api.invoices.credit.mutate({ id, version, amountMinor: 100, reason: word });
  const aDraft = async () => (await api.invoices.create.mutate(anInvoice(caseId, partyPayer(party), lines))).id;
  return {
    priceId: price.id,
    invoiceId: id,
    creditNoteId: creditNotes[0]?.id ?? "",
    draftInvoiceId: await aDraft(),
    goneInvoiceId: await aDraft(),
  };
}
