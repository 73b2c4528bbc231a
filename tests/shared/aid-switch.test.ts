// Legal aid begins in the middle of a case: worked by hand, in pounds, and compared.
import { coverOf, reliefOf, type Whose } from "@app/shared/aid-switch";
import type { PriceKind } from "@app/shared/prices";
import { expect, test } from "vitest";

interface Line {
  kind: PriceKind;
  pounds: number;
  /** Of which session; left out where nobody said. */
  session?: "first" | "later";
  vatPercent?: number;
}

interface Example {
  what: string;
  whose: Whose;
  lines: Line[];
  creditedBefore?: number;
  paid?: number;
  /** By hand: credited, of it never paid, of it to give back. */
  credit: number;
  notOwed: number;
  giveBack: number;
}

const miam: Line = { kind: "miam", pounds: 120 };
const first: Line = { kind: "session", pounds: 150, session: "first" };
const later: Line = { kind: "session", pounds: 150, session: "later" };

const EXAMPLES: Example[] = [
  {
    what: "their own MIAM, paid: 120 go back",
    whose: "own",
    lines: [miam],
    paid: 120,
    credit: 120,
    notOwed: 0,
    giveBack: 120,
  },
  {
    what: "their own MIAM and two sessions, nothing paid: 420 are owed no more",
    whose: "own",
    lines: [miam, first, later],
    credit: 420,
    notOwed: 420,
    giveBack: 0,
  },
  {
    what: "their own MIAM and two sessions, 200 of 420 paid: 220 are owed no more, 200 go back",
    whose: "own",
    lines: [miam, first, later],
    paid: 200,
    credit: 420,
    notOwed: 220,
    giveBack: 200,
  },
  {
    what: "their own documents, cancellation and expense: all of the case is paid for",
    whose: "own",
    lines: [
      { kind: "document", pounds: 300 },
      { kind: "cancellation", pounds: 60 },
      { kind: "disbursement", pounds: 18 },
    ],
    paid: 378,
    credit: 378,
    notOwed: 0,
    giveBack: 378,
  },
  {
    what: "the other's MIAM, paid: 120 go back",
    whose: "other",
    lines: [miam],
    paid: 120,
    credit: 120,
    notOwed: 0,
    giveBack: 120,
  },
  {
    what: "the other's first and second session, 300 paid: the first goes back, the second stays",
    whose: "other",
    lines: [first, later],
    paid: 300,
    credit: 150,
    notOwed: 0,
    giveBack: 150,
  },
  {
    what: "the other's first and second session, 150 of 300 paid: what is owed goes first, and nothing goes back",
    whose: "other",
    lines: [first, later],
    paid: 150,
    credit: 150,
    notOwed: 150,
    giveBack: 0,
  },
  {
    what: "the other's MIAM, first and third session and memorandum, 500 of 720 paid: 220 owed no more, 50 go back",
    whose: "other",
    lines: [miam, first, later, { kind: "document", pounds: 300 }],
    paid: 500,
    credit: 270,
    notOwed: 220,
    giveBack: 50,
  },
  {
    what: "the other's documents and cancellation: they stay theirs",
    whose: "other",
    lines: [
      { kind: "document", pounds: 300 },
      { kind: "cancellation", pounds: 60 },
    ],
    paid: 360,
    credit: 0,
    notOwed: 0,
    giveBack: 0,
  },
  {
    what: "VAT of 20 % goes with the line: of 144 and 180, both theirs and paid, 324 go back",
    whose: "own",
    lines: [
      { ...miam, vatPercent: 20 },
      { ...first, vatPercent: 20 },
    ],
    paid: 324,
    credit: 324,
    notOwed: 0,
    giveBack: 324,
  },
  {
    what: "20 of their own 120 were credited before: 100 are left to credit",
    whose: "own",
    lines: [miam],
    creditedBefore: 20,
    paid: 100,
    credit: 100,
    notOwed: 0,
    giveBack: 100,
  },
  {
    what: "the other's first session was credited before, so nothing of the later one is",
    whose: "other",
    lines: [first, later],
    creditedBefore: 150,
    paid: 150,
    credit: 0,
    notOwed: 0,
    giveBack: 0,
  },
  {
    what: "somebody who pays for both: nothing by itself",
    whose: "shared",
    lines: [miam, first],
    paid: 270,
    credit: 0,
    notOwed: 0,
    giveBack: 0,
  },
];

const pence = (pounds: number): number => pounds * 100;

test.each(EXAMPLES)("legal aid in mid-case: $what", (example) => {
  const { whose, creditedBefore = 0, paid = 0 } = example;
  const lines = example.lines.map(({ kind, pounds, session, vatPercent = 0 }) => ({
    qtyMilli: 1000,
    unitMinor: pence(pounds),
    vatRateBp: vatPercent * 100,
    cover: coverOf({ kind, isFirstSession: session === undefined ? null : session === "first" }, whose),
  }));
  const gross = lines.reduce((sum, line) => sum + (line.unitMinor * (10_000 + line.vatRateBp)) / 10_000, 0);
  const creditedMinor = pence(creditedBefore);
  const relief = reliefOf({ creditedMinor, dueMinor: gross - creditedMinor - pence(paid), lines });
  expect(relief).toMatchObject({
    creditMinor: pence(example.credit),
    notOwedMinor: pence(example.notOwed),
    toReturnMinor: pence(example.giveBack),
  });
});

test("legal aid in mid-case: of the other's session of which nobody knows, it has to be said whether it was the first", () => {
  expect(coverOf({ kind: "session", isFirstSession: null }, "other")).toBe("unsaid");
  expect(coverOf({ kind: "session", isFirstSession: null }, "own")).toBe("whole_case");
});
