// What the page of a client shows of the money of one case.
import { inTransaction } from "@app/server/core/database";
import { newId } from "@app/server/core/ids";
import { applyPayment } from "@app/server/features/invoices/invoices.service";
import { InvoiceModel } from "@app/server/features/invoices/invoices.model";
import { expect, test } from "vitest";
import { anInvoice, issuedInvoice, partyPayer } from "../support/server/invoiced.ts";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const pay = (invoiceId: string, amountMinor: number) =>
  inTransaction(() =>
    applyPayment(practice.ownerId, { invoiceId, paymentId: newId(), method: "cash", amountMinor, on: "2026-11-30" }),
  );

test("invoices.ofCase: two payers, when one of them is late and the other paid too much, are told apart with the late one first", async () => {
  const { theCase, p1, p2 } = await aCase(practice);
  const [early, late] = [partyPayer(p1), partyPayer(p2)];
  const paid = await issuedInvoice(practice, theCase.id, early);
  await issuedInvoice(practice, theCase.id, early);
  await practice.api.invoices.create.mutate(anInvoice(theCase.id, early));
  const overdue = await issuedInvoice(practice, theCase.id, late);
  await pay(paid.id, 10_500);
  await pay(overdue.id, 4000);
  await InvoiceModel.updateOne({ ownerId: practice.ownerId, _id: overdue.id }, { $set: { dueOn: "2020-01-31" } });

  const { items, payers, isComplete } = await practice.api.invoices.ofCase.query({ caseId: theCase.id });
  expect(isComplete).toBe(true);
  expect(items).toHaveLength(4);
  expect(payers).toEqual([
    expect.objectContaining({ payer: late, dueMinor: 6000, overdueMinor: 6000, creditMinor: 0 }),
    expect.objectContaining({ payer: early, dueMinor: 10_000, overdueMinor: 0, creditMinor: 500 }),
  ]);
});

test("invoices.ofCase: a case of another practice, when its invoices are asked for, looks missing", async () => {
  const { theCase } = await aCase(practice);
  const stranger = await aPractice(app);
  expect(await refusal(stranger.api.invoices.ofCase.query({ caseId: theCase.id }))).toMatchObject({
    code: "NOT_FOUND",
  });
});

test("invoices.useCredit: what is kept for a payer pays another invoice of theirs, and an older version is refused", async () => {
  const { theCase, p1 } = await aCase(practice);
  const first = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  await pay(first.id, 13_000);
  const { id, version } = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  const used = await practice.api.invoices.useCredit.mutate({ id, version, amountMinor: 3000 });
  expect(used).toMatchObject({ state: "part_paid", dueMinor: 7000, creditMinor: 0 });
  const again = practice.api.invoices.useCredit.mutate({ id, version, amountMinor: 1 });
  expect(await refusal(again)).toMatchObject({ isStale: true });
});
