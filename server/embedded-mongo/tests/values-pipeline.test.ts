import { describe, expect, test } from "vitest";
import { compilePipeline } from "../src/aggregate/pipeline.ts";
import { parseCollation } from "../src/keys/collation.ts";
import { PAUSE, type Pause, withoutPauses } from "../src/pace.ts";
import { compileFilter } from "../src/query/matcher.ts";
import { Decimal128, type Doc, Double } from "../src/values.ts";
import { type Fields, toDoc, toPlain } from "./values-literals.ts";

const COLLECTIONS: Record<string, Fields[]> = {
  sales: [
    { _id: 1, item: "a", qty: 2, price: 10, tags: ["x", "y"] },
    { _id: 2, item: "b", qty: 1, price: 20, tags: [] },
    { _id: 3, item: "a", qty: 5, price: 5, tags: ["x"] },
    { _id: 4, item: null, qty: 3 },
    { _id: 5, qty: 4, tags: "z" },
  ],
  items: [
    { _id: "a", name: "Apple" },
    { _id: "b", name: "Pear" },
    { _id: "c", name: "Plum", also: ["a", "b"] },
    { _id: null, name: "None" },
  ],
  people: [
    { _id: 1, name: "Ann", boss: null },
    { _id: 2, name: "Bob", boss: "Ann" },
    { _id: 3, name: "Cid", boss: "Bob" },
    { _id: 4, name: "Dan", boss: "Cid" },
  ],
};

const reads: { name: string; filter: unknown }[] = [];

function readCollection(name: string, filter?: Doc): Doc[] {
  reads.push({ name, filter: filter ? toPlain(filter) : undefined });
  const docs = (COLLECTIONS[name] ?? []).map(toDoc);
  const compiled = filter ? compileFilter(filter) : undefined;
  return compiled ? docs.filter((doc) => compiled.matches(doc)) : docs;
}

function run(
  stages: Fields[],
  from: Fields[] = COLLECTIONS["sales"] ?? [],
  more: { vars?: Fields; collation?: Fields } = {},
): unknown[] {
  const pipeline = compilePipeline(stages.map(toDoc), {
    vars: toDoc(more.vars ?? {}),
    collation: parseCollation(more.collation ? toDoc(more.collation) : undefined),
    now: new Date("2025-01-01"),
    readCollection,
    pace: { begin: () => undefined, isOver: () => true },
  });
  // Whatever a stage does, others may be heard between any two documents.
  const docs = from.flatMap((fields): (Doc | Pause)[] => [PAUSE, toDoc(fields)]);
  return [...withoutPauses(pipeline([...docs, PAUSE]))].map(toPlain);
}

const ids = (docs: unknown[]): unknown[] =>
  docs.map((doc) => (typeof doc === "object" && doc !== null && "_id" in doc ? doc._id : undefined));

