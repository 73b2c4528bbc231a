// What the pages of money say and offer before anything is sent.
import type { OwingPayer } from "@app/shared/case-invoices";
import { expect, test } from "vitest";
import { actionsFor, nextAction } from "../../../web/src/features/invoices/invoice-actions.ts";
import { emptyLine, readQuantity, totalsOf } from "../../../web/src/features/invoices/invoice-lines.ts";
import { emptyInvoice, invoiceProblems } from "../../../web/src/features/invoices/invoice-record.ts";
import { readersWords } from "../../../web/src/features/invoices/invoice-words.ts";
import { owedSums } from "../../../web/src/features/invoices/owed-now.tsx";
import { parsePaymentsSearch } from "../../../web/src/features/invoices/payments-search.ts";
import { invoicesInput } from "../../../web/src/features/invoices/invoices-input.ts";
import { settingsProblems } from "../../../web/src/features/invoices/settings-record.ts";
import { paymentProblems, type PaymentValues } from "../../../web/src/features/payments/payment-record.ts";
import { correctionProblems } from "../../../web/src/features/payments/correct-payment-dialog.tsx";
import { refundProblems } from "../../../web/src/features/payments/refund-dialog.tsx";
import { readRate } from "../../../web/src/features/prices/vat-rate.ts";

const ALL = { mayChange: true, maySend: true, isCardReady: true, creditMinor: 500 };
const owed = { grossMinor: 10_000, creditedMinor: 0, paidMinor: 0, dueMinor: 10_000 };

test("actions: a draft is issued, changed or deleted, and nothing is paid for it", () => {
  const actions = actionsFor({ ...owed, state: "draft", dueMinor: 0 }, ALL);
  expect(actions).toEqual(["change", "issue", "remove"]);
  expect(nextAction(actions)).toBe("issue");
});

test("actions: one that is owed takes payments; once something was paid it is not made void any more", () => {
  expect(actionsFor({ ...owed, state: "issued" }, ALL)).toContain("void");
  const part = actionsFor({ ...owed, state: "part_paid", paidMinor: 4000, dueMinor: 6000 }, ALL);
  expect(part).not.toContain("void");
  expect(part).toEqual(expect.arrayContaining(["record", "credit", "use_credit", "send", "link"]));
});

test("actions: what is void stays as it is, and whoever only looks is offered nothing", () => {
  expect(actionsFor({ ...owed, state: "void", creditedMinor: 10_000, dueMinor: 0 }, ALL)).toEqual([]);
  expect(actionsFor({ ...owed, state: "issued" }, { ...ALL, mayChange: false })).toEqual([]);
  const plain = actionsFor(
    { ...owed, state: "issued" },
    { ...ALL, maySend: false, isCardReady: false, creditMinor: 0 },
  );
  expect(plain).toEqual(["record", "announce", "credit", "void"]);
});

test("an invoice: nobody is chosen who pays, and an empty line is told at each of its fields", () => {
  const problems = invoiceProblems(emptyInvoice("0"), "GBP");
  expect(Object.keys(problems).toSorted()).toEqual(["lines.0.description", "lines.0.unit", "payer"]);
});

test("lines: what can be read is summed with its VAT while the rest is typed, to the penny", () => {
  const line = { ...emptyLine("20"), description: "Session", unit: "33.33", quantity: "1.5" };
  expect(totalsOf([line, { ...line, unit: "" }], "GBP")).toEqual({ netMinor: 5000, vatMinor: 1000, grossMinor: 6000 });
  expect([readQuantity("1.5"), readQuantity(""), readQuantity("two")]).toEqual([1500, null, null]);
  expect([readRate("20"), readRate("17.5 %"), readRate("")]).toEqual([2000, 1750, null]);
});

test("readers: of a party's invoice only that party is said to see it, of any other no party", () => {
  const payer = { kind: "party", partyId: "p1", clientId: "c1" } as const;
  expect(readersWords({ payer, payerName: "Priya" })).toBe(
    "Only Priya sees this invoice; no other party learns of it.",
  );
  expect(readersWords({ payer: { kind: "legal_aid" }, payerName: "Legal Aid Agency" })).toContain("no party sees");
});

