// Payments from a statement of the bank: what is proposed, and that each line becomes one payment at most.
import { newId } from "@app/server/core/ids";
import { checkLedger } from "@app/server/features/invoices/ledger-check.service";
import { PaymentModel } from "@app/server/features/payments/payments.model";
import { RecordedLineModel } from "@app/server/features/bank-statements/bank-statements.model";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aBankCsv, anOfx, anOfxTransaction, type Came, takenIn } from "../support/server/bank-files.ts";
import { aLine, invoiceSettings, issuedInvoice, partyPayer } from "../support/server/invoiced.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { aRecord, anAnnouncement } from "../support/stripe/paying.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(async () => {
  const made = await aPractice(app);
  await invoiceSettings(made, { prefix: "INV" });
  return made;
});

/** Two parties who owe the same, as they do. */
async function twoWhoOwe() {
  const { theCase, p1, p2 } = await aCase(practice);
  const first = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  const second = await issuedInvoice(practice, theCase.id, partyPayer(p2));
  return { theCase, p1, p2, first, second };
}

const came = (text: string, amount = "100.00", on = "05/01/2026"): Came => ({ on, amount, text });
const take = (...lines: Came[]) => takenIn(app, practice, aBankCsv(lines));
const linesOf = async (id: string) => (await practice.api.bankStatements.lines.query({ id })).items;
const confirm = (id: string, invoiceId: string, keepsRest = false) =>
  practice.api.bankStatements.confirm.mutate({ id, invoiceId, keepsRest });
const payments = () => PaymentModel.countDocuments({ ownerId: practice.ownerId });

async function onlyLine(...lines: Came[]) {
  const { id } = await take(...lines);
  const [line] = await linesOf(id);
  if (!line) throw new Error("the statement has no line");
  return { ...line, statementId: id };
}

test("bankStatements.lines: a number in the reference and exactly what is due, when nothing else fits, is sure", async () => {
  const { first } = await twoWhoOwe();
  const line = await onlyLine(came(`FASTER PAYMENT ${first.number.replace("-", " ")} THANKS`));
  expect(line.matches).toMatchObject([{ invoiceId: first.id, certainty: "sure", reasons: ["number", "amount"] }]);
  expect(line.proposedId).toBe(first.id);
});

test("bankStatements.lines: the number of one party with the name of the other who owes the same, then neither is proposed", async () => {
  const { first, second } = await twoWhoOwe();
  const line = await onlyLine(came(`${second.payerName} ${first.number}`));
  expect(new Set(line.matches.map(({ invoiceId }) => invoiceId))).toEqual(new Set([first.id, second.id]));
  expect(line.matches.map(({ certainty }) => certainty)).not.toContain("sure");
  expect(line.proposedId).toBeNull();
  expect((await practice.api.bankStatements.sure.query({ id: line.statementId })).items).toEqual([]);
});

test("bankStatements.lines: an amount that several owe proposes nobody, and with a payer's name that one, never as sure", async () => {
  const { first } = await twoWhoOwe();
  const { id } = await take(came("Thank you"), came(first.payerName), came(`Part ${first.number}`, "40.00"));
  const [nobody, named, part] = await linesOf(id);
  expect(nobody).toMatchObject({ matches: [], proposedId: null });
  expect(named?.matches.find(({ invoiceId }) => invoiceId === first.id)).toMatchObject({
    certainty: "likely",
    reasons: ["amount", "name"],
  });
  expect(part).toMatchObject({ proposedId: first.id, matches: [{ certainty: "likely", reasons: ["number"] }] });
});

