// Random documents, indexes and queries: whatever plan is chosen, the answer must be that of a full scan.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { decode } from "../../server/src/embedded-mongo/bson/decode.ts";
import { encode } from "../../server/src/embedded-mongo/bson/encode.ts";
import { showValue } from "../../server/src/embedded-mongo/bson/show.ts";
import { type Engine, openEngine } from "../../server/src/embedded-mongo/engine.ts";
import { parseCollation } from "../../server/src/embedded-mongo/keys/collation.ts";
import { countMatching, findRows, planFor, type Query } from "../../server/src/embedded-mongo/plan/find-rows.ts";
import { compileSort } from "../../server/src/embedded-mongo/project/sort.ts";
import { compileFilter } from "../../server/src/embedded-mongo/query/matcher.ts";
import { type Collection, draftCollection } from "../../server/src/embedded-mongo/store/catalogue.ts";
import { deleteDocument, insertDocument, updateDocument } from "../../server/src/embedded-mongo/store/documents.ts";
import { buildIndex } from "../../server/src/embedded-mongo/store/index-build.ts";
import { normaliseIndexSpec } from "../../server/src/embedded-mongo/store/index-spec.ts";
import { checkFile } from "../../server/src/embedded-mongo/store/integrity.ts";
import { prepareDocument } from "../../server/src/embedded-mongo/store/prepared-document.ts";
import {
  BSONRegExp,
  Decimal128,
  type Doc,
  Double,
  MongoError,
  ObjectId,
  type Value,
} from "../../server/src/embedded-mongo/values.ts";

const RUNS = Number(process.env["FUZZ_RUNS"] ?? 4_000);
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_120);
const DOCUMENTS = 120;
const QUERIES_PER_WORLD = 200;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function randomFrom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)];
    if (item === undefined && items.length === 0) throw new Error("nothing to pick from");
    return item as T;
  };
  return { below, pick, chance: (share: number): boolean => next() < share };
}
type Random = ReturnType<typeof randomFrom>;

const doc = (fields: Record<string, Value>): Doc => new Map(Object.entries(fields));
const IDS = [1, 2, 3].map((n) => new ObjectId(`${n}`.repeat(24)));

function scalar(random: Random): Value {
  const kinds: (() => Value)[] = [
    () => random.below(5),
    () => random.below(5),
    () => random.below(5) + 0.5,
    () => BigInt(random.below(5)),
    () => new Double(random.below(5)),
    () => Decimal128.fromString(`${random.below(5)}.5`),
    () => random.pick(["a", "ab", "abc", "A", "b", "B", ""]),
    () => random.pick(["a", "ab", "abc", "A", "b", "B", ""]),
    () => new Date(random.below(4)),
    () => random.pick(IDS),
    () => random.chance(0.5),
    () => null,
    () => Number.NaN,
  ];
  return random.pick(kinds)();
}

function value(random: Random, depth = 0): Value {
  if (depth < 2 && random.chance(0.25)) return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
  if (depth < 2 && random.chance(0.25)) return part(random, depth + 1);
  return scalar(random);
}

function part(random: Random, depth: number): Doc {
  const made: Doc = new Map();
  for (const name of ["x", "y"]) if (random.chance(0.7)) made.set(name, value(random, depth));
  return made;
}

function document(random: Random, id: number): Doc {
  const made = doc({ _id: id });
  for (const name of ["a", "b"])
    if (random.chance(0.8)) made.set(name, random.chance(0.8) ? scalar(random) : value(random));
  if (random.chance(0.8))
    made.set(
      "d",
      random.chance(0.5) ? part(random, 1) : Array.from({ length: random.below(3) }, () => part(random, 2)),
    );
  if (random.chance(0.7))
    made.set("t", random.chance(0.7) ? Array.from({ length: random.below(4) }, () => scalar(random)) : scalar(random));
  if (random.chance(0.5)) made.set("s", random.pick(["x", "X", "y", "Y", "z"]));
  return made;
}

const PATHS = ["a", "b", "d.x", "d.y", "t", "s", "d", "t.0", "_id"];
const insensitive = doc({ locale: "en", strength: 2 });

