import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileExpression, OPERATORS } from "../src/expressions/expressions.ts";
import { showValue } from "../src/bson/show.ts";
import { typeName } from "../src/bson/types.ts";
import { Binary, Decimal128, Double, ObjectId, type Value } from "../src/values.ts";
import { type Fields, toDoc, toPlain, toValue } from "./values-literals.ts";

type Literal = Fields[string];
// Object literals with a `then` would look like promises to the linter.
const named = (...pairs: [string, Literal][]): Literal => Object.fromEntries(pairs);
const branch = (test: Literal, result: Literal): Literal => named(["case", test], ["then", result]);
const decimal = (text: string) => Decimal128.fromString(text);
const AT = new Date("2024-02-29T23:30:15.123Z");
const DOC = {
  _id: 1,
  n: 7,
  long: 5n,
  real: 2.5,
  dec: decimal("1.10"),
  text: "Héllo wörld",
  list: [3, 1, 2],
  docs: [{ k: "a", v: 1 }, { k: "b", v: 2 }, 5],
  nil: null,
  sub: { x: { y: 4 } },
  at: AT,
  yes: true,
  oid: new ObjectId("65e0f5d70000000000000000"),
};

const evaluate = (expression: Literal): Value | symbol => compileExpression(toValue(expression))(toDoc(DOC));

