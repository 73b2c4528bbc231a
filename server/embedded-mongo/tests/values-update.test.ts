import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encode } from "../src/bson/encode.ts";
import { parseCollation } from "../src/keys/collation.ts";
import { compileFilter } from "../src/query/matcher.ts";
import { compileUpdate } from "../src/update/update.ts";
import { upsertBase } from "../src/update/upsert-base.ts";
import { BSONRegExp, Decimal128, type Doc, Double, Timestamp } from "../src/values.ts";
import { type Fields, toDoc, toPlain } from "./values-literals.ts";

const NOW = new Date("2025-01-02T03:04:05Z");
const context = { isInsert: false, now: NOW, nextTimestamp: () => new Timestamp({ t: 9, i: 1 }) };

function run(
  doc: Fields,
  update: Fields | Fields[],
  options: Parameters<typeof compileUpdate>[1] = {},
  more: { arrayIndex?: number; isInsert?: boolean } = {},
) {
  const compiled = compileUpdate(Array.isArray(update) ? update.map(toDoc) : toDoc(update), options);
  const before = toDoc(doc);
  const bytes = Buffer.from(encode(before));
  const result = compiled.apply(before, { ...context, ...more });
  expect(bytes.equals(encode(before)), "the document that came in is untouched").toBe(true);
  if (!result.changed) expect(bytes.equals(encode(result.doc))).toBe(true);
  return result;
}

