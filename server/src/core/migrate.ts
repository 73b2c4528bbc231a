// Brings what is stored into the shape that the code of today reads, once for each step, before anything is served.
import mongoose, { Schema } from "mongoose";
import { now } from "./clock.ts";
import type { Logger } from "./logger.ts";

export interface Migration {
  /** For ever: a step that was renamed would run again. */
  name: string;
  /** Safe to run again where it was interrupted, and beside another process that runs it too. */
  run: (log: Logger) => Promise<void>;
}

const migrationSchema = new Schema(
  { _id: { type: String, required: true }, doneAt: { type: Date, required: true } },
  { collection: "migrations", versionKey: false },
);
const MigrationModel = mongoose.model("Migration", migrationSchema);

/** Runs those that never came to their end here, in their order. */
export async function migrate(migrations: readonly Migration[], log: Logger): Promise<void> {
  const done = new Set((await MigrationModel.find({}, { _id: 1 }).lean()).map(({ _id }) => _id));
  for (const { name, run } of migrations) {
    if (done.has(name)) continue;
    await run(log);
    await MigrationModel.updateOne({ _id: name }, { $set: { doneAt: now() } }, { upsert: true });
    log.info({ migration: name }, "stored data brought up to date");
  }
}
