// What is handed to an accountant, and whether the books are right: each tells the same to the penny.
import { createLogger } from "@app/server/core/logger";
import { bookChecks } from "@app/server/features/invoices/book-checks";
import { InvoiceModel } from "@app/server/features/invoices/invoices.model";
import { LedgerBalanceModel } from "@app/server/features/ledger/ledger.model";
import { balances } from "@app/server/features/ledger/ledger.service";
import { PaymentModel } from "@app/server/features/payments/payments.model";
import type { Payer } from "@app/shared/payer-shares";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import mongoose from "mongoose";
import { expect, test, vi } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aLine, issuedInvoice, partyPayer, registeredForVat } from "../support/server/invoiced.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { aRecord, aRefund, anAnnouncement } from "../support/stripe/paying.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const log = createLogger("silent");
const YEAR = { from: "2025-01-01", to: "2099-12-31" };

const ask = (person: Pick<TestPerson, "cookies">, path: string, period: Record<string, string> = YEAR) =>
  fetch(`${app.url}/export/${path}?${new URLSearchParams(period)}`, {
    headers: { cookie: person.cookies(), "sec-fetch-site": "same-origin" },
  });

async function table(path: string, period = YEAR): Promise<Record<string, string>[]> {
  const answer = await ask(practice, path, period);
  if (answer.status !== 200) throw new Error(await answer.text());
  return parse(await answer.text(), { columns: true, bom: true });
}

const pence = (text: string | undefined): number => Math.round(Number(text || 0) * 100);
const sum = (rows: readonly Record<string, string>[], ...columns: string[]): number =>
  rows.reduce((total, row) => columns.reduce((added, column) => added + pence(row[column]), total), 0);

const someStep = fc.record({
  what: fc.constantFrom("issue", "pay", "pay", "announce", "refund", "refundDueAgain", "credit", "use"),
  at: fc.nat(5),
  amountMinor: fc.integer({ min: 1, max: 15_000 }),
  on: fc.constantFrom("2026-01-05", "2026-02-10", "2026-03-15"),
  method: fc.constantFrom("bank_transfer" as const, "cash" as const, "cheque" as const, "card_terminal" as const),
});
type Step = typeof someStep extends fc.Arbitrary<infer Value> ? Value : never;

async function live(payers: readonly Payer[], caseId: string, { what, at, amountMinor, on, method }: Step) {
  const { api } = practice;
  const { items } = await api.invoices.list.query({});
  const invoice = items[at % Math.max(1, items.length)];
  if (what === "issue" || !invoice) {
    const payer = payers[at % payers.length] ?? { kind: "voucher" };
    return issuedInvoice(practice, caseId, payer, { lines: [aLine({ unitMinor: amountMinor, vatRateBp: 2000 })] });
  }
  const { id, version } = invoice;
  const paid = (await api.payments.list.query({ invoiceId: id })).items.find(
    ({ refundableMinor }) => refundableMinor > 0,
  );
  switch (what) {
    case "pay":
      return api.payments.record.mutate(aRecord(id, { amountMinor, receivedOn: on, method, keepsRest: true }));
    case "announce":
      return api.payments.announce.mutate(anAnnouncement(id, { amountMinor }));
    case "refund":
    case "refundDueAgain":
      return (
        paid &&
        api.payments.refund.mutate(
          aRefund(paid.id, {
            amountMinor: Math.min(amountMinor, paid.refundableMinor),
            creditsInvoice: what === "refund",
          }),
        )
      );
    case "credit":
      return api.invoices.credit.mutate({ id, version, amountMinor, reason: "By chance" });
    case "use":
      return api.invoices.useCredit.mutate({ id, version, amountMinor });
  }
}

test("the exports: after a random history, when they are added up, agree with the book, the invoices and the payments", async () => {
  await registeredForVat(practice);
  const { theCase, p1, p2 } = await aCase(practice);
  const payers: Payer[] = [partyPayer(p1), partyPayer(p2), { kind: "legal_aid" }];
  const [steps = []] = fc.sample(fc.array(someStep, { minLength: 40, maxLength: 40 }), 1);
  // What is refused changes nothing.
  for (const step of steps) await live(payers, theCase.id, step).catch(() => undefined);

  const [payments, ledger, invoices] = await Promise.all([
    table("payments.csv"),
    table("ledger.csv"),
    table("invoices.csv"),
  ]);
  const book = Object.fromEntries(
    (await balances(practice.ownerId, "GBP")).map((one) => [one.account, one.balanceMinor]),
  );
  const inHand = (book["bank"] ?? 0) + (book["cash"] ?? 0) + (book["card"] ?? 0);
  const net = (rows: Record<string, string>[]) => sum(rows, "Money in") - sum(rows, "Money out");
  expect(net(payments)).toBe(inHand);
  const received = await PaymentModel.find({
    ownerId: practice.ownerId,
    receivedOn: mongoose.trusted({ $gt: "" }),
  }).lean();
  expect(
    sum(
      payments.filter(({ What }) => What === "Payment"),
      "Money in",
    ),
  ).toBe(received.reduce((total, { amountMinor }) => total + amountMinor, 0));
  expect(
    sum(
      payments.filter(({ What }) => What === "Refund"),
      "Money out",
    ),
  ).toBe(received.reduce((total, { refundedMinor }) => total + refundedMinor, 0));
  expect(sum(ledger, "Debit")).toBe(sum(ledger, "Credit"));
  const names = {
    receivable: "Owed by payers",
    legal_aid: "Owed by legal aid",
    credit: "Held for payers",
    revenue: "Fees",
    vat: "VAT",
  };
  for (const [account, name] of Object.entries(names)) {
    const lines = ledger.filter(({ Account }) => Account === name);
    expect(sum(lines, "Debit") - sum(lines, "Credit"), name).toBe(book[account] ?? 0);
  }
  expect(sum(invoices, "To pay")).toBe((book["receivable"] ?? 0) + (book["legal_aid"] ?? 0));
  expect(sum(invoices, "Total") - sum(invoices, "Credited") - sum(invoices, "Paid")).toBe(sum(invoices, "To pay"));

  const [first, second] = await Promise.all([
    table("payments.csv", { from: YEAR.from, to: "2026-02-10" }),
    table("payments.csv", { from: "2026-02-11", to: YEAR.to }),
  ]);
  expect(net(first) + net(second)).toBe(net(payments));
  expect([...first, ...second]).toHaveLength(payments.length);
  expect(await table("invoices.csv", { from: "2025-01-01", to: "2025-01-02" })).toEqual([]);
});

