// A search in notes reads a bounded amount of text, and the database little of it in one go.
import { newId } from "@app/server/core/ids";
import { sizesOfNotes } from "@app/server/features/notes/notes.migration";
import { richTextOf } from "@app/shared/rich-text";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { aCase, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);

const MIB = 1024 ** 2;

interface Stored {
  _id: string;
  createdAt: Date;
  searchText: string;
  searchBytes?: number;
}
const notes = () => mongoose.connection.collection<Stored>("notes");

/** A case whose notes have these texts, the newest first. */
async function aCaseWithTexts(texts: string[]) {
  const practice = await aPractice(app);
  const { theCase } = await aCase(practice);
  const { id } = await practice.api.notes.create.mutate({
    id: newId(),
    caseId: theCase.id,
    clientId: null,
    kind: "file_note",
    visibility: PRACTICE_ONLY,
    body: richTextOf("Café, Straße and 家"),
  });
  const first = await notes().findOne({ _id: id });
  if (!first) throw new Error("the note is not stored");
  const older = (index: number) => new Date(first.createdAt.getTime() - (index + 1) * 1000);
  const docs = texts.map((searchText, index) => ({
    ...first,
    _id: newId(),
    createdAt: older(index),
    searchText,
    searchBytes: Buffer.byteLength(searchText),
  }));
  await notes().insertMany(docs);
  const list = (search: string, page = 1) => practice.api.notes.list.query({ caseId: theCase.id, search, page });
  return { first, docs, list };
}

const aText = (word: string, bytes: number) => word.padEnd(bytes, " a");

/** How many bytes each query may read whose filter compares texts. */
async function readBy(work: () => Promise<unknown>): Promise<number[]> {
  const asked: string[] = [];
  mongoose.set("debug", (collection: string, _method: string, ...args: unknown[]) => {
    const filter = JSON.stringify(args);
    if (collection === "notes" && filter.includes("$regex")) asked.push(filter);
  });
  await work().finally(() => mongoose.set("debug", false));
  const all = await notes()
    .find({}, { projection: { searchBytes: 1 } })
    .toArray();
  return asked.map((filter) =>
    all.filter(({ _id }) => filter.includes(_id)).reduce((sum, { searchBytes = 0 }) => sum + searchBytes, 0),
  );
}

test("S74 notes.list: a search in much text, then the database reads each text once, at most a megabyte in one go", async () => {
  const words = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? "valuation" : "lender"));
  const { docs, first, list } = await aCaseWithTexts(words.map((word) => aText(word, 48_000)));
  const read = await readBy(async () => {
    const found = docs.filter(({ searchText }) => searchText.startsWith("valuation")).map(({ _id }) => _id);
    const pages = [await list("VALUATION a"), await list("VALUATION a", 2)];
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(found);
    expect(pages).toMatchObject([
      { total: 30, isTotalExact: true },
      { total: 30, isTotalExact: true },
    ]);
  });
  expect(Math.max(...read)).toBeLessThanOrEqual(MIB);
  const all = docs.length * 48_000 + (first.searchBytes ?? 0);
  expect(read.reduce((sum, bytes) => sum + bytes, 0)).toBe(2 * all);
});

test("S74 notes.list: more than 20 MB of notes, then the newest are searched, and the total is said to be of a part", async () => {
  const { list } = await aCaseWithTexts([
    "the valuation",
    ...Array.from({ length: 20 }, () => aText("lender", MIB - 1000)),
    aText("valuation", 20_000),
  ]);
  expect(await list("valuation")).toMatchObject({ total: 1, isTotalExact: false });
  expect(await list("café")).toMatchObject({ total: 1, isTotalExact: false });
  expect(await list("")).toMatchObject({ total: 23, isTotalExact: true });
});

test("sizesOfNotes: notes from before the length of their text was kept, then they have it, as a new one has", async () => {
  const { first, docs } = await aCaseWithTexts(["ß and 家"]);
  const ids = [first._id, ...docs.map(({ _id }) => _id)];
  const kept = () =>
    notes()
      .find({ _id: { $in: ids } })
      .sort({ createdAt: -1 })
      .toArray();
  const before = await kept();
  expect(before.map(({ searchBytes }) => searchBytes)).toEqual([Buffer.byteLength(first.searchText), 10]);
  await notes().updateMany({ _id: { $in: ids } }, { $unset: { searchBytes: "" } });
  await sizesOfNotes();
  expect(await kept()).toEqual(before);
});
