// Random histories of money: whatever comes, goes back, is credited or used, none is made and none is lost.
import { inTransaction } from "@app/server/core/database";
import { newId } from "@app/server/core/ids";
import { createInvoice } from "@app/server/features/invoices/invoice-drafts.service";
import { creditInvoice, issueInvoice, voidInvoice } from "@app/server/features/invoices/invoice-issue.service";
import { checkLedger } from "@app/server/features/invoices/ledger-check.service";
import { setInvoiceSettings } from "@app/server/features/invoices/invoice-settings.service";
import { InvoiceModel } from "@app/server/features/invoices/invoices.model";
import * as invoices from "@app/server/features/invoices/invoices.service";
import * as moneyBack from "@app/server/features/invoices/money-back.service";
import { LedgerBalanceModel, LedgerEntryModel } from "@app/server/features/ledger/ledger.model";
import { balances, post } from "@app/server/features/ledger/ledger.service";
import { credit, debit, isBalanced } from "@app/shared/ledger";
import type { Payer } from "@app/shared/payer-shares";
import { PAYMENT_METHODS } from "@app/shared/payment-methods";
import { TRPCError } from "@trpc/server";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { aLine, partyPayer } from "../support/server/invoiced.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, scopeOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const HISTORIES = Number(process.env["LEDGER_HISTORIES"] ?? 12);
const on = "2026-11-30";
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
let caseId = "";
let payers: Payer[] = [];
beforeAll(async () => {
  const { theCase, p1, p2 } = await aCase(practice);
  caseId = theCase.id;
  payers = [partyPayer(p1), partyPayer(p2), { kind: "legal_aid" }, { kind: "voucher" }];
  const settings = {
    prefix: "",
    nextNumber: 1,
    daysToPay: 14,
    address: "4 Mill Lane",
    bankDetails: "",
    footer: "",
    reminderDays: [],
    voucherCapMinor: 1_000_000_000,
  };
  await setInvoiceSettings(scope(), { ...settings, isVatRegistered: true, vatNumber: "GB 1", version: 0 });
});

const scope = () => scopeOf(practice.ownerId);

