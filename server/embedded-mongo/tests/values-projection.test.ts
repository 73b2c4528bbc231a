import { describe, expect, test } from "vitest";
import { parseCollation } from "../src/keys/collation.ts";
import { compileProjection } from "../src/project/project.ts";
import { compileSort, sortItems } from "../src/fields/sort.ts";
import { type Fields, toDoc, toPlain } from "./values-literals.ts";

const DOC = { _id: 1, a: 1, b: { c: 2, d: 3 }, e: [{ f: 1, g: 2 }, { f: 3 }, 5, [{ f: 4, g: 4 }]], h: [1, 2, 3, 4] };

describe("compileProjection", () => {
  test.each<[Fields, unknown]>([
    [{}, DOC],
    [{ a: 1 }, { _id: 1, a: 1 }],
    [{ a: true, _id: 0 }, { a: 1 }],
    [{ _id: 1 }, { _id: 1 }],
    [{ _id: 0 }, { a: 1, b: { c: 2, d: 3 }, e: DOC.e, h: DOC.h }],
    [{ "b.c": 1 }, { _id: 1, b: { c: 2 } }],
    [{ b: { c: 1 } }, { _id: 1, b: { c: 2 } }],
    [{ "a.x": 1 }, { _id: 1 }],
    [{ "e.f": 1, _id: 0 }, { e: [{ f: 1 }, { f: 3 }, [{ f: 4 }]] }],
    [
      { "e.f": 0, b: 0, h: 0, _id: 0 },
      { a: 1, e: [{ g: 2 }, {}, 5, [{ g: 4 }]] },
    ],
    [
      { "b.c": 0, a: 0, e: 0, h: 0 },
      { _id: 1, b: { d: 3 } },
    ],
    [
      { h: { $slice: 2 }, a: 1 },
      { _id: 1, a: 1, h: [1, 2] },
    ],
    [
      { h: { $slice: -1 }, e: 0, b: 0 },
      { _id: 1, a: 1, h: [4] },
    ],
    [
      { h: { $slice: [1, 2] }, _id: 0, a: 1 },
      { a: 1, h: [2, 3] },
    ],
    [
      { h: { $slice: [-3, 1] }, _id: 0, a: 1 },
      { a: 1, h: [2] },
    ],
    [{ e: { $elemMatch: { f: 3 } } }, { _id: 1, e: [{ f: 3 }] }],
    [
      { h: { $elemMatch: { $gt: 2 } }, a: 1 },
      { _id: 1, a: 1, h: [3] },
    ],
    [{ e: { $elemMatch: { f: 9 } } }, { _id: 1 }],
    [{ e: { $elemMatch: { $or: [{ f: 9 }, { f: 3 }] } } }, { _id: 1, e: [{ f: 3 }] }],
    [
      { x: "$b.c", y: { $add: ["$a", 1] }, z: "text" },
      { _id: 1, x: 2, y: 2, z: "text" },
    ],
    [
      { "b.n": "$a", "b.c": 1 },
      { _id: 1, b: { c: 2, n: 1 } },
    ],
    [{ x: { y: "$a", z: { $literal: 1 } }, _id: 0 }, { x: { y: 1, z: 1 } }],
    [{ x: ["$a", "$nothing"], _id: 0 }, { x: [1, null] }],
    [
      { _id: "$a", b: 1 },
      { _id: 1, b: { c: 2, d: 3 } },
    ],
    [{ x: "$nothing", _id: 0, a: 1 }, { a: 1 }],
  ])("%o", (spec, expected) => {
    expect(toPlain(compileProjection(toDoc(spec))(toDoc(DOC)))).toEqual(expected);
  });

  test("a positional projection keeps the element that the filter found", () => {
    expect(toPlain(compileProjection(toDoc({ "h.$": 1 }))(toDoc(DOC), 2))).toEqual({ _id: 1, h: [3] });
    expect(toPlain(compileProjection(toDoc({ "b.h.$": 1 }))(toDoc({ b: { h: [7, 8] }, c: 1 }), 1))).toEqual({
      b: { h: [8] },
    });
    expect(() => compileProjection(toDoc({ "h.$": 1 }))(toDoc(DOC))).toThrow(expect.objectContaining({ code: 51246 }));
  });

  test.each<[Fields, number]>([
    [{ a: 1, b: 0 }, 31254],
    [{ a: 0, b: 1 }, 31253],
    [{ a: 1, "a.b": 1 }, 31249],
    [{ "a.b": 1, a: 1 }, 31250],
    [{ a: {} }, 51270],
    [{ a: 0, b: "$c" }, 31252],
    [{ "a.$": 1, "b.$": 1 }, 31276],
    [{ "a..b": 1 }, 15998],
    [{ $a: 1 }, 16410],
    [{ a: { $meta: "textScore" } }, 2],
    [{ a: { $foo: 1 } }, 168],
    [{ a: { $elemMatch: 1 } }, 31274],
    [{ "a.b": { $elemMatch: { c: 1 } } }, 31275],
  ])("%o is refused with code %i", (spec, code) => {
    expect(() => compileProjection(toDoc(spec))).toThrow(expect.objectContaining({ code }));
  });

  test("fields: what an inclusion reads, and undefined when it may be anything", () => {
    expect(compileProjection(toDoc({ "a.b": 1, c: { $add: ["$d.e", 1] } })).fields).toEqual(
      new Set(["_id", "a", "c", "d"]),
    );
    expect(compileProjection(toDoc({ a: 0 })).fields).toBeUndefined();
    expect(compileProjection(toDoc({ a: "$$ROOT" })).fields).toBeUndefined();
    expect(compileProjection(toDoc({})).fields).toBeUndefined();
  });
});

