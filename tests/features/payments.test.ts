// Money that comes by hand: recorded, announced and confirmed, taken back.
import { newId } from "@app/server/core/ids";
import { checkLedger } from "@app/server/features/invoices/ledger-check.service";
import { balances } from "@app/server/features/ledger/ledger.service";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { issuedInvoice, partyPayer } from "../support/server/invoiced.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { aRecord, aRefund, anAnnouncement, anOwedInvoice } from "../support/stripe/paying.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const look = (id: string) => practice.api.invoices.get.query({ id });
const book = async () =>
  Object.fromEntries((await balances(practice.ownerId, "GBP")).map((each) => [each.account, each.balanceMinor]));
async function receipt(id: string): Promise<string> {
  const headers = { cookie: practice.cookies(), origin: app.url, "sec-fetch-site": "same-origin" };
  const answer = await fetch(`${app.url}/export/receipts/${id}.pdf`, { headers });
  return wordsOfPdf(new Uint8Array(await answer.arrayBuffer()));
}
const right = async () => expect(await checkLedger(practice.ownerId)).toEqual([]);

describe("payments.record", () => {
  test("payments.record: parts of what is due, when the last comes, pay the invoice, each with a receipt number", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const first = await practice.api.payments.record.mutate(aRecord(invoice.id, { amountMinor: 4000, method: "cash" }));
    expect(first).toMatchObject({ status: "succeeded", toInvoiceMinor: 4000, receiptNumber: "R-00001" });
    expect(await look(invoice.id)).toMatchObject({ state: "part_paid", dueMinor: 6000 });
    const second = await practice.api.payments.record.mutate(aRecord(invoice.id, { amountMinor: 6000 }));
    expect(second.receiptNumber).toBe("R-00002");
    expect(await look(invoice.id)).toMatchObject({ state: "paid", dueMinor: 0 });
    expect(await book()).toMatchObject({ cash: 4000, bank: 6000, receivable: 0 });
    await right();
  });

  test("payments.record: more than is due is refused, and kept for the payer once somebody said so", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const tooMuch = aRecord(invoice.id, { amountMinor: 12_000 });
    expect((await refusal(practice.api.payments.record.mutate(tooMuch))).message).toMatch("Only £100.00 is due");
    expect(await look(invoice.id)).toMatchObject({ state: "issued" });
    const paid = await practice.api.payments.record.mutate({ ...tooMuch, id: newId(), keepsRest: true });
    expect(paid).toMatchObject({ toInvoiceMinor: 10_000, toCreditMinor: 2000 });
    expect(await look(invoice.id)).toMatchObject({ state: "paid", creditMinor: 2000 });
    await right();
  });

  test("payments.record: sent twice it is one payment, and two at once of one invoice go one after the other", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const record = aRecord(invoice.id, { amountMinor: 7000 });
    const twice = await Promise.all([
      practice.api.payments.record.mutate(record),
      practice.api.payments.record.mutate(record),
    ]);
    expect(new Set(twice.map(({ id }) => id)).size).toBe(1);
    const others = await Promise.allSettled(
      [7000, 3000].map((amountMinor) => practice.api.payments.record.mutate(aRecord(invoice.id, { amountMinor }))),
    );
    expect(others.map(({ status }) => status)).toContain("rejected");
    await right();
  });

  test("payments.record: a day to come and a draft are refused, and nothing of them is kept", async () => {
    const { invoice, theCase, p1 } = await anOwedInvoice(practice);
    const early = aRecord(invoice.id, { receivedOn: "2099-01-01" });
    expect((await refusal(practice.api.payments.record.mutate(early))).code).toBe("BAD_REQUEST");
    const draft = await practice.api.invoices.create.mutate({
      id: newId(),
      caseId: theCase.id,
      payer: partyPayer(p1),
      lines: invoice.lines.map(({ netMinor: _net, vatMinor: _vat, ...line }) => line),
      notes: "",
    });
    expect((await refusal(practice.api.payments.record.mutate(aRecord(draft.id)))).message).toMatch("draft");
    expect(await mongoose.connection.collection("payments").countDocuments({ ownerId: practice.ownerId })).toBe(0);
  });

  test("payments.list: another practice's payments look missing, and a filter finds by state", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const paid = await practice.api.payments.record.mutate(aRecord(invoice.id));
    const stranger = await aPractice(app);
    expect((await refusal(stranger.api.payments.get.query({ id: paid.id }))).code).toBe("NOT_FOUND");
    expect((await stranger.api.payments.list.query({})).total).toBe(0);
    expect((await practice.api.payments.list.query({ status: "succeeded" })).items).toMatchObject([{ id: paid.id }]);
    expect((await practice.api.payments.list.query({ status: "pending" })).total).toBe(0);
  });
});