describe("stages", () => {
  test("$match, $sort, $skip and $limit choose and order documents", () => {
    expect(ids(run([{ $match: { qty: { $gt: 1 } } }, { $sort: { qty: -1 } }, { $skip: 1 }, { $limit: 2 }]))).toEqual([
      5, 4,
    ]);
    expect(ids(run([{ $sort: { item: 1, _id: -1 } }]))).toEqual([5, 4, 3, 1, 2]);
    expect(ids(run([{ $limit: 1 }]))).toEqual([1]);
  });

  test("$count: nothing comes of no documents", () => {
    expect(run([{ $count: "n" }])).toEqual([{ n: 5 }]);
    expect(run([{ $match: { _id: 99 } }, { $count: "n" }])).toEqual([]);
  });

  test("$group: every accumulator, and missing groups with null", () => {
    expect(
      run([
        {
          $group: {
            _id: "$item",
            n: { $sum: 1 },
            total: { $sum: { $multiply: ["$qty", "$price"] } },
            avg: { $avg: "$qty" },
            least: { $min: "$price" },
            most: { $max: "$qty" },
            first: { $first: "$price" },
            last: { $last: "$_id" },
            all: { $push: "$price" },
            set: { $addToSet: "$item" },
            count: { $count: {} },
          },
        },
        { $sort: { _id: 1 } },
      ]),
    ).toEqual([
      {
        _id: null,
        n: 2,
        total: 0,
        avg: 3.5,
        least: null,
        most: 4,
        first: null,
        last: 5,
        all: [],
        set: [null],
        count: 2,
      },
      {
        _id: "a",
        n: 2,
        total: 45,
        avg: 3.5,
        least: 5,
        most: 5,
        first: 10,
        last: 3,
        all: [10, 5],
        set: ["a"],
        count: 2,
      },
      {
        _id: "b",
        n: 1,
        total: 20,
        avg: new Double(1),
        least: 20,
        most: 1,
        first: 20,
        last: 2,
        all: [20],
        set: ["b"],
        count: 1,
      },
    ]);
  });

  test("$group: top, bottom and the N forms", () => {
    expect(
      run([
        {
          $group: {
            _id: null,
            top: { $top: { sortBy: { qty: -1 }, output: "$_id" } },
            topN: { $topN: { n: 2, sortBy: { qty: 1 }, output: ["$qty", "$_id"] } },
            bottom: { $bottom: { sortBy: { qty: -1 }, output: "$_id" } },
            bottomN: { $bottomN: { n: 2, sortBy: { qty: 1 }, output: "$qty" } },
            firstN: { $firstN: { n: 2, input: "$qty" } },
            lastN: { $lastN: { n: 2, input: "$qty" } },
            minN: { $minN: { n: 2, input: "$price" } },
            maxN: { $maxN: { n: 2, input: "$qty" } },
            merged: { $mergeObjects: { a: "$qty" } },
            dev: { $stdDevPop: "$qty" },
          },
        },
      ]),
    ).toEqual([
      {
        _id: null,
        top: 3,
        topN: [
          [1, 2],
          [2, 1],
        ],
        bottom: 2,
        bottomN: [4, 5],
        firstN: [2, 1],
        lastN: [3, 4],
        minN: [5, 10],
        maxN: [5, 4],
        merged: { a: 4 },
        dev: Math.sqrt(2),
      },
    ]);
  });

  test("$group: numbers of different types that are equal are one group", () => {
    const rows = run(
      [{ $group: { _id: "$v", n: { $sum: 1 } } }],
      [
        { v: 1 },
        { v: 1n },
        { v: new Double(1) },
        { v: Decimal128.fromString("1.0") },
        { v: { x: 1 } },
        { v: { x: 1n } },
        { v: "1" },
      ],
    );
    expect(rows.map((row) => (typeof row === "object" && row !== null && "n" in row ? row.n : 0))).toEqual([4, 2, 1]);
  });

  test("$sortByCount counts equal values, the most frequent first", () => {
    expect(run([{ $unwind: "$tags" }, { $sortByCount: "$tags" }])).toEqual([
      { _id: "x", count: 2 },
      { _id: "y", count: 1 },
      { _id: "z", count: 1 },
    ]);
  });

  test("$unwind: scalars pass, empty arrays only when preserved, with the index", () => {
    expect(run([{ $unwind: "$tags" }, { $project: { tags: 1 } }])).toEqual([
      { _id: 1, tags: "x" },
      { _id: 1, tags: "y" },
      { _id: 3, tags: "x" },
      { _id: 5, tags: "z" },
    ]);
    expect(
      run([
        { $unwind: { path: "$tags", preserveNullAndEmptyArrays: true, includeArrayIndex: "at" } },
        { $project: { tags: 1, at: 1 } },
      ]),
    ).toEqual([
      { _id: 1, tags: "x", at: 0n },
      { _id: 1, tags: "y", at: 1n },
      { _id: 2, at: null },
      { _id: 3, tags: "x", at: 0n },
      { _id: 4, at: null },
      { _id: 5, tags: "z", at: null },
    ]);
  });

  test("$addFields, $project, $unset, $replaceRoot and $replaceWith reshape documents", () => {
    const from = [{ _id: 1, a: { b: 1 }, c: [{ d: 1 }, 2] }];
    expect(run([{ $addFields: { "a.x": "$_id", "c.y": 5, "a.b": "$$REMOVE" } }], from)).toEqual([
      { _id: 1, a: { x: 1 }, c: [{ d: 1, y: 5 }, { y: 5 }] },
    ]);
    expect(run([{ $set: { a: { z: 1 }, e: "$c.d" } }], from)).toEqual([
      { _id: 1, a: { b: 1, z: 1 }, c: [{ d: 1 }, 2], e: [1] },
    ]);
    expect(run([{ $project: { _id: 0, b: "$a.b", c: { $size: "$c" }, one: { $literal: 1 } } }], from)).toEqual([
      { b: 1, c: 2, one: 1 },
    ]);
    expect(run([{ $project: { a: 1, c: { $slice: ["$c", 1] } } }], from)).toEqual([
      { _id: 1, a: { b: 1 }, c: [{ d: 1 }] },
    ]);
    expect(run([{ $unset: ["a.b", "c"] }], from)).toEqual([{ _id: 1, a: {} }]);
    expect(run([{ $replaceRoot: { newRoot: "$a" } }], from)).toEqual([{ b: 1 }]);
    expect(run([{ $replaceWith: { $mergeObjects: [{ z: 0 }, "$a"] } }], from)).toEqual([{ z: 0, b: 1 }]);
  });

  test("$facet runs several pipelines over the same documents", () => {
    expect(
      run([
        { $facet: { n: [{ $count: "n" }], top: [{ $sort: { qty: -1 } }, { $limit: 1 }, { $project: { qty: 1 } }] } },
      ]),
    ).toEqual([{ n: [{ n: 5 }], top: [{ _id: 3, qty: 5 }] }]);
  });

  test("$sample gives so many different documents", () => {
    expect(new Set(ids(run([{ $sample: { size: 3 } }]))).size).toBe(3);
    expect(run([{ $sample: { size: 99 } }])).toHaveLength(5);
  });

  test("$documents brings its own rows", () => {
    expect(run([{ $documents: [{ a: 1 }, { a: { $add: [1, 1] } }] }, { $match: { a: 2 } }], [])).toEqual([{ a: 2 }]);
  });

  test("let variables, $$NOW and the collation reach every stage", () => {
    expect(
      ids(run([{ $match: { $expr: { $eq: ["$item", "$$wanted"] } } }], undefined, { vars: { wanted: "b" } })),
    ).toEqual([2]);
    expect(run([{ $limit: 1 }, { $project: { _id: 0, at: "$$NOW" } }])).toEqual([{ at: new Date("2025-01-01") }]);
    expect(
      run([{ $group: { _id: "$v", n: { $sum: 1 } } }], [{ v: "a" }, { v: "A" }], {
        collation: { locale: "en", strength: 2 },
      }),
    ).toEqual([{ _id: "a", n: 2 }]);
  });
});

