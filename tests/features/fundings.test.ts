// Legal aid begins to pay for somebody in the middle of a case: what they were charged is credited, and given back.
import { newId } from "@app/server/core/ids";
import { checkLedger } from "@app/server/features/invoices/ledger-check.service";
import type { Case, Party } from "@app/shared/cases";
import type { AidPreview, SwitchToLegalAid } from "@app/shared/fundings";
import type { InvoiceLine } from "@app/shared/invoices";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { ending } from "../support/server/ending.ts";
import {
  aLine,
  anInvoice,
  invoiceSettings,
  issuedInvoice,
  partyPayer,
  registeredForVat,
} from "../support/server/invoiced.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCaseInput, aPractice } from "../support/server/people.ts";
import { stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { aRecord, aRefund } from "../support/stripe/paying.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { standing } = stepping(practice);
const { fresh, hold, fund } = ending(practice);
const fundings = () => practice.api.fundings;

let theCase: Case;
let p1: Party;
let p2: Party;
beforeEach(async () => {
  theCase = await standing("in_mediation", ["active", "active"]);
  const [one, two] = theCase.parties;
  if (!one || !two) throw new Error("the case has two parties");
  [p1, p2] = [one, two];
});

const miam = aLine({ description: "MIAM", kind: "miam", unitMinor: 12_000 });
const billed = (party: Party, ...lines: InvoiceLine[]) =>
  issuedInvoice(practice, theCase.id, partyPayer(party), { lines });
const pay = (id: string, amountMinor: number) => practice.api.payments.record.mutate(aRecord(id, { amountMinor }));
const look = (id: string) => practice.api.invoices.get.query({ id });
const preview = () => fundings().previewAid.query({ caseId: theCase.id, partyId: p1.partyId });
const coversIn = ({ invoices }: AidPreview, id: string) =>
  invoices.find((invoice) => invoice.id === id)?.lines.map(({ cover }) => cover);

/** As the page sends it once these were said of the lines of which nobody knew. */
const asLooked = (looked: AidPreview, isFirst: boolean | null = null): SwitchToLegalAid => ({
  id: theCase.id,
  version: looked.version,
  partyId: p1.partyId,
  invoices: looked.invoices.map(({ id, version, lines }) => ({
    id,
    version,
    sessions: lines.flatMap(({ cover }, at) => (cover === "unsaid" && isFirst !== null ? [{ at, isFirst }] : [])),
  })),
});

async function sessionIds(): Promise<string[]> {
  await hold(theCase, "continues");
  await hold(await fresh(theCase), "continues");
  const { items } = await practice.api.sessions.ofCase.query({ id: theCase.id });
  return items.toSorted((one, other) => one.number - other.number).map(({ id }) => id);
}

test("legal aid in mid-case: both MIAMs and the other's first session are credited, later ones stay, and what was paid is given back", async () => {
  const [first = "", second = ""] = await sessionIds();
  const own = await billed(p1, miam, aLine({ sessionId: first }), aLine({ sessionId: second }));
  const others = await billed(p2, miam, aLine({ sessionId: first }), aLine({ sessionId: second }));
  await pay(own.id, 32_000);
  const paid = await pay(others.id, 32_000);
  const looked = await preview();
  expect(coversIn(looked, own.id)).toEqual(["whole_case", "whole_case", "whole_case"]);
  expect(coversIn(looked, others.id)).toEqual(["miam", "first_session", "stays"]);
  const done = await fundings().switchToLegalAid.mutate(asLooked(looked));
  expect(done.creditedMinor).toBe(54_000);
  expect(new Set(done.toReturn.map(({ amountMinor }) => amountMinor))).toEqual(new Set([22_000, 32_000]));
  expect(await look(own.id)).toMatchObject({ state: "void", creditedMinor: 32_000, creditMinor: 32_000 });
  expect(await look(others.id)).toMatchObject({ state: "paid", creditedMinor: 22_000, creditMinor: 22_000 });
  expect((await fresh(theCase)).parties.map(({ funding }) => funding.type)).toEqual(["legal_aid", "private"]);
  const { items } = await practice.api.tasks.list.query({ caseId: theCase.id, page: 1 });
  expect(items.map(({ title }) => title)).toContainEqual(expect.stringMatching(/^Give £220\.00 back to Owen/));
  await practice.api.payments.refund.mutate(aRefund(paid.id, { amountMinor: 22_000 }));
  expect(await look(others.id)).toMatchObject({ state: "paid", creditMinor: 0, dueMinor: 0 });
  expect(await checkLedger(practice.ownerId)).toEqual([]);
});

test("legal aid in mid-case: what the other reads of it names nobody's funding", async () => {
  const others = await billed(p2, miam, aLine({ unitMinor: 5000, kind: "document" }));
  await fundings().switchToLegalAid.mutate(asLooked(await preview()));
  const { creditNotes } = await look(others.id);
  expect(creditNotes.map(({ grossMinor }) => grossMinor)).toEqual([12_000]);
  const paper = await pdfText(app, practice, `/export/credit-notes/${creditNotes[0]?.id}.pdf`);
  expect(paper).toContain("not charged");
  expect(paper.toLowerCase()).not.toContain("legal");
});

test("legal aid in mid-case: a session of which nobody knows has to be said to be the first or not", async () => {
  const others = await billed(p2, aLine());
  const looked = await preview();
  expect(coversIn(looked, others.id)).toEqual(["unsaid"]);
  expect((await refusal(fundings().switchToLegalAid.mutate(asLooked(looked)))).fields["invoices"]).toContain(
    "whether it was the first one",
  );
  await fundings().switchToLegalAid.mutate(asLooked(looked, false));
  expect(await look(others.id)).toMatchObject({ state: "issued", creditedMinor: 0 });
});

test("legal aid in mid-case: the VAT of exactly these lines is credited", async () => {
  await registeredForVat(practice);
  const others = await billed(p2, { ...miam, vatRateBp: 2000 }, aLine({ kind: "document", vatRateBp: 0 }));
  await fundings().switchToLegalAid.mutate(asLooked(await preview()));
  const { creditNotes } = await look(others.id);
  expect(creditNotes.map(({ byRate }) => byRate)).toEqual([[{ vatRateBp: 2000, netMinor: 12_000, vatMinor: 2400 }]]);
});

test("legal aid in mid-case: where an invoice or the case was changed since it was looked at, nothing is saved", async () => {
  const own = await billed(p1, miam);
  const looked = await preview();
  await pay(own.id, 1000);
  expect((await refusal(fundings().switchToLegalAid.mutate(asLooked(looked)))).message).toContain("changed meanwhile");
  await billed(p1, miam);
  const half = asLooked(await preview());
  const some = { ...half, invoices: half.invoices.slice(1) };
  expect((await refusal(fundings().switchToLegalAid.mutate(some))).code).toBe("CONFLICT");
  expect((await fresh(theCase)).parties.map(({ funding }) => funding.type)).toEqual(["private", "private"]);
  expect(await look(own.id)).toMatchObject({ creditedMinor: 0 });
});

test("legal aid in mid-case: for somebody who has it already it is refused", async () => {
  await fund(theCase);
  expect((await refusal(preview())).message).toContain("already");
});

const voucher = { kind: "voucher" } as const;
const byVoucher = (caseId: string, pounds: number) =>
  issuedInvoice(practice, caseId, voucher, { lines: [aLine({ unitMinor: pounds * 100 })] });

test("the voucher: it pays up to its cap for a family, over all cases of the same people, and what is credited is left again", async () => {
  const paid = await byVoucher(theCase.id, 300);
  const [first, second] = theCase.parties.map(({ clientId }) => clientId);
  const again = await practice.api.casework.create.mutate(aCaseInput([first ?? "", second ?? ""]));
  expect(await practice.api.invoices.voucher.query({ caseId: again.id })).toMatchObject({ leftMinor: 20_000 });
  expect((await refusal(byVoucher(again.id, 250))).message).toContain("£200.00 of it is left");
  const { id, version } = await look(paid.id);
  await practice.api.invoices.credit.mutate({ id, version, amountMinor: 10_000, reason: "Too much" });
  await byVoucher(again.id, 250);
  const others = await standing("in_mediation", ["active", "active"]);
  await byVoucher(others.id, 500);
});

test("the voucher: of two that are issued at once only one fits", async () => {
  const draft = () =>
    practice.api.invoices.create.mutate(anInvoice(theCase.id, voucher, { lines: [aLine({ unitMinor: 30_000 })] }));
  const drafts = [await draft(), await draft()];
  const issued = await Promise.allSettled(
    drafts.map(({ id, version }) => practice.api.invoices.issue.mutate({ id, version })),
  );
  expect(issued.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("the voucher: for a case that it does not pay for, or a practice that does not use it, it is refused", async () => {
  const finance = await practice.api.casework.create.mutate(
    aCaseInput(
      theCase.parties.map(({ clientId }) => clientId),
      { issueScope: "property_finance" },
    ),
  );
  expect((await refusal(byVoucher(finance.id, 100))).message).toContain("also about a child");
  await invoiceSettings(practice, { voucherCapMinor: 0 });
  expect((await refusal(byVoucher(theCase.id, 100))).message).toContain("settings");
  await invoiceSettings(practice, { voucherCapMinor: 50_000 });
});

test("the voucher: it pays first, and the others share what it leaves", async () => {
  const shares = {
    method: "equal" as const,
    remainderAt: 0,
    payers: [{ payer: partyPayer(p1) }, { payer: partyPayer(p2) }],
  };
  const input = { id: newId(), caseId: theCase.id, lines: [aLine({ unitMinor: 60_000 })], notes: "", shares };
  const { items } = await practice.api.invoices.split.mutate({ ...input, isVoucherFirst: true });
  expect(new Set(items.map(({ payer, grossMinor }) => `${payer.kind} ${grossMinor}`))).toEqual(
    new Set(["party 5000", "voucher 50000"]),
  );
  expect(items).toHaveLength(3);
});