describe("payments.announce", () => {
  test("payments.announce: what is on its way pays nothing until somebody confirms that it came", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const told = await practice.api.payments.announce.mutate(anAnnouncement(invoice.id));
    expect(told).toMatchObject({ status: "pending", isOnItsWay: true, receiptNumber: "" });
    expect(await look(invoice.id)).toMatchObject({ state: "issued", dueMinor: 10_000 });
    const another = await refusal(practice.api.payments.announce.mutate(anAnnouncement(invoice.id)));
    expect(another.message).toMatch("Another payment of this invoice is open");
    const came = { id: told.id, version: told.version, amountMinor: 9000, receivedOn: "2026-01-06", reference: "X1" };
    const paid = await practice.api.payments.confirm.mutate({ ...came, keepsRest: false });
    expect(paid).toMatchObject({ status: "succeeded", isOnItsWay: false, amountMinor: 9000, reference: "X1" });
    expect(await look(invoice.id)).toMatchObject({ state: "part_paid", dueMinor: 1000 });
    const again = await refusal(practice.api.payments.confirm.mutate({ ...came, version: 1, keepsRest: false }));
    expect(again.message).toMatch("This payment is received, so it cannot become received. It can become");
    await right();
  });

  test("payments.cancel: what was announced and did not come is cancelled, and what was received is not", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const { id, version } = await practice.api.payments.announce.mutate(anAnnouncement(invoice.id));
    const cancelled = await practice.api.payments.cancel.mutate({ id, version });
    expect(cancelled).toMatchObject({ status: "cancelled", isOnItsWay: false });
    const paid = await practice.api.payments.record.mutate(aRecord(invoice.id));
    const refused = await refusal(practice.api.payments.cancel.mutate({ id: paid.id, version: paid.version }));
    expect(refused).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect(refused.message).toMatch("partly refunded or refunded");
  });
});

describe("payments.refund", () => {
  test("payments.refund: in two parts, when both went back, it is refunded and the invoice is credited", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const { id } = await practice.api.payments.record.mutate(aRecord(invoice.id));
    const part = aRefund(id, { amountMinor: 4000 });
    const answers = await Promise.all([
      practice.api.payments.refund.mutate(part),
      practice.api.payments.refund.mutate(part),
    ]);
    expect(answers).toMatchObject([
      { status: "partially_refunded", refundedMinor: 4000 },
      { status: "partially_refunded", refundedMinor: 4000 },
    ]);
    expect((await refusal(practice.api.payments.refund.mutate(aRefund(id)))).message).toMatch("At most £60.00");
    const whole = await practice.api.payments.refund.mutate(aRefund(id, { amountMinor: 6000 }));
    expect(whole).toMatchObject({ status: "refunded", refundableMinor: 0 });
    expect(await look(invoice.id)).toMatchObject({ creditedMinor: 10_000, dueMinor: 0 });
    expect(await book()).toMatchObject({ bank: 0, credit: 0, revenue: 0 });
    await right();
  });

  test("payments.refund: where the payer still owes it, it is due again", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const { id } = await practice.api.payments.record.mutate(aRecord(invoice.id));
    await practice.api.payments.refund.mutate(aRefund(id, { amountMinor: 2500, creditsInvoice: false }));
    expect(await look(invoice.id)).toMatchObject({ state: "part_paid", dueMinor: 2500, creditedMinor: 0 });
    await right();
  });
});