describe("stages that read other collections", () => {
  test("$lookup by field: values, arrays on either side, and null for what is missing", () => {
    expect(
      run([
        { $lookup: { from: "items", localField: "item", foreignField: "_id", as: "found" } },
        { $project: { names: "$found.name" } },
      ]),
    ).toEqual([
      { _id: 1, names: ["Apple"] },
      { _id: 2, names: ["Pear"] },
      { _id: 3, names: ["Apple"] },
      { _id: 4, names: ["None"] },
      { _id: 5, names: ["None"] },
    ]);
    expect(
      run(
        [
          { $lookup: { from: "items", localField: "v", foreignField: "_id", as: "found.at" } },
          { $project: { names: "$found.at.name" } },
        ],
        [{ _id: 1, v: ["a", "b"] }],
      ),
    ).toEqual([{ _id: 1, names: ["Apple", "Pear"] }]);
    expect(
      run(
        [
          { $lookup: { from: "items", localField: "_id", foreignField: "also", as: "found" } },
          { $project: { names: "$found.name" } },
        ],
        [{ _id: "a" }],
      ),
    ).toEqual([{ _id: "a", names: ["Plum"] }]);
  });

  test("$lookup by field: the collection is asked once for each value", () => {
    reads.length = 0;
    run([{ $lookup: { from: "items", localField: "item", foreignField: "_id", as: "found" } }]);
    expect(reads.map((read) => read.filter)).toEqual([
      { _id: { $eq: "a" } },
      { _id: { $eq: "b" } },
      { _id: { $eq: null } },
    ]);
  });

  test("$lookup with let and pipeline: an equality in $expr narrows what is read", () => {
    reads.length = 0;
    expect(
      run([
        { $match: { _id: { $lte: 2 } } },
        {
          $lookup: {
            from: "items",
            let: { wanted: "$item" },
            pipeline: [{ $match: { $expr: { $eq: ["$_id", "$$wanted"] } } }, { $project: { name: 1, _id: 0 } }],
            as: "found",
          },
        },
        { $project: { found: 1 } },
      ]),
    ).toEqual([
      { _id: 1, found: [{ name: "Apple" }] },
      { _id: 2, found: [{ name: "Pear" }] },
    ]);
    expect(reads[0]?.filter).toEqual({ $and: [{ _id: { $eq: "a" } }] });
  });

  test("$lookup with fields and a pipeline joins them, nested lookups see outer variables", () => {
    expect(
      run([
        { $match: { _id: 1 } },
        {
          $lookup: {
            from: "items",
            localField: "item",
            foreignField: "_id",
            let: { q: "$qty" },
            pipeline: [
              { $lookup: { from: "people", pipeline: [{ $match: { $expr: { $eq: ["$_id", "$$q"] } } }], as: "who" } },
              { $addFields: { q: "$$q" } },
            ],
            as: "found",
          },
        },
        { $project: { found: 1 } },
      ]),
    ).toEqual([{ _id: 1, found: [{ _id: "a", name: "Apple", who: [{ _id: 2, name: "Bob", boss: "Ann" }], q: 2 }] }]);
  });

  test("$lookup without a collection takes $documents", () => {
    expect(
      run([
        { $limit: 1 },
        { $lookup: { let: { q: "$qty" }, pipeline: [{ $documents: [{ v: "$$q" }] }], as: "d" } },
        { $project: { d: 1 } },
      ]),
    ).toEqual([{ _id: 1, d: [{ v: 2 }] }]);
  });

  test("$unionWith adds another collection's documents", () => {
    expect(ids(run([{ $match: { _id: 1 } }, { $unionWith: "items" }]))).toEqual([1, "a", "b", "c", null]);
    expect(
      ids(run([{ $match: { _id: 1 } }, { $unionWith: { coll: "items", pipeline: [{ $match: { name: "Plum" } }] } }])),
    ).toEqual([1, "c"]);
  });
});

