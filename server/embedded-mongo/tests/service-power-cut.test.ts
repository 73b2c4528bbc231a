// What the disk may hold after a power cut: everything up to the last fsync, and of what came after it any part, torn.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkData } from "../src/backup.ts";
import { DATA_FILE, openEngine } from "../src/engine.ts";
import { decode } from "../src/bson/decode.ts";
import { rowsInOrder } from "../src/store/documents.ts";
import { aDatabase, aFolder, type Database } from "./service-engine.ts";
import { type Random, randomFrom } from "./service-random-documents.ts";

const CUTS = Number(process.env["POWER_CUTS"] ?? 8);
const SECTOR = 512;
const PAGE = 4_096;

interface Entry {
  _id: number;
  email: string;
  tags: string[];
  version: number;
}

const entriesOf = ({ client }: Database) => client.db("app").collection<Entry>("entries");

async function writeSome(database: Database, random: Random, stored: Map<number, number>): Promise<void> {
  const entries = entriesOf(database);
  for (let count = 3 + random.below(8); count > 0; count -= 1) {
    const _id = random.below(60);
    const version = (stored.get(_id) ?? 0) + 1;
    const change = {
      $set: { version, email: `${_id}-${version}`, tags: ["a".repeat(random.below(3_000)), `t${version}`] },
    };
    await entries.updateOne({ _id }, change, { upsert: true });
    stored.set(_id, version);
  }
  await database.client.withSession((session) =>
    session.withTransaction(async () => {
      for (const _id of [1_000, 1_001])
        await entries.updateOne({ _id }, { $inc: { version: 1 } }, { session, upsert: true });
    }),
  );
  for (const _id of [1_000, 1_001]) stored.set(_id, (stored.get(_id) ?? 0) + 1);
}

/** Sectors of what was being written are there, are not, or hold something else; what follows may be missing. */
function tornAfter(bytes: Buffer, durable: number, random: Random): Buffer {
  const torn = Buffer.from(bytes);
  for (let at = durable; at < torn.length; at += SECTOR) {
    const end = Math.min(at + SECTOR, torn.length);
    const fate = random.below(10);
    if (fate < 3) torn.fill(0, at, end);
    else if (fate < 5) torn.fill(random.below(256), at, end);
  }
  return random.chance(0.5) ? torn.subarray(0, durable + random.below(torn.length - durable + 1)) : torn;
}

/** Of each page the old state, the new one, or half of each. */
function halfWritten(before: Buffer, after: Buffer, random: Random): Buffer {
  const mixed = Buffer.from(after);
  for (let at = 0; at < before.length; at += PAGE) {
    const fate = random.below(10);
    if (fate < 4) before.copy(mixed, at, at, at + PAGE);
    else if (fate < 6) before.copy(mixed, at + PAGE / 2, at + PAGE / 2, at + PAGE);
  }
  return mixed;
}

function storedIn(dir: string): Map<number, number> {
  const engine = openEngine({ dir });
  const collection = engine.catalogue.find("app", "entries");
  const docs = collection ? [...rowsInOrder(engine.store.main, collection)].map(({ bytes }) => decode(bytes)) : [];
  engine.close();
  return new Map(docs.map((doc) => [Number(doc.get("_id")), Number(doc.get("version"))]));
}

test(
  "power cuts: whatever part of the last writes is on the disk, what was acknowledged is whole",
  { timeout: 60_000 + CUTS * 5_000 },
  async () => {
    const random = randomFrom(Number(process.env["FUZZ_SEED"] ?? Date.now()));
    const database = await aDatabase();
    const { main } = database.running.engine.store;
    const [file, log] = [join(database.dir, DATA_FILE), join(database.dir, `${DATA_FILE}-wal`)];
    main.exec("PRAGMA wal_autocheckpoint=0");
    await entriesOf(database).createIndexes([
      { key: { email: 1 }, unique: true, sparse: true },
      { key: { tags: 1, version: -1 } },
    ]);
    const stored = new Map<number, number>();
    for (let cuts = 0; cuts < CUTS; cuts += 1) {
      main.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      await writeSome(database, random, stored);
      const [acknowledged, durable, before] = [new Map(stored), statSync(log).size, readFileSync(file)];
      await writeSome(database, random, stored);
      const written = readFileSync(log);
      const isCheckpoint = random.chance(0.5);
      if (isCheckpoint) main.exec("PRAGMA wal_checkpoint(PASSIVE)");
      const dir = aFolder();
      // Pages go into the file only once the log of them is on the disk.
      writeFileSync(join(dir, `${DATA_FILE}-wal`), isCheckpoint ? written : tornAfter(written, durable, random));
      writeFileSync(join(dir, DATA_FILE), isCheckpoint ? halfWritten(before, readFileSync(file), random) : before);
      const found = storedIn(dir);
      for (const [id, version] of acknowledged) expect(found.get(id), `entry ${id}`).toBeGreaterThanOrEqual(version);
      for (const [id, version] of found) expect(version, `entry ${id}`).toBeLessThanOrEqual(stored.get(id) ?? 0);
      expect(found.get(1_000)).toBe(found.get(1_001));
      if (isCheckpoint) expect(found).toEqual(stored);
      expect(checkData(dir)).toEqual([]);
    }
  },
);