const INDEXES: Doc[] = [
  doc({ key: doc({ a: 1 }) }),
  doc({ key: doc({ a: -1, b: 1 }) }),
  doc({ key: doc({ "d.x": 1, "d.y": -1 }) }),
  doc({ key: doc({ t: 1, a: 1 }) }),
  doc({ key: doc({ b: 1, a: -1, "d.x": 1 }) }),
  doc({ key: doc({ t: -1 }) }),
  doc({ key: doc({ d: 1 }) }),
  doc({ key: doc({ s: 1, a: 1 }) }),
  doc({ key: doc({ "t.0": 1 }) }),
  doc({ key: doc({ a: 1 }), sparse: true }),
  doc({ key: doc({ "d.y": 1, b: 1 }), sparse: true }),
  doc({ key: doc({ a: 1 }), partialFilterExpression: doc({ b: doc({ $gt: 1 }) }) }),
  doc({ key: doc({ b: 1 }), partialFilterExpression: doc({ a: doc({ $exists: true }) }) }),
  doc({ key: doc({ t: 1 }), partialFilterExpression: doc({ s: doc({ $type: "string" }) }) }),
  doc({ key: doc({ s: 1 }), collation: insensitive }),
];

function condition(random: Random): Value {
  const range = (): Doc =>
    doc({
      [random.pick(["$gt", "$gte"])]: scalar(random),
      ...(random.chance(0.5) ? { [random.pick(["$lt", "$lte"])]: scalar(random) } : {}),
    });
  const kinds: (() => Value)[] = [
    () => scalar(random),
    () => scalar(random),
    () => value(random),
    () => doc({ $eq: scalar(random) }),
    () => doc({ $in: Array.from({ length: random.below(4) }, () => scalar(random)) }),
    range,
    range,
    () => doc({ [random.pick(["$lt", "$lte"])]: scalar(random) }),
    () => doc({ $ne: scalar(random) }),
    () => doc({ $exists: random.chance(0.6) }),
    () => doc({ $not: range() }),
    () => doc({ $type: random.pick(["string", "number", "date", "array", "null"]) }),
    () => doc({ $regex: random.pick(["^a", "^ab", "^ab?", "b$", "^a|^b"]) }),
    () => new BSONRegExp(random.pick(["^a", "^A", "^b"]), random.pick(["", "i"])),
    () => doc({ $all: [scalar(random), scalar(random)] }),
    () => doc({ $elemMatch: range() }),
    () => doc({ $elemMatch: doc({ x: condition(random), y: scalar(random) }) }),
    () => doc({ $nin: [scalar(random), null] }),
    () => doc({ $size: random.below(3) }),
  ];
  return random.pick(kinds)();
}

function filterFor(random: Random, depth = 0): Doc {
  const made: Doc = new Map();
  for (let count = random.below(4) + (depth === 0 ? 0 : 1); count > 0; count -= 1)
    made.set(random.pick(PATHS), condition(random));
  if (depth < 2 && random.chance(0.25))
    made.set(random.pick(["$or", "$and", "$nor"]), [filterFor(random, depth + 1), filterFor(random, depth + 1)]);
  return made;
}

type World = { engine: Engine; collection: Collection; docs: Map<number, Doc> };

function makeWorld(random: Random): World {
  const folder = mkdtempSync(join(tmpdir(), "plan-fuzz-"));
  folders.push(folder);
  const engine = openEngine({ dir: folder });
  const { store } = engine;
  const collection = store.group.write(() => store.catalogue.create(draftCollection("fuzz", "docs", new Map())));
  for (let count = 3 + random.below(3); count > 0; count -= 1) {
    const asked = new Map([...random.pick(INDEXES), ["name", `i${count}`]] as [string, Value][]);
    store.group.write(() => buildIndex(store, collection, normaliseIndexSpec(asked, undefined)));
  }
  const docs = new Map<number, Doc>();
  for (let id = 0; id < DOCUMENTS; id += 1) write({ engine, collection, docs }, random, id);
  return { engine, collection, docs };
}