const CASES: [Literal, unknown][] = [
  ["$n", 7],
  ["$nothing", "(missing)"],
  ["$sub.x.y", 4],
  ["$docs.v", [1, 2]],
  ["$$ROOT.n", 7],
  ["$$CURRENT.sub.x", { y: 4 }],
  ["$$REMOVE", "(missing)"],
  [
    { a: "$n", b: "$nothing", c: ["$nothing"] },
    { a: 7, c: [null] },
  ],
  [{ $literal: "$n" }, "$n"],
  // arithmetic and its result types
  [{ $add: ["$n", 1, 2] }, 10],
  [{ $add: ["$long", 1] }, 6n],
  [{ $add: ["$real", 0.5] }, new Double(3)],
  [{ $add: ["$dec", 1] }, decimal("2.10")],
  [{ $add: [2147483647, 1] }, 2147483648n],
  [{ $add: [9223372036854775807n, 1] }, 9223372036854775808],
  [{ $add: ["$at", 1000] }, new Date(AT.getTime() + 1000)],
  [{ $add: ["$n", "$nil"] }, null],
  [{ $add: [] }, 0],
  [{ $subtract: ["$n", 10] }, -3],
  [{ $subtract: ["$at", new Date(0)] }, BigInt(AT.getTime())],
  [{ $subtract: ["$at", 15] }, new Date(AT.getTime() - 15)],
  [{ $multiply: ["$n", 2, "$real"] }, new Double(35)],
  [{ $multiply: [decimal("0.1"), 3] }, decimal("0.3")],
  [{ $multiply: [100000, 100000] }, 10000000000n],
  [{ $divide: [6, 4] }, 1.5],
  [{ $divide: [6, 3] }, new Double(2)],
  [{ $divide: [decimal("1"), 3] }, decimal("0.3333333333333333333333333333333333")],
  [{ $divide: [decimal("1"), 4] }, decimal("0.25")],
  [{ $mod: [-7, 3] }, -1],
  [{ $mod: [7.5, 2] }, 1.5],
  [{ $mod: [10n, 4] }, 2n],
  [{ $abs: -5 }, 5],
  [{ $abs: -2147483648 }, 2147483648n],
  [{ $ceil: 1.2 }, new Double(2)],
  [{ $ceil: -1.2 }, new Double(-1)],
  [{ $floor: -1.2 }, new Double(-2)],
  [{ $floor: "$dec" }, decimal("1")],
  [{ $round: [2.5] }, new Double(2)],
  [{ $round: [3.5, 0] }, new Double(4)],
  [{ $round: [1.255, 2] }, 1.25],
  [{ $round: [1250, -2] }, 1200],
  [{ $round: [decimal("2.345"), 2] }, decimal("2.34")],
  [{ $trunc: [-2.79, 1] }, -2.7],
  [{ $trunc: 99 }, 99],
  [{ $pow: [2, 10] }, 1024],
  [{ $pow: [2, 40] }, 1099511627776n],
  [{ $pow: [2, -1] }, 0.5],
  [{ $pow: [2, 64] }, 2 ** 64],
  [{ $sqrt: 16 }, new Double(4)],
  // comparison and logic
  [{ $cmp: [1, "a"] }, -1],
  [{ $eq: ["$n", 7n] }, true],
  [{ $eq: ["$nothing", null] }, false],
  [{ $lt: ["$nothing", null] }, true],
  [{ $gte: ["$text", "A"] }, true],
  [{ $ne: [[1], [1n]] }, false],
  [{ $and: [] }, true],
  [{ $and: ["$n", "$yes", ""] }, true],
  [{ $and: [1, 0] }, false],
  [{ $or: [] }, false],
  [{ $or: [null, "$nothing", 3] }, true],
  [{ $not: ["$nothing"] }, true],
  [{ $cond: ["$yes", 1, 2] }, 1],
  [
    {
      $cond: named(["if", false], ["then", 1], ["else", "$n"]),
    },
    7,
  ],
  [{ $ifNull: ["$nil", "$nothing", 9] }, 9],
  [{ $ifNull: ["$n", 9] }, 7],
  [
    {
      $switch: {
        branches: [branch(false, 1), branch("$yes", 2)],
        default: 3,
      },
    },
    2,
  ],
  [{ $switch: { branches: [branch(false, 1)], default: 3 } }, 3],
  [{ $let: { vars: { a: "$n", b: 2 }, in: { $multiply: ["$$a", "$$b"] } } }, 14],
  [{ $let: { vars: { a: 1 }, in: { $let: { vars: { a: 2, b: "$$a" }, in: ["$$a", "$$b"] } } } }, [2, 1]],
  // strings
  [{ $concat: ["a", "$text"] }, "aHéllo wörld"],
  [{ $concat: ["a", null] }, null],
  [{ $toUpper: "$text" }, "HéLLO WöRLD"],
  [{ $toLower: "ABC" }, "abc"],
  [{ $toUpper: null }, ""],
  [{ $substrCP: ["$text", 1, 4] }, "éllo"],
  [{ $substrBytes: ["$text", 1, 2] }, "é"],
  [{ $substr: ["abc", 1, -1] }, "bc"],
  [{ $strLenCP: "$text" }, 11],
  [{ $strLenBytes: "$text" }, 13],
  [{ $split: ["a-b-c", "-"] }, ["a", "b", "c"]],
  [{ $trim: { input: "  a \n" } }, "a"],
  [{ $ltrim: { input: "xxay", chars: "x" } }, "ay"],
  [{ $rtrim: { input: "ayy", chars: "y" } }, "a"],
  [{ $strcasecmp: ["a", "B"] }, -1],
  [{ $replaceOne: { input: "a.a", find: "a", replacement: { $literal: "$&" } } }, "$&.a"],
  [{ $replaceAll: { input: "a.a", find: "a", replacement: "b" } }, "b.b"],
  // arrays
  [{ $arrayElemAt: ["$list", 0] }, 3],
  [{ $arrayElemAt: ["$list", -1] }, 2],
  [{ $arrayElemAt: ["$list", 9] }, "(missing)"],
  [{ $first: "$list" }, 3],
  [{ $last: "$list" }, 2],
  [{ $firstN: { input: "$list", n: 2 } }, [3, 1]],
  [{ $lastN: { input: "$list", n: 2 } }, [1, 2]],
  [{ $minN: { input: "$list", n: 2 } }, [1, 2]],
  [{ $maxN: { input: "$list", n: 2 } }, [3, 2]],
  [{ $concatArrays: ["$list", [4]] }, [3, 1, 2, 4]],
  [{ $concatArrays: ["$list", "$nil"] }, null],
  [{ $filter: { input: "$list", cond: { $gt: ["$$this", 1] } } }, [3, 2]],
  [{ $filter: { input: "$list", as: "x", cond: { $gt: ["$$x", 1] }, limit: 1 } }, [3]],
  [{ $map: { input: "$docs", as: "d", in: "$$d.v" } }, [1, 2, null]],
  [
    {
      $map: {
        input: [[1, 2], [3]],
        as: "row",
        in: { $map: { input: "$$row", in: { $add: ["$$this", { $size: "$$row" }] } } },
      },
    },
    [[3, 4], [4]],
  ],
  [{ $reduce: { input: "$list", initialValue: "", in: { $concat: ["$$value", { $toString: "$$this" }] } } }, "312"],
  [{ $in: [1, "$list"] }, true],
  [{ $indexOfArray: ["$list", 2] }, 2],
  [{ $isArray: ["$list"] }, true],
  [{ $range: [0, 10, 3] }, [0, 3, 6, 9]],
  [{ $range: [3, 0, -1] }, [3, 2, 1]],
  [{ $range: [0, -1] }, []],
  [{ $reverseArray: "$list" }, [2, 1, 3]],
  [{ $size: "$list" }, 3],
  [{ $slice: ["$list", 2] }, [3, 1]],
  [{ $slice: ["$list", -2] }, [1, 2]],
  [{ $slice: ["$list", 1, 1] }, [1]],
  [{ $slice: ["$list", -9, 1] }, [3]],
  [{ $sortArray: { input: "$list", sortBy: 1 } }, [1, 2, 3]],
  [{ $sortArray: { input: [{ a: 2 }, { a: 1 }], sortBy: { a: 1 } } }, [{ a: 1 }, { a: 2 }]],
  // objects
  [{ $objectToArray: { a: 1 } }, [{ k: "a", v: 1 }]],
  [
    {
      $arrayToObject: [
        [
          { k: "a", v: 1 },
          { k: "b", v: 2 },
        ],
      ],
    },
    { a: 1, b: 2 },
  ],
  [{ $arrayToObject: { $literal: [["x", 1]] } }, { x: 1 }],
  [{ $mergeObjects: [{ a: 1 }, "$nil", { b: 2 }] }, { a: 1, b: 2 }],
  [{ $getField: "n" }, 7],
  [{ $getField: { field: { $literal: "$x" }, input: { $literal: { $x: 3 } } } }, 3],
  [{ $setField: { field: "a", input: { b: 1 }, value: 2 } }, { b: 1, a: 2 }],
  [{ $unsetField: { field: "b", input: { b: 1 } } }, {}],
  [{ $bsonSize: { $literal: {} } }, 5],
  [{ $sum: "$list" }, 6],
  [{ $sum: ["$n", 1, "x"] }, 8],
  [{ $avg: "$list" }, new Double(2)],
  [{ $avg: [] }, null],
  [{ $min: "$list" }, 1],
  [{ $max: ["$n", "$nil", 9] }, 9],
  [{ $stdDevPop: [1, 3] }, new Double(1)],
  [{ $stdDevSamp: [1] }, null],
  [{ $sum: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7] }, 2.8],
  // conversion
  [{ $toString: 1.5 }, "1.5"],
  [{ $toString: "$at" }, "2024-02-29T23:30:15.123Z"],
  [{ $toString: "$oid" }, "65e0f5d70000000000000000"],
  [{ $toInt: "12" }, 12],
  [{ $toInt: 2.9 }, 2],
  [{ $toLong: 5 }, 5n],
  [{ $toDouble: "1e3" }, new Double(1000)],
  [{ $toDecimal: 1.1 }, decimal("1.10000000000000")],
  [{ $toBool: "" }, true],
  [{ $toBool: 0 }, false],
  [{ $toDate: "2024-02-29T23:30:15.123Z" }, AT],
  [{ $toDate: "2024-02-29" }, new Date("2024-02-29")],
  [{ $toDate: "2024-02-29T23:30" }, new Date("2024-02-29T23:30Z")],
  [{ $toDate: "2024-02-29T23:30+01:00" }, new Date("2024-02-29T22:30Z")],
  [{ $toDate: 0n }, new Date(0)],
  [{ $toDate: "$oid" }, new Date(0x65e0f5d7 * 1000)],
  [{ $toObjectId: "65e0f5d70000000000000000" }, DOC.oid],
  [{ $convert: { input: "x", to: "int", onError: "bad" } }, "bad"],
  [{ $convert: { input: null, to: "int", onNull: "none" } }, "none"],
  [{ $convert: { input: "7", to: { type: "int" } } }, 7],
  [{ $type: "$nothing" }, "missing"],
  [{ $type: "$long" }, "long"],
  [{ $isNumber: "$dec" }, true],
];