test("owed now: what all payers owe is summed by currency", () => {
  const owing = (currency: string, dueMinor: number, overdueMinor = 0): OwingPayer => ({
    payerKey: "party:p1",
    payer: { kind: "legal_aid" },
    payerName: "Somebody",
    currency,
    dueMinor,
    overdueMinor,
    creditMinor: 0,
  });
  expect(owedSums([owing("GBP", 5000, 5000), owing("GBP", 700), owing("EUR", 10)])).toEqual([
    { currency: "GBP", dueMinor: 5700, overdueMinor: 5000 },
    { currency: "EUR", dueMinor: 10, overdueMinor: 0 },
  ]);
});

test("a payment: more than is due is taken only where somebody says that the rest is kept", () => {
  const asked = { currency: "GBP", dueMinor: 6000, payerName: "Priya", isReceived: true };
  const values: PaymentValues = {
    method: "cash",
    amountMinor: "70",
    receivedOn: "2026-11-30",
    reference: "",
    keepsRest: false,
  };
  expect(paymentProblems(values, asked)["amountMinor"]).toContain("Only £60.00 is due");
  expect(paymentProblems({ ...values, keepsRest: true }, asked)).toEqual({});
  expect(Object.keys(paymentProblems({ ...values, method: "", amountMinor: "", receivedOn: "" }, asked))).toEqual([
    "method",
    "amountMinor",
    "receivedOn",
  ]);
});

test("a refund: nobody is spared to say whether it is still owed, and no more goes back than came", () => {
  const payment = { currency: "GBP", refundableMinor: 6000, method: "card" as const };
  const byHand = { on: "", method: "" as const };
  const asked = refundProblems({ amountMinor: "60.01", reason: " ", creditsInvoice: "", byHand }, payment);
  expect(asked).toMatchObject({ amountMinor: "At most £60.00 can be returned" });
  expect(Object.keys(asked)).toEqual(["amountMinor", "reason", "creditsInvoice"]);
  const given = { amountMinor: "60", reason: "Shorter", creditsInvoice: "due" as const, byHand };
  expect(refundProblems(given, payment)).toEqual({});
  expect(Object.keys(refundProblems(given, { ...payment, method: "cash" }))).toEqual(["byHand.method", "byHand.on"]);
});

test("a payment that never came: what happened, when and why are said, and none of it is chosen for anybody", () => {
  expect(Object.keys(correctionProblems({ why: "", on: "", reason: " " }))).toEqual(["why", "on", "reason"]);
  expect(correctionProblems({ why: "bounced", on: "2026-11-30", reason: "The cheque bounced" })).toEqual({});
});

test("settings: reminders are days in their order, and a practice that is registered has its number", () => {
  const values = {
    prefix: "QM",
    nextNumber: 7,
    isVatRegistered: true,
    vatNumber: "",
    daysToPay: 14,
    address: "4 Mill Lane",
    bankDetails: "",
    footer: "",
    voucherCap: "500",
    reminders: "14, 7",
  };
  expect(settingsProblems(values)).toMatchObject({ reminders: "Put the days in order, each once" });
  expect(settingsProblems({ ...values, reminders: "soon" })["reminders"]).toContain("such as 7, 14, 30");
  expect(settingsProblems({ ...values, reminders: "7, 14" })).toHaveProperty("vatNumber");
  expect(settingsProblems({ ...values, reminders: "", isVatRegistered: false })).toEqual({});
  expect(settingsProblems({ ...values, voucherCap: "much" })).toHaveProperty("voucherCap");
});

test("the address: what makes no sense is left out, and each tab has its own", () => {
  expect(parsePaymentsSearch({ state: "lost", due: "overdue", payer: "voucher", page: "2" })).toEqual({
    due: "overdue",
    payer: "voucher",
    page: 2,
  });
  expect(parsePaymentsSearch({ tab: "prices", state: "paid", status: "archived" })).toEqual({
    tab: "prices",
    status: "archived",
  });
  expect(parsePaymentsSearch({ tab: "cards", page: "3" })).toEqual({ tab: "cards" });
  expect(invoicesInput({ due: "overdue", payer: "voucher" })).toEqual({ payerKind: "voucher", isOverdue: true });
});
