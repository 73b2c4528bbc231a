// What a form reckons of an invoice that is shared, before the server does.
import { payerKeyOf } from "@app/shared/payer-shares";
import { expect, test } from "vitest";
import { emptyLine, type LineValues } from "../../../web/src/features/invoices/invoice-lines.ts";
import { payerChoices } from "../../../web/src/features/invoices/payer-choices.ts";
import {
  hasRemainder,
  leftOfLine,
  partsOf,
  sharesOf,
  splitProblems,
  type SplitValues,
} from "../../../web/src/features/invoices/split-values.ts";
import { A_PARTY } from "../parties.ts";

const OTHER = { ...A_PARTY, partyId: "p2", clientId: "c2", label: "P2", name: "Cy Ashdown" };
const CHOICES = payerChoices([A_PARTY, OTHER], [{ contactId: "k1", displayName: "Moss and Co" }]);
const [FIRST = "", SECOND = ""] = CHOICES.map(({ key }) => key);

const line = (unit: string, quantity = "1"): LineValues => ({
  ...emptyLine("0"),
  description: "Mediation session",
  unit,
  quantity,
});
const split = (values: Partial<SplitValues>): SplitValues => ({
  lines: [line("195.01")],
  notes: "",
  payers: [FIRST, SECOND],
  method: "equal",
  shares: {},
  amounts: {},
  remainder: "",
  voucherMinor: 0,
  ...values,
});
const grosses = (values: SplitValues) => partsOf(values, CHOICES, "GBP")?.map(({ grossMinor }) => grossMinor);

test("payerChoices: the parties come first, whoever else belongs to the case, then the schemes, and each once", () => {
  const known = [{ payer: { kind: "contact" as const, contactId: "k1" }, payerName: "Moss and Co" }];
  const all = payerChoices([A_PARTY], [{ contactId: "k1", displayName: "Moss and Co" }], known);
  expect(all.map(({ key }) => key)).toEqual(["party:p1", "contact:k1", "legal_aid:", "voucher:"]);
  expect(all.every(({ key, payer }) => key === payerKeyOf(payer))).toBe(true);
});

test("payerChoices: a party who left may still pay, and it is said that they take no part", () => {
  const [choice] = payerChoices([{ ...A_PARTY, leftAt: "2026-11-20T12:00:00.000Z" }], []);
  expect(choice?.name).toBe("Bea Winslow (takes no part any more)");
});

test("equal parts: where a penny is left over, nobody is reckoned for until somebody is named who pays it", () => {
  const open = split({});
  expect(hasRemainder(open, "GBP")).toBe(true);
  expect(grosses(open)).toBeUndefined();
  expect(splitProblems(open, "GBP")).toEqual({ remainder: "Choose who pays what cannot be divided" });
  expect(grosses({ ...open, remainder: SECOND })).toEqual([9750, 9751]);
});

test("equal parts: where nothing is left over, nobody is asked who pays it", () => {
  const even = split({ lines: [line("130", "1.5")] });
  expect(hasRemainder(even, "GBP")).toBe(false);
  expect(splitProblems(even, "GBP")).toEqual({});
  expect(grosses(even)).toEqual([9750, 9750]);
});

test("per cent: shares that do not make the whole are refused with what they make", () => {
  const short = split({ method: "share_bp", shares: { [FIRST]: "60", [SECOND]: "30.5" } });
  expect(splitProblems(short, "GBP")["shares"]).toBe("The shares make 90.5 %, not 100 %");
  expect(sharesOf(short, CHOICES, "GBP")).toBeNull();
  const whole = split({ method: "share_bp", lines: [line("200")], shares: { [FIRST]: "60", [SECOND]: "40" } });
  expect(grosses(whole)).toEqual([12_000, 8000]);
});

test("amounts: each line is shared out exactly, and what is left of it is said meanwhile", () => {
  const some = split({ method: "custom", amounts: { [FIRST]: ["100"], [SECOND]: ["90"] } });
  expect(leftOfLine(some, 0, "GBP")).toBe(501);
  expect(splitProblems(some, "GBP")["amounts"]).toContain("Share out each line");
  const all = split({ method: "custom", amounts: { [FIRST]: ["100"], [SECOND]: ["95.01"] } });
  expect(splitProblems(all, "GBP")).toEqual({});
  expect(grosses(all)).toEqual([10_000, 9501]);
});

test("a split: one payer, no way to share and a price that is no amount are each said at their place", () => {
  const bad = split({ payers: [FIRST], method: "", lines: [line("1,95")] });
  expect(Object.keys(splitProblems(bad, "GBP")).toSorted()).toEqual(["method", "payers"]);
  expect(splitProblems(split({ lines: [line("a lot")] }), "GBP")["lines.0.unit"]).toContain("in figures");
});
