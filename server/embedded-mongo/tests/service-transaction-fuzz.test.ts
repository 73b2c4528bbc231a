// Random changes and queries inside a transaction, against a plain list of documents; then commit or abort.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decode } from "../src/bson/decode.ts";
import { encode } from "../src/bson/encode.ts";
import { showValue } from "../src/bson/show.ts";
import { type Engine, openEngine } from "../src/engine.ts";
import { findRows, type ReadView } from "../src/plan/find-rows.ts";
import { compileFilter } from "../src/query/matcher.ts";
import { type Collection, draftCollection } from "../src/store/collection.ts";
import { buildIndex } from "../src/store/index-build.ts";
import { normaliseIndexSpec } from "../src/store/index-spec.ts";
import { checkFile } from "../src/store/integrity.ts";
import { prepareDocument } from "../src/store/prepared-document.ts";
import { overlayDelete, overlayInsert, overlayUpdate } from "../src/transactions/overlay.ts";
import type { Transaction } from "../src/transactions/transaction.ts";
import { type Doc, MongoError, type Value } from "../src/values.ts";
import { doc, document, filterFor, INDEXES, type Random, randomFrom } from "./service-random-documents.ts";

const RUNS = Number(process.env["FUZZ_RUNS"] ?? 2_000);
const STEPS = 20;
const IDS = 40;
const NUMBERED = (number: number): Value => number;
const UNIQUE = doc({ key: doc({ u: 1 }), unique: true, sparse: true });

let dir = "";
let engine: Engine;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "transaction-fuzz-"));
  engine = openEngine({ dir });
});
afterAll(() => {
  engine.close();
  rmSync(dir, { recursive: true, force: true });
});

interface World {
  collection: Collection;
  docs: Map<number, Doc>;
}

function makeWorld(random: Random, name: string): World {
  const { store } = engine;
  const collection = store.group.write(() => store.catalogue.create(draftCollection("fuzz", name, new Map())));
  for (const [at, asked] of [UNIQUE, random.pick(INDEXES), random.pick(INDEXES)].entries()) {
    const spec = new Map<string, Value>([...asked, ["name", `i${at}`]]);
    store.group.write(() => buildIndex(store, collection, normaliseIndexSpec(spec, undefined)));
  }
  return { collection, docs: new Map() };
}

const idOf = (each: Doc): number => Number(each.get("_id"));

/** Changes one document in the transaction and in the list; what breaks a rule is left out of both. */
function change(transaction: Transaction, { collection, docs }: World, random: Random): void {
  const overlay = engine.transactions.overlay(transaction, collection);
  const id = random.below(IDS);
  const made = document(random, id, NUMBERED);
  if (random.chance(0.4)) made.set("u", random.below(25));
  const [row] = findRows(viewOf(transaction), collection, { filter: doc({ _id: id }) });
  expect(row !== undefined).toBe(docs.has(id));
  const isTaken =
    made.has("u") && [...docs.values()].some((other) => idOf(other) !== id && other.get("u") === made.get("u"));
  try {
    if (row && random.chance(0.3)) {
      overlayDelete(overlay, transaction, row);
      docs.delete(id);
      return;
    }
    const prepared = prepareDocument(collection, encode(made));
    if (row)
      overlayUpdate(overlay, transaction, row, {
        after: prepared,
        account: { isReplacement: true, updateDescription: new Map() },
      });
    else overlayInsert(overlay, transaction, prepared);
    expect(isTaken).toBe(false);
    docs.set(id, made);
  } catch (error) {
    if (!(error instanceof MongoError)) throw error;
    expect(error.code === 171 || (error.code === 11_000 && isTaken), error.message).toBe(true);
  }
}

const viewOf = (transaction: Transaction): ReadView => ({
  connection: transaction.connection,
  overlayOf: (collection) => transaction.overlays.get(collection),
});

function compare(view: ReadView, { collection, docs }: World, random: Random): void {
  const filter = filterFor(random, { idOf: NUMBERED, most: IDS });
  const matcher = compileFilter(filter);
  const found = findRows(view, collection, { filter, ...(random.chance(0.5) ? { sort: doc({ _id: -1 }) } : {}) })
    .map((row) => idOf(decode(row.bytes)))
    .toArray();
  const wanted = [...docs.values()].filter((each) => matcher.matches(each)).map(idOf);
  expect(
    found.sort((a, b) => a - b),
    showValue(filter),
  ).toEqual(wanted.sort((a, b) => a - b));
}

test(
  "transactions: random changes are seen inside at once, and outside all together or not at all",
  { timeout: 600_000 },
  () => {
    const random = randomFrom(Number(process.env["FUZZ_SEED"] ?? 7));
    const plain: ReadView = { connection: engine.store.main, overlayOf: () => undefined };
    for (let done = 0, worlds = 0; done < RUNS; worlds += 1) {
      const world = makeWorld(random, `docs${worlds}`);
      for (let round = 0; round < 5; round += 1) {
        const transaction = engine.transactions.begin(new Map(), BigInt(round));
        const inside = { collection: world.collection, docs: new Map(world.docs) };
        for (let step = 0; step < STEPS; step += 1, done += 1) {
          change(transaction, inside, random);
          compare(viewOf(transaction), inside, random);
          if (step % 7 === 0) compare(plain, world, random);
        }
        if (random.chance(0.7)) {
          engine.transactions.commit(transaction, () => undefined);
          world.docs = inside.docs;
        } else {
          engine.transactions.abort(transaction);
        }
        compare(plain, world, random);
      }
    }
    expect(checkFile(engine.store.main)).toEqual([]);
  },
);
