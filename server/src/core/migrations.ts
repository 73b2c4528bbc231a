// What is stored by an older version is brought into today's shape, once, before anything reads it.
import mongoose from "mongoose";
import { now } from "./clock.ts";
import type { Logger } from "./logger.ts";

interface Migration {
  /** A number that says the order, and a few words: never changed again. */
  id: string;
  /** May run twice, such as after a crash or in two processes at once. */
  run: () => Promise<void>;
}

const migrationMongooseSchema = new mongoose.Schema<{ _id: string; doneAt: Date }>(
  { _id: { type: String, required: true }, doneAt: { type: Date, required: true } },
  { collection: "migrations", versionKey: false },
);
const MigrationModel = mongoose.model("Migration", migrationMongooseSchema);

const migrations = new Map<string, Migration["run"]>();

export function defineMigration({ id, run }: Migration): void {
  if (migrations.has(id)) throw new Error(`There are two migrations "${id}"`);
  migrations.set(id, run);
}

/** Runs, in the order of their ids, those that were never run on this database. */
export async function runMigrations(log: Logger): Promise<void> {
  const done = new Set((await MigrationModel.find().lean()).map(({ _id }) => _id));
  const open = [...migrations].filter(([id]) => !done.has(id)).toSorted(([one], [other]) => (one < other ? -1 : 1));
  for (const [id, run] of open) {
    await run();
    await MigrationModel.updateOne({ _id: id }, { $set: { doneAt: now() } }, { upsert: true });
    log.info({ migration: id }, "what is stored was brought into today's shape");
  }
}
