// A letter that changes on the disk: what is read, what the check says, and what a backup says.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { backUpData, checkCopy, checkData } from "../src/backup.ts";
import { DATA_FILE } from "../src/engine.ts";
import { areSumsWhole } from "../src/store/schema.ts";
import { aDatabase, aFolder, type Database } from "./service-engine.ts";
import { randomFrom } from "./service-random-documents.ts";

const FLIPS = Number(process.env["DAMAGE_FLIPS"] ?? 50);

interface Note {
  _id: string;
  text: string;
  tags?: string[];
  n?: number;
}

const NOTES: Note[] = Array.from({ length: 300 }, (_, n) => ({
  _id: `note-${n}`,
  text: `what was said in session ${n} `.repeat(1 + (n % 30)),
  tags: [`t${n % 3}`, `u${n % 5}`],
  n,
}));

const notesOf = ({ client }: Database) => client.db("practice").collection<Note>("notes");

async function someNotes(): Promise<Database> {
  const database = await aDatabase();
  const notes = notesOf(database);
  await notes.createIndex({ n: 1 }, { unique: true });
  await notes.createIndex({ tags: 1, text: -1 });
  await notes.insertMany(NOTES);
  return database;
}

/** A copy of the file as it lies on the disk, with the pages that nothing uses. */
function copyOf({ running, dir }: Database): { dir: string; file: string } {
  running.engine.store.main.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const copy = aFolder();
  copyFileSync(join(dir, DATA_FILE), join(copy, DATA_FILE));
  return { dir: copy, file: join(copy, DATA_FILE) };
}