describe("payments.correct", () => {
  const correction = ({ id, version }: { id: string; version: number }) => ({
    id,
    version,
    why: "mistake" as const,
    on: "2026-01-09",
    reason: "It was for another invoice",
  });

  test("payments.correct: what was recorded by mistake is taken out of the book, is due again, and its receipt is void", async () => {
    const { invoice, theCase } = await anOwedInvoice(practice);
    const paid = await practice.api.payments.record.mutate(aRecord(invoice.id, { method: "cash" }));
    const corrected = await practice.api.payments.correct.mutate(correction(paid));
    expect(corrected).toMatchObject({
      status: "cancelled",
      refundedMinor: 0,
      refundableMinor: 0,
      correction: { why: "mistake", on: "2026-01-09", reason: "It was for another invoice" },
    });
    expect(await look(invoice.id)).toMatchObject({ state: "issued", dueMinor: 10_000, creditNotes: [] });
    expect(await book()).toMatchObject({ cash: 0, receivable: 10_000 });
    const entry = await mongoose.connection
      .collection("ledger_entries")
      .findOne({ key: `payment:${paid.id}:corrected` });
    expect(entry).toMatchObject({ kind: "payment_corrected", day: "2026-01-09" });
    const { items } = await practice.api.timeline.list.query({ caseId: theCase.id });
    expect(items.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^Recorded by mistake: £100.00 .* Why: It was for another invoice$/),
    );
    expect(await receipt(paid.id)).toContain("this receipt is void");
    await right();
  });

  test("payments.correct: a cheque that bounced failed, also after what it paid too much was used for another invoice", async () => {
    const { invoice, theCase, p1 } = await anOwedInvoice(practice);
    const record = aRecord(invoice.id, { method: "cheque", amountMinor: 15_000, keepsRest: true });
    const paid = await practice.api.payments.record.mutate(record);
    const second = await issuedInvoice(practice, theCase.id, partyPayer(p1));
    const used = { id: second.id, version: second.version, amountMinor: 5000 };
    await practice.api.invoices.useCredit.mutate(used);
    const bounced = await practice.api.payments.correct.mutate({ ...correction(paid), why: "bounced" });
    expect(bounced).toMatchObject({ status: "failed", attentions: ["credit_was_used"] });
    expect(await look(invoice.id)).toMatchObject({ state: "issued", dueMinor: 10_000 });
    expect(await look(second.id)).toMatchObject({ state: "issued", dueMinor: 10_000, creditMinor: 0 });
    expect(await book()).toMatchObject({ bank: 0, credit: 0 });
    await right();
  });

  test("payments.correct: not twice, not before it came, not what was given back, and it is not confirmed afterwards", async () => {
    const { invoice } = await anOwedInvoice(practice);
    const paid = await practice.api.payments.record.mutate(aRecord(invoice.id));
    const early = { ...correction(paid), on: "2026-01-04" };
    expect((await refusal(practice.api.payments.correct.mutate(early))).fields).toHaveProperty("on");
    const { version } = await practice.api.payments.correct.mutate(correction(paid));
    const again = await refusal(practice.api.payments.correct.mutate({ ...correction(paid), version }));
    expect(again.message).toMatch("nothing to take back");
    const came = { id: paid.id, version, amountMinor: 100, receivedOn: "2026-01-06", reference: "", keepsRest: false };
    expect((await refusal(practice.api.payments.confirm.mutate(came))).message).toMatch("a payment of its own");
    const other = await practice.api.payments.record.mutate(aRecord(invoice.id));
    const refunded = await practice.api.payments.refund.mutate(aRefund(other.id, { amountMinor: 100 }));
    expect((await refusal(practice.api.payments.correct.mutate(correction(refunded)))).message).toMatch("was returned");
    await right();
  });
});

describe("a refund by hand", () => {
  test("payments.refund: went back on its day and by its way, and why stands in the history and on the credit note", async () => {
    const { invoice, theCase } = await anOwedInvoice(practice);
    const { id } = await practice.api.payments.record.mutate(aRecord(invoice.id, { method: "cash" }));
    const byHand = { on: "2026-01-08", method: "bank_transfer" as const };
    for (const [on, words] of [
      ["2026-01-04", "before the money came"],
      ["2099-01-01", "in the future"],
    ] as const) {
      const refused = await refusal(practice.api.payments.refund.mutate(aRefund(id, { byHand: { ...byHand, on } })));
      expect(refused.message).toMatch(words);
    }
    const refunded = await practice.api.payments.refund.mutate(aRefund(id, { byHand }));
    expect(refunded.refunds).toMatchObject([{ ...byHand, reason: "The session was cancelled" }]);
    expect(await book()).toMatchObject({ cash: 10_000, bank: -10_000 });
    expect((await look(invoice.id)).creditNotes).toMatchObject([
      { reason: "The session was cancelled", issuedOn: "2026-01-08" },
    ]);
    const { items } = await practice.api.timeline.list.query({ caseId: theCase.id });
    expect(items.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^Payment refunded: .* Why: The session was cancelled$/),
    );
    await right();
  });
});

test("payments.list: what is searched for is found by payer, reference and the numbers of invoice and receipt, and nothing else is", async () => {
  const [one, other] = [await anOwedInvoice(practice), await anOwedInvoice(practice)];
  const paid = await practice.api.payments.record.mutate(aRecord(one.invoice.id, { reference: "BACS (77)" }));
  await practice.api.payments.record.mutate(aRecord(other.invoice.id, { reference: "Cheque 4" }));
  const found = async (search: string) =>
    (await practice.api.payments.list.query({ search })).items.map(({ id }) => id);
  for (const text of [one.invoice.payerName, "bacs (7", one.invoice.number, paid.receiptNumber])
    expect(await found(text)).toEqual([paid.id]);
  expect(await found(".*")).toEqual([]);
});