// document, update, result
const CASES: [Fields, Fields, Fields][] = [
  [{ a: 1 }, { $set: { a: 2, b: 3 } }, { a: 2, b: 3 }],
  [{}, { $set: { b: 1, a: 2, "c.d.e": 3 } }, { a: 2, b: 1, c: { d: { e: 3 } } }],
  [{ a: [1] }, { $set: { "a.3": 4 } }, { a: [1, null, null, 4] }],
  [{ a: { b: 1 } }, { $set: { "a.c": 2 } }, { a: { b: 1, c: 2 } }],
  [{ a: 1, b: 2 }, { $unset: { a: "" } }, { b: 2 }],
  [{ a: [1, 2] }, { $unset: { "a.0": 1 } }, { a: [null, 2] }],
  [{ a: 1 }, { $unset: { "a.b": 1, "c.d": 1 } }, { a: 1 }],
  [{ a: 1 }, { $inc: { a: 2, b: 5 } }, { a: 3, b: 5 }],
  [{ a: 2147483647 }, { $inc: { a: 1 } }, { a: 2147483648n }],
  [{ a: 1n }, { $inc: { a: 1 } }, { a: 2n }],
  [{ a: 1 }, { $inc: { a: 1.5 } }, { a: 2.5 }],
  [{ a: 1 }, { $inc: { a: new Double(1) } }, { a: new Double(2) }],
  [{ a: 1 }, { $inc: { a: Decimal128.fromString("0.10") } }, { a: Decimal128.fromString("1.10") }],
  [{ a: 3 }, { $mul: { a: 2, b: 4 } }, { a: 6, b: 0 }],
  [{ a: 3 }, { $min: { a: 2, b: 1 } }, { a: 2, b: 1 }],
  [{ a: 3 }, { $min: { a: 4 }, $max: { b: "x" } }, { a: 3, b: "x" }],
  [{ a: 3 }, { $max: { a: "text" } }, { a: "text" }],
  [{ a: 1, b: 2 }, { $rename: { a: "c.d" } }, { b: 2, c: { d: 1 } }],
  [{ a: 1, b: 2 }, { $rename: { a: "b", x: "y" } }, { b: 1 }],
  [{ b: [1] }, { $rename: { a: "b.0" } }, { b: [1] }],
  [{ a: 1 }, { $setOnInsert: { b: 1, "x.y": 2 } }, { a: 1 }],
  [
    {},
    { $currentDate: { a: true, b: { $type: "timestamp" }, c: { $type: "date" } } },
    { a: NOW, b: new Timestamp({ t: 9, i: 1 }), c: NOW },
  ],
  [{ a: 13 }, { $bit: { a: { and: 10 } } }, { a: 8 }],
  [{ a: 3 }, { $bit: { a: { or: 5, xor: 1 }, b: { or: 4n } } }, { a: 6, b: 4n }],
  [{ a: [1] }, { $push: { a: 2, b: 3 } }, { a: [1, 2], b: [3] }],
  [{ a: [3, 1] }, { $push: { a: { $each: [2, 5], $sort: 1, $slice: -3 } } }, { a: [2, 3, 5] }],
  [{ a: [1, 4] }, { $push: { a: { $each: [2, 3], $position: 1 } } }, { a: [1, 2, 3, 4] }],
  [{ a: [1, 4] }, { $push: { a: { $each: [9], $position: -1 } } }, { a: [1, 9, 4] }],
  [{ a: [{ s: 2 }, { s: 1 }] }, { $push: { a: { $each: [], $sort: { s: 1 } } } }, { a: [{ s: 1 }, { s: 2 }] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [], $slice: 0 } } }, { a: [] }],
  [{}, { $push: { a: { $each: [] } } }, { a: [] }],
  [{ a: [1] }, { $addToSet: { a: 1n, b: { $each: [1, 1, 2] } } }, { a: [1], b: [1, 2] }],
  [{ a: [{ x: 1 }] }, { $addToSet: { a: { x: 1 } } }, { a: [{ x: 1 }] }],
  [{ a: [1, 2, 3] }, { $pop: { a: 1 } }, { a: [1, 2] }],
  [{ a: [1, 2, 3] }, { $pop: { a: -1, b: 1 } }, { a: [2, 3] }],
  [{ a: [1, 2, 3, 2] }, { $pull: { a: 2 } }, { a: [1, 3] }],
  [{ a: [1, 2, 3] }, { $pull: { a: { $gte: 2 } } }, { a: [1] }],
  [{ a: [{ b: 1, c: 2 }, { b: 2 }] }, { $pull: { a: { b: 1 } } }, { a: [{ b: 2 }] }],
  [{ a: [{ b: 1 }, { b: 2 }, { b: 3 }] }, { $pull: { a: { $or: [{ b: 1 }, { b: 3 }] } } }, { a: [{ b: 2 }] }],
  [{ a: [{ b: [1, 2] }, { b: [3] }] }, { $pull: { a: { b: { $elemMatch: { $eq: 2 } } } } }, { a: [{ b: [3] }] }],
  [{ a: ["x1", "y"] }, { $pull: { a: new BSONRegExp("^x", "") } }, { a: ["y"] }],
  [{ a: [1, 2, 1, 3] }, { $pullAll: { a: [1, 3] } }, { a: [2] }],
  [{ a: { b: [1] } }, { $push: { "a.b": 2 }, $set: { "a.c": 1 } }, { a: { b: [1, 2], c: 1 } }],
  [{ a: [{ b: 1 }, { b: 2 }] }, { $inc: { "a.$[].b": 10 } }, { a: [{ b: 11 }, { b: 12 }] }],
  [{ a: [[1, 2], [3]] }, { $inc: { "a.$[].$[]": 1 } }, { a: [[2, 3], [4]] }],
  [{ 2: "b", 10: "c" }, { $set: { 1: "a" } }, { 2: "b", 10: "c", 1: "a" }],
];