test("bankStatements.confirm: a line, when it is confirmed twice at once and again, is one transfer of its day", async () => {
  const { first } = await twoWhoOwe();
  const line = await onlyLine(came(`Ref ${first.number}`));
  const answers = await Promise.all([
    confirm(line.id, first.id),
    confirm(line.id, first.id),
    confirm(line.id, first.id),
  ]);
  await confirm(line.id, first.id);
  expect(await payments()).toBe(1);
  expect(answers).toMatchObject(answers.map(() => ({ state: "recorded", recorded: { invoiceNumber: first.number } })));
  const { items } = await practice.api.payments.list.query({ invoiceId: first.id });
  expect(items).toMatchObject([
    { method: "bank_transfer", receivedOn: "2026-01-05", reference: `Ref ${first.number}`, amountMinor: 10_000 },
  ]);
  expect(await practice.api.invoices.get.query({ id: first.id })).toMatchObject({ state: "paid" });
  expect(await checkLedger(practice.ownerId)).toEqual([]);
});

test("bankStatements.confirm: the same statement, or one that overlaps, then what was recorded is shown as that and stays one", async () => {
  const { first } = await twoWhoOwe();
  const [one, other] = [came(`Ref ${first.number}`), came("Somebody else", "12.00", "06/01/2026")];
  const earlier = await take(one);
  const overlapping = await take(one, other);
  const [line] = await linesOf(earlier.id);
  await confirm(line?.id ?? "", first.id);
  const again = await take(one);
  expect(again.counts).toEqual({ open: 0, recorded: 1, set_aside: 0 });
  expect(await practice.api.bankStatements.get.query({ id: overlapping.id })).toMatchObject({
    counts: { open: 1, recorded: 1 },
  });
  const [inOverlap] = await linesOf(overlapping.id);
  await confirm(inOverlap?.id ?? "", first.id);
  await practice.api.bankStatements.remove.mutate({ id: earlier.id });
  await confirm((await linesOf(again.id))[0]?.id ?? "", first.id);
  expect(await payments()).toBe(1);
  expect(await RecordedLineModel.countDocuments({ ownerId: practice.ownerId })).toBe(1);
});

test("bankStatements.confirm: two lines that are alike on one day are two payments, and the same two again are none", async () => {
  const { theCase, p1 } = await twoWhoOwe();
  const invoice = await issuedInvoice(practice, theCase.id, partyPayer(p1), { lines: [aLine({ unitMinor: 20_000 })] });
  const twice = [came("Instalment"), came("Instalment")];
  for (const { id } of await linesOf((await take(...twice)).id)) await confirm(id, invoice.id);
  expect(await payments()).toBe(2);
  expect((await take(...twice)).counts).toMatchObject({ open: 0, recorded: 2 });
});

test("bankStatements.confirm: more than is due is refused, and kept for the payer once somebody said so", async () => {
  const { first } = await twoWhoOwe();
  const line = await onlyLine(came(first.number, "130.00"));
  expect((await refusal(confirm(line.id, first.id))).message).toMatch("Only £100.00 is due");
  expect(await payments()).toBe(0);
  expect((await linesOf(line.statementId))[0]?.state).toBe("open");
  await confirm(line.id, first.id, true);
  expect(await practice.api.invoices.get.query({ id: first.id })).toMatchObject({ creditMinor: 3000 });
});

test("bankStatements.confirm: a transfer that was announced, when it stands on the statement, is confirmed and not doubled", async () => {
  const { first } = await twoWhoOwe();
  const announced = await practice.api.payments.announce.mutate(anAnnouncement(first.id));
  const line = await onlyLine(came(first.number));
  await confirm(line.id, first.id);
  expect(await payments()).toBe(1);
  expect(await practice.api.payments.get.query({ id: announced.id })).toMatchObject({
    status: "succeeded",
    receivedOn: "2026-01-05",
  });
});

test("bankStatements.lines: what was recorded by hand for these days warns, and is not sure of another invoice", async () => {
  const { first, second } = await twoWhoOwe();
  await practice.api.payments.record.mutate(aRecord(first.id, { receivedOn: "2026-01-06" }));
  const line = await onlyLine(came(second.number));
  expect(line.warnings[0]).toMatch(`invoice ${first.number}`);
  expect(line).toMatchObject({ proposedId: null, matches: [{ invoiceId: second.id, certainty: "likely" }] });
  const settled = await onlyLine(came(first.number, "55.00"));
  expect(settled.warnings).toEqual([`Invoice ${first.number} is named, and it is paid.`]);
});

