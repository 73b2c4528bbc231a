import {
  allocated,
  creditByRate,
  invoiceTotals,
  lineTotals,
  netOf,
  roundedQuotient,
  totalsByRate,
} from "@app/shared/invoice-totals";
import { payerSharesOf, sharesSchema, splitLines, whyNotSplit, YOUR_SHARE } from "@app/shared/payer-shares";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aLine } from "../support/server/invoiced.ts";

const party = (id: string) => ({ kind: "party" as const, partyId: id, clientId: `client-${id}` });
const someLine = fc.record({
  qtyMilli: fc.integer({ min: 1, max: 20_000 }),
  unitMinor: fc.integer({ min: 0, max: 500_000 }),
  vatRateBp: fc.constantFrom(0, 500, 2000, 1999),
});
const someLines = fc.array(someLine, { minLength: 1, maxLength: 6 }).map((lines) => lines.map((line) => aLine(line)));
const someShares = fc.array(fc.nat(100), { minLength: 1, maxLength: 4 }).map((weights) => {
  const parts = allocated(10_000, weights.some((each) => each > 0) ? weights : [1]);
  return parts.map((shareBp, at) => ({ payer: party(`p${at}`), shareBp }));
});

test.each([
  [1, 2, 1],
  [0, 7, 0],
  [4, 10, 0],
  [5, 10, 1],
  [15, 10, 2],
])("roundedQuotient: %i by %i is %i, half rounded up", (dividend, divisor, quotient) => {
  expect(roundedQuotient(dividend, divisor)).toBe(quotient);
});

test("lineTotals: an hour and a half at £95.55 with VAT of 20 % is £143.33 and £28.67", () => {
  expect(lineTotals(aLine({ qtyMilli: 1500, unitMinor: 9555, vatRateBp: 2000 }))).toEqual({
    netMinor: 14_333,
    vatMinor: 2867,
  });
});

describe("splitLines", () => {
  test("equal parts of £100.01 for two: the odd penny goes to whoever is named for it", () => {
    const payers = [{ payer: party("p1") }, { payer: party("p2") }];
    const split = splitLines([aLine({ unitMinor: 10_001 })], { method: "equal", remainderAt: 1, payers });
    expect(split.map(({ lines }) => lines.map(({ unitMinor }) => unitMinor))).toEqual([[5000], [5001]]);
  });

  test("nobody's lines say the whole, a percentage or how many share it", () => {
    const payers = [
      { payer: party("p1"), shareBp: 3000 },
      { payer: party("p2"), shareBp: 7000 },
    ];
    const [first] = splitLines([aLine({ qtyMilli: 2000, unitMinor: 12_345 })], {
      method: "share_bp",
      remainderAt: 0,
      payers,
    });
    expect(first?.lines).toEqual([aLine({ description: `Mediation session, ${YOUR_SHARE}`, unitMinor: 7407 })]);
  });

  test("custom parts: what does not make up a line is refused, and who pays nothing has no line", () => {
    const lines = [aLine({ unitMinor: 100 }), aLine({ unitMinor: 50 })];
    const parts = (second: number[]) => ({
      method: "custom" as const,
      payers: [
        { payer: party("p1"), netMinor: [100, 0] },
        { payer: party("p2"), netMinor: second },
      ],
    });
    expect(whyNotSplit(lines, parts([0, 49]))).toContain("line 2");
    expect(whyNotSplit(lines, parts([0]))).toContain("line 2");
    expect(splitLines(lines, parts([0, 50])).map((each) => each.lines.map(({ unitMinor }) => unitMinor))).toEqual([
      [100],
      [50],
    ]);
  });

  test("random lines and shares: the parts make up each line to the penny, and are nowhere below nothing", () => {
    fc.assert(
      fc.property(someLines, someShares, fc.nat(3), fc.boolean(), (lines, payers, at, isEqual) => {
        const remainderAt = at % payers.length;
        const shares = isEqual
          ? { method: "equal" as const, remainderAt, payers }
          : { method: "share_bp" as const, remainderAt, payers };
        const split = splitLines(lines, shares);
        const total = split.reduce((sum, part) => sum + invoiceTotals(part.lines).netMinor, 0);
        expect(total).toBe(invoiceTotals(lines).netMinor);
        for (const { lines: own } of split) for (const line of own) expect(netOf(line)).toBeGreaterThan(0);
      }),
    );
  });

  test("sharesSchema: shares that make no whole, a payer named twice or nobody for the rest are refused", () => {
    const both = [
      { payer: party("p1"), shareBp: 5000 },
      { payer: party("p2"), shareBp: 4999 },
    ];
    const shares = { method: "share_bp", remainderAt: 0, payers: both };
    expect(sharesSchema.safeParse(shares).success).toBe(false);
    const twice = { method: "equal", remainderAt: 0, payers: [{ payer: party("p1") }, { payer: party("p1") }] };
    expect(sharesSchema.safeParse(twice).success).toBe(false);
    expect(sharesSchema.safeParse({ ...twice, remainderAt: 1, payers: twice.payers.slice(0, 1) }).success).toBe(false);
  });
});

test("creditByRate: credits in random parts take off all that there is at each rate, and never more", () => {
  fc.assert(
    fc.property(someLines, fc.array(fc.integer({ min: 1, max: 400_000 }), { maxLength: 5 }), (lines, amounts) => {
      let left = totalsByRate(lines);
      const gross = () => left.reduce((sum, { netMinor, vatMinor }) => sum + netMinor + vatMinor, 0);
      for (const wanted of [...amounts, Infinity]) {
        const amount = Math.min(wanted, gross());
        const parts = creditByRate(left, amount);
        expect(parts.reduce((sum, { netMinor, vatMinor }) => sum + netMinor + vatMinor, 0)).toBe(amount);
        left = left.map((rate) => {
          const part = parts.find(({ vatRateBp }) => vatRateBp === rate.vatRateBp);
          const [net, vat] = [rate.netMinor - (part?.netMinor ?? 0), rate.vatMinor - (part?.vatMinor ?? 0)];
          expect(Math.min(net, vat)).toBeGreaterThanOrEqual(0);
          return { ...rate, netMinor: net, vatMinor: vat };
        });
      }
      expect(gross()).toBe(0);
    }),
  );
});

test("payerSharesOf: who pays follows from the funding of each party who takes part", () => {
  const funded = (id: string, type: "private" | "legal_aid" | "employer" | "pro_bono", more = {}) => ({
    partyId: id,
    clientId: `client-${id}`,
    leftAt: null,
    funding: { type, shareBp: 2500, payerContactId: "" },
    ...more,
  });
  expect(
    payerSharesOf([
      funded("p1", "private"),
      funded("p2", "legal_aid"),
      funded("p3", "legal_aid"),
      funded("p4", "employer", { funding: { type: "employer", shareBp: 2500, payerContactId: "firm" } }),
      funded("p5", "pro_bono"),
      funded("p6", "private", { leftAt: "2026-01-01T00:00:00Z" }),
    ]),
  ).toEqual([
    { payer: party("p1"), shareBp: 2500 },
    { payer: { kind: "legal_aid" }, shareBp: 5000 },
    { payer: { kind: "contact", contactId: "firm" }, shareBp: 2500 },
  ]);
});