describe("update operators", () => {
  test.each(CASES)("%o with %o", (doc, update, expected) => {
    const result = run({ _id: 1, ...doc }, update);
    expect(toPlain(result.doc)).toEqual({ _id: 1, ...expected });
    expect(
      Buffer.from(encode(result.doc)).equals(encode(toDoc({ _id: 1, ...expected }))) ||
        Object.keys(expected).length > 1,
    ).toBe(true);
  });

  test.each<[Fields, Fields, number, string]>([
    [{ a: 1 }, { $set: { "a.b": 1 } }, 28, "Cannot create field 'b' in element {a: 1}"],
    [{ a: [1] }, { $set: { "a.b": 1 } }, 28, "Cannot create field 'b' in element {a: [ 1 ]}"],
    [{}, { $set: { a: 1, "a.b": 2 } }, 40, "Updating the path 'a.b' would create a conflict at 'a'"],
    [{}, { $set: { a: 1 }, $inc: { a: 1 } }, 40, "Updating the path 'a' would create a conflict at 'a'"],
    [{ a: "x" }, { $inc: { a: 1 } }, 14, "Cannot apply $inc to a value of non-numeric type"],
    [{}, { $inc: { a: "x" } }, 14, "Cannot increment with non-numeric argument"],
    [{ a: 9223372036854775807n }, { $inc: { a: 1 } }, 2, "Failed to apply $inc operations to current value"],
    [{ a: 1 }, { $push: { a: 1 } }, 2, "The field 'a' must be an array but is of type int in document {_id: 1}"],
    [{ a: 1 }, { $addToSet: { a: 1 } }, 2, "Cannot apply $addToSet to non-array field"],
    [{ a: 1 }, { $pop: { a: 1 } }, 14, "Path 'a' contains an element of non-array type 'int'"],
    [{}, { $pop: { a: 2 } }, 9, "$pop expects 1 or -1"],
    [{ a: 1 }, { $pull: { a: 1 } }, 2, "Cannot apply $pull to a non-array value"],
    [{}, { $pullAll: { a: 1 } }, 2, "$pullAll requires an array argument but was given a int"],
    [{}, { $foo: { a: 1 } }, 9, "Unknown modifier: $foo"],
    [{}, { $set: 1 }, 9, "Modifiers operate on fields but we found type int instead"],
    [{}, { $set: { _id: 2 } }, 66, "would modify the immutable field '_id'"],
    [{}, { $unset: { _id: 1 } }, 66, "would modify the immutable field '_id'"],
    [{}, { $set: { "a..b": 1 } }, 56, "contains an empty field name"],
    [{}, { $set: { $a: 1 } }, 52, "The dollar ($) prefixed field '$a'"],
    [{ a: [1] }, { $set: { "a.$": 1 } }, 2, "The positional operator did not find the match needed from the query."],
    [{ a: 1 }, { $set: { "a.$[]": 1 } }, 2, "Cannot apply array updates to non-array element a"],
    [{}, { $set: { "a.$[]": 1 } }, 2, "The path 'a' must exist in the document in order to apply array updates."],
    [{ a: [1] }, { $set: { "a.$[x]": 1 } }, 2, "No array filter found for identifier 'x'"],
    [{ a: [1] }, { $set: { "a.$[]": 1, "a.0": 2 } }, 40, "conflict"],
    [{ a: 1.5 }, { $bit: { a: { and: 1 } } }, 2, "non-integral type"],
    [{}, { $rename: { a: "a" } }, 2, "must differ"],
    [{ a: [{ b: 1 }] }, { $rename: { "a.b": "c" } }, 2, "cannot be an array element"],
    [{}, { $currentDate: { a: "x" } }, 2, "is not valid type for $currentDate"],
    [{}, { $push: { a: { $each: 1 } } }, 2, "must be an array"],
    [{}, { $push: { a: { $each: [], $foo: 1 } } }, 2, "Unrecognized clause in $push: $foo"],
  ])("%o with %o answers %i", (doc, update, code, message) => {
    const attempt = () => run({ _id: 1, ...doc }, update);
    expect(attempt).toThrow(expect.objectContaining({ code }));
    expect(attempt).toThrow(message);
  });

  test("the positional $ is the element that the filter found", () => {
    const doc = { _id: 1, a: [{ b: 1 }, { b: 5 }, { b: 5 }] };
    const arrayIndex = compileFilter(toDoc({ "a.b": 5 })).arrayIndex(toDoc(doc));
    if (arrayIndex === undefined) throw new Error("expected a position");
    expect(toPlain(run(doc, { $set: { "a.$.b": 9 } }, {}, { arrayIndex }).doc)).toEqual({
      _id: 1,
      a: [{ b: 1 }, { b: 9 }, { b: 5 }],
    });
  });

  test("arrayFilters choose elements, at several levels", () => {
    const doc = {
      _id: 1,
      a: [
        { s: 1, n: [1, 8] },
        { s: 2, n: [9] },
      ],
    };
    const options = { arrayFilters: [toDoc({ "x.s": { $lte: 1 } }), toDoc({ $or: [{ y: { $gt: 5 } }, { y: 0 }] })] };
    expect(toPlain(run(doc, { $inc: { "a.$[x].n.$[y]": 100 } }, options).doc)).toEqual({
      _id: 1,
      a: [
        { s: 1, n: [1, 108] },
        { s: 2, n: [9] },
      ],
    });
  });

  test.each<[Fields[], number]>([
    [[{ x: 1, y: 2 }], 9],
    [[{ x: 1 }, { x: 2 }], 9],
    [[{ Abc: 1 }], 2],
    [[{ x: 1 }, { z: 2 }], 9],
  ])("arrayFilters %o are refused with code %i", (arrayFilters, code) => {
    expect(() => compileUpdate(toDoc({ $set: { "a.$[x]": 1 } }), { arrayFilters: arrayFilters.map(toDoc) })).toThrow(
      expect.objectContaining({ code }),
    );
  });

  test("collation decides what $pull, $addToSet and $max call equal", () => {
    const collation = parseCollation(toDoc({ locale: "en", strength: 2 }));
    const update = { $pull: { a: "X" }, $addToSet: { b: "Y" } };
    expect(toPlain(run({ _id: 1, a: ["x", "z"], b: ["y"] }, update, { collation }).doc)).toEqual({
      _id: 1,
      a: ["z"],
      b: ["y"],
    });
  });

  test("isInsert: $setOnInsert applies and _id comes first", () => {
    const result = run({ a: 1 }, { $setOnInsert: { b: 2, _id: 7 } }, {}, { isInsert: true });
    expect([...result.doc.keys()]).toEqual(["_id", "a", "b"]);
  });

  test.each<[Fields, Fields]>([
    [{ a: 1 }, { $set: { a: 1 } }],
    [{ a: [1] }, { $addToSet: { a: 1 } }],
    [{ a: 1 }, { $inc: { a: 0 } }],
    [{ a: [1] }, { $pull: { a: 5 } }],
    [{ a: { b: { c: [1, { d: 2 }] } } }, { $set: { "a.b": { c: [1, { d: 2 }] } } }],
    [{ a: 1 }, { $max: { a: 1n } }],
    [{}, { $unset: { a: 1 } }],
  ])("%o with %o changes nothing, then it says so", (doc, update) => {
    expect(run({ _id: 1, ...doc }, update).changed).toBe(false);
  });

  test("setting another type of the same number is a change", () => {
    expect(run({ _id: 1, a: 1 }, { $set: { a: new Double(1) } }).changed).toBe(true);
    expect(run({ _id: 1, a: { x: 1, y: 2 } }, { $set: { a: { y: 2, x: 1 } } }).changed).toBe(true);
  });
});

