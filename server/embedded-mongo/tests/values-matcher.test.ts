import { describe, expect, test } from "vitest";
import { parseCollation } from "../src/keys/collation.ts";
import { compileFilter } from "../src/query/matcher.ts";
import { valuesAtPath } from "../src/fields/paths.ts";
import { Binary, BSONRegExp, Decimal128, Double, MaxKey, MinKey, ObjectId } from "../src/values.ts";
import { type Fields, toDoc, toPlain } from "./values-literals.ts";

const regex = (pattern: string, options = "") => new BSONRegExp(pattern, options);
const id = new ObjectId();

// filter, documents that match, documents that do not
const CASES: [Fields, Fields[], Fields[]][] = [
  [{}, [{}, { a: 1 }], []],
  [
    { a: 1 },
    [{ a: 1 }, { a: 1n }, { a: new Double(1) }, { a: Decimal128.fromString("1.0") }, { a: [2, 1] }],
    [{ a: 2 }, {}, { a: "1" }, { a: true }, { a: [[1]] }],
  ],
  [{ a: null }, [{}, { a: null }, { a: [null] }], [{ a: undefined }, { a: 0 }, { a: [] }]],
  [{ a: { $ne: null } }, [{ a: 1 }, { a: [] }, { a: undefined }], [{}, { a: null }, { a: [1, null] }]],
  [{ a: [1, 2] }, [{ a: [1, 2] }, { a: [[1, 2], 3] }], [{ a: [2, 1] }, { a: [1, 2, 3] }]],
  [{ a: { b: 1, c: 2 } }, [{ a: { b: 1, c: 2 } }, { a: [{ b: 1, c: 2 }] }], [{ a: { c: 2, b: 1 } }, { a: { b: 1 } }]],
  [{ a: {} }, [{ a: {} }], [{ a: { b: 1 } }, {}]],
  [{ "a.b": 1 }, [{ a: { b: 1 } }, { a: [{ b: 2 }, { b: 1 }] }, { a: [{ b: [1] }] }], [{ a: [[{ b: 1 }]] }, { a: 1 }]],
  [
    { "a.b": null },
    [{}, { a: 1 }, { a: {} }, { a: [{ b: 1 }, {}] }],
    [{ a: [] }, { a: [1, 2] }, { a: [{ b: 1 }] }, { a: { b: [] } }],
  ],
  [
    { "a.b": { $exists: false } },
    [{}, { a: [] }, { a: [1] }, { a: [{}] }],
    [{ a: { b: null } }, { a: [{}, { b: 1 }] }],
  ],
  [{ "a.0": 5 }, [{ a: [5] }, { a: { 0: 5 } }, { a: [{ 0: 5 }] }], [{ a: [[5]] }, { a: [1, 5] }]],
  [{ "a.1.b": 5 }, [{ a: [0, { b: 5 }] }, { a: [{ 1: { b: 5 } }] }], [{ a: [{ b: 5 }] }]],
  [{ "a.0.0": 5 }, [{ a: [[5]] }], [{ a: [5] }]],
  [
    { a: { $gt: 5 } },
    [{ a: 6 }, { a: 5.5 }, { a: [1, 9] }, { a: Infinity }],
    [{ a: 5 }, { a: "6" }, { a: Number.NaN }, {}, { a: new Date() }],
  ],
  [{ a: { $gte: Number.NaN } }, [{ a: Number.NaN }], [{ a: 1 }, {}]],
  [{ a: { $gte: null } }, [{ a: null }, {}], [{ a: 1 }]],
  [{ a: { $gt: null } }, [], [{ a: null }, {}, { a: 1 }]],
  [{ a: { $lt: new MaxKey() } }, [{ a: 1 }, { a: "x" }, {}], [{ a: new MaxKey() }]],
  [{ a: { $gte: new MinKey() } }, [{ a: 1 }, { a: new MinKey() }], []],
  [{ a: { $gt: "b" } }, [{ a: "c" }, { a: "ba" }], [{ a: "b" }, { a: 9 }]],
  [{ a: { $gt: { b: 1 } } }, [{ a: { b: 2 } }, { a: { b: 1, c: 0 } }], [{ a: { b: 1 } }, { a: {} }]],
  [{ a: { $gt: [1] } }, [{ a: [2] }, { a: [1, 0] }], [{ a: [1] }, { a: 2 }]],
  [{ a: { $gt: 1, $lt: 3 } }, [{ a: 2 }, { a: [0, 5] }], [{ a: 3 }]],
  [
    { a: { $in: [1, "x", null, regex("^y")] } },
    [{ a: 1n }, { a: "x" }, {}, { a: "yes" }, { a: [7, 1] }],
    [{ a: 2 }, { a: "no" }, { a: undefined }],
  ],
  [{ a: { $in: [[1, 2], id] } }, [{ a: [1, 2] }, { a: [[1, 2]] }, { a: id }], [{ a: 1 }]],
  [{ a: { $in: [] } }, [], [{ a: 1 }, {}]],
  [{ a: { $nin: [1, null] } }, [{ a: 2 }, { a: [2] }], [{ a: 1 }, {}, { a: [1, 2] }]],
  [{ a: { $not: { $gt: 5 } } }, [{ a: 5 }, {}, { a: "x" }], [{ a: 6 }, { a: [1, 6] }]],
  [{ a: { $not: regex("x") } }, [{ a: "y" }, {}], [{ a: "xy" }]],
  [{ a: { $exists: true } }, [{ a: null }, { a: undefined }, { a: [] }], [{}]],
  [{ a: { $type: "number" } }, [{ a: 1 }, { a: 1n }, { a: ["x", 1.5] }], [{ a: "1" }, {}]],
  [{ a: { $type: ["array", "null"] } }, [{ a: [] }, { a: null }, { a: [1] }], [{}, { a: 1 }]],
  [{ a: { $mod: [4, 1] } }, [{ a: 5 }, { a: 9n }, { a: 5.9 }, { a: [2, 5] }], [{ a: 4 }, { a: "5" }, { a: Infinity }]],
  [{ a: { $mod: [4, -1] } }, [{ a: -5 }], [{ a: 5 }]],
  [{ a: regex("^AB", "i") }, [{ a: "abc" }, { a: ["x", "ABx"] }, { a: regex("^AB", "i") }], [{ a: "cab" }, { a: 1 }]],
  [{ a: { $regex: "b.c", $options: "s" } }, [{ a: "b\nc" }], [{ a: "bc" }]],
  [{ a: { $regex: "^b$", $options: "m" } }, [{ a: "a\nb\nc" }], [{ a: "a\rb\rc" }]],
  [{ a: { $regex: "^b$" } }, [{ a: "b" }, { a: "b\n" }], [{ a: "b\n\n" }]],
  [{ a: { $regex: "^$" } }, [{ a: "" }, { a: "\n" }], [{ a: "x" }, { a: "😀" }, { a: "a😀b" }]],
  [{ a: { $regex: "^$", $options: "m" } }, [{ a: "" }, { a: "😀\n\nb" }], [{ a: "a😀\nb" }]],
  [{ a: { $regex: "\\A\\Z" } }, [{ a: "" }, { a: "\n" }], [{ a: "😀" }, { a: "\n\n" }]],
  [{ a: { $regex: "\\A\\z" } }, [{ a: "" }], [{ a: "😀" }, { a: "\n" }]],
  [{ a: { $regex: "a b # comment", $options: "x" } }, [{ a: "ab" }], [{ a: "a b" }]],
  [{ a: { $regex: "(?i)straße-\\d{2}[[:alpha:]]" } }, [{ a: "STRASSE-12x".replace("SS", "ß") }], [{ a: "strasse-1" }]],
  [{ a: { $regex: "^[\\w.+-]+@\\w+\\.\\w{2,}$" } }, [{ a: "jane.doe+x@example.org" }], [{ a: "jane@x" }]],
  [{ a: { $regex: "\\Qa.b\\E{" } }, [{ a: "a.b{" }], [{ a: "axb{" }]],
  [{ a: { $regex: "^[\\w-.]+[a-\\d_]$" } }, [{ a: "jane-doe.x-" }], [{ a: "b" }]],
  [{ a: { $regex: "^[[:alpha:]-]+\\@\\-\\_$" } }, [{ a: "a-b@-_" }], [{ a: "1@-_" }]],
  [{ a: { $regex: "\\s" } }, [{ a: "a b" }], [{ a: "a\u00a0b" }]],
  [{ a: { $all: [1, 2] } }, [{ a: [2, 1, 3] }], [{ a: [1] }, { a: 1 }]],
  [{ a: { $all: [1] } }, [{ a: 1 }, { a: [1] }], [{}]],
  [{ a: { $all: [[1, 2]] } }, [{ a: [1, 2] }, { a: [[1, 2]] }], [{ a: [1] }]],
  [{ a: { $all: [regex("^x"), "y"] } }, [{ a: ["xa", "y"] }], [{ a: ["y"] }]],
  [{ a: { $all: [] } }, [], [{ a: [] }, {}]],
  [
    { a: { $all: [{ $elemMatch: { b: 1 } }, { $elemMatch: { b: 2 } }] } },
    [{ a: [{ b: 1 }, { b: 2 }] }],
    [{ a: [{ b: 1 }] }],
  ],
  [
    { a: { $elemMatch: { b: 1, c: 2 } } },
    [{ a: [{ b: 1, c: 2 }] }],
    [{ a: [{ b: 1 }, { c: 2 }] }, { a: { b: 1, c: 2 } }],
  ],
  [{ a: { $elemMatch: { $gt: 1, $lt: 3 } } }, [{ a: [0, 2] }], [{ a: [0, 5] }, { a: 2 }, { a: [[2]] }]],
  [{ a: { $elemMatch: { $or: [{ b: 1 }, { b: 2 }] } } }, [{ a: [{ b: 2 }] }], [{ a: [{ b: 3 }] }]],
  [{ a: { $elemMatch: { $elemMatch: { $eq: 2 } } } }, [{ a: [[1, 2]] }], [{ a: [2] }]],
  [{ a: { $not: { $elemMatch: { b: 1 } } } }, [{ a: [{ b: 2 }] }, {}], [{ a: [{ b: 1 }] }]],
  [{ a: { $size: 2 } }, [{ a: [1, 2] }], [{ a: [1] }, { a: 2 }, { a: [[1, 2]] }]],
  [
    { a: { $bitsAllSet: [0, 2] } },
    [{ a: 5 }, { a: 7n }, { a: new Binary(Buffer.from([5]), 0) }],
    [{ a: 1 }, { a: "5" }, { a: 5.5 }],
  ],
  [{ a: { $bitsAnySet: 6 } }, [{ a: 2 }, { a: -1 }], [{ a: 1 }]],
  [{ a: { $bitsAllClear: 6 } }, [{ a: 1 }, { a: 0 }], [{ a: 3 }]],
  [{ a: { $bitsAnyClear: [70] } }, [{ a: 1 }], [{ a: -1 }]],
  [{ $or: [{ a: 1 }, { b: 2 }] }, [{ a: 1 }, { b: 2 }], [{ a: 2 }]],
  [{ $nor: [{ a: 1 }, { b: 2 }] }, [{ a: 2 }, {}], [{ b: 2 }]],
  [{ $and: [{ a: { $gt: 1 } }, { a: { $lt: 3 } }] }, [{ a: 2 }], [{ a: 3 }]],
  [{ $expr: { $gt: ["$a", "$b"] } }, [{ a: 2, b: 1 }, { a: 1 }], [{ a: 1, b: 1 }]],
  [{ $expr: { $eq: [{ $size: "$a" }, 2] }, b: 1 }, [{ a: [1, 2], b: 1 }], [{ a: [1, 2] }]],
  [{ $comment: "x", a: { $eq: 1, $comment: "y" } }, [{ a: 1 }], [{ a: 2 }]],
  [{ a: { $eq: regex("x") } }, [], []],
  [{ $alwaysTrue: 1 }, [{}], []],
  [{ $alwaysFalse: 1 }, [], [{}]],
  [{ $sampleRate: 1 }, [{}], []],
  [{ "a.$id": id }, [{ a: { $ref: "x", $id: id } }], [{ a: { $id: 1 } }]],
  [{ a: { $ref: "x", $id: id } }, [{ a: { $ref: "x", $id: id } }], [{ a: { $ref: "y", $id: id } }]],
];