const someStep = fc.record({
  what: fc.constantFrom("issue", "pay", "pay", "payTwice", "refund", "refundCredited", "undo", "credit", "void", "use"),
  at: fc.nat(7),
  method: fc.constantFrom(...PAYMENT_METHODS),
  amountMinor: fc.integer({ min: 1, max: 30_000 }),
  lines: fc.array(
    fc.record({
      qtyMilli: fc.integer({ min: 1, max: 3000 }),
      unitMinor: fc.integer({ min: 1, max: 10_000 }),
      vatRateBp: fc.constantFrom(0, 500, 2000),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
type Step = typeof someStep extends fc.Arbitrary<infer Value> ? Value : never;

interface History {
  invoiceIds: string[];
  refunds: { invoiceId: string; refundId: string; amountMinor: number; method: Step["method"] }[];
  /** What came in less what went out. */
  moneyMinor: number;
}

/** In bank, cash and card together. */
async function moneyOf(ownerId: string): Promise<number> {
  const found = await balances(ownerId, "GBP");
  return found
    .filter(({ account }) => ["bank", "cash", "card"].includes(account))
    .reduce((total, each) => total + each.balanceMinor, 0);
}

/** Does it, or learns that it is refused; a refusal changes nothing. */
async function take(history: History, step: Step): Promise<void> {
  try {
    await work(history, step);
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    expect(error.code).toBe("PRECONDITION_FAILED");
  }
}

async function work(history: History, { what, at, method, amountMinor, lines }: Step): Promise<void> {
  const { ownerId } = practice;
  const invoiceId = history.invoiceIds[at % Math.max(1, history.invoiceIds.length)];
  if (what === "issue" || invoiceId === undefined) {
    const payer = payers[at % payers.length] ?? { kind: "voucher" };
    const draft = await createInvoice(scope(), { caseId, payer, lines: lines.map((line) => aLine(line)), notes: "" });
    await issueInvoice(scope(), { id: draft.id, version: draft.version });
    history.invoiceIds.push(draft.id);
    return;
  }
  const { version } = (await invoices.findInvoice(ownerId, invoiceId)) ?? { version: 0 };
  const money = { invoiceId, paymentId: newId(), method, amountMinor, on };
  switch (what) {
    case "pay":
    case "payTwice": {
      const times = what === "pay" ? 1 : 2;
      await Promise.all(
        Array.from({ length: times }, () => inTransaction(() => invoices.applyPayment(ownerId, money))),
      );
      history.moneyMinor += amountMinor;
      return;
    }
    case "refund":
    case "refundCredited": {
      const refund = { ...money, refundId: newId(), creditsInvoice: what === "refundCredited" };
      await inTransaction(() => moneyBack.takeBack(ownerId, refund));
      history.moneyMinor -= amountMinor;
      history.refunds.push(refund);
      return;
    }
    case "undo": {
      const refund = history.refunds.pop();
      if (!refund) return;
      await inTransaction(() => moneyBack.undoTakeBack(ownerId, { ...money, ...refund }));
      history.moneyMinor += refund.amountMinor;
      return;
    }
    case "credit":
      await creditInvoice(scope(), { id: invoiceId, version, amountMinor, reason: "By chance" });
      return;
    case "void":
      await voidInvoice(scope(), { id: invoiceId, version, reason: "By chance" });
      return;
    case "use":
      await invoices.spendCredit(scope(), { invoiceId, amountMinor });
  }
}

test(
  "the ledger: in random histories every entry balances, nothing is made or lost, and the balances are what the lines come to",
  { timeout: 300_000 },
  async () => {
    const all: History = { invoiceIds: [], refunds: [], moneyMinor: await moneyOf(practice.ownerId) };
    const history = fc.asyncProperty(fc.array(someStep, { minLength: 10, maxLength: 25 }), async (steps) => {
      // The practice goes on with what the others left.
      const own: History = { ...all, invoiceIds: [], refunds: [] };
      for (const step of steps) await take(own, step);
      all.moneyMinor = own.moneyMinor;
      expect(await checkLedger(practice.ownerId)).toEqual([]);
      expect(await moneyOf(practice.ownerId)).toBe(all.moneyMinor);
      const found = await balances(practice.ownerId, "GBP");
      expect(found.reduce((total, each) => total + each.balanceMinor, 0)).toBe(0);
    });
    await fc.assert(history, { numRuns: HISTORIES, endOnFailure: true });
    const kept = await InvoiceModel.find({ ownerId: practice.ownerId }).lean();
    const numbers = kept.filter(({ number }) => number !== "").map(({ number }) => Number(number));
    expect(numbers.toSorted((one, other) => one - other)).toEqual(numbers.map((_, at) => at + 1));
  },
);

test("checkLedger: a balance that was changed by hand, or an invoice, is told of", async () => {
  const { ownerId } = practice;
  const invoice = await createInvoice(scope(), { caseId, payer: { kind: "voucher" }, lines: [aLine()], notes: "" });
  await issueInvoice(scope(), { id: invoice.id, version: invoice.version });
  await LedgerBalanceModel.updateOne({ ownerId, account: "revenue" }, { $inc: { balanceMinor: 1 } });
  expect(await checkLedger(ownerId)).toEqual([expect.stringMatching(/^“Fees” in GBP: the balance is kept as/)]);
  await LedgerBalanceModel.updateOne({ ownerId, account: "revenue" }, { $inc: { balanceMinor: -1 } });
  await InvoiceModel.updateOne({ ownerId, _id: invoice.id }, { $inc: { dueMinor: -1 } });
  expect(await checkLedger(ownerId)).toEqual([
    expect.stringMatching(/^“Owed by the voucher scheme” in GBP, .* of the invoices/),
  ]);
  await InvoiceModel.updateOne({ ownerId, _id: invoice.id }, { $inc: { dueMinor: 1 } });
  expect(await checkLedger(ownerId)).toEqual([]);
});

test("post: an entry that does not balance, or has a fraction, is entered nowhere", async () => {
  const { ownerId } = practice;
  const entry = {
    key: newId(),
    kind: "payment" as const,
    day: on,
    currency: "GBP",
    payerKey: "voucher:",
    caseId: null,
    invoiceId: null,
    paymentId: null,
  };
  const before = await LedgerEntryModel.countDocuments({ ownerId });
  const posting = (lines: ReturnType<typeof debit>) => inTransaction(() => post(ownerId, { ...entry, lines }));
  await expect(posting([...debit("cash", 10), ...credit("credit", 9)])).rejects.toThrow("does not balance");
  await expect(posting([...debit("cash", 0.5), ...credit("credit", 0.5)])).rejects.toThrow("does not balance");
  await expect(posting([])).rejects.toThrow("does not balance");
  await expect(post(ownerId, { ...entry, lines: debit("cash", 1) })).rejects.toThrow("in a transaction");
  expect(await LedgerEntryModel.countDocuments({ ownerId })).toBe(before);
  expect(isBalanced([...debit("cash", 3), ...credit("revenue", 1), ...credit("vat", 2)])).toBe(true);
});
