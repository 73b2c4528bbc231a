// What becomes of an invoice when money comes and goes.
import { inTransaction } from "@app/server/core/database";
import { newId } from "@app/server/core/ids";
import { checkLedger } from "@app/server/features/invoices/ledger-check.service";
import * as invoices from "@app/server/features/invoices/invoices.service";
import * as moneyBack from "@app/server/features/invoices/money-back.service";
import { LedgerEntryModel } from "@app/server/features/ledger/ledger.model";
import { balances } from "@app/server/features/ledger/ledger.service";
import type { Invoice } from "@app/shared/invoices";
import type { PaymentMethod } from "@app/shared/payment-methods";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aLine, issuedInvoice, partyPayer, registeredForVat } from "../support/server/invoiced.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, scopeOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const on = "2026-11-30";

const money = (invoiceId: string, amountMinor: number, paymentId = newId(), method: PaymentMethod = "cash") => ({
  invoiceId,
  paymentId,
  method,
  amountMinor,
  on,
});
const pay = (what: ReturnType<typeof money>) => inTransaction(() => invoices.applyPayment(practice.ownerId, what));
const giveBack = (what: ReturnType<typeof money>, more: { refundId: string; creditsInvoice: boolean }) =>
  inTransaction(() => moneyBack.takeBack(practice.ownerId, { ...what, ...more }));
const look = ({ id }: Invoice) => practice.api.invoices.get.query({ id });
const book = async () =>
  Object.fromEntries(
    (await balances(practice.ownerId, "GBP")).map(({ account, balanceMinor }) => [account, balanceMinor]),
  );

async function anIssuedOne() {
  const { theCase, p1 } = await aCase(practice);
  return issuedInvoice(practice, theCase.id, partyPayer(p1));
}

test("applyPayment: parts of what is due, when the last of them comes, make the invoice paid", async () => {
  const invoice = await anIssuedOne();
  expect(await pay(money(invoice.id, 4000))).toEqual({ toInvoiceMinor: 4000, toCreditMinor: 0 });
  expect(await look(invoice)).toMatchObject({ state: "part_paid", paidMinor: 4000, dueMinor: 6000 });
  await pay(money(invoice.id, 6000));
  expect(await look(invoice)).toMatchObject({ state: "paid", dueMinor: 0 });
  expect(await book()).toEqual({ receivable: 0, revenue: -10_000, cash: 10_000 });
  expect(await checkLedger(practice.ownerId)).toEqual([]);
});

test("applyPayment: the same payment twice, also at once, counts once and is answered the same", async () => {
  const invoice = await anIssuedOne();
  const paid = money(invoice.id, 12_000);
  const answers = await Promise.all([pay(paid), pay(paid), pay(paid)]);
  expect(new Set(answers.map((each) => JSON.stringify(each)))).toEqual(
    new Set([JSON.stringify({ toInvoiceMinor: 10_000, toCreditMinor: 2000 })]),
  );
  expect(await look(invoice)).toMatchObject({ state: "paid", creditMinor: 2000 });
  expect(await book()).toMatchObject({ cash: 12_000, credit: -2000 });
});

test("applyPayment: two payments of one invoice at once go one after the other", async () => {
  const invoice = await anIssuedOne();
  await Promise.all([pay(money(invoice.id, 7000)), pay(money(invoice.id, 7000))]);
  expect(await look(invoice)).toMatchObject({ state: "paid", paidMinor: 10_000, creditMinor: 4000 });
  expect(await checkLedger(practice.ownerId)).toEqual([]);
});

test("spendCredit: what was paid too much pays another invoice of the same payer, and no more than is there", async () => {
  const { theCase, p1, p2 } = await aCase(practice);
  const [first, second, other] = [
    await issuedInvoice(practice, theCase.id, partyPayer(p1)),
    await issuedInvoice(practice, theCase.id, partyPayer(p1)),
    await issuedInvoice(practice, theCase.id, partyPayer(p2)),
  ];
  await pay(money(first.id, 13_000));
  const scope = scopeOf(practice.ownerId);
  await expect(invoices.spendCredit(scope, { invoiceId: other.id, amountMinor: 1 })).rejects.toThrow(
    "kept for this payer",
  );
  const { id, version } = second;
  const over = { id, version, amountMinor: 3000 };
  await practice.api.invoices.useCredit.mutate(over);
  expect(await refusal(practice.api.invoices.useCredit.mutate(over))).toMatchObject({ isStale: true });
  expect(await look(second)).toMatchObject({ state: "part_paid", dueMinor: 7000, creditMinor: 0 });
  expect(await checkLedger(practice.ownerId)).toEqual([]);
});