describe("compileSort", () => {
  const sorted = (spec: Fields, docs: Fields[], limit?: number) => {
    const sort = compileSort(toDoc(spec));
    return sortItems(docs.map(toDoc), sort, (doc) => doc, limit).map(toPlain);
  };

  test.each<[Fields, Fields[]]>([
    [{ a: 1 }, [{ a: undefined }, {}, { a: 1 }, { a: 2n }, { a: "x" }, { a: { b: 1 } }, { a: true }]],
    [{ a: -1 }, [{ a: true }, { a: "x" }, { a: 1 }, { a: null }]],
    [{ a: 1 }, [{ a: [] }, { a: null }, { a: [5, 1] }, { a: 2 }, { a: [3] }]],
    [{ a: -1 }, [{ a: [5, 1] }, { a: [3] }, { a: 2 }, {}, { a: [] }]],
    [{ "a.b": 1 }, [{ a: [] }, { a: { b: 0 } }, { a: [{ b: 9 }, { b: 1 }] }, { a: { b: 2 } }]],
    [
      { a: 1, b: -1 },
      [
        { a: 1, b: 2 },
        { a: 1, b: 1 },
        { a: 2, b: 5 },
      ],
    ],
    [{ "a.1": 1 }, [{ a: [9] }, { a: [5, 1] }, { a: [0, 2] }]],
  ])("%o: documents come in this order, however they went in", (spec, docs) => {
    expect(sorted(spec, docs)).toEqual(docs.map((doc) => toPlain(toDoc(doc))));
    expect(sorted(spec, docs.toReversed())).toEqual(docs.map((doc) => toPlain(toDoc(doc))));
  });

  test("sortItems: with a limit the first ones are the same as without, and equals keep their order", () => {
    const docs = Array.from({ length: 20_000 }, (_, index) => ({ n: (index * 7919) % 50, index }));
    const wanted = docs.toSorted((a, b) => a.n - b.n);
    expect(sorted({ n: 1 }, docs)).toEqual(wanted);
    for (const limit of [1, 30, 3000, 19_999]) expect(sorted({ n: 1 }, docs, limit)).toEqual(wanted.slice(0, limit));
  });

  test("a collation orders strings", () => {
    const sort = compileSort(toDoc({ a: 1 }), parseCollation(toDoc({ locale: "en", strength: 2 })));
    expect(
      sortItems(
        ["b", "A", "a"].map((a) => toDoc({ a })),
        sort,
        (doc) => doc,
      ).map((doc) => doc.get("a")),
    ).toEqual(["A", "a", "b"]);
  });

  test.each<[Fields, number]>([
    [{ a: 2 }, 15975],
    [{ a: { $meta: "textScore" } }, 2],
    [{ "a..b": 1 }, 15998],
  ])("%o is refused with code %i", (spec, code) => {
    expect(() => compileSort(toDoc(spec))).toThrow(expect.objectContaining({ code }));
  });
});