test("the exports: a period that ends before it begins, or is none, is refused, and both are workbooks too", async () => {
  for (const period of [
    { from: "2026-02-01", to: "2026-01-01" },
    { from: "2026-02-01" },
    { from: "soon", to: "later" },
  ])
    expect((await ask(practice, "payments.csv", period)).status).toBe(400);
  for (const path of ["payments.xlsx", "ledger.xlsx"]) {
    const answer = await ask(practice, path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("spreadsheetml"),
    ]);
  }
});

test("the exports: whoever sees only their own cases gets the payments of these, and no book", async () => {
  const { theCase, p1 } = await aCase(practice);
  const invoice = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  await practice.api.payments.record.mutate(aRecord(invoice.id));
  const permissions = ["clients.read", "payments.read", "reports.read", "data.export", "assigned_only"] as const;
  const narrow = await aStaffUser(app, practice, { permissions: [...permissions] });
  const payments = await (await ask(narrow, "payments.csv")).text();
  expect(payments.trim().split("\r\n")).toHaveLength(1);
  expect((await ask(narrow, "ledger.csv")).status).toBe(403);
  expect((await refusal(narrow.api.invoices.bookCheck.query())).code).toBe("FORBIDDEN");
});

const check = async () => {
  await practice.api.invoices.checkBooks.mutate();
  return vi.waitFor(
    async () => {
      const found = await practice.api.invoices.bookCheck.query();
      if (found.state !== "done") throw new Error(`the check is ${found.state}`);
      return found;
    },
    { timeout: 20_000, interval: 50 },
  );
};
const titles = async () =>
  (await practice.api.tasks.list.query({})).items.filter(({ status }) => status === "open").map(({ title }) => title);

async function paidOne() {
  const { theCase, p1 } = await aCase(practice);
  const invoice = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  await practice.api.payments.record.mutate(aRecord(invoice.id, { amountMinor: 4000 }));
  return invoice;
}

test("invoices.checkBooks: books that are right, when somebody asks, are said to be in order, and nobody gets a task", async () => {
  expect(await practice.api.invoices.bookCheck.query()).toMatchObject({ state: "never", checkedAt: null });
  await paidOne();
  expect(await check()).toMatchObject({ problemCount: 0, problems: [], entries: 2 });
  expect(await titles()).toEqual([]);
});

test("invoices.checkBooks: a balance and an invoice that differ are told to the owner once, in words, and put right by nobody", async () => {
  const { id } = await paidOne();
  const { ownerId } = practice;
  await LedgerBalanceModel.updateOne({ ownerId, account: "bank" }, { $inc: { balanceMinor: 1 } });
  await InvoiceModel.updateOne({ ownerId, _id: id }, { $inc: { dueMinor: 250 } });
  const { problems, problemCount } = await check();
  expect(problemCount).toBe(2);
  expect(problems[0]).toBe("“Bank” in GBP: the balance is kept as 40.01, and the entries come to 40.00.");
  expect(problems[1]).toMatch(
    /^“Owed by payers” in GBP, Priya Nandakumar\d*: the book says 60.00, and of the invoices 62.50 is due.$/,
  );
  await check();
  expect(await titles()).toEqual([expect.stringMatching(/^The books do not agree: 2 differences were found/)]);
  expect((await InvoiceModel.findOne({ ownerId, _id: id }).lean())?.dueMinor).toBe(6250);
  await InvoiceModel.updateOne({ ownerId, _id: id }, { $inc: { dueMinor: -250 } });
  await LedgerBalanceModel.updateOne({ ownerId, account: "bank" }, { $inc: { balanceMinor: -1 } });
  expect(await check()).toMatchObject({ problemCount: 0 });
  expect(await titles()).toEqual([]);
});

test("the nightly check: each practice that has a book is looked at once a day, though nobody asks", async () => {
  await paidOne();
  await bookChecks.onAllDue(log);
  const first = await practice.api.invoices.bookCheck.query();
  expect(first).toMatchObject({ state: "done", problemCount: 0 });
  await bookChecks.onAllDue(log);
  expect((await practice.api.invoices.bookCheck.query()).checkedAt).toBe(first.checkedAt);
});