describe("update descriptions", () => {
  const describeUpdate = (doc: Fields, update: Fields | Fields[]) => {
    const { updatedFields, removedFields, truncatedArrays } = run({ _id: 1, ...doc }, update);
    return { updated: toPlain(updatedFields), removed: removedFields, truncated: truncatedArrays.map(toPlain) };
  };

  test.each<[Fields, Fields | Fields[], Fields, string[], Fields[]]>([
    [{ a: 1 }, { $set: { a: 2, "b.c": 1 }, $unset: { d: 1 } }, { a: 2, b: { c: 1 } }, [], []],
    [{ a: 1, d: 1 }, { $unset: { d: 1 } }, {}, ["d"], []],
    [{ a: { b: 1 } }, { $set: { "a.b": 2 } }, { "a.b": 2 }, [], []],
    [{ a: [1] }, { $push: { a: { $each: [2, 3] } } }, { "a.1": 2, "a.2": 3 }, [], []],
    [{ a: [1, 2] }, { $pop: { a: 1 } }, { a: [1] }, [], []],
    [{ a: 1 }, { $rename: { a: "b" } }, { b: 1 }, ["a"], []],
    [
      { a: [1, 2, 3], b: { c: 1, d: 2 } },
      [{ $set: { a: [1, 5] } }, { $unset: "b.d" }],
      { "a.1": 5 },
      ["b.d"],
      [{ field: "a", newSize: 2 }],
    ],
  ])("%o with %o", (doc, update, updated, removed, truncated) => {
    expect(describeUpdate(doc, update)).toEqual({ updated, removed, truncated });
  });
});