test("bankStatements.confirmSure: those that were shown, when one was paid meanwhile, are recorded without it", async () => {
  const { first, second } = await twoWhoOwe();
  const { id } = await take(came(first.number), came(second.number, "100.00", "20/01/2026"), came("Other", "1.00"));
  const { items } = await practice.api.bankStatements.sure.query({ id });
  expect(items.map(({ invoiceId }) => invoiceId)).toEqual([first.id, second.id]);
  const chosen = items.map(({ lineId, invoiceId }) => ({ lineId, invoiceId }));
  const [one, other] = chosen;
  if (!one || !other) throw new Error("two lines are sure");
  const swapped = [
    { lineId: one.lineId, invoiceId: other.invoiceId },
    { lineId: other.lineId, invoiceId: one.invoiceId },
  ];
  const confirmSure = (given: typeof chosen) => practice.api.bankStatements.confirmSure.mutate({ id, items: given });
  expect(await confirmSure(swapped)).toEqual({ recorded: 0, left: 2 });
  await practice.api.payments.record.mutate(aRecord(second.id, { method: "cash" }));
  expect(await confirmSure(chosen)).toEqual({ recorded: 1, left: 1 });
  expect(await confirmSure(chosen)).toEqual({ recorded: 0, left: 2 });
  expect(await payments()).toBe(2);
  expect(await checkLedger(practice.ownerId)).toEqual([]);
});

test("bankStatements.sure: two lines that would each pay the whole of one invoice, then neither is sure", async () => {
  const { first } = await twoWhoOwe();
  const { id } = await take(came(first.number), came(`Again ${first.number}`, "100.00", "20/01/2026"));
  expect((await practice.api.bankStatements.sure.query({ id })).items).toEqual([]);
});

test("bankStatements.setAside: a line, when it is set aside, stays so in the next statement until it is brought back", async () => {
  const { first } = await twoWhoOwe();
  const line = await onlyLine(came(first.number));
  await practice.api.bankStatements.setAside.mutate({ id: line.id, isSetAside: true });
  expect((await refusal(confirm(line.id, first.id))).message).toMatch("set aside");
  const next = await onlyLine(came(first.number));
  expect(next.state).toBe("set_aside");
  await practice.api.bankStatements.setAside.mutate({ id: next.id, isSetAside: false });
  await confirm(line.id, first.id);
  expect(await payments()).toBe(1);
});

test("bankStatements: another practice's lines look missing, and whoever sees only their own cases is refused", async () => {
  const { first } = await twoWhoOwe();
  const line = await onlyLine(came(first.number));
  const stranger = await aPractice(app);
  expect((await refusal(stranger.api.bankStatements.line.query({ id: line.id }))).code).toBe("NOT_FOUND");
  const own = await onlyLineOf(stranger);
  const theirs = stranger.api.bankStatements.confirm.mutate({ id: own, invoiceId: first.id, keepsRest: false });
  expect((await refusal(theirs)).code).toBe("NOT_FOUND");
  const narrow = await aStaffUser(app, practice, {
    permissions: ["clients.read", "payments.read", "payments.manage", "assigned_only"],
  });
  expect((await refusal(narrow.api.bankStatements.list.query({}))).code).toBe("FORBIDDEN");
});

async function onlyLineOf(other: typeof practice): Promise<string> {
  const { id } = await takenIn(
    app,
    other,
    anOfx(anOfxTransaction({ on: "20260105", amount: "100.00", text: newId() })),
  );
  const [line] = (await other.api.bankStatements.lines.query({ id })).items;
  return line?.id ?? "";
}
