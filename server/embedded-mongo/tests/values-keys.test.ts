import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { showValue } from "../src/bson/show.ts";
import { parseCollation } from "../src/keys/collation.ts";
import { compareValues, equalValues } from "../src/keys/compare.ts";
import { encodeKey } from "../src/keys/encode-key.ts";
import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Value,
} from "../src/values.ts";
import { toDoc, toValue } from "./values-literals.ts";

const decimal = (text: string) => Decimal128.fromString(text);

// In BSON order; values inside one inner list are equal.
const ORDERED: Value[][] = [
  [new MinKey()],
  [undefined],
  [null],
  [Number.NaN, decimal("NaN")],
  [-Infinity, decimal("-Infinity")],
  [decimal("-1E+400")],
  [-Number.MAX_VALUE],
  [-(2n ** 63n), -(2 ** 63)],
  [-9007199254740993n, decimal("-9007199254740993")],
  [-9007199254740992n, -9007199254740992],
  [-1.5, decimal("-1.5")],
  [decimal("-1E-6000")],
  [0, -0, 0n, new Double(0), decimal("0"), decimal("-0")],
  [decimal("1E-6000")],
  [5e-324],
  [decimal("0.1")],
  [0.1],
  [1, 1n, new Double(1), decimal("1.00")],
  [9007199254740992, 9007199254740992n],
  [9007199254740993n, decimal("9007199254740993")],
  [9007199254740994n],
  [2n ** 63n - 2n],
  [2n ** 63n - 1n],
  [2 ** 63, decimal("9223372036854775808")],
  [1e300],
  [Infinity, decimal("Infinity")],
  [""],
  ["\0"],
  ["\0a"],
  ["a"],
  ["a\0"],
  ["a\0b"],
  ["aa"],
  ["b"],
  ["é"],
  ["\uffee"],
  ["😀"],
  [toDoc({})],
  [toDoc({ a: 1 }), toDoc({ a: 1n })],
  [toDoc({ a: 1, b: 1 })],
  [toDoc({ a: 2 })],
  [toDoc({ b: 1 })],
  [toDoc({ a: "x" })],
  [[]],
  [[1], [1n]],
  [[1, 1]],
  [[1, "a"]],
  [[2]],
  [[[]]],
  [new Binary(Buffer.from(""), 0)],
  [new Binary(Buffer.from("b"), 0)],
  [new Binary(Buffer.from("a"), 5)],
  [new Binary(Buffer.from("aa"), 0)],
  [new ObjectId("000000000000000000000001")],
  [new ObjectId("ff0000000000000000000001")],
  [false],
  [true],
  [new Date(-1)],
  [new Date(0)],
  [new Date(1)],
  [new Timestamp({ t: 1, i: 2 })],
  [new Timestamp({ t: 4000000000, i: 1 })],
  [new BSONRegExp("a", "")],
  [new BSONRegExp("a", "i")],
  [new BSONRegExp("b", "")],
  [new Code("a")],
  [new Code("a", toDoc({ b: 1 }))],
  [new MaxKey()],
];
const FLAT = ORDERED.flatMap((equal, rank) => equal.map((value) => ({ value, rank })));