test("takeBack: a refund makes the amount due again, or is credited, as it is told, and counts once", async () => {
  const invoice = await anIssuedOne();
  const paid = money(invoice.id, 10_000);
  await pay(paid);
  const again = { ...paid, amountMinor: 2500 };
  const refund = { refundId: newId(), creditsInvoice: false };
  expect(await giveBack(again, refund)).toEqual({ fromCreditMinor: 0, dueAgainMinor: 2500, lackedMinor: 0 });
  expect(await giveBack(again, refund)).toEqual({ fromCreditMinor: 0, dueAgainMinor: 2500, lackedMinor: 0 });
  expect(await look(invoice)).toMatchObject({ state: "part_paid", dueMinor: 2500, paidMinor: 7500 });
  await giveBack({ ...paid, amountMinor: 7500 }, { refundId: newId(), creditsInvoice: true });
  expect(await look(invoice)).toMatchObject({
    state: "issued",
    creditedMinor: 7500,
    paidMinor: 0,
    dueMinor: 2500,
    creditNotes: [{ number: "CN-0001", grossMinor: 7500 }],
  });
  expect(await book()).toMatchObject({ cash: 0, credit: 0, receivable: 2500, revenue: -2500 });
  expect(await checkLedger(practice.ownerId)).toEqual([]);
});

test("takeBack: what the payer holds goes back first, and more than is there is refused", async () => {
  const invoice = await anIssuedOne();
  const paid = money(invoice.id, 11_000);
  await pay(paid);
  const refund = () => ({ refundId: newId(), creditsInvoice: false });
  expect(await giveBack({ ...paid, amountMinor: 1500 }, refund())).toEqual({
    fromCreditMinor: 1000,
    dueAgainMinor: 500,
    lackedMinor: 0,
  });
  expect((await refusal(giveBack({ ...paid, amountMinor: 9501 }, refund()))).message).toContain("not there to go back");
  expect(await checkLedger(practice.ownerId)).toEqual([]);
});

test("undoTakeBack: a refund that failed at the bank is kept for the payer", async () => {
  const invoice = await anIssuedOne();
  const paid = money(invoice.id, 10_000);
  await pay(paid);
  const refundId = newId();
  await giveBack(paid, { refundId, creditsInvoice: true });
  expect(await look(invoice)).toMatchObject({ state: "void", creditMinor: 0 });
  const undo = () => inTransaction(() => moneyBack.undoTakeBack(practice.ownerId, { ...paid, refundId }));
  await undo();
  await undo();
  expect(await look(invoice)).toMatchObject({ state: "void", creditMinor: 10_000 });
  expect(await checkLedger(practice.ownerId)).toEqual([]);
});

test("invoices.credit: of an invoice with two rates each credit takes off its part of the VAT, and all of them exactly the whole", async () => {
  await registeredForVat(practice);
  const { theCase, p1 } = await aCase(practice);
  const lines = [aLine({ unitMinor: 9999, vatRateBp: 2000 }), aLine({ unitMinor: 3333 })];
  let invoice = await issuedInvoice(practice, theCase.id, partyPayer(p1), { lines });
  expect(invoice).toMatchObject({ netMinor: 13_332, vatMinor: 2000, grossMinor: 15_332 });
  for (const amountMinor of [1, 5000, 7777, 2554])
    invoice = await practice.api.invoices.credit.mutate({
      id: invoice.id,
      version: invoice.version,
      amountMinor,
      reason: "Shorter than planned",
    });
  expect(invoice).toMatchObject({ state: "void", creditedMinor: 15_332, dueMinor: 0 });
  expect(await book()).toEqual({ receivable: 0, revenue: 0, vat: 0 });
  expect(invoice.creditNotes.map(({ number }) => number)).toEqual(["CN-0001", "CN-0002", "CN-0003", "CN-0004"]);
});

test("the ledger: an entry is neither changed nor taken out", async () => {
  const { ownerId } = practice;
  await expect(LedgerEntryModel.updateOne({ ownerId }, { $set: { day: on } })).rejects.toThrow("never changed");
  await expect(LedgerEntryModel.deleteMany({ ownerId })).rejects.toThrow("never changed");
});

test("ledger.balance: what each account of the practice comes to, and nothing for whoever sees only their own cases", async () => {
  const invoice = await anIssuedOne();
  await pay(money(invoice.id, 2500, newId(), "bank_transfer"));
  const { items } = await practice.api.ledger.balance.query({ currency: "GBP" });
  expect(items).toEqual([
    { account: "bank", balanceMinor: 2500 },
    { account: "receivable", balanceMinor: 7500 },
    { account: "revenue", balanceMinor: -10_000 },
  ]);
  const apart = await aStaffUser(app, practice, { permissions: ["payments.read", "reports.read", "assigned_only"] });
  expect(await refusal(apart.api.ledger.balance.query({ currency: "GBP" }))).toMatchObject({ code: "FORBIDDEN" });
});