describe("expressions", () => {
  test.each(CASES)("%o gives %o", (expression, expected) => {
    const value = evaluate(expression);
    expect(toPlain(value)).toEqual(expected);
    if (
      typeof value !== "symbol" &&
      !Array.isArray(expected) &&
      (typeof expected === "number" || expected instanceof Double || expected instanceof Decimal128)
    ) {
      expect(typeName(value)).toBe(typeName(expected));
      expect(showValue(value)).toBe(showValue(expected));
    }
  });

  test.each<[Literal, number]>([
    [{ $foo: 1 }, 168],
    [{ $add: [1], $subtract: [1] }, 15983],
    [{ $add: ["x"] }, 14],
    [{ $subtract: [1] }, 16020],
    [{ $divide: [1, 0] }, 2],
    [{ $mod: [1, 0] }, 16610],
    [{ $sqrt: -1 }, 28714],
    [{ $abs: "x" }, 28765],
    [{ $cond: [1, 2] }, 16020],
    [{ $switch: { branches: [branch(false, 1)] } }, 40066],
    ["$$nope", 17276],
    ["$", 16872],
    ["$a..b", 15998],
    [{ a: 1, "b.c": 1 }, 16412],
    [{ $concat: [1] }, 16702],
    [{ $substrBytes: ["é", 0, 1] }, 28656],
    [{ $range: [0, 2147483647] }, 146],
    [{ $range: [0, 5, 0] }, 34449],
    [{ $size: 1 }, 17124],
    [{ $in: [1, 1] }, 40081],
    [{ $toInt: "x" }, 241],
    [{ $toInt: 3000000000 }, 241],
    [{ $toObjectId: "x" }, 241],
    [{ $toDate: "x" }, 241],
    [{ $toDate: "2024-02-30" }, 241],
    [{ $toDate: "2024-02-29T25:00" }, 241],
    [{ $dateTrunc: { date: "$at", unit: "day" } }, 168],
    [{ $convert: { input: 1 } }, 40067],
    [{ $sortArray: { input: "$list", sortBy: "x" } }, 2],
    [{ $let: { vars: { Bad: 1 }, in: 1 } }, 16867],
    [{ $sqrt: decimal("2") }, 2],
    [{ $function: {} }, 168],
    [{ $mergeObjects: [1] }, 40400],
    [{ $arrayToObject: 1 }, 40386],
  ])("%o answers %i", (expression, code) => {
    expect(() => evaluate(expression)).toThrow(expect.objectContaining({ code }));
  });

  test("a small expression cannot make a large value: arrays and strings that double stop at a limit", () => {
    const doubling = (name: string, initialValue: Literal): Literal => ({
      $reduce: { input: { $range: [0, 60] }, initialValue, in: { [name]: ["$$value", "$$value"] } },
    });
    expect(() => evaluate(doubling("$concatArrays", [1]))).toThrow(expect.objectContaining({ code: 146 }));
    expect(() => evaluate(doubling("$concat", "x"))).toThrow(expect.objectContaining({ code: 146 }));
  });

  test("every operator: any arguments give a value or an error with a code, never anything else", () => {
    const value = fc.oneof(
      fc.integer({ min: -40, max: 40 }),
      fc.double(),
      fc.string({ maxLength: 4 }),
      fc.constantFrom<Literal>(
        null,
        true,
        AT,
        5n,
        "$list",
        "$text",
        "$docs",
        "$sub",
        "$nothing",
        decimal("1.5"),
        [1, 2],
        { a: 1 },
        new Binary(Buffer.from("a"), 0),
      ),
    );
    // A loop from there would never come to an end.
    const start = -1.4528496004109192e240;
    expect(() => evaluate({ $indexOfArray: [[1, 2], 2, start] })).toThrow("32-bit integer");
    expect(() => evaluate({ $indexOfArray: [[1, 2], 2, -1] })).toThrow("nonnegative");
    fc.assert(
      fc.property(
        fc.constantFrom(...OPERATORS.keys()),
        fc.oneof(value, fc.array(value, { maxLength: 4 })),
        (name, argument) => {
          try {
            const result = evaluate({ [name]: argument });
            if (typeof result !== "symbol") typeName(result);
          } catch (error) {
            expect(error, name).toMatchObject({ code: expect.any(Number) });
          }
        },
      ),
      { numRuns: 20_000 },
    );
  });
});