describe("compileFilter", () => {
  test.each(CASES)("%o: exactly the expected documents match", (filter, matching, others) => {
    const compiled = compileFilter(toDoc(filter));
    for (const doc of matching)
      expect(
        compiled.matches(toDoc(doc)),
        JSON.stringify(doc, (_k, v) => (typeof v === "bigint" ? `${v}n` : v)),
      ).toBe(true);
    for (const doc of others)
      expect(
        compiled.matches(toDoc(doc)),
        JSON.stringify(doc, (_k, v) => (typeof v === "bigint" ? `${v}n` : v)),
      ).toBe(false);
  });

  test.each<[Fields, number, string]>([
    [{ a: { $foo: 1 } }, 2, "unknown operator: $foo"],
    [{ $foo: 1 }, 2, "unknown top level operator: $foo"],
    [{ $where: "true" }, 2, "$where"],
    [{ $text: { $search: "x" } }, 2, "$text"],
    [{ $jsonSchema: {} }, 2, "$jsonSchema"],
    [{ a: { $near: [1, 2] } }, 2, "$near"],
    [{ a: { $in: 1 } }, 2, "$in needs an array"],
    [{ a: { $in: [{ $gt: 1 }] } }, 2, "cannot nest $ under $in"],
    [{ $or: [] }, 2, "non-empty array"],
    [{ $or: [1] }, 2, "objects"],
    [{ $and: 1 }, 2, "must be an array"],
    [{ a: { $not: 1 } }, 2, "$not needs a regex or a document"],
    [{ a: { $not: {} } }, 2, "$not cannot be empty"],
    [{ a: { $size: -1 } }, 9, "non-negative"],
    [{ a: { $size: "1" } }, 9, "number"],
    [{ a: { $mod: [1] } }, 2, "not enough elements"],
    [{ a: { $mod: [0, 1] } }, 2, "divisor cannot be 0"],
    [{ a: { $regex: "(" } }, 51091, "Regular expression is invalid"],
    [{ a: { $regex: "[[:letter:]]" } }, 51091, "unknown POSIX class name: letter"],
    [{ a: { $regex: "a", $options: "q" } }, 51108, "invalid flag"],
    [{ a: { $options: "i" } }, 2, "$options needs a $regex"],
    [{ a: { $type: "strnig" } }, 2, "Unknown type name alias"],
    [{ a: { $all: 1 } }, 2, "$all needs an array"],
    [{ a: { $all: [{ $gt: 1 }] } }, 2, "no $ expressions in $all"],
    [{ a: { $elemMatch: 1 } }, 2, "$elemMatch needs an Object"],
    [{ a: { $bitsAllSet: -1 } }, 9, "non-negative"],
    [{ a: { $gt: undefined } }, 2, "cannot compare to undefined"],
    [{ a: { $gt: regex("a") } }, 2, "RegEx"],
    [{ a: { $elemMatch: { $expr: true } } }, 2, "$expr can only be applied to the top-level document"],
    [{ $expr: { $foo: 1 } }, 168, "Unrecognized expression '$foo'"],
    [{ $expr: "$$nothing" }, 17276, "undefined variable: nothing"],
  ])("%o is refused with code %i", (filter, code, message) => {
    const compile = () => compileFilter(toDoc(filter));
    expect(compile).toThrow(expect.objectContaining({ code }));
    expect(compile).toThrow(message);
  });

  test.each<[Fields, Fields, number | undefined]>([
    [{ a: 5 }, { a: [1, 5, 5] }, 1],
    [{ a: 5 }, { a: 5 }, undefined],
    [{ "a.b": 5 }, { a: [{ b: 1 }, { b: 5 }] }, 1],
    [{ "a.b": 5 }, { a: [{ b: [1, 5] }] }, 0],
    [{ "a.b": 5 }, { a: { b: [1, 2, 5] } }, 2],
    [{ a: { $elemMatch: { b: 5 } } }, { a: [{}, { b: 5 }] }, 1],
    [{ a: { $elemMatch: { $gte: 3, $lt: 4 } } }, { a: [1, 2, 3] }, 2],
    [{ $or: [{ a: 9 }, { a: 2 }] }, { a: [1, 2] }, 1],
    [{ a: 1, b: 2 }, { a: [1], b: [0, 2] }, 1],
    [{ a: { $ne: 7 } }, { a: [1, 2] }, undefined],
    [{ "a.b": { $elemMatch: { c: 1 } } }, { a: [{ b: [] }, { b: [0, 0, { c: 1 }] }] }, 1],
  ])("arrayIndex: %o on %o gives %s", (filter, doc, expected) => {
    expect(compileFilter(toDoc(filter)).arrayIndex(toDoc(doc))).toBe(expected);
  });

  test("fields: the top-level fields the filter reads, those of $expr too", () => {
    const fields = (filter: Fields) => compileFilter(toDoc(filter)).fields;
    expect(fields({ "a.b": 1, $or: [{ c: 1 }, { d: { $elemMatch: { e: 1 } } }] })).toEqual(new Set(["a", "c", "d"]));
    expect(fields({ $expr: { $eq: ["$a.b", "$$ROOT.c"] } })).toEqual(new Set(["a", "c"]));
    expect(fields({ $expr: { $eq: ["$$ROOT", 1] } })).toBeUndefined();
    expect(fields({})).toEqual(new Set());
  });

  test("collation: strings compare under it in every operator, also inside documents", () => {
    const collation = parseCollation(toDoc({ locale: "en", strength: 2 }));
    const matches = (filter: Fields, doc: Fields) => compileFilter(toDoc(filter), { collation }).matches(toDoc(doc));
    expect(matches({ a: "X" }, { a: "x" })).toBe(true);
    expect(matches({ a: { $in: ["Y", "X"] } }, { a: ["x"] })).toBe(true);
    expect(matches({ a: { b: "X" } }, { a: { b: "x" } })).toBe(true);
    expect(matches({ a: { $ne: "X" } }, { a: "x" })).toBe(false);
    expect(matches({ $expr: { $eq: ["$a", "X"] } }, { a: "x" })).toBe(true);
    expect(matches({ a: regex("X") }, { a: "x" })).toBe(false);
  });

  test("vars: $expr reads the variables of the command", () => {
    const filter = compileFilter(toDoc({ $expr: { $eq: ["$a", "$$wanted.x"] } }), {
      vars: toDoc({ wanted: { x: 3 } }),
    });
    expect(filter.matches(toDoc({ a: 3 }))).toBe(true);
    expect(filter.matches(toDoc({ a: 4 }))).toBe(false);
  });

  test("valuesAtPath: arrays on the way and at the end give their elements", () => {
    expect(valuesAtPath(toDoc({ a: [{ b: 1 }, { b: [2, 3] }, 4] }), "a.b").map(toPlain)).toEqual([1, 2, 3]);
    expect(valuesAtPath(toDoc({ a: [1, [2]] }), "a").map(toPlain)).toEqual([1, [2]]);
    expect(valuesAtPath(toDoc({}), "a.b")).toEqual([]);
    expect(valuesAtPath(toDoc({ a: [[5], { 0: 6 }] }), "a.0").map(toPlain)).toEqual([[5], 6]);
  });
});