describe("refusals", () => {
  test.each<[Fields, number]>([
    [{ $foo: 1 }, 40324],
    [{ $match: 1, $limit: 1 }, 40323],
    [{}, 40323],
    [{ $limit: 0 }, 15958],
    [{ $limit: "1" }, 15958],
    [{ $skip: -1 }, 15956],
    [{ $match: 1 }, 15959],
    [{ $sort: {} }, 15976],
    [{ $count: "$a" }, 40158],
    [{ $group: { a: { $sum: 1 } } }, 15955],
    [{ $group: { _id: 1, a: { $foo: 1 } } }, 15952],
    [{ $group: { _id: 1, a: 1 } }, 40234],
    [{ $unwind: "tags" }, 28818],
    [{ $project: {} }, 51272],
    [{ $facet: { a: [{ $facet: {} }] } }, 40600],
    [{ $lookup: { from: "a", as: "b" } }, 9],
    [{ $lookup: { from: "a", as: "b", localField: "c" } }, 9],
    [{ $setWindowFields: {} }, 2],
    [{ $densify: {} }, 2],
    [{ $geoNear: {} }, 2],
    [{ $bucket: { groupBy: "$a", boundaries: [1, 2] } }, 2],
    [{ $bucketAuto: { groupBy: "$a", buckets: 2 } }, 2],
    [{ $graphLookup: {} }, 2],
    [{ $redact: "$$KEEP" }, 2],
  ])("%o is refused with code %i", (stage, code) => {
    expect(() => run([stage])).toThrow(expect.objectContaining({ code }));
  });

  test.each([
    [{ $out: "x" }, 40601],
    [{ $changeStream: {} }, 40602],
    [{ $documents: [] }, 40602],
  ])("%o in the wrong place answers %i", (stage, code) => {
    expect(() => run([{ $match: {} }, stage])).toThrow(expect.objectContaining({ code }));
  });

  test("a value that names itself many times over is refused by a stage that holds it and by the encoder", () => {
    const tree = { $reduce: { input: { $range: [0, 60] }, initialValue: 1, in: ["$$value", "$$value"] } };
    const from = [{ _id: 1 }];
    expect(() => run([{ $group: { _id: null, all: { $push: tree } } }], from)).toThrow(
      expect.objectContaining({ code: 146 }),
    );
    expect(() => run([{ $group: { _id: tree } }], from)).toThrow(expect.objectContaining({ code: 10334 }));
    expect(() => run([{ $project: { n: { $bsonSize: { a: tree } } } }], from)).toThrow(
      expect.objectContaining({ code: 10334 }),
    );
  });

  test("a stage that would hold more than 100 MB answers 146", () => {
    const big = "x".repeat(1024 * 1024);
    const rows = Array.from({ length: 110 }, (_, index) => ({ _id: index, big: `${big}${index}` }));
    expect(() => run([{ $group: { _id: null, all: { $push: "$big" } } }], rows)).toThrow(
      expect.objectContaining({ code: 146 }),
    );
    expect(() => run([{ $sort: { big: 1 } }], rows)).toThrow(expect.objectContaining({ code: 146 }));
    expect(run([{ $sort: { big: 1 } }, { $limit: 1 }, { $project: { _id: 1 } }], rows)).toEqual([{ _id: 0 }]);
  });
});
