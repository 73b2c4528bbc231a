// What the voucher scheme pays, worked by hand.
import { invoiceTotals } from "@app/shared/invoice-totals";
import type { PriceKind } from "@app/shared/prices";
import { isForVoucher, voucherFirst, whyNotByVoucher } from "@app/shared/vouchers";
import fc from "fast-check";
import { expect, test } from "vitest";

const line = (pounds: number, kind: PriceKind = "session", vatPercent = 0) => ({
  kind,
  qtyMilli: 1000,
  unitMinor: pounds * 100,
  vatRateBp: vatPercent * 100,
});
const FULL = { capMinor: 50_000, usedMinor: 0, currency: "GBP" };

test.each([
  ["two sessions of £200: both", [line(200), line(200)], 500, [400, 0]],
  ["three sessions of £200: two and a half", [line(200), line(200), line(200)], 500, [500, 100]],
  ["£240 of £600 are left: they, and £360 for others", [line(600)], 240, [240, 360]],
  ["a MIAM is passed by", [line(120, "miam"), line(200)], 500, [200, 120]],
  ["with VAT of 20 % £500 pay £416.67 and its VAT", [line(500, "session", 20)], 500, [500, 100]],
  ["nothing is left: all for others", [line(200)], 0, [0, 200]],
])("the voucher first: %s", (_what, lines, pounds, [byVoucher, rest]) => {
  const parts = voucherFirst(lines, pounds * 100);
  expect(invoiceTotals(parts.byVoucher).grossMinor / 100).toBe(byVoucher);
  expect(invoiceTotals(parts.rest).grossMinor / 100).toBe(rest);
});

test("the voucher first: of any lines it pays no more than is left, and both parts make up the whole without VAT", () => {
  const someLine = fc.record({
    kind: fc.constantFrom<PriceKind>("session", "miam", "document"),
    qtyMilli: fc.integer({ min: 1, max: 5000 }),
    unitMinor: fc.integer({ min: 0, max: 60_000 }),
    vatRateBp: fc.constantFrom(0, 500, 2000),
  });
  fc.assert(
    fc.property(fc.array(someLine, { minLength: 1, maxLength: 6 }), fc.nat(60_000), (lines, leftMinor) => {
      const { byVoucher, rest } = voucherFirst(lines, leftMinor);
      expect(invoiceTotals(byVoucher).grossMinor).toBeLessThanOrEqual(leftMinor);
      expect(invoiceTotals(byVoucher).netMinor + invoiceTotals(rest).netMinor).toBe(invoiceTotals(lines).netMinor);
      expect(byVoucher.every(({ kind }) => kind !== "miam")).toBe(true);
    }),
  );
});

test("the voucher: it is refused what is more than is left, and a MIAM", () => {
  expect(whyNotByVoucher([line(500)], FULL)).toBeNull();
  expect(whyNotByVoucher([line(500)], { ...FULL, usedMinor: 18_000 })).toContain("£320.00 of it is left");
  expect(whyNotByVoucher([line(100), line(120, "miam")], FULL)).toContain("Take line 2 out");
});

test.each([
  ["child_only", "family", "england_wales", true],
  ["all_issues", "family", "england_wales", true],
  ["property_finance", "family", "england_wales", false],
  ["child_only", "family", "scotland", false],
  ["all_issues", "workplace", "england_wales", false],
] as const)("the voucher: %s in %s mediation of %s, paid for: %s", (issueScope, domain, region, isPaid) => {
  expect(isForVoucher({ issueScope, domain, region })).toBe(isPaid);
});
