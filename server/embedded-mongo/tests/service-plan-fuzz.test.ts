// Random documents, indexes and queries: whatever plan is chosen, the answer must be that of a full scan.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { decode } from "../src/bson/decode.ts";
import { encode } from "../src/bson/encode.ts";
import { showValue } from "../src/bson/show.ts";
import { type Engine, openEngine } from "../src/engine.ts";
import { parseCollation } from "../src/keys/collation.ts";
import { type Pause, withoutPauses } from "../src/pace.ts";
import { countMatching, findRows, pacedRows, planFor, type Query, type ReadView } from "../src/plan/find-rows.ts";
import { compileSort } from "../src/fields/sort.ts";
import { compileFilter } from "../src/query/matcher.ts";
import { type Collection, draftCollection } from "../src/store/collection.ts";
import { deleteDocument, insertDocument, updateDocument } from "../src/store/documents.ts";
import { buildIndex } from "../src/store/index-build.ts";
import { normaliseIndexSpec } from "../src/store/index-spec.ts";
import { checkFile } from "../src/store/integrity.ts";
import { prepareDocument } from "../src/store/prepared-document.ts";
import { type Doc, MongoError, type Value } from "../src/values.ts";
import {
  doc,
  document,
  filterFor,
  type IdOf,
  INDEXES,
  insensitive,
  PATHS,
  type Random,
  randomFrom,
  randomIds,
} from "./service-random-documents.ts";

const RUNS = Number(process.env["FUZZ_RUNS"] ?? 4_000);
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_120);
const DOCUMENTS = 120;
const QUERIES_PER_WORLD = 200;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const viewOf = (engine: Engine): ReadView => ({ connection: engine.store.main, overlayOf: () => undefined });
/** Pauses wherever it may. */
const ALWAYS_OVER = { begin: () => undefined, isOver: () => true };

/** The result of work that nobody waits beside. */
function atOnce<T>(work: Generator<Pause, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

type World = { engine: Engine; collection: Collection; docs: Map<number, Doc>; idOf: IdOf };

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
  const world = { engine, collection, docs, idOf: randomIds(random) };
  for (let number = 0; number < DOCUMENTS; number += 1) write(world, random, number);
  return world;
}

/** Inserts or changes one document; documents that no index can hold are left out. */
function write({ engine, collection, docs, idOf }: World, random: Random, number: number): void {
  const made = document(random, number, idOf);
  const filter = doc({ _id: doc({ $eq: idOf(number) }) });
  const isGone = (): boolean => findRows(viewOf(engine), collection, { filter }).next().done === true;
  const [row] = findRows(viewOf(engine), collection, { filter });
  try {
    const prepared = prepareDocument(collection, encode(made));
    if (row && random.chance(0.3)) deleteDocument(engine.store, collection, row);
    else if (row)
      updateDocument(engine.store, collection, row, {
        after: prepared,
        account: { isReplacement: true, updateDescription: new Map() },
      });
    else insertDocument(engine.store, collection, prepared);
    if (isGone()) docs.delete(number);
    else docs.set(number, made);
  } catch (error) {
    if (!(error instanceof MongoError) || error.code !== 171) throw error;
  }
}

function checkQuery({ engine, collection, docs }: World, query: Query): void {
  const view = { ...viewOf(engine), pace: ALWAYS_OVER };
  const filter = compileFilter(query.filter, query.collation ? { collation: query.collation } : {});
  const matching = [...docs.values()].filter((each) => filter.matches(each));
  const plan = planFor(collection, query);
  const explain = (): string =>
    `${showValue(query.filter)} sort ${showValue(query.sort)} plan ${plan.kind} ${plan.kind === "index" ? showValue(plan.index.spec) : ""}`;
  const numberOf = (each: Doc): number => Number(each.get("n"));
  const found = [...withoutPauses(pacedRows(view, collection, query))].map((row) => decode(row.bytes));
  if (!query.sort) {
    if (!query.limit)
      expect(
        found.map(numberOf).sort((a, b) => a - b),
        explain(),
      ).toEqual(matching.map(numberOf).sort((a, b) => a - b));
    expect(atOnce(countMatching(view, collection, query)), explain()).toBe(found.length);
    return;
  }
  const sort = compileSort(query.sort, query.collation ?? undefined);
  const skip = query.skip ?? 0;
  const wanted = matching.sort((a, b) => sort.compare(a, b)).slice(skip, query.limit ? skip + query.limit : undefined);
  expect(found.length, explain()).toBe(wanted.length);
  for (const [at, each] of found.entries()) expect(sort.compare(each, wanted[at] ?? new Map()), explain()).toBe(0);
  const matchingIds = new Set(matching.map(numberOf));
  expect(
    found.every((each) => matchingIds.has(numberOf(each))) && new Set(found.map(numberOf)).size === found.length,
    explain(),
  ).toBe(true);
}

test("plans: random queries over random indexes give what a full scan gives", { timeout: 600_000 + RUNS * 20 }, () => {
  const random = randomFrom(SEED);
  const collation = parseCollation(insensitive);
  let indexed = 0;
  let exact = 0;
  for (let done = 0; done < RUNS;) {
    const world = makeWorld(random);
    for (let count = 0; count < QUERIES_PER_WORLD && done < RUNS; count += 1, done += 1) {
      const query: Query = {
        filter: filterFor(random, { idOf: world.idOf, most: DOCUMENTS }),
        ...(random.chance(0.15) ? { collation } : {}),
      };
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