describe("keys", () => {
  test("compareValues: every pair of samples is in BSON order, both ways", () => {
    for (const left of FLAT) {
      for (const right of FLAT) {
        const label = `${left.rank} ${showValue(left.value)} against ${right.rank} ${showValue(right.value)}`;
        expect(Math.sign(compareValues(left.value, right.value)), label).toBe(Math.sign(left.rank - right.rank));
      }
    }
  });

  test("encodeKey: the bytes of every pair of samples are in BSON order, ascending and descending", () => {
    for (const left of FLAT) {
      for (const right of FLAT) {
        const order = Math.sign(left.rank - right.rank);
        const label = `${left.rank} ${showValue(left.value)} against ${right.rank} ${showValue(right.value)}`;
        const keyOf = (value: Value, descending: boolean) => encodeKey([value], [descending]);
        expect(Math.sign(Buffer.compare(keyOf(left.value, false), keyOf(right.value, false))), label).toBe(order);
        expect(Math.sign(Buffer.compare(keyOf(left.value, true), keyOf(right.value, true))), label).toBe(
          order === 0 ? 0 : -order,
        );
      }
    }
  });

  test("encodeKey: compound keys of any values and directions are ordered field by field", () => {
    const value = fc.oneof(
      fc.constantFrom(...FLAT.map((sample) => sample.value)),
      fc.double(),
      fc.integer(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.string({ unit: "binary" }),
      fc.array(fc.oneof(fc.integer(), fc.string())),
      fc
        .dictionary(
          fc.string().map((name) => name.replaceAll("\0", "")),
          fc.oneof(fc.integer(), fc.string()),
        )
        .map((fields) => toValue({ ...fields })),
    );
    fc.assert(
      fc.property(
        fc.tuple(value, value),
        fc.tuple(value, value),
        fc.tuple(fc.boolean(), fc.boolean()),
        (left, right, descending) => {
          const expected =
            compareValues(left[0], right[0]) * (descending[0] ? -1 : 1) ||
            compareValues(left[1], right[1]) * (descending[1] ? -1 : 1);
          const actual = Buffer.compare(encodeKey(left, descending), encodeKey(right, descending));
          expect(Math.sign(actual)).toBe(expected === 0 ? 0 : Math.sign(expected));
        },
      ),
      { numRuns: 20_000 },
    );
  });

  test("compareValues: numbers of all types agree with exact arithmetic", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.double({ noNaN: true }),
        (integer, real) => {
          const expected = integer < real ? -1 : integer > real ? 1 : 0;
          expect(
            Math.sign(
              compareValues(
                decimal(String(integer)),
                Number.isInteger(real) && Math.abs(real) < 1e30 ? decimal(String(BigInt(real))) : real,
              ),
            ),
          ).toBe(expected);
          expect(Math.sign(compareValues(integer, real))).toBe(expected);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe("collation", () => {
  const collation = (fields: Record<string, Value>) => {
    const parsed = parseCollation(new Map(Object.entries(fields)));
    if (!parsed) throw new Error("expected a collation");
    return parsed;
  };

  test("parseCollation: none and simple mean byte order", () => {
    expect(parseCollation(undefined)).toBeUndefined();
    expect(parseCollation(toDoc({ locale: "simple" }))).toBeUndefined();
  });

  test.each([
    ["strength 2 ignores case, keeps accents", { locale: "en", strength: 2 }, "Café", "CAFÉ", true],
    ["strength 2 ignores case, keeps accents", { locale: "en", strength: 2 }, "cafe", "café", false],
    ["strength 1 ignores accents", { locale: "en", strength: 1 }, "cafe", "CAFÉ", true],
    ["strength 1 keeps letters of the locale apart", { locale: "sv", strength: 1 }, "a", "ä", false],
    ["strength 1 with caseLevel", { locale: "en", strength: 1, caseLevel: true }, "e", "E", false],
    ["strength 3 keeps case", { locale: "en" }, "a", "A", false],
    ["composed and decomposed are one", { locale: "en" }, "é", "e\u0301", true],
    ["the final sigma", { locale: "el", strength: 2 }, "ΟΔΟΣ", "οδος", true],
    ["numeric ordering ignores leading zeros", { locale: "en", numericOrdering: true }, "a01", "a1", true],
    ["numeric ordering keeps zeros inside", { locale: "en", numericOrdering: true }, "a10", "a1", false],
    ["emoji", { locale: "en", strength: 1 }, "😀", "😁", false],
  ])("%s", (_name, fields, left, right, isEqual) => {
    const chosen = collation(fields);
    expect(chosen.fold(left) === chosen.fold(right)).toBe(isEqual);
    expect(chosen.compare(left, right) === 0).toBe(isEqual);
    expect(equalValues(toDoc({ a: [left] }), toDoc({ a: [right] }), chosen)).toBe(isEqual);
    expect(encodeKey([left], [false], chosen).equals(encodeKey([right], [false], chosen))).toBe(isEqual);
  });

  test("compare: numeric ordering puts 2 before 10, and the order is that of the locale", () => {
    expect(["b10", "b2", "A"].toSorted(collation({ locale: "en", numericOrdering: true }).compare)).toEqual([
      "A",
      "b2",
      "b10",
    ]);
    expect(["z", "ä", "a"].toSorted(collation({ locale: "sv" }).compare)).toEqual(["a", "z", "ä"]);
  });

  test("compare: it is zero exactly when the folded forms are the same, and it never contradicts itself", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "A", "á", "Á", "ß", "s", "0", "1", " ", "\0", "e\u0301", "ﬁ", "ñ"),
    });
    for (const strength of [1, 2, 3]) {
      const chosen = collation({ locale: "en", strength, numericOrdering: strength === 2 });
      fc.assert(
        fc.property(text, text, text, (a, b, c) => {
          expect(chosen.compare(a, b) === 0).toBe(chosen.fold(a) === chosen.fold(b));
          expect(Math.sign(chosen.compare(a, b))).toBe(0 - Math.sign(chosen.compare(b, a)));
          if (chosen.compare(a, b) <= 0 && chosen.compare(b, c) <= 0)
            expect(chosen.compare(a, c)).toBeLessThanOrEqual(0);
        }),
        { numRuns: 2000 },
      );
    }
  });

  test.each([
    { locale: "xx-invalid-locale-name" },
    { locale: "en", strength: 5 },
    { locale: "en", alternate: "shifted" },
    { locale: "en", backwards: true },
  ])("parseCollation: %o is refused with code 2", (fields) => {
    expect(() => collation(fields)).toThrow(expect.objectContaining({ code: 2 }));
  });

  test("spec: every default is written out", () => {
    expect([...collation({ locale: "en", strength: 2 }).spec.keys()]).toEqual([
      "locale",
      "caseLevel",
      "caseFirst",
      "strength",
      "numericOrdering",
      "alternate",
      "maxVariable",
      "normalization",
      "backwards",
      "version",
    ]);
  });
});