/** Changes what one blob of a table holds, and nothing beside it. */
function spoil(file: string, [table, column, key]: [string, string, number], from: string, to: string): void {
  const sqlite = new DatabaseSync(file);
  const id = table === "_idx" ? "id" : "rid";
  const bytes = sqlite.prepare(`SELECT ${column} AS b FROM ${table} WHERE ${id} = ?`).get(key)?.["b"];
  const spoiled = Buffer.from(bytes instanceof Uint8Array ? bytes : []);
  expect(spoiled.includes(from)).toBe(true);
  spoiled.write(to, spoiled.indexOf(from));
  sqlite.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${id} = ?`).run(spoiled, key);
  sqlite.close();
}

test("damage: one letter in a document is named by the check and a backup, is not read, and hides no other", async () => {
  const database = await someNotes();
  const { dir, file } = copyOf(database);
  spoil(file, ["c1", "d", 42], "in session 41", "in session 42");
  const fault = 'practice.notes: document { _id: "note-41" } is not as it was written';
  expect(checkData(dir)).toEqual([fault, expect.stringContaining('{ _id: "note-41" } is missing from index')]);
  expect(backUpData(dir, join(aFolder(), "copy"))).toContain(fault);
  const again = await aDatabase({ dir });
  const notes = notesOf(again);
  await expect(notes.findOne({ _id: "note-41" })).rejects.toThrow(
    `the data file is damaged: ${fault}; restore a backup`,
  );
  await expect(notes.updateOne({ n: 41 }, { $set: { n: 1_000 } })).rejects.toThrow("is damaged");
  expect(await notes.findOne({ _id: "note-42" })).toEqual(NOTES[42]);
});

test("damage: a document that cannot be read any more is named, and so are those after it", async () => {
  const database = await someNotes();
  const { dir, file } = copyOf(database);
  for (const n of [7, 250]) spoil(file, ["c1", "d", n + 1], "\u0002text\0", "\u0003");
  const faults = checkData(dir);
  for (const n of [7, 250]) {
    expect(faults).toContain(`practice.notes: document { _id: "note-${n}" } is not as it was written`);
    expect(faults).toContainEqual(expect.stringMatching(new RegExp(`{ _id: "note-${n}" } cannot be read: `)));
  }
});

test("damage: an index that is no longer what it was made is not opened", async () => {
  const database = await someNotes();
  const { dir, file } = copyOf(database);
  spoil(file, ["_idx", "spec", 1], "unique\0", "uniquf\0");
  expect(checkData(dir)).toEqual([expect.stringContaining("_idx: 1 rows"), expect.stringContaining("index n_1")]);
  await expect(aDatabase({ dir })).rejects.toThrow(
    "the data file is damaged: index n_1 of practice.notes is not as it was written; restore it from a backup",
  );
});

/** As the version before wrote it. */
function withoutSums(file: string): void {
  const sqlite = new DatabaseSync(file);
  const tables = sqlite.prepare("SELECT name FROM sqlite_master WHERE sql LIKE '%, s INTEGER%'").all();
  for (const { name } of tables) sqlite.exec(`ALTER TABLE ${String(name)} DROP COLUMN s`);
  sqlite.exec("UPDATE _meta SET v = 1 WHERE k = 'format'; DELETE FROM _meta WHERE k <> 'format'");
  sqlite.close();
}

test("sums: a file of the version before is opened and checked, and gets them bit by bit", async () => {
  const database = await someNotes();
  const { dir, file } = copyOf(database);
  withoutSums(file);
  expect(checkData(dir)).toEqual([]);
  expect(backUpData(dir, join(aFolder(), "copy"))).toEqual([]);
  const again = await aDatabase({ dir });
  expect(await notesOf(again).find().toArray()).toEqual(NOTES);
  await notesOf(again).updateOne({ n: 3 }, { $set: { text: "new" } });
  expect(checkData(dir)).toEqual([]);
  await again.restart();
  await vi.waitUntil(() => areSumsWhole(again.running.engine.store.main), { timeout: 10_000 });
  expect(again.running.engine.store.main.number("SELECT COUNT(*) FROM c1 WHERE s IS NULL")).toBe(0);
  again.running.engine.store.main.exec("UPDATE c1 SET s = NULL WHERE rid = 5");
  expect(checkData(dir)).toEqual(['practice.notes: document { _id: "note-4" } is not as it was written']);
});

/** Everything that the file says, however it lies in it; undefined where it cannot be read. */
function contentOf(file: string): string | undefined {
  const sqlite = new DatabaseSync(file);
  try {
    const tables = sqlite.prepare("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").all();
    const rows = tables.map(({ name }) => sqlite.prepare(`SELECT * FROM "${String(name)}" ORDER BY 1, 2`).all());
    return JSON.stringify([tables, rows], (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
    );
  } catch (error) {
    if (error instanceof Error && "errcode" in error) return undefined;
    throw error;
  } finally {
    sqlite.close();
  }
}

test(
  "damage: of bytes flipped anywhere in the file each is harmless or named by the check and by a backup",
  { timeout: 120_000 + FLIPS * 2_000 },
  async () => {
    const database = await someNotes();
    await database.client.withSession(async (session) => {
      await notesOf(database).updateOne({ n: 9 }, { $set: { tags: [] } }, { session });
    });
    await database.client
      .db("practice")
      .collection("gone")
      .insertMany(NOTES.map(({ text }) => ({ text })));
    await database.client.db("practice").dropCollection("gone");
    const { file: sound } = copyOf(database);
    const content = contentOf(sound);
    const [bytes, random] = [readFileSync(sound), randomFrom(Number(process.env["FUZZ_SEED"] ?? Date.now()))];
    const dir = join(aFolder(), "flipped");
    let named = 0;
    for (let flips = 0; flips < FLIPS; flips += 1) {
      rmSync(dir, { recursive: true, force: true });
      mkdirSync(dir);
      const file = join(dir, DATA_FILE);
      copyFileSync(sound, file);
      // The first page holds the most that can go wrong.
      const [at, by] = [random.below(random.chance(0.2) ? 4_096 : bytes.length), 1 + random.below(255)];
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8((flipped[at] ?? 0) ^ by, at);
      writeFileSync(file, flipped);
      const faults = checkData(dir);
      const copy = join(dir, "copy");
      const copyFaults = backUpData(dir, copy);
      const which = `byte ${at} changed by ${by}: ${faults.join()} / ${copyFaults.join()}`;
      if (contentOf(file) !== content) {
        expect(faults, which).not.toEqual([]);
        expect(copyFaults, which).not.toEqual([]);
      }
      if (copyFaults.length === 0) expect(contentOf(copy), which).toBe(content);
      if (faults.length > 0) named += 1;
      expect(existsSync(copy) ? checkCopy(copy).length > 0 && copyFaults.length === 0 : false, which).toBe(false);
    }
    expect(named).toBeGreaterThan(FLIPS / 10);
  },
);