describe("replacements and pipelines", () => {
  test("a replacement keeps the _id and must not change it", () => {
    expect(toPlain(run({ _id: 1, a: 1 }, { b: 2 }, { isReplacement: true }).doc)).toEqual({ _id: 1, b: 2 });
    expect(() => run({ _id: 1 }, { _id: 2 }, { isReplacement: true })).toThrow(expect.objectContaining({ code: 66 }));
    expect(() => run({ _id: 1 }, { $a: 2 }, { isReplacement: true })).toThrow(expect.objectContaining({ code: 52 }));
  });

  test("a pipeline computes from the document's own fields", () => {
    const result = run({ _id: 1, a: 1, b: [1, 2], c: 1 }, [
      { $set: { total: { $sum: "$b" }, at: "$$NOW" } },
      { $unset: "c" },
      { $set: { a: { $add: ["$a", "$total"] } } },
    ]);
    expect(toPlain(result.doc)).toEqual({ _id: 1, a: 4, b: [1, 2], total: 3, at: NOW });
    expect(run({ _id: 1, a: 1 }, [{ $set: { a: 1 } }]).changed).toBe(false);
  });

  test("a pipeline refuses other stages and a new _id", () => {
    expect(() => run({ _id: 1 }, [{ $match: {} }])).toThrow(expect.objectContaining({ code: 72 }));
    expect(() => run({ _id: 1 }, [{ $set: { _id: 2 } }])).toThrow(expect.objectContaining({ code: 66 }));
  });
});

describe("upsertBase", () => {
  test.each<[Fields, Fields]>([
    [
      { a: 1, b: { $gt: 1 }, "c.d": 2, $comment: "x" },
      { a: 1, c: { d: 2 } },
    ],
    [
      { $and: [{ a: 1 }, { b: { $eq: 2 } }], $or: [{ c: 3 }] },
      { a: 1, b: 2, c: 3 },
    ],
    [
      { $or: [{ a: 1 }, { b: 2 }], c: { $in: [5] }, d: { $all: [6] }, e: { $in: [1, 2] } },
      { c: 5, d: 6 },
    ],
    [{ a: new BSONRegExp("x", ""), b: { c: 1 } }, { b: { c: 1 } }],
  ])("%o gives %o", (filter, expected) => {
    expect(toPlain(upsertBase(toDoc(filter)))).toEqual(expected);
  });

  test("two equalities that cannot both be stored answer 54", () => {
    for (const filter of [{ a: { b: 1 }, "a.b": 1 }, { $and: [{ a: 1 }, { a: 2 }] }]) {
      expect(() => upsertBase(toDoc(filter))).toThrow(expect.objectContaining({ code: 54 }));
    }
  });
});

describe("properties of updates", () => {
  const leaf = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom("x", "y", null));
  const value = fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b"), leaf).map((fields) => ({ ...fields })),
  );
  const doc = fc.dictionary(fc.constantFrom("a", "b", "c"), value).map((fields) => ({ ...fields }));
  const path = fc.constantFrom("a", "b", "a.a", "a.0", "b.b", "c.1");

  test("any update either answers a code or leaves the old document as it was, and applied again it changes nothing more for $set, $unset, $min, $max and $addToSet", () => {
    const operator = fc.constantFrom("$set", "$unset", "$min", "$max", "$addToSet", "$push", "$pull", "$inc", "$pop");
    fc.assert(
      fc.property(doc, operator, path, value, (fields, name, at, operand) => {
        const attempt = (start: Doc) =>
          compileUpdate(toDoc({ [name]: { [at]: name === "$pop" ? 1 : operand } })).apply(start, context);
        let once: ReturnType<typeof attempt>;
        try {
          once = attempt(toDoc({ _id: 1, ...fields }));
        } catch (error) {
          expect(error).toMatchObject({ code: expect.any(Number) });
          return;
        }
        if (["$set", "$unset", "$min", "$max", "$addToSet"].includes(name) && !(name === "$unset" && at.includes(".")))
          expect(attempt(once.doc).changed).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });
});