/** Inserts or changes one document; documents that no index can hold are left out. */
function write({ engine, collection, docs }: World, random: Random, id: number): void {
  const made = document(random, id);
  const row = [
    ...findRows({ connection: engine.store.main, overlayOf: () => undefined }, collection, {
      filter: doc({ _id: id }),
    }),
  ][0];
  try {
    const prepared = prepareDocument(collection, encode(made));
    if (row && random.chance(0.3)) deleteDocument(engine.store, collection, row);
    else if (row)
      updateDocument(engine.store, collection, row, {
        after: prepared,
        account: { isReplacement: true, updateDescription: new Map() },
      });
    else insertDocument(engine.store, collection, prepared);
    const isGone =
      [
        ...findRows({ connection: engine.store.main, overlayOf: () => undefined }, collection, {
          filter: doc({ _id: id }),
        }),
      ].length === 0;
    if (isGone) docs.delete(id);
    else docs.set(id, made);
  } catch (error) {
    if (!(error instanceof MongoError) || error.code !== 171) throw error;
  }
}

function checkQuery({ engine, collection, docs }: World, query: Query): void {
  const view = { connection: engine.store.main, overlayOf: () => undefined };
  const filter = compileFilter(query.filter, query.collation ? { collation: query.collation } : {});
  const matching = [...docs.values()].filter((each) => filter.matches(each));
  const plan = planFor(collection, query);
  const explain = (): string =>
    `${showValue(query.filter)} sort ${showValue(query.sort)} plan ${JSON.stringify(plan, (key, item: unknown) => (key === "index" ? (item as { name: string }).name : item))}`;
  const idOf = (each: Doc): number => Number(each.get("_id"));
  const found = [...findRows(view, collection, query)].map((row) => decode(row.bytes));
  if (!query.sort) {
    if (!query.limit)
      expect(
        found.map(idOf).sort((a, b) => a - b),
        explain(),
      ).toEqual(matching.map(idOf).sort((a, b) => a - b));
    expect(countMatching(view, collection, query), explain()).toBe(found.length);
    return;
  }
  const sort = compileSort(query.sort, query.collation);
  const skip = query.skip ?? 0;
  const wanted = matching.sort((a, b) => sort.compare(a, b)).slice(skip, query.limit ? skip + query.limit : undefined);
  expect(found.length, explain()).toBe(wanted.length);
  for (const [at, each] of found.entries()) expect(sort.compare(each, wanted[at] ?? new Map()), explain()).toBe(0);
  const matchingIds = new Set(matching.map(idOf));
  expect(
    found.every((each) => matchingIds.has(idOf(each))) && new Set(found.map(idOf)).size === found.length,
    explain(),
  ).toBe(true);
}

test("plans: random queries over random indexes give what a full scan gives", { timeout: 600_000 }, () => {
  const random = randomFrom(SEED);
  const collation = parseCollation(insensitive);
  let indexed = 0;
  let exact = 0;
  for (let done = 0; done < RUNS;) {
    const world = makeWorld(random);
    for (let count = 0; count < QUERIES_PER_WORLD && done < RUNS; count += 1, done += 1) {
      const query: Query = { filter: filterFor(random), ...(random.chance(0.15) ? { collation } : {}) };
      if (random.chance(0.4)) {
        query.sort = doc(
          Object.fromEntries(
            Array.from({ length: 1 + random.below(2) }, () => [random.pick(PATHS), random.pick([1, -1])]),
          ),
        );
        if (random.chance(0.5)) Object.assign(query, { limit: 1 + random.below(8), skip: random.below(4) });
      }
      const plan = planFor(world.collection, query);
      if (plan.kind !== "scan") indexed += 1;
      if (plan.kind === "index" && plan.isExact) exact += 1;
      checkQuery(world, query);
      if (random.chance(0.2)) write(world, random, random.below(DOCUMENTS));
    }
    expect(checkFile(world.engine.store.main)).toEqual([]);
    world.engine.close();
  }
  // The comparison means nothing if indexes are hardly ever used.
  expect(indexed).toBeGreaterThan(RUNS / 5);
  expect(exact).toBeGreaterThan(RUNS / 100);
});
